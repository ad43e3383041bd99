"""The exercises of chapter 15."""

from functools import partial

import torch

from helpers.exercises.kinds import Exercise, Exploration, Prediction

longer_tokens = Prediction(
    answer=16,
    why=(
        "글의 확률은 4^(−12)이고, 예측이 여섯 번이니 퍼플렉시티는 4^(12/6) = 16입니다.",
        "The text has probability 4^(−12); with 6 predictions, the perplexity is 4^(12/6) = 16.",
    ),
    hints=[
        "퍼플렉시티 4와 토큰 12개로 글 전체의 확률을 먼저 구하세요.",
        "From a perplexity of 4 and 12 tokens, find the probability of the whole text first.",
        "그 확률의 역수에 여섯제곱근을 취하세요.",
        "Take the sixth root of the inverse of that probability.",
    ],
    slips=[
        8,
        "토큰 수의 비율은 퍼플렉시티에 곱해지지 않고 지수에 들어갑니다.",
        "The ratio doesn't multiply the perplexity; it goes into the exponent.",
        2,
        "토큰이 길어지면 하나를 맞히기가 더 어려워집니다.",
        "A longer token is harder to predict, not easier.",
    ],
)


def _parts(ids, start, end, suffix_id, middle_id, eos_id):
    given = [*ids[:start], suffix_id, *ids[end:], middle_id]
    return given, [*ids[start:end], eos_id]


def _fill_in_the_middle(
    ids, start, end, suffix_id, middle_id, eos_id, pad_id, hidden=lambda given: len(given) - 1
):
    given, middle = _parts(ids, start, end, suffix_id, middle_id, eos_id)
    row = [*given, *middle]
    return row[:-1], [pad_id] * hidden(given) + row[hidden(given) + 1 :]


def _not_shifted(*case):
    given, middle = _parts(*case[:-1])
    return [*given, *middle], [case[-1]] * len(given) + middle


def _without_eos(*case):
    inputs, labels = _fill_in_the_middle(*case)
    return inputs[:-1], labels[:-1]


def _hidden_by_value(*case):
    """Labels chosen by what they are, not by where they stand."""
    inputs, labels = _fill_in_the_middle(*case, hidden=lambda given: 0)
    return inputs, [label if label in labels[-(case[2] - case[1]) - 1 :] else case[-1] for label in labels]


def _in_the_old_order(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    row = [*ids[:start], middle_id, *ids[start:end], suffix_id, *ids[end:], eos_id]
    return row[:-1], [pad_id] * start + [*ids[start:end]] + [pad_id] * (len(row) - 1 - end)


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
    by_hand=5,
    mistakes=[
        partial(_fill_in_the_middle, hidden=lambda given: 0),
        "앞부분과 뒷부분에서도 손실을 계산합니다. 가운데와 eos_id 말고는 모두 pad_id입니다.",
        "The loss also covers the given parts; every label outside the middle and eos_id is pad_id.",
        _not_shifted,
        "정답을 밀지 않았습니다. 위치마다 정답은 그다음 토큰입니다.",
        "The labels aren't shifted; at each position the label is the next token.",
        partial(_fill_in_the_middle, hidden=len),
        "가운데의 첫 토큰이 정답에서 빠졌습니다. 그것은 middle_id 위치에서 예측합니다.",
        "The first token of the middle isn't a label; it is predicted at the position of middle_id.",
        partial(_fill_in_the_middle, hidden=lambda given: len(given) - 2),
        "middle_id까지 예측하게 했습니다. 빈칸을 채울 때 그것은 주어집니다.",
        "middle_id is a label, too; but it is given when a gap is to be filled.",
        _without_eos,
        "eos_id가 없습니다. 모델은 가운데가 어디에서 끝나는지도 배워야 합니다.",
        "eos_id is missing; the model must learn where the middle ends.",
        _hidden_by_value,
        "정답을 번호로 가렸습니다. 같은 번호가 가운데 밖에도 있을 수 있으니 자리로 가리세요.",
        "Labels are hidden by their ids, which may also occur outside the middle; hide them by position.",
        _in_the_old_order,
        "가운데가 뒷부분보다 앞에 있습니다. 뒷부분을 읽은 다음에 쓰도록 끝으로 옮기세요.",
        "The middle comes before the suffix; move it to the end, after everything that is given.",
    ],
    hints=[
        "먼저 모델이 받는 것(given)과 써야 하는 것(middle)을 두 리스트로 나누어 보세요.",
        "First make two lists: what the model is given, and what it has to write.",
        "이어 붙인 줄에서 마지막을 빼면 입력, 첫 토큰을 빼면 정답입니다.",
        "The row without its last token is the input; without its first, the labels.",
        "정답의 앞 `len(given) - 1`개를 pad_id로 바꾸세요.",
        "Replace the first `len(given) - 1` labels by pad_id.",
    ],
)


def _next_probabilities(counts, added=1, divisor=lambda counts: counts.sum() + len(counts)):
    return (counts + added) / divisor(counts)


next_probabilities = Exercise(
    spec=_next_probabilities,
    start=partial(_next_probabilities, divisor=lambda counts: counts.sum() + 1),
    cases=[
        (torch.tensor([3, 1]),),
        (torch.tensor([0, 0, 0]),),
        (torch.tensor([0, 4, 1, 0, 2]),),
        (torch.tensor([7]),),
        (torch.tensor([0, 100, 0, 0]),),
    ],
    by_hand=(torch.tensor([0, 1, 3]),),
    mistakes=[
        lambda counts: counts / counts.sum(),
        "합은 1이지만, 본 적 없는 토큰의 확률이 다시 0입니다.",
        "They sum to 1, but an unseen token has probability 0 again.",
        partial(_next_probabilities, divisor=torch.sum),
        "합이 더 커졌습니다. 보탠 것을 모두 나누는 수에도 넣으세요.",
        "Their sum has grown; everything you added belongs in the divisor, too.",
        partial(_next_probabilities, added=0),
        "나누는 수에만 더했습니다. 분자에서도 토큰마다 하나씩 더하세요.",
        "Only the divisor has grown; add one to each count in the numerator as well.",
        partial(_next_probabilities, divisor=lambda counts: counts.sum() + (counts > 0).sum()),
        "본 적 있는 토큰만 세었습니다. 모든 토큰에 하나씩 더했습니다.",
        "This counts only the tokens seen; every token got one more.",
    ],
    hints=[
        "돌려준 확률을 모두 더해 보세요.",
        "Add up the probabilities that it returns.",
        "토큰이 V개이면 모두 몇 번을 더 본 셈인가요?",
        "With V tokens, how many more counts is that in all?",
        "나누는 수는 `counts.sum() + len(counts)`입니다.",
        "The divisor is `counts.sum() + len(counts)`.",
    ],
)

korean_or_english = Exploration(
    look_for=(
        "우리가 시드 셋으로 재었을 때 퍼플렉시티는 한국어 9.0–9.1, 영어 3.40–3.43이었습니다. 그런데 한 "
        "문장이 평균 6.7토큰과 11.1토큰이라서, 문장 하나의 −ln p는 14.7–14.8과 13.6–13.7입니다. "
        "한국어가 조금 더 어렵습니다.",
        "When we measured three seeds, perplexity was 9.0–9.1 for Korean and 3.40–3.43 for English. But a "
        "sentence has 6.7 tokens in Korean and 11.1 in English, so its −ln p is 14.7–14.8 and "
        "13.6–13.7: Korean is a little harder.",
    ),
    hints=[
        "한국어 문장으로 새 토크나이저를 만들고, `as_rows`와 `perplexity_of`는 그대로 쓰세요.",
        "Train a new tokenizer on the Korean sentences, and use `as_rows` and `perplexity_of` as they are.",
        "문장 하나의 −ln p는 `math.log(perplexity)`에 정답의 수의 평균을 곱한 것입니다. 정답은 행의 길이보다 "
        "하나 적습니다.",
        "The −ln p of a sentence is `math.log(perplexity)` times the mean number of labels: one less than "
        "the length of a row.",
    ],
)
