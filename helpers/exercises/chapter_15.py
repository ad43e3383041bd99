"""The exercises of chapter 15."""

import torch

from helpers.exercises.kinds import Exercise, Exploration, Mistake, Prediction

longer_tokens = Prediction(
    answer=16,
    why=(
        "글의 확률은 4^(−12)이고, 예측이 여섯 번이니 퍼플렉시티는 4^(12/6) = 16입니다.",
        "The text has probability 4^(−12), and 6 predictions make a perplexity of 4^(12/6) = 16.",
    ),
    hints=[
        (
            "퍼플렉시티 4와 토큰 12개로 글 전체의 확률을 먼저 구하세요.",
            "From a perplexity of 4 and 12 tokens, find the probability of the whole text first.",
        ),
        (
            "그 확률의 역수에 여섯제곱근을 취하세요.",
            "Take the sixth root of the inverse of that probability.",
        ),
    ],
)

tokens_passed = Prediction(
    answer=(20 + 9, sum(range(20, 30))),
    why=(
        "캐시가 있으면 토큰마다 한 번, 마지막에 쓴 토큰은 빼고 29개입니다. 없으면 "
        "20 + 21 + … + 29 = 245개입니다.",
        "With the cache each token passes once, the last one written not at all: 29. Without, "
        "20 + 21 + … + 29 = 245.",
    ),
    hints=[
        (
            "첫 토큰을 쓰려면 시작하는 20토큰을 모두 읽어야 합니다. 둘째 토큰을 쓰려면 무엇을 더 읽나요?",
            "To write the first token, all 20 tokens must be read. What more is read to write the second?",
        ),
        (
            "마지막으로 쓴 토큰은 디코더에 다시 들어가나요?",
            "Does the last token written ever enter the decoder?",
        ),
    ],
)


def _parts(ids, start, end, suffix_id, middle_id, eos_id):
    given = [*ids[:start], suffix_id, *ids[end:], middle_id]
    return given, [*ids[start:end], eos_id]


def _fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    given, middle = _parts(ids, start, end, suffix_id, middle_id, eos_id)
    return [*given, *middle[:-1]], [pad_id] * (len(given) - 1) + middle


def _loss_on_everything(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    given, middle = _parts(ids, start, end, suffix_id, middle_id, eos_id)
    return [*given, *middle[:-1]], [*given[1:], *middle]


def _not_shifted(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    given, middle = _parts(ids, start, end, suffix_id, middle_id, eos_id)
    return [*given, *middle], [pad_id] * len(given) + middle


def _first_of_the_middle_hidden(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    inputs, labels = _fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id)
    place = len(labels) - (end - start) - 1
    return inputs, [*labels[:place], pad_id, *labels[place + 1 :]]


def _middle_id_predicted(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    given, middle = _parts(ids, start, end, suffix_id, middle_id, eos_id)
    return [*given, *middle[:-1]], [pad_id] * (len(given) - 2) + [middle_id, *middle]


def _without_eos(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    given, middle = _parts(ids, start, end, suffix_id, middle_id, eos_id)
    row = [*given, *middle[:-1]]
    return row[:-1], [pad_id] * (len(given) - 1) + middle[:-1]


def _labels_without_eos(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    inputs, labels = _fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id)
    return inputs, labels[:-1]


def _neither_with_eos(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    given, middle = _parts(ids, start, end, suffix_id, middle_id, eos_id)
    return [*given, *middle[:-2]], [pad_id] * (len(given) - 1) + middle[:-1]


def _eos_in_the_inputs(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    inputs, labels = _fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id)
    return [*inputs, eos_id], labels


def _hidden_by_value(hides):
    """Labels chosen by what they are, not by where they stand."""

    def answer(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
        given, middle = _parts(ids, start, end, suffix_id, middle_id, eos_id)
        row = [*given, *middle]
        return row[:-1], [pad_id if hides(label, given, middle) else label for label in row[1:]]

    return answer


def _eos_not_predicted(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    inputs, labels = _fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id)
    return inputs, [*labels[:-1], pad_id]


def _in_the_old_order(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    row = [*ids[:start], middle_id, *ids[start:end], suffix_id, *ids[end:], eos_id]
    return row[:-1], [pad_id] * start + [*ids[start:end]] + [pad_id] * (len(row) - 1 - end)


def _suffix_first(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    given, middle = [suffix_id, *ids[end:], *ids[:start], middle_id], [*ids[start:end], eos_id]
    return [*given, *middle[:-1]], [pad_id] * (len(given) - 1) + middle


def _one_too_many(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    return _fill_in_the_middle(ids, start, end + 1, suffix_id, middle_id, eos_id, pad_id)


_NO_EOS = (
    "eos_id가 없습니다. 모델은 가운데가 어디에서 끝나는지도 배워야 합니다.",
    "eos_id is missing; the model must learn where the middle ends.",
)
_BY_VALUE = (
    "정답을 토큰의 번호로 가렸습니다. 같은 번호가 가운데의 안과 밖에 다 있을 수 있으니, 자리로 가리세요.",
    "Labels are hidden by their ids; an id may stand both inside the middle and outside, so hide by place.",
)

fill_in_the_middle = Exercise(
    spec=_fill_in_the_middle,
    cases=[
        ([11, 12, 13], 1, 2, 4, 5, 3, 0),
        ([11, 12, 13, 14, 15, 16], 2, 4, 4, 5, 3, 0),
        ([11, 12, 13, 14], 0, 2, 4, 5, 3, 0),
        ([11, 12, 13, 14], 1, 4, 4, 5, 3, 0),
        ([11, 12, 13, 14], 2, 2, 4, 5, 3, 0),
        ([11, 12, 12, 13], 2, 3, 4, 5, 3, 0),
        ([11, 12, 12, 11, 12], 1, 3, 7, 8, 9, 2),
    ],
    mistakes=[
        Mistake(
            _loss_on_everything,
            "앞부분과 뒷부분에서도 손실을 계산합니다. 가운데와 eos_id 말고는 모두 pad_id입니다.",
            "The loss is on the given parts as well; all labels but the middle and eos_id are pad_id.",
        ),
        Mistake(
            _not_shifted,
            "정답을 밀지 않았습니다. 위치마다 정답은 그다음 토큰입니다.",
            "The labels are not shifted; at each position the label is the next token.",
        ),
        Mistake(
            _first_of_the_middle_hidden,
            "가운데의 첫 토큰이 정답에서 빠졌습니다. 그것은 middle_id 위치에서 예측합니다.",
            "The first token of the middle is not a label; it is predicted at the position of middle_id.",
        ),
        Mistake(
            _middle_id_predicted,
            "middle_id까지 예측하게 했습니다. 빈칸을 채울 때 그것은 주어집니다.",
            "middle_id is a label, too; it is given when a gap is to be filled.",
        ),
        Mistake(_without_eos, *_NO_EOS),
        Mistake(_labels_without_eos, *_NO_EOS),
        Mistake(_neither_with_eos, *_NO_EOS),
        Mistake(
            _eos_in_the_inputs,
            "입력에 eos_id가 들어갔습니다. 그 뒤에는 예측할 것이 없으니 입력은 그 앞에서 끝납니다.",
            "The inputs hold eos_id; nothing is predicted after it, so the inputs end before it.",
        ),
        Mistake(_hidden_by_value(lambda label, given, middle: label not in middle), *_BY_VALUE),
        Mistake(_hidden_by_value(lambda label, given, middle: label in given), *_BY_VALUE),
        Mistake(
            _eos_not_predicted,
            "eos_id의 정답이 가려졌습니다. 가운데가 끝나는 것도 예측해야 합니다.",
            "The label eos_id is hidden; that the middle ends must be predicted, too.",
        ),
        Mistake(
            _in_the_old_order,
            "가운데가 뒷부분보다 앞에 있습니다. 뒷부분을 읽은 다음에 쓰도록 끝으로 옮기세요.",
            "The middle stands before what comes after it; move it to the end, behind all that is given.",
        ),
        Mistake(
            _suffix_first,
            "뒷부분이 먼저 나옵니다. 앞부분부터 늘어놓으세요.",
            "What comes after the gap stands first; begin with what comes before it.",
        ),
        Mistake(
            _one_too_many,
            "가운데에 end의 토큰까지 들어갔습니다. end 앞까지입니다.",
            "The middle includes the token at end; it stops before it.",
        ),
    ],
    hints=[
        (
            "먼저 모델이 받는 것(given)과 써야 하는 것(middle)을 두 리스트로 나누어 보세요.",
            "First make two lists: what the model is given, and what it has to write.",
        ),
        (
            "이어 붙인 줄에서 마지막을 빼면 입력, 첫 토큰을 빼면 정답입니다.",
            "The row without its last token is the input; without its first, the labels.",
        ),
        (
            "정답의 앞 `len(given) - 1`개를 pad_id로 바꾸세요.",
            "Replace the first `len(given) - 1` labels by pad_id.",
        ),
    ],
)


def _next_probabilities(counts):
    return (counts + 1) / (counts.sum() + len(counts))


def _divided_by_one_more(counts):
    return (counts + 1) / (counts.sum() + 1)


def _nothing_added(counts):
    return counts / counts.sum()


next_probabilities = Exercise(
    spec=_next_probabilities,
    start=_divided_by_one_more,
    cases=[
        (torch.tensor([3, 1]),),
        (torch.tensor([0, 0, 0]),),
        (torch.tensor([0, 4, 1, 0, 2]),),
        (torch.tensor([7]),),
        (torch.tensor([0, 100, 0, 0]),),
    ],
    mistakes=[
        Mistake(
            _nothing_added,
            "합은 1이지만, 본 적 없는 토큰의 확률이 다시 0입니다.",
            "They sum to 1, but a token never seen has probability 0 again.",
        ),
        Mistake(
            lambda counts: (counts + 1) / counts.sum(),
            "합이 더 커졌습니다. 보탠 것을 모두 나누는 수에도 넣으세요.",
            "Their sum has grown; all that was added belongs into the divisor.",
        ),
        Mistake(
            lambda counts: (counts + 1.0).softmax(dim=0),
            "소프트맥스는 센 수의 비율을 지키지 않습니다. 합으로 나누세요.",
            "A softmax does not keep the ratio of the counts; divide by the sum.",
        ),
        Mistake(
            lambda counts: counts / (counts.sum() + len(counts)),
            "나누는 수에만 더했습니다. 분자에서도 토큰마다 하나씩 더하세요.",
            "Only the divisor has grown; add one to each count above it as well.",
        ),
        Mistake(
            lambda counts: (counts + 1 / len(counts)) / (counts.sum() + 1),
            "합은 1이지만, 토큰마다 하나가 아니라 1/V씩 더했습니다.",
            "They sum to 1, but each token got 1/V more, not one.",
        ),
        Mistake(
            lambda counts: (counts + 1) / (counts.sum() + (counts > 0).sum()),
            "본 적 있는 토큰만 세었습니다. 모든 토큰에 하나씩 더했습니다.",
            "This counts the tokens seen only; every token got one more.",
        ),
        Mistake(
            lambda counts: _nothing_added(counts.clamp(min=1)),
            "본 적 없는 토큰에만 하나를 더했습니다. 본 토큰에도 하나씩 더하세요.",
            "Only tokens never counted get one more; add one to those counted as well.",
        ),
        Mistake(
            lambda counts: (counts + 1) / (counts.sum() + 2),
            "첫 사례의 V인 2로 못 박았습니다. V는 len(counts)입니다.",
            "V is taken to be 2, as in the first case; it is len(counts).",
        ),
    ],
    hints=[
        ("돌려준 확률을 모두 더해 보세요.", "Add up the probabilities that it returns."),
        (
            "토큰이 V개이면 모두 몇 번을 더 본 셈인가요?",
            "With V tokens, how many more were seen in all?",
        ),
        ("나누는 수는 `counts.sum() + len(counts)`입니다.", "The divisor is `counts.sum() + len(counts)`."),
    ],
)

source_as_well = Exploration(
    look_for=(
        "같은 스텝 뒤에 번역문의 손실과 exact match가 어느 쪽이 나은가요? 원문의 다음 토큰은 얼마나 "
        "예측할 수 있는 것인가요?",
        "After the same steps, which has the better loss and exact match on the target? How predictable is "
        "the next token of a source at all?",
    ),
    hints=[
        (
            "정답은 `torch.cat([src[1:], tgt])`입니다. 길이가 입력과 같은지 보세요.",
            "The labels are `torch.cat([src[1:], tgt])`. Are they as long as the inputs?",
        ),
        (
            "입력은 `one_sequence`의 것을 그대로 쓰고, `one_sequence`는 고치지 마세요. 시험에서도 쓰입니다.",
            "Take the inputs from `one_sequence` and leave it as it is: the test uses it, too.",
        ),
    ],
)
