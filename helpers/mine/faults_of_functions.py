"""Typical faults of the functions: attention, masks, the loss, the schedule."""

import math
from functools import partial
from types import FunctionType

import torch
from torch.nn import functional as F

from helpers.decoding import IncrementalDecoding, beam_search, best_continuations, length_penalty
from helpers.mine.fault import Fault


def attend(query, key, value, mask=None, scale=None, dim=-1, hide=None, show=None, weigh=torch.softmax):
    """Attention with something changed.

    Args:
        query, key, value, mask: as in `scaled_dot_product_attention`.
        scale: from query and key to what the scores are divided by; None: √d_k.
        dim: axis of the softmax.
        hide: from scores and mask to scores; None: −∞ where the mask is False.
        show: from weights and mask to weights; None: 0 where the mask is False.
        weigh: from scores and dim to weights.
    """
    scores = query @ key.mT / (math.sqrt(query.size(-1)) if scale is None else scale(query, key))
    if mask is not None:
        scores = hide(scores, mask) if hide else scores.masked_fill(~mask, -math.inf)
    weights = weigh(scores, dim)
    if mask is not None:
        weights = show(weights, mask) if show else weights.masked_fill(~mask, 0.0)
    return weights @ value, weights


def as_it_is(values, mask):
    """What a forgotten mask does."""
    return values


ATTENTION = [
    Fault(
        partial(attend, scale=lambda q, k: q.size(-1) ** -0.5),
        "4.8",
        "스코어에 √d_k를 곱했습니다. √d_k로 나눕니다.",
        "The scores are multiplied by √d_k; divide by it.",
    ),
    Fault(
        partial(attend, scale=lambda q, k: 1.0),
        "4.8",
        "스코어를 √d_k로 나누지 않았습니다.",
        "The scores are not divided by √d_k.",
    ),
    Fault(
        partial(attend, scale=lambda q, k: q.size(-1)),
        "4.8",
        "d_k로 나누었습니다. 그 제곱근인 √d_k로 나눕니다.",
        "The scores are divided by d_k; divide by its root, √d_k.",
    ),
    Fault(
        partial(attend, scale=lambda q, k: math.sqrt(k.size(-2))),
        "4.8",
        "키의 개수의 제곱근으로 나누었습니다. d_k는 벡터의 크기, 즉 마지막 축입니다.",
        "The scores are divided by the root of the number of keys; d_k is the size of a vector.",
    ),
    Fault(
        partial(attend, dim=-2),
        "4.10",
        "소프트맥스가 쿼리의 축을 따라갑니다. 쿼리마다 키의 가중치를 더해 1이 되어야 하니 마지막 축입니다.",
        "The softmax runs along the queries; the weights of the keys sum to 1, along the last axis.",
    ),
    Fault(
        partial(attend, weigh=lambda scores, dim: scores),
        "4.4",
        "소프트맥스가 없습니다. 스코어를 그대로 가중치로 썼습니다.",
        "The softmax is missing: the scores are used as weights.",
    ),
    Fault(
        partial(attend, weigh=lambda scores, dim: scores.sigmoid()),
        "4.4",
        "소프트맥스가 아니라 시그모이드를 썼습니다. 가중치의 합이 1이 되지 않습니다.",
        "This is a sigmoid in place of the softmax: the weights do not sum to 1.",
    ),
    Fault(
        partial(attend, weigh=torch.log_softmax),
        "4.4",
        "로그 소프트맥스를 썼습니다. 가중치는 소프트맥스입니다.",
        "This is the log of the softmax; the weights are the softmax itself.",
    ),
    Fault(
        partial(attend, weigh=lambda scores, dim: scores.exp() / scores.exp().sum()),
        "4.4",
        "모든 스코어를 한꺼번에 더해 나누었습니다. 쿼리마다 따로, 마지막 축을 따라 더합니다.",
        "It divides by the sum over all scores; each query has its own sum, along the last axis.",
    ),
    Fault(
        partial(attend, weigh=lambda scores, dim: scores.exp() / scores.exp().sum(dim, keepdim=True)),
        "4.4",
        "스코어가 크면 exp가 넘쳐 NaN이 됩니다. softmax를 쓰거나, 가장 큰 스코어를 먼저 빼세요.",
        "With large scores exp overflows, and NaN follows: use softmax, or subtract the largest score first.",
    ),
    Fault(
        partial(attend, hide=as_it_is, show=as_it_is),
        "4.10",
        "마스크를 쓰지 않았습니다.",
        "The mask is not used.",
    ),
    Fault(
        partial(
            attend,
            hide=lambda scores, mask: scores.masked_fill(mask, -math.inf),
            show=lambda weights, mask: weights.masked_fill(mask, 0.0),
        ),
        "6.9",
        "마스크가 뒤집혔습니다. True가 볼 수 있다는 뜻이니 ~mask인 곳을 가립니다.",
        "The mask is inverted: True may attend, so hide where ~mask is True.",
    ),
    Fault(
        partial(attend, hide=as_it_is),
        "6.2",
        "소프트맥스 다음에 가렸습니다. 남은 가중치의 합이 1보다 작습니다. 앞에서 −∞로 가리세요.",
        "The mask comes after the softmax, so that the weights sum to less than 1; hide with −∞ before it.",
    ),
    *(
        Fault(
            partial(attend, hide=lambda scores, mask: scores * mask, show=show),
            "6.2",
            "가린 스코어를 0으로 만들었습니다. 0도 exp를 거치면 1이라 가중치를 받습니다. −∞로 채우세요.",
            "Hidden scores are set to 0, which still gets weight: exp(0) is 1. Fill them with −∞.",
        )
        for show in (as_it_is, None)
    ),
    Fault(
        partial(attend, hide=lambda scores, mask: scores + mask, show=as_it_is),
        "6.2",
        "마스크를 스코어에 더했습니다. True를 더하면 1이 커질 뿐입니다. masked_fill을 쓰세요.",
        "The mask is added to the scores, where True only adds 1; use masked_fill.",
    ),
]
RETURNED = [
    Fault(
        lambda *inputs: attend(*inputs)[::-1],
        "4.10",
        "돌려주는 순서가 바뀌었습니다. 출력이 먼저, 가중치가 다음입니다.",
        "The two results are exchanged: first the output, then the weights.",
    ),
    Fault(
        lambda *inputs: (attend(*inputs)[0], attend(*inputs, weigh=lambda scores, dim: scores)[1]),
        "4.10",
        "가중치 대신 스코어를 돌려줍니다. 소프트맥스를 거친 것을 돌려주세요.",
        "It returns the scores in place of the weights; return what the softmax made of them.",
    ),
]
NOTHING_SEEN = [  # of rows in which every key is hidden
    Fault(
        partial(attend, hide=lambda scores, mask: scores.masked_fill(~mask, -1e9), show=as_it_is),
        "6.2",
        "볼 수 있는 키가 하나도 없는 쿼리가 밸류의 평균을 받습니다. 그런 행의 가중치는 모두 0이어야 합니다.",
        "A query that may see no key gets the mean of the values; all weights of such a row should be 0.",
    ),
    Fault(
        partial(attend, show=as_it_is),
        "6.2",
        "볼 수 있는 키가 하나도 없는 쿼리가 NaN이 됩니다. 소프트맥스 다음에 가린 가중치를 0으로 채우세요.",
        "A query that may see no key becomes NaN; fill hidden weights with 0 after the softmax.",
    ),
]
PADDING = [
    Fault(
        lambda ids, pad_id: (ids == pad_id)[:, None, None, :],
        "6.3",
        "패딩에서 True입니다. True가 볼 수 있다는 뜻이니 ids != pad_id입니다.",
        "It is True at padding; True may attend, so it is ids != pad_id.",
    ),
    Fault(
        lambda ids, pad_id: ids != pad_id,
        "6.3",
        "형태가 (B, T)입니다. 헤드와 쿼리의 축을 넣어 (B, 1, 1, T)로 만드세요.",
        "Its shape is (B, T); add the axes of heads and queries: (B, 1, 1, T).",
    ),
    Fault(
        lambda ids, pad_id: (ids != pad_id)[:, None, :],
        "6.3",
        "축이 하나 모자랍니다. 헤드와 쿼리의 축을 모두 넣어 (B, 1, 1, T)로 만드세요.",
        "One axis is missing: both heads and queries, (B, 1, 1, T).",
    ),
    Fault(
        lambda ids, pad_id: (ids != pad_id)[:, None, :, None],
        "6.3",
        "패딩인 쿼리를 가렸습니다. 가릴 것은 패딩인 키, 즉 마지막 축입니다.",
        "This hides the queries that are padding; hide the keys, the last axis.",
    ),
    Fault(
        lambda ids, pad_id: (ids != 0)[:, None, None, :],
        "6.3",
        "pad_id 대신 늘 0을 가립니다.",
        "It always hides 0 instead of pad_id.",
    ),
    Fault(
        lambda ids, pad_id: (ids != pad_id)[:, None, None, :].float(),
        "6.3",
        "실수 마스크입니다. 이 강의의 마스크는 불리언입니다.",
        "The mask holds floats; masks are boolean here.",
    ),
]
CAUSAL = [
    Fault(
        lambda length: torch.ones(length, length, dtype=torch.bool).triu(),
        "6.5",
        "미래를 남기고 과거를 가렸습니다. triu가 아니라 tril입니다.",
        "The past is hidden instead of the future: it is tril, not triu.",
    ),
    Fault(
        lambda length: torch.ones(length, length, dtype=torch.bool).tril(-1),
        "6.5",
        "대각선까지 가렸습니다. 쿼리 i는 자기 자신도 봅니다.",
        "The diagonal is hidden, too; query i also sees itself.",
    ),
    Fault(
        lambda length: torch.ones(length, length, dtype=torch.bool).tril(1),
        "6.5",
        "쿼리 i가 i + 1까지 봅니다. 한 칸 어긋났습니다.",
        "Query i sees up to i + 1: it is off by one.",
    ),
    Fault(
        lambda length: torch.ones(length, length, dtype=torch.bool).triu(1),
        "6.5",
        "True와 False가 뒤바뀌었습니다. True가 볼 수 있다는 뜻입니다.",
        "True and False are exchanged: True may attend.",
    ),
    Fault(
        lambda length: torch.ones(length, length, dtype=torch.bool),
        "6.5",
        "아무것도 가리지 않습니다.",
        "Nothing is hidden.",
    ),
    Fault(
        lambda length: torch.ones(length, length).tril(),
        "6.5",
        "실수 마스크입니다. 이 강의의 마스크는 불리언입니다.",
        "The mask holds floats; masks are boolean here.",
    ),
]


def combined(*masks, join=torch.logical_and, start=None):
    """`combine_masks` with another way to join."""
    given = [mask for mask in masks if mask is not None]
    if not given:
        return start
    result = given[0]
    for mask in given[1:]:
        result = join(result, mask)
    return result


COMBINED = [
    Fault(
        partial(combined, join=torch.logical_or),
        "6.6",
        "한 마스크만 허락해도 보입니다. 모두가 허락해야 하니 or가 아니라 and입니다.",
        "What one mask allows is seen; all must allow it: and, not or.",
    ),
    Fault(
        partial(combined, join=torch.logical_xor),
        "6.6",
        "마스크 가운데 하나만 True인 곳이 보입니다. and로 합치세요.",
        "What just one mask allows is seen; join them by and.",
    ),
    Fault(
        partial(combined, join=lambda a, b: a),
        "6.6",
        "첫 마스크만 씁니다.",
        "Only the first mask counts.",
    ),
    Fault(
        partial(combined, join=lambda a, b: b.expand(torch.broadcast_shapes(a.shape, b.shape))),
        "6.6",
        "마지막 마스크만 씁니다.",
        "Only the last mask counts.",
    ),
]


def loss_of(
    model,
    src,
    tgt,
    label_smoothing=0.0,
    read=slice(-1),
    wanted=slice(1, None),
    pad=0,
    smoothing=lambda given: given,
    count="mean",
    all_right=False,
    before=lambda logits: logits,
):
    """`token_loss` with something changed.

    Args:
        model, src, tgt, label_smoothing: as there.
        read, wanted: which tokens are read, and which are labels.
        pad: the label that does not count.
        smoothing: a function of label_smoothing.
        count: how the losses of the tokens become one.
        all_right: whether the accuracy is divided by all positions, those of padding, too.
        before: a function of the logits, for the loss.
    """
    labels = tgt[:, wanted]
    logits, real = model(src, tgt[:, read]), labels != 0
    options = {"ignore_index": pad, "label_smoothing": smoothing(label_smoothing), "reduction": count}
    loss = F.cross_entropy(before(logits).mT, labels, **options)
    return loss, ((logits.argmax(dim=-1) == labels) & real).sum() / (labels >= 0 if all_right else real).sum()


def loss_over_positions(model, src, tgt, label_smoothing=0.0, all_right=False):
    """`token_loss`, but the sum is divided by all positions, those of padding, too; all_right as above."""
    loss, accuracy = loss_of(model, src, tgt, label_smoothing, all_right=all_right)
    return loss * (tgt[:, 1:] != 0).float().mean(), accuracy


LOSS = [
    Fault(
        partial(loss_of, read=slice(None), wanted=slice(None)),
        "11.1",
        "읽은 토큰을 그대로 정답으로 삼았습니다. tgt[:, :-1]을 읽고 tgt[:, 1:]을 맞힙니다.",
        "The token that was read is its own label; read tgt[:, :-1] and predict tgt[:, 1:].",
    ),
    Fault(
        partial(loss_of, wanted=slice(-1)),
        "11.1",
        "정답이 한 칸 밀리지 않았습니다. 정답은 tgt[:, 1:]입니다.",
        "The labels are not shifted by one: they are tgt[:, 1:].",
    ),
    Fault(
        partial(loss_of, read=slice(1, None), wanted=slice(-1)),
        "11.1",
        "거꾸로 밀었습니다. tgt[:, :-1]을 읽고 tgt[:, 1:]을 맞힙니다.",
        "The shift goes the wrong way: read tgt[:, :-1], predict tgt[:, 1:].",
    ),
    Fault(
        partial(loss_of, pad=-100),
        "11.3",
        "패딩까지 정답으로 셌습니다. ignore_index로 빼세요.",
        "Padding counts as a label; leave it out with ignore_index.",
    ),
    Fault(
        partial(loss_of, smoothing=lambda given: 0.0),
        "11.6",
        "label_smoothing을 쓰지 않았습니다.",
        "label_smoothing is not used.",
    ),
    Fault(
        partial(loss_of, smoothing=lambda given: 0.1),
        "11.6",
        "레이블 스무딩이 늘 0.1입니다. 인자 label_smoothing을 쓰세요.",
        "The label smoothing is always 0.1; use the argument label_smoothing.",
    ),
    Fault(
        partial(loss_of, before=lambda logits: logits.softmax(dim=-1)),
        "11.1",
        "cross_entropy에 확률을 넣었습니다. 로짓을 그대로 넣으세요. 소프트맥스는 그 안에 있습니다.",
        "cross_entropy is given probabilities; give it the logits, it does the softmax itself.",
    ),
    Fault(
        partial(loss_of, read=slice(1, None)),
        "11.1",
        "맞힐 토큰을 모델에 보여 주었습니다. 모델은 tgt[:, :-1]을 읽습니다.",
        "The model reads the very tokens that it should predict; it reads tgt[:, :-1].",
    ),
    Fault(
        partial(loss_of, count="sum"),
        "11.3",
        "토큰의 손실을 더하기만 했습니다. 패딩이 아닌 정답의 수로 나누어 평균을 구하세요.",
        "The losses of the tokens are added up; divide by the number of labels that are not padding.",
    ),
    Fault(
        partial(loss_of, all_right=True),
        "11.3",
        "손실은 맞지만, 정확도를 패딩의 자리까지 세어 나누었습니다.",
        "The loss is right, but the accuracy is divided by all positions, those of padding, too.",
    ),
    *(
        Fault(
            partial(loss_over_positions, all_right=all_right),
            "11.3",
            "패딩의 자리까지 세어 나누었습니다. 패딩이 아닌 정답의 수로 나누세요.",
            "The sum is divided by all positions; divide by the number of labels that are not padding.",
        )
        for all_right in (False, True)
    ),
]
SCHEDULE = [
    Fault(
        lambda step, d_model, warmup_steps: d_model**-0.5 * step**-0.5,
        "11.4",
        "워밍업이 없습니다. step · warmup_steps^−1.5와 비교해 작은 쪽을 쓰세요.",
        "The warm-up is missing: take the smaller of this and step · warmup_steps^−1.5.",
    ),
    Fault(
        lambda step, d_model, warmup_steps: d_model**-0.5 * max(step**-0.5, step * warmup_steps**-1.5),
        "11.4",
        "큰 쪽을 골랐습니다. max가 아니라 min입니다.",
        "The larger one is taken: it is min, not max.",
    ),
    Fault(
        lambda step, d_model, warmup_steps: min(step**-0.5, step * warmup_steps**-1.5),
        "11.4",
        "d_model^−0.5을 곱하지 않았습니다.",
        "The factor d_model^−0.5 is missing.",
    ),
    Fault(
        lambda step, d_model, warmup_steps: d_model**0.5 * min(step**-0.5, step * warmup_steps**-1.5),
        "11.4",
        "√d_model을 곱했습니다. 나누어야 합니다.",
        "It is multiplied by √d_model; divide by it.",
    ),
    Fault(
        lambda step, d_model, warmup_steps: (
            d_model**-0.5 * (step * warmup_steps**-1.5 if step < warmup_steps else warmup_steps**-0.5)
        ),
        "11.4",
        "워밍업 뒤에 학습률이 내려가지 않습니다. step^−0.5을 따라 내려갑니다.",
        "After the warm-up the rate stays; it falls with step^−0.5.",
    ),
    *(
        Fault(
            lambda step, d_model, warmup_steps, slope=slope: (
                d_model**-0.5 * min(step**-0.5, step * slope(warmup_steps))
            ),
            "11.4",
            "워밍업의 기울기가 다릅니다. warmup_steps^−1.5이라야 두 곡선이 step = warmup_steps에서 만납니다.",
            "The warm-up rises at another rate: with warmup_steps^−1.5 the curves meet at step warmup_steps.",
        )
        for slope in (lambda warmup: 1 / warmup, lambda warmup: warmup**-0.5, lambda warmup: warmup**-2)
    ),
    *(
        Fault(
            lambda step, d_model, warmup_steps, falling=falling, rising=rising: (
                d_model**-0.5 * min((step + falling) ** -0.5, (step + rising) * warmup_steps**-1.5)
            ),
            "11.4",
            "스텝에 1을 더했습니다. step은 이미 1부터 셉니다.",
            "1 is added to the step, which is counted from 1 already.",
        )
        for falling, rising in ((1, 1), (1, 0), (0, 1))
    ),
]


def take_step(
    model, optimizer, src, tgt, label_smoothing=0.0, trains=True, clears=True, norm=1.0, steps=1, smooths=True
):
    """`train_step` with something changed.

    Args:
        model, optimizer, src, tgt, label_smoothing: as there.
        trains: whether the model is set to training.
        clears: whether the gradients of before are.
        norm: that the gradient is clipped to.
        steps: how often the optimizer goes.
        smooths: whether label_smoothing counts.
    """
    if trains:
        model.train()
    loss, _ = loss_of(model, src, tgt, label_smoothing if smooths else 0.0)
    if clears:
        optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), norm)
    for _ in range(steps):
        optimizer.step()
    return loss.item()


STEP = [
    Fault(
        partial(take_step, clears=False),
        "11.1",
        "이전 스텝의 그래디언트를 지우지 않습니다. backward 앞에서 zero_grad를 부르세요.",
        "The gradients of earlier steps are never cleared: call zero_grad before backward.",
    ),
    Fault(
        partial(take_step, trains=False),
        "11.1",
        "모델을 학습 모드로 두지 않습니다. model.train()이 없으면 드롭아웃이 꺼져 있을 수 있습니다.",
        "The model is not set to training: without model.train() dropout may be off.",
    ),
    Fault(
        partial(take_step, norm=math.inf),
        "11.6",
        "그래디언트를 클리핑하지 않습니다. 노름을 1로 자르세요.",
        "The gradient is not clipped to a norm of 1.",
    ),
    *(
        Fault(
            partial(take_step, norm=norm),
            "11.6",
            f"그래디언트의 노름을 {norm:g}로 잘랐습니다. 여기서는 1입니다.",
            f"The gradient is clipped to a norm of {norm:g}; here it is 1.",
        )
        for norm in (0.1, 0.5, 5.0)
    ),
    Fault(
        partial(take_step, steps=2),
        "11.1",
        "optimizer.step()을 두 번 합니다.",
        "optimizer.step() is called twice.",
    ),
    Fault(
        partial(take_step, steps=0),
        "11.1",
        "가중치가 그대로입니다. optimizer.step()이 없거나, zero_grad가 backward와 step 사이에 있습니다.",
        "The weights stay as they are: optimizer.step() is missing, or zero_grad comes just before it.",
    ),
    Fault(
        partial(take_step, smooths=False),
        "11.6",
        "label_smoothing을 쓰지 않았습니다.",
        "label_smoothing is not used.",
    ),
]


@torch.no_grad()
def write(
    model,
    src,
    start,
    eos_id,
    max_len,
    place=-1,
    pad=-math.inf,
    stops=True,
    keeps=False,
    again=False,
    ended=torch.all,
    read=None,
    training=False,
):
    """`generate` with something changed.

    Args:
        model, src, start, eos_id, max_len: as there.
        place: of the logits that are read.
        pad: the logit of padding; None leaves it as it is.
        stops: whether a row ends at eos.
        keeps: whether eos is returned.
        again: whether bos is returned, too.
        ended: when it ends, a function of whether each row has.
        read: how many of the last tokens the model is given; None for all.
        training: whether the model stays in training where it is.
    """
    model.train(model.training and training)
    tgt = torch.full((len(src), 1), start)
    for _ in range(max_len):
        logits = model(src, tgt if read is None else tgt[:, -read:])[:, place]
        if pad is not None:
            logits[:, 0] = pad
        tgt = torch.cat([tgt, logits.argmax(dim=-1, keepdim=True)], dim=1)
        if ended((tgt == eos_id).any(dim=1)):
            break
    rows = tgt.tolist() if again else tgt[:, 1:].tolist()
    if not stops:
        return rows
    return [row[: row.index(eos_id) + keeps] if eos_id in row else row for row in rows]


IN_TRAINING = (
    "7.7",
    "model.eval()이 없습니다. 학습 모드로 받은 모델은 드롭아웃을 하면서 글을 씁니다.",
    "model.eval() is missing: a model that comes in training goes on with dropout while it writes.",
)
WRITE = [
    Fault(
        partial(write, place=0),
        "12.1",
        "첫 위치의 로짓을 읽습니다. 다음 토큰은 마지막 위치의 로짓에 있습니다.",
        "The logits of the first position are read; the next token is in those of the last.",
    ),
    Fault(
        partial(write, pad=None),
        "12.7",
        "패딩을 고를 수 있습니다. 패딩의 로짓을 −∞로 두세요.",
        "Padding can be chosen: set its logit to −∞.",
    ),
    Fault(
        partial(write, stops=False),
        "12.7",
        "eos 뒤에 쓴 토큰까지 돌려줍니다. 행마다 eos 앞까지입니다.",
        "It returns what was written after eos; each row ends before its eos.",
    ),
    Fault(
        partial(write, keeps=True),
        "12.7",
        "eos까지 돌려줍니다. eos는 빼세요.",
        "It returns eos, too; leave it out.",
    ),
    Fault(
        partial(write, again=True),
        "12.7",
        "bos까지 돌려줍니다. 쓴 토큰만 돌려주세요.",
        "It returns bos, too; return only what was written.",
    ),
    Fault(
        partial(write, ended=torch.any),
        "12.7",
        "한 행이 끝나면 모두 멈춥니다. 모든 행이 eos를 쓸 때까지 이어 가세요.",
        "All rows end with the first that writes eos; go on until every row has.",
    ),
    Fault(
        partial(write, read=1),
        "12.1",
        "모델에 마지막 토큰만 넣습니다. 지금까지 쓴 것을 모두 넣어야 합니다.",
        "The model is given the last token alone; give it all that has been written.",
    ),
    Fault(partial(write, training=True), *IN_TRAINING),
]


class StillTraining(IncrementalDecoding):
    """Decoding with a model that stays in training where it is."""

    def __init__(self, model, src=None, num_beams=1):
        training = model.training
        super().__init__(model, src, num_beams)
        model.train(training)


def search_with(best):
    """Beam search with another choice of continuations."""
    inside = beam_search.__wrapped__  # below torch.no_grad
    names = inside.__globals__ | {"best_continuations": best}
    return torch.no_grad()(FunctionType(inside.__code__, names, argdefs=inside.__defaults__))


def last_alone(log_probs, next_log_probs):
    """The best continuations by the log-probability of the last token."""
    return best_continuations(log_probs.where(log_probs.isinf(), 0), next_log_probs)


def all_alike(log_probs, next_log_probs):
    """The best continuations, where at the first step every hypothesis counts, though all are the same."""
    first = log_probs.size(1) > 1 and log_probs[:, 1:].isinf().all()
    return best_continuations(torch.zeros_like(log_probs) if first else log_probs, next_log_probs)


BEAM = [
    Fault(
        search_with(last_alone),
        "12.3",
        "마지막 토큰의 로그 확률만 남습니다. 앞 토큰들의 것에 더하세요.",
        "Only the log-probability of the last token counts: add it to that of the tokens before.",
    ),
    Fault(
        search_with(lambda log_probs, after: best_continuations(log_probs, after.exp())),
        "12.3",
        "로그 확률이 아니라 확률을 더했습니다. log_softmax를 쓰세요.",
        "Probabilities are added, not log-probabilities: use log_softmax.",
    ),
    Fault(
        search_with(all_alike),
        "12.4",
        "첫 스텝에 같은 글이 여러 번 들어갑니다. 처음에는 첫 후보만 0으로, 나머지는 −∞로 두세요.",
        "At the first step the same text comes in several times: begin with 0 for one hypothesis and −∞ for "
        "the others.",
    ),
    Fault(
        partial(beam_search, penalty=lambda length, alpha: length_penalty(length + 1, alpha)),
        "12.6",
        "길이에 bos까지 세었습니다. 쓴 토큰만 셉니다.",
        "The length counts bos, too; count only what has been written.",
    ),
    Fault(
        partial(beam_search, penalty=lambda length, alpha: 1 / length_penalty(length, alpha)),
        "12.6",
        "로그 확률에 길이 벌점을 곱했습니다. 나누어야 긴 문장의 점수가 올라갑니다.",
        "The log-probability is multiplied by the length penalty; divided by it, long texts gain.",
    ),
    Fault(
        partial(beam_search, penalty=lambda length, alpha: 1.0),
        "12.6",
        "길이 벌점으로 나누지 않았습니다.",
        "The log-probability is not divided by the length penalty.",
    ),
    Fault(
        partial(beam_search, penalty=lambda length, alpha: length**alpha),
        "12.6",
        "길이의 alpha제곱으로 나누었습니다. 길이 벌점은 ((5 + 길이) / 6)의 alpha제곱입니다.",
        "It is divided by length^alpha; the length penalty is ((5 + length) / 6)^alpha.",
    ),
    Fault(
        partial(beam_search, penalty=lambda length, alpha: length_penalty(length - 1, alpha)),
        "12.6",
        "길이에서 eos를 빼고 세었습니다. eos도 한 토큰입니다.",
        "The length leaves out eos, which counts as a token.",
    ),
    Fault(partial(beam_search, decoding=StillTraining), *IN_TRAINING),
]
