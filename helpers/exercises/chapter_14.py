"""The exercises of chapter 14."""

import math

import torch
from torch.nn import functional as F

from helpers.exercises.kinds import Exercise, Exploration, Mistake, Prediction, random_tensors
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
        (
            "14.5의 표에서 같은 법칙이 깨진 환자를 찾아보세요.",
            "Look for patients with the same broken law in the table of 14.5.",
        ),
        (
            "반례에 적힌 이름과 바꾼 것을 보세요. 어느 부품을 가리키나요?",
            "Look at the names and changes in the witnesses: which part do they point to?",
        ),
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
        (
            "두 사람일 때는 왜 절반이었나요? 단어가 같은 문장이 몇 개 있었나요?",
            "Why was it one half for two people? How many sentences had the same words?",
        ),
        (
            "세 사람을 줄 세우는 방법은 몇 가지인가요?",
            "In how many orders can three people stand?",
        ),
    ],
)


def _read_from_source(model, src, tgt, vocab_size):
    before = model(src, tgt)
    moved = torch.zeros(src.size(1))
    for position in range(src.size(1)):
        changed = src.clone()
        changed[0, position] = (src[0, position] + 1) % vocab_size
        moved[position] = (model(changed, tgt) - before).abs().max()
    return moved


def _changes_add_up(model, src, tgt, vocab_size):
    before, changed, moved = model(src, tgt), src.clone(), torch.zeros(src.size(1))
    for position in range(src.size(1)):
        changed[0, position] = (src[0, position] + 1) % vocab_size
        moved[position] = (model(changed, tgt) - before).abs().max()
    return moved


def _largest(moved):
    return moved.abs().max()


def _measured(distance=_largest, step=1, rest=False):
    """Right but for the distance, the id that a token becomes, or that the rest changes as well."""

    def answer(model, src, tgt, vocab_size):
        before, moved = model(src, tgt), torch.zeros(src.size(1))
        for position in range(src.size(1)):
            changed, places = src.clone(), slice(position, None if rest else position + 1)
            changed[0, places] = (src[0, places] + step) % vocab_size
            moved[position] = distance(model(changed, tgt) - before)
        return moved

    return answer


def _since_the_last_change(model, src, tgt, vocab_size):
    before, moved = model(src, tgt), torch.zeros(src.size(1))
    for position in range(src.size(1)):
        changed = src.clone()
        changed[0, position] = (src[0, position] + 1) % vocab_size
        after = model(changed, tgt)
        moved[position] = (after - before).abs().max()
        before = after
    return moved


def _changes_the_target(model, src, tgt, vocab_size):
    before, moved = model(src, tgt), torch.zeros(tgt.size(1))
    for position in range(tgt.size(1)):
        changed = tgt.clone()
        changed[0, position] = (tgt[0, position] + 1) % vocab_size
        moved[position] = (model(src, changed) - before).abs().max()
    return moved


_TARGET = (
    "번역문의 토큰을 바꾸었습니다. 원문의 토큰을 바꾸세요.",
    "This changes tokens of the target; change those of the source.",
)
_table, _mix = _random(7, 5), _random(4, 3)


def _weighs_positions(src, tgt):
    """Reads position 0 not at all, and the others more and more; some logits rise, some fall."""
    positions = torch.arange(src.size(1)).float()[:, None]
    read = (_table[src[0]] * positions).sum(dim=0)
    return read.expand(1, tgt.size(1), -1) * (2 - torch.arange(tgt.size(1)).float())[:, None]


def _reads_nothing(src, tgt):
    return _table[tgt]


def _reads_the_last(src, tgt):
    return _table[src[:, -1:]].expand(1, tgt.size(1), -1) + _table[tgt]


read_from_source = Exercise(
    spec=_read_from_source,
    cases=[
        (_reads_nothing, torch.tensor([[1, 2]]), torch.tensor([[1, 3]]), 7),
        (_reads_the_last, torch.tensor([[4, 5, 6]]), torch.tensor([[1, 3]]), 7),
        (_weighs_positions, torch.tensor([[1, 5, 6, 0]]), torch.tensor([[1, 3, 2]]), 7),
        (_weighs_positions, torch.tensor([[6, 6, 2]]), torch.tensor([[5, 4, 3, 2]]), 7),
    ],
    mistakes=[
        Mistake(
            _changes_add_up,
            "앞에서 바꾼 토큰이 되돌아가지 않았습니다. 위치마다 `src`의 새 복사본에서 하나만 바꾸세요.",
            "Tokens changed before stay changed: start from a new copy of `src` at each position.",
        ),
        Mistake(
            _measured(lambda moved: moved.max()),
            "로짓은 작아질 수도 있습니다. 절댓값을 쓰세요.",
            "Logits can fall as well: take the absolute value.",
        ),
        Mistake(
            _measured(lambda moved: moved.abs().mean()),
            "평균이 아니라 로짓의 가장 큰 변화량을 묻습니다.",
            "This is the mean; the largest distance is asked for.",
        ),
        Mistake(
            _measured(lambda moved: moved.abs().sum()),
            "합이 아니라 로짓의 가장 큰 변화량을 묻습니다.",
            "This is the sum; the largest distance is asked for.",
        ),
        Mistake(
            _measured(lambda moved: moved[:, -1].abs().max()),
            "마지막 위치의 로짓만 보았습니다. 모든 위치를 보세요.",
            "This looks at the logits of the last position only; look at all of them.",
        ),
        Mistake(
            _measured(lambda moved: moved.norm()),
            "벡터의 크기(norm)가 아니라 가장 크게 달라진 로짓의 변화량을 묻습니다.",
            "This is the norm of the change; the logit that moves most is asked for.",
        ),
        Mistake(
            _measured(step=-1),
            "앞 번호로 바꾸었습니다. 다음 번호로 바꾸세요.",
            "This changes a token to the id before; use the next id.",
        ),
        Mistake(
            _measured(rest=True),
            "그 위치부터 뒤의 토큰을 모두 바꾸었습니다. 한 번에 하나만 바꾸세요.",
            "This changes all tokens from the position on; change one at a time.",
        ),
        Mistake(
            _since_the_last_change,
            "바로 앞에서 바꾼 원문과 비교했습니다. 바꾸지 않은 원문의 로짓과 비교하세요.",
            "This compares with the change before; compare with the logits of the unchanged source.",
        ),
        Mistake(_changes_the_target, *_TARGET),
        Mistake(
            lambda model, src, tgt, vocab_size: F.pad(
                _changes_the_target(model, src, tgt, vocab_size), (0, src.size(1) - tgt.size(1))
            ),
            *_TARGET,
        ),
    ],
    hints=[
        (
            "14.2의 `movements`와 같은 길입니다. 다만 바꾸는 것이 원문입니다.",
            "Go the way of `movements` in 14.2, but change the source.",
        ),
        (
            "위치마다 `src.clone()`으로 시작하고, 바꾼 뒤의 로짓과 처음 로짓의 차를 보세요.",
            "Start each position from `src.clone()`, and subtract the logits before from those after.",
        ),
        (
            "위치의 값은 `(model(changed, tgt) - before).abs().max()`입니다.",
            "The value of a position is `(model(changed, tgt) - before).abs().max()`.",
        ),
    ],
)


def _attend(q, k, v, mask, *, keys=None, size=None, dim=-1, hidden=-math.inf):
    keys = k.mT if keys is None else keys
    scores = q @ keys / math.sqrt(size or k.size(-1))
    return scores.masked_fill(~mask, hidden).softmax(dim=dim).nan_to_num(0.0) @ v


def _not_a_number(q, k, v, mask):
    return (q @ k.mT / math.sqrt(k.size(-1))).masked_fill(~mask, -math.inf).softmax(dim=-1) @ v


def _ill(q, k, v, mask):
    return _attend(q, k, v, mask, keys=k.reshape(k.mT.shape), size=k.size(-2), dim=-2)


def _case(n_heads, t_q, t_k, d_head, mask):
    return (*(_random(2, n_heads, t, d_head) for t in (t_q, t_k, t_k)), mask)


_RESHAPED = (
    "키를 전치하지 않고 같은 형태로 다시 읽었습니다. 위치와 차원의 축을 맞바꾸세요.",
    "The keys are reshaped, not transposed: swap the axes of position and dimension.",
)
_SIZE = (
    "스코어를 키의 개수의 제곱근으로 나누었습니다. d_head의 제곱근으로 나눕니다.",
    "The scores are divided by the root of the number of keys; use the root of d_head.",
)
_AXIS = (
    "소프트맥스의 축이 틀렸습니다. 쿼리마다 키에 대한 가중치의 합이 1입니다.",
    "Softmax runs along the wrong axis: for each query the weights of the keys sum to 1.",
)

attend = Exercise(
    spec=_attend,
    start=_ill,
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
        Mistake(lambda q, k, v, mask: _attend(q, k, v, mask, keys=k.reshape(k.mT.shape)), *_RESHAPED),
        Mistake(
            lambda q, k, v, mask: _attend(q, k, v, mask, keys=k.reshape(k.mT.shape), size=k.size(-2)),
            *_RESHAPED,
        ),
        Mistake(lambda q, k, v, mask: _attend(q, k, v, mask, keys=k.reshape(k.mT.shape), dim=-2), *_RESHAPED),
        Mistake(lambda q, k, v, mask: _attend(q, k, v, mask, size=k.size(-2)), *_SIZE),
        Mistake(lambda q, k, v, mask: _attend(q, k, v, mask, dim=-2), *_AXIS),
        Mistake(lambda q, k, v, mask: _attend(q, k, v, mask, size=k.size(-2), dim=-2), *_AXIS),
        Mistake(lambda q, k, v, mask: _attend(q, k, v, mask, dim=1), *_AXIS),
        Mistake(
            lambda q, k, v, mask: _attend(q, k, v, mask, size=k.size(-1) ** 2),
            "d_head로 나누었습니다. 그 제곱근으로 나누세요.",
            "The scores are divided by d_head; use its root.",
        ),
        Mistake(
            lambda q, k, v, mask: (q @ k.mT / math.sqrt(k.size(-1))).softmax(-1).masked_fill(~mask, 0.0) @ v,
            "소프트맥스 다음에 가렸습니다. 그러면 남은 가중치의 합이 1이 아닙니다. 앞에서 가리세요.",
            "The mask comes after softmax, so that the weights left do not sum to 1; mask before it.",
        ),
        Mistake(
            lambda q, k, v, mask: _attend(q, k, v, mask, hidden=0.0),
            "가린 스코어를 0으로 두었습니다. 소프트맥스에서 e⁰ = 1의 몫을 가져가니 −∞로 두세요.",
            "Hidden scores are set to 0, and softmax gives them a share of e⁰ = 1; set them to −∞.",
        ),
        Mistake(
            lambda q, k, v, mask: _attend(q, k, v, mask, hidden=-1e9),
            "볼 수 있는 키가 없는 쿼리가 v의 평균을 받습니다. 그 출력은 0이어야 합니다.",
            "A query that may attend to no key gets the mean of v; its output should be 0.",
        ),
        Mistake(
            _not_a_number,
            "볼 수 있는 키가 없는 쿼리의 출력이 NaN입니다. 그 출력은 0이어야 합니다.",
            "A query that may attend to no key gets NaN; its output should be 0.",
        ),
        Mistake(
            lambda q, k, v, mask: _attend(q, k, v, mask, size=1),
            "스코어를 나누지 않았습니다. √d_head로 나누세요.",
            "The scores are not divided; divide them by √d_head.",
        ),
        Mistake(
            lambda q, k, v, mask: _attend(q, k, v, mask, size=k.size(-1) * k.size(1)),
            "d_model의 제곱근으로 나누었습니다. 헤드마다 d_head의 제곱근으로 나눕니다.",
            "The scores are divided by the root of d_model; each head uses the root of d_head.",
        ),
        Mistake(
            lambda q, k, v, mask: _attend(q, k, v, ~mask),
            "마스크가 뒤집혔습니다. `True`는 봐도 된다는 뜻입니다.",
            "The mask is inverted: `True` means may attend.",
        ),
    ],
    hints=[
        (
            "키를 하나만 바꾸어 보세요. 스코어의 어느 열이 달라져야 하나요?",
            "Change a single key: which column of the scores should move?",
        ),
        (
            "한 쿼리의 가중치를 모두 더해 보세요. 그리고 스코어를 무엇의 제곱근으로 나누는지 보세요.",
            "Sum the weights of one query. And look at what the scores are divided by.",
        ),
        (
            "`k.mT`, `k.size(-1)`, `dim=-1`이 필요합니다.",
            "You need `k.mT`, `k.size(-1)`, and `dim=-1`.",
        ),
    ],
)


def _loss_of_target(logits, tgt, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=pad_id)


def _summed(logits, labels, pad_id):
    losses = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="none")
    return losses * (labels.flatten() != pad_id)


def _copies(logits, tgt, pad_id):
    return _summed(logits, tgt[:, :-1], pad_id).mean()


def _per_sentence(logits, tgt, pad_id):
    labels = tgt[:, 1:]
    real = (labels != pad_id).sum(dim=1)
    return (_summed(logits, labels, pad_id).view(labels.shape).sum(dim=1) / real).mean()


_target = torch.tensor([[2, 5, 6, 3, 0, 0], [2, 4, 5, 4, 6, 3], [2, 6, 3, 0, 0, 0]])
loss_of_target = Exercise(
    spec=_loss_of_target,
    start=_copies,
    cases=[
        (torch.tensor([[[0.0, 1, 2], [1, 0, 3], [2, 0, 1]]]), torch.tensor([[1, 2, 2, 0]]), 0),
        (_random(1, 3, 7), torch.tensor([[2, 5, 6, 3]]), 0),
        (_random(2, 3, 7), torch.tensor([[2, 5, 6, 3], [2, 4, 3, 0]]), 0),
        (_random(3, 5, 7), _target, 0),
        (_random(2, 4, 7), torch.tensor([[2, 0, 6, 3, 1], [2, 4, 3, 1, 1]]), 1),
    ],
    mistakes=[
        Mistake(
            lambda logits, tgt, pad_id: F.cross_entropy(
                logits.flatten(0, 1), tgt[:, :-1].flatten(), ignore_index=pad_id
            ),
            "읽은 토큰을 그대로 쓰라고 합니다. 정답은 한 자리 뒤의 토큰입니다.",
            "This asks for the token that was just read; the label is the one after it.",
        ),
        Mistake(
            lambda logits, tgt, pad_id: _summed(logits, tgt[:, 1:], pad_id).mean(),
            "패딩까지 세어 나누었습니다. 진짜 토큰의 수로 나누세요.",
            "The sum is divided by all positions, padding included; divide by the real tokens.",
        ),
        Mistake(
            lambda logits, tgt, pad_id: F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten()),
            "패딩도 정답으로 세었습니다. 그 위치는 빼야 합니다.",
            "Padding counts as a label here; leave those positions out.",
        ),
        Mistake(
            _per_sentence,
            "문장마다 평균한 다음 다시 평균했습니다. 모든 진짜 토큰을 한꺼번에 평균하세요.",
            "This averages within each sentence first; average over all real tokens at once.",
        ),
        Mistake(
            lambda logits, tgt, pad_id: _loss_of_target(logits.softmax(dim=-1), tgt, pad_id),
            "cross_entropy에 확률을 넣었습니다. 로짓을 그대로 넣으세요.",
            "cross_entropy is given probabilities; give it the logits.",
        ),
        Mistake(
            lambda logits, tgt, pad_id: _loss_of_target(logits, tgt, 0),
            "패딩의 번호를 0으로 못 박았습니다. 인자 pad_id를 쓰세요.",
            "Padding is taken to be 0; use pad_id.",
        ),
        Mistake(
            lambda logits, tgt, pad_id: _summed(logits, tgt[:, 1:], pad_id).sum(),
            "더하기만 했습니다. 평균을 돌려주세요.",
            "This is the sum; return the mean.",
        ),
        Mistake(
            lambda logits, tgt, pad_id: F.cross_entropy(
                logits[:, 1:].flatten(0, 1), tgt[:, 1:-1].flatten(), ignore_index=pad_id
            ),
            "로짓까지 밀었습니다. 로짓의 위치 i는 토큰 i를 읽고 토큰 i + 1을 씁니다.",
            "The logits are shifted as well: position i has read token i and writes token i + 1.",
        ),
        Mistake(
            lambda logits, tgt, pad_id: _loss_of_target(logits[:, :-1], tgt[:, 1:], pad_id),
            "정답이 두 자리 뒤의 토큰입니다. 로짓의 위치 i는 토큰 i를 읽고 토큰 i + 1을 씁니다.",
            "The labels are two tokens ahead: position i has read token i and writes token i + 1.",
        ),
        Mistake(
            lambda logits, tgt, pad_id: (
                _summed(logits, tgt[:, 1:], pad_id).sum() / (tgt[:, :-1] != pad_id).sum()
            ),
            "읽은 진짜 토큰의 수로 나누었습니다. 써야 할 진짜 토큰의 수로 나누세요.",
            "The sum is divided by the real tokens that are read; divide by those that are to be written.",
        ),
        Mistake(
            lambda logits, tgt, pad_id: _summed(logits, tgt[:, 1:], pad_id).sum() / (tgt != pad_id).sum(),
            "bos까지 세어 나누었습니다. bos는 쓸 토큰이 아니니 정답 `tgt[:, 1:]`에서 세세요.",
            "The divisor counts bos, which is never written; count the real tokens of `tgt[:, 1:]`.",
        ),
        Mistake(
            lambda logits, tgt, pad_id: _summed(logits, tgt[:, 1:], pad_id).sum() / len(tgt),
            "문장의 수로 나누었습니다. 진짜 토큰의 수로 나누세요.",
            "The sum is divided by the number of sentences; divide by that of the real tokens.",
        ),
        Mistake(
            lambda logits, tgt, pad_id: F.nll_loss(
                logits.softmax(dim=-1).flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=pad_id
            ),
            "로그가 빠졌습니다. 정답의 확률 p가 아니라 −log p를 평균하세요.",
            "The logarithm is missing: average −log p of the labels, not −p.",
        ),
        Mistake(
            lambda logits, tgt, pad_id: F.cross_entropy(
                logits.reshape(logits.mT.shape), tgt[:, 1:], ignore_index=pad_id
            ),
            "로짓을 전치하지 않고 같은 형태로 다시 읽었습니다. 위치와 어휘의 축을 맞바꾸세요.",
            "The logits are reshaped, not transposed: swap the axes of position and vocabulary.",
        ),
    ],
    hints=[
        (
            "로짓의 위치 0은 bos를 읽었습니다. 무엇을 써야 하나요?",
            "The logits at position 0 have read bos. What are they to write?",
        ),
        (
            "패딩 위치의 손실을 0으로 만든 다음에도, 나누는 수에는 그 위치가 들어 있습니다.",
            "Even after the loss at padding is set to 0, those positions still count in the divisor.",
        ),
        (
            "정답은 `tgt[:, 1:]`이고, `ignore_index=pad_id`가 나머지를 합니다.",
            "The labels are `tgt[:, 1:]`, and `ignore_index=pad_id` does the rest.",
        ),
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
        (
            "`swap(model, FeedForward, 새 클래스)`처럼 `forward` 하나만 바꾸세요.",
            "Change a single `forward`, as in `swap(model, FeedForward, your class)`.",
        ),
        (
            "`WARD`에 이름을 더하고 14.5와 14.7의 반복문을 그 환자만으로 돌리세요.",
            "Add a name to `WARD` and run the loops of 14.5 and 14.7 for that patient alone.",
        ),
    ],
)
