"""The exercises of chapter 14."""

import math
from functools import partial

import torch
from torch.nn import functional as F

from helpers.exercises.kinds import Exercise, Exploration, Prediction, random_tensors
from helpers.masking import causal_mask
from helpers.multi_head_attention import MultiHeadAttention
from helpers.transformer import Transformer, TransformerConfig

_random = random_tensors()


def _translator(seed):
    """Of the size of the chapter's."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        sizes = {"d_model": 32, "n_heads": 2, "d_ff": 64, "n_layers": 2, "max_len": 20}
        return Transformer(TransformerConfig(28, 28, **sizes, dropout=0.0, norm_first=True))


class _Attention1(MultiHeadAttention):
    def attend(self, q, k, v, mask=None, need_weights=False):
        not_future = torch.ones(q.size(2), k.size(2), dtype=torch.bool).tril(1)
        return super().attend(q, k, v, not_future & mask[..., -1:, :])


class _Attention2(MultiHeadAttention):
    def attend(self, q, k, v, mask=None, need_weights=False):
        scores = q @ k.mT / math.sqrt(self.w_o.in_features)
        return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v, None


def unknown(number):
    """The patients of section 14.6, 1 and 2: one module of each is ill."""
    model = _translator(10 + number).eval()
    if number == 1:
        model.decoder.layers[1].attention.__class__ = _Attention1
    else:
        model.decoder.layers[0].cross_attention.__class__ = _Attention2
    return model


def ill_model(number):
    """The patients of exercise 1: 1, 2 and 3."""
    model = _translator(number)
    if number == 1:
        model.encoder.norm.forward = lambda x: x
    elif number == 2:
        model.src_embed.positions.table.zero_()
    else:
        model.src_pad_id = -1
    return model


diagnoses = Prediction(
    answer=["final norm", "source positions", "source padding"],
    why=(
        "첫째는 encoder.norm에 그래디언트가 없고, 둘째는 순서가, 셋째는 패딩 불변성이 깨졌습니다.",
        "In the first, encoder.norm has no gradient; the second breaks order, the third padding invariance.",
    ),
    hints=[
        "14.5의 표에서 같은 법칙이 깨진 환자를 찾아보세요.",
        "Look for patients with the same broken law in the table of 14.5.",
        "반례에 적힌 이름과 바꾼 것을 보세요. 어느 부품을 가리키나요?",
        "Look at the names and changes in the witnesses: which part do they point to?",
    ],
)

three_people = Prediction(
    answer=1 / 6,
    near=0.1,
    why=(
        "세 사람을 세 역할에 놓는 방법은 3! = 6가지이고, 모델은 그중 하나를 찍습니다.",
        "Three people fit into three roles in 3! = 6 ways, and the model picks one of them.",
    ),
    hints=[
        "두 사람일 때는 왜 절반이었나요? 단어가 같은 문장이 몇 개 있었나요?",
        "Why was it one half for two people? How many sentences had the same words?",
        "세 사람을 줄 세우는 방법은 몇 가지인가요?",
        "In how many orders can three people stand?",
    ],
)


def _read_from_source(
    model, src, tgt, vocab_size, distance=lambda x: x.abs().max(), rest=False, reset=True, where=slice(None)
):
    before, changed, moved = model(src, tgt), src.clone(), torch.zeros(src.size(1))
    for position in range(src.size(1))[where]:
        changed = src.clone() if reset else changed
        places = slice(position, None if rest else position + 1)
        changed[0, places] = (src[0, places] + 1) % vocab_size
        moved[position] = distance(model(changed, tgt) - before)
    return moved


_table = _random(7, 5)


def _reader(name, *weights):
    """A model that gives the source's positions these weights; the target decides how much it moves."""

    def model(src, tgt):
        read = (_table[src] * torch.tensor(weights)[:, None]).sum(dim=1)  # (B, 5)
        return read[:, None] * _table[tgt] + _table[tgt]

    model.__name__ = name
    return model


def _any_reader(draw):
    src, tgt = (torch.tensor([[draw.randrange(7) for _ in range(draw.randint(2, 4))]]) for _ in range(2))
    return _reader("reads", *(draw.uniform(-2, 2) for _ in src[0])), src, tgt, 7


read_from_source = Exercise(
    spec=_read_from_source,
    cases=[
        (_reader("reads_nothing", 0.0, 0.0), torch.tensor([[1, 2]]), torch.tensor([[1, 3]]), 7),
        (_reader("reads_the_last", 0.0, 0.0, 1.0), torch.tensor([[4, 5, 6]]), torch.tensor([[1, 3]]), 7),
        (_reader("reads_all", 2.0, -1.0, 3.0), torch.tensor([[1, 5, 6]]), torch.tensor([[1, 3, 2]]), 7),
    ],
    draw=_any_reader,
    mistakes=[
        partial(_read_from_source, reset=False),
        "앞에서 바꾼 토큰이 되돌아가지 않았습니다. 위치마다 `src`의 새 복사본에서 하나만 바꾸세요.",
        "Tokens changed before stay changed: start from a new copy of `src` at each position.",
        *(
            part
            for distance, ko, en in (
                (lambda moved: moved.abs().mean(), "평균이", "mean"),
                (lambda moved: moved.abs().sum(), "합이", "sum"),
                (torch.norm, "벡터의 노름(norm)이", "norm"),
            )
            for part in (
                partial(_read_from_source, distance=distance),
                f"{ko} 아니라 가장 크게 달라진 로짓의 변화량을 묻습니다.",
                f"This is the {en} of the changes; that of the logit that moves most is asked for.",
            )
        ),
        *(
            part
            for where, ko, en in ((slice(1, None), "첫", "first"), (slice(-1), "마지막", "last"))
            for part in (
                partial(_read_from_source, where=where),
                f"{ko} 위치를 빠뜨렸습니다. 위치는 0부터 T_src − 1까지입니다.",
                f"The {en} position is left out; positions run from 0 to T_src − 1.",
            )
        ),
        partial(_read_from_source, rest=True),
        "그 위치부터 뒤의 토큰을 모두 바꾸었습니다. 한 번에 하나만 바꾸세요.",
        "This changes all tokens from the position on; change one at a time.",
        lambda model, src, tgt, vocab_size: _read_from_source(
            lambda tgt, src: model(src, tgt), tgt, src, vocab_size
        ),
        "번역문의 토큰을 바꾸었습니다. 원문의 토큰을 바꾸세요.",
        "This changes tokens of the target; change those of the source.",
    ],
    hints=[
        "14.2의 `movements`와 같은 길입니다. 다만 바꾸는 것이 원문입니다.",
        "Go the way of `movements` in 14.2, but change the source.",
        "위치마다 `src.clone()`으로 시작하고, 바꾼 뒤의 로짓과 처음 로짓의 차를 보세요.",
        "Start each position from `src.clone()`, and subtract the logits before from those after.",
        "위치의 값은 `(model(changed, tgt) - before).abs().max()`입니다.",
        "The value of a position is `(model(changed, tgt) - before).abs().max()`.",
    ],
)


def _by_d_head(q, k):
    return math.sqrt(k.size(-1))


def _by_keys(q, k):
    return math.sqrt(k.size(-2))


def _attend(q, k, v, mask, reshaped=False, divisor=_by_d_head, dim=-1, hidden=-math.inf, unseen=0.0):
    scores = q @ (k.reshape(k.mT.shape) if reshaped else k.mT) / divisor(q, k)
    return scores.masked_fill(~mask, hidden).softmax(dim=dim).nan_to_num(unseen) @ v


def _hidden_last(q, k, v, mask):
    return (q @ k.mT / _by_d_head(q, k)).softmax(-1).masked_fill(~mask, 0.0) @ v


def _case(n_heads, t_q, t_k, d_head, mask):
    return (*(_random(2, n_heads, t, d_head) for t in (t_q, t_k, t_k)), mask)


attend = Exercise(
    spec=_attend,
    start=partial(_attend, reshaped=True, divisor=_by_keys, dim=-2),
    cases=[
        (
            torch.tensor([[[[1.0, 0], [0, 2]]]]),
            torch.tensor([[[[1.0, 2], [0, 1], [3, 0]]]]),
            torch.tensor([[[[1.0, 0], [0, 4], [2, 2]]]]),
            torch.tensor([[True, True, True], [True, True, False]]),
        ),
        _case(1, 2, 2, 4, torch.ones(2, 2, dtype=torch.bool)),
        _case(2, 3, 3, 4, causal_mask(3)),
        _case(2, 3, 5, 4, torch.ones(3, 5, dtype=torch.bool)),
        _case(2, 2, 4, 3, torch.tensor([[True, False, True, True], [False] * 4])),
        _case(3, 4, 3, 3, torch.ones(4, 3, dtype=torch.bool)),
    ],
    mistakes=[
        partial(_attend, reshaped=True),
        "키를 전치하지 않고 같은 형태로 다시 읽었습니다. 위치와 차원의 축을 맞바꾸세요.",
        "The keys are reshaped, not transposed: swap the axes of position and dimension.",
        partial(_attend, divisor=_by_keys),
        "스코어를 키의 개수의 제곱근으로 나누었습니다. d_head의 제곱근으로 나눕니다.",
        "The scores are divided by the root of the number of keys; use the root of d_head.",
        partial(_attend, dim=-2),
        "소프트맥스의 축이 틀렸습니다. 쿼리마다 키에 대한 가중치의 합이 1입니다.",
        "Softmax runs along the wrong axis: for each query the weights of the keys sum to 1.",
        partial(_attend, divisor=lambda q, k: math.sqrt(k.size(-1) * k.size(1))),
        "d_model의 제곱근으로 나누었습니다. 헤드마다 d_head의 제곱근으로 나눕니다.",
        "The scores are divided by the root of d_model; each head uses the root of d_head.",
        _hidden_last,
        "소프트맥스 다음에 가렸습니다. 그러면 남은 가중치의 합이 1이 아닙니다. 앞에서 가리세요.",
        "The mask comes after softmax, so that the weights left do not sum to 1; mask before it.",
        *(
            part
            for how, ko, en in (
                ({"hidden": -1e9}, "v의 평균", "the mean of v"),
                ({"unseen": math.nan}, "NaN", "NaN"),
            )
            for part in (
                partial(_attend, **how),
                f"볼 수 있는 키가 없는 쿼리의 출력이 {ko}입니다. 그 출력은 0이어야 합니다.",
                f"A query that may attend to no key gets {en}; its output should be 0.",
            )
        ),
    ],
    hints=[
        "키를 하나만 바꾸어 보세요. 스코어의 어느 열이 달라져야 하나요?",
        "Change a single key: which column of the scores should move?",
        "한 쿼리의 가중치를 모두 더해 보세요. 그리고 스코어를 무엇의 제곱근으로 나누는지 보세요.",
        "Sum the weights of one query. And look at what the scores are divided by.",
        "`k.mT`, `k.size(-1)`, `dim=-1`이 필요합니다.",
        "You need `k.mT`, `k.size(-1)`, and `dim=-1`.",
    ],
)


def _loss_of_target(
    logits, tgt, pad_id, read=slice(None), wanted=slice(1, None), count=lambda real: real.sum()
):
    labels = tgt[:, wanted]
    losses = F.cross_entropy(logits[:, read].transpose(1, 2), labels, reduction="none")
    real = labels != pad_id
    return (losses * real).sum() / count(real)


def _per_sentence(logits, tgt, pad_id):
    each = [_loss_of_target(logits[i : i + 1], tgt[i : i + 1], pad_id) for i in range(len(tgt))]
    return torch.stack(each).mean()


_target = torch.tensor([[2, 5, 6, 3, 0, 0], [2, 4, 5, 4, 6, 3], [2, 6, 3, 0, 0, 0]])
loss_of_target = Exercise(
    spec=_loss_of_target,
    start=partial(_loss_of_target, wanted=slice(-1), count=torch.numel),
    cases=[
        (torch.tensor([[[0.0, 1, 2], [1, 0, 3], [2, 0, 1]]]), torch.tensor([[1, 2, 2, 0]]), 0),
        (_random(1, 3, 7), torch.tensor([[2, 5, 6, 3]]), 0),
        (_random(2, 3, 7), torch.tensor([[2, 5, 6, 3], [2, 4, 3, 0]]), 0),
        (_random(3, 5, 7), _target, 0),
        (_random(2, 4, 7), torch.tensor([[2, 0, 6, 3, 1], [2, 4, 3, 1, 1]]), 1),
    ],
    mistakes=[
        partial(_loss_of_target, wanted=slice(-1)),
        "읽은 토큰을 그대로 쓰라고 합니다. 정답은 한 자리 뒤의 토큰입니다.",
        "This asks for the token that was just read; the label is the one after it.",
        partial(_loss_of_target, count=torch.numel),
        "패딩까지 세어 나누었습니다. 진짜 토큰의 수로 나누세요.",
        "The sum is divided by all positions, padding included; divide by the real tokens.",
        lambda logits, tgt, pad_id: F.cross_entropy(logits.mT, tgt[:, 1:]),
        "패딩도 정답으로 세었습니다. 그 위치는 빼야 합니다.",
        "Padding counts as a label here; leave those positions out.",
        _per_sentence,
        "문장마다 평균한 다음 다시 평균했습니다. 모든 진짜 토큰을 한꺼번에 평균하세요.",
        "This averages within each sentence first; average over all real tokens at once.",
        *(
            part
            for read, wanted in ((slice(1, None), slice(1, -1)), (slice(-1), slice(2, None)))
            for part in (
                partial(_loss_of_target, read=read, wanted=wanted),
                "정답이 로짓과 한 자리 어긋났습니다. 로짓의 위치 i는 토큰 i를 읽고 토큰 i + 1을 씁니다.",
                "Labels and logits are one place apart: position i has read token i and writes token i + 1.",
            )
        ),
    ],
    hints=[
        "로짓의 위치 0은 bos를 읽었습니다. 무엇을 써야 하나요?",
        "The logits at position 0 have read bos. What are they to write?",
        "패딩 위치의 손실을 0으로 만든 다음에도, 나누는 수에는 그 위치가 들어 있습니다.",
        "Even after the loss at padding is set to 0, those positions still count in the divisor.",
        "정답은 `tgt[:, 1:]`이고, `ignore_index=pad_id`가 나머지를 합니다.",
        "The labels are `tgt[:, 1:]`, and `ignore_index=pad_id` does the rest.",
    ],
)

own_patient = Exploration(
    look_for=(
        "법칙이 잡는 결함과 값비싼 결함이 같은가요? 쌍둥이만 잡는 결함이라면, 쌍둥이 없이 잡을 법칙을 하나 "
        "더 생각해 보세요.",
        "Are the faults that a law catches the expensive ones? If only the twin catches yours, think of one "
        "more law that would find it without a twin.",
    ),
    hints=[
        "`swap(model, FeedForward, 새 클래스)`처럼 `forward` 하나만 바꾸세요.",
        "Change a single `forward`, as in `swap(model, FeedForward, your class)`.",
        "`WARD`에 이름을 더하고 14.5와 14.7의 반복문을 그 환자만으로 돌리세요.",
        "Add a name to `WARD` and run the loops of 14.5 and 14.7 for that patient alone.",
    ],
)
