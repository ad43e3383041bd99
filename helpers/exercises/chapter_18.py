"""The exercises of chapter 18."""

import torch
from torch.nn import functional as F

from helpers.exercises.kinds import Exercise, Exploration, Prediction, random_tensors

_random = random_tensors()

bits_of_a_weight = Prediction(
    answer=5.0,
    why=(
        "블록 하나는 20바이트, 즉 160비트이고 가중치는 32개이니 하나에 5비트입니다. 4비트는 눈금의 번호이고, "
        "나머지 1비트는 32개가 함께 쓰는 간격과 최솟값의 몫입니다.",
        "A block has 20 bytes, 160 bits, for 32 weights: 5 bits each. 4 of them are the number of the level; "
        "the fifth is a weight's share of the scale and the minimum, which all 32 use.",
    ),
    hints=[
        "블록 하나에 저장되는 것을 모두 더해 보세요. 16바이트가 전부인가요?",
        "Add up all that a block stores. Is it the sixteen bytes alone?",
        "간격과 최솟값이 2바이트씩 더 있습니다. 모두 20바이트입니다.",
        "The scale and the minimum have 2 bytes each, so it is 20 bytes in all.",
        "20 · 8 / 32를 계산하세요.",
        "Compute 20 · 8 / 32.",
    ],
    slips=[
        4,
        "블록에는 번호 말고 무엇이 더 들어 있나요?",
        "What else does a block hold besides the numbers of the levels?",
        4.5,
        "간격과 최솟값이 2바이트씩입니다.",
        "The scale and the minimum have 2 bytes each.",
    ],
)


def _quantize(weights, levels=16, nearest=torch.round):
    minimum = weights.min()
    scale = (weights.max() - minimum) / (levels - 1)
    return nearest((weights - minimum) / scale), scale, minimum


def _from_zero(weights):
    scale = weights.max() / 15
    return (weights / scale).round(), scale, weights.min()


def _restored(result, weights):
    steps, scale, minimum = result
    return scale * steps + minimum


quantize = Exercise(
    spec=_quantize,
    cases=[
        (torch.tensor([-1.0, -0.4, 0.5, 2.0]),),
        (torch.tensor([0.0, 1.0, 15.0, 7.0]),),
        (_random(32),),
        (3 * _random(32) + 5,),
    ],
    by_hand=(torch.tensor([-1.0, -0.4, 0.55, 2.0]),),
    mistakes=[
        lambda weights: _quantize(weights, levels=17),
        "간격이 조금 작습니다. 눈금이 16개이면 그 사이의 간격은 15개입니다.",
        "The scale is a little small: between 16 levels there are 15 gaps.",
        lambda weights: _quantize(weights, nearest=torch.floor),
        "반올림하지 않고 버렸습니다. 가장 가까운 눈금을 고르세요.",
        "The numbers are cut off, not rounded; choose the nearest level.",
        _from_zero,
        "눈금이 0에서 시작합니다. 먼저 최솟값을 빼세요.",
        "The levels begin at 0; subtract the minimum first.",
    ],
    hints=[
        "최솟값이 -1, 최댓값이 2라고 합시다. 그 사이에 눈금 16개를 고르게 두면 간격은 얼마인가요?",
        "Say the minimum is -1 and the maximum 2. What is the gap between 16 even levels?",
        "간격은 (최댓값 - 최솟값) / 15이고, 최솟값의 번호는 0입니다.",
        "The scale is (maximum - minimum) / 15, and the minimum has number 0.",
        "steps = ((weights - minimum) / scale).round()입니다.",
        "steps = ((weights - minimum) / scale).round().",
    ],
)


def _answer_loss(logits, ids, begin):
    return F.cross_entropy(logits[begin - 1 : -1], ids[begin:])


def _without_the_shift(logits, ids, begin):
    return F.cross_entropy(logits[begin:], ids[begin:])


def _case(tokens, begin, vocab_size):
    ids = (_random(tokens) * 100).long() % vocab_size
    return 3 * _random(tokens, vocab_size), ids, begin


answer_loss = Exercise(
    spec=_answer_loss,
    cases=[_case(3, 2, 2), _case(4, 2, 3), _case(6, 4, 5), _case(9, 3, 7)],
    start=_without_the_shift,
    mistakes=[
        lambda logits, ids, begin: F.cross_entropy(logits[:-1], ids[1:]),
        "질문의 토큰도 손실에 들어갔습니다. 답의 토큰만 남기세요.",
        "The tokens of the question count, too; keep those of the answer alone.",
        lambda logits, ids, begin: F.cross_entropy(logits[begin:-1], ids[begin + 1 :]),
        "답의 첫 토큰이 빠졌습니다. 그 토큰은 질문의 마지막 자리에서 예측합니다.",
        "The first token of the answer is missing; it is predicted at the last place of the question.",
        lambda logits, ids, begin: F.cross_entropy(logits[begin - 1 : begin], ids[begin : begin + 1]),
        "답의 첫 토큰만 셌습니다. 답의 모든 토큰에서 평균을 내세요.",
        "Only the first token of the answer counts; take the mean over all of them.",
        lambda logits, ids, begin: _answer_loss(logits, ids, begin) * (len(ids) - begin),
        "손실을 더하기만 했습니다. 답의 토큰마다의 평균이어야 합니다.",
        "This is the sum; it should be the mean over the tokens of the answer.",
    ],
    by_hand=(torch.tensor([[0.0, 0.0], [0.0, 2.0], [2.0, 0.0], [0.0, 0.0]]), torch.tensor([1, 0, 1, 1]), 2),
    hints=[
        "위치 t의 로짓은 어느 토큰을 예측하나요? 11장의 한 칸 밀기를 떠올리세요.",
        "Which token do the logits at position t predict? Think of the shift in chapter 11.",
        "위치 t의 로짓은 토큰 t + 1을 예측합니다. 그러니 답의 첫 토큰은 위치 begin - 1이 예측합니다.",
        "Logits at position t predict token t + 1, so the first token of the answer belongs to begin - 1.",
        "logits[begin - 1 : -1]과 ids[begin:]을 비교하세요.",
        "Compare logits[begin - 1 : -1] with ids[begin:].",
    ],
)

where_it_is_wrong = Exploration(
    look_for=(
        "틀린 답의 말투가 맞은 답과 달랐나요? 우리가 물었을 때는 “What is 7 + 8?”에 55라고, 셰익스피어는 "
        "프랑스의 극작가라고 답했는데, 말투는 수도를 맞힐 때와 똑같았습니다. 말이 매끄럽다고 해서 내용까지 "
        "맞는 것은 아닙니다.",
        "Did wrong answers sound different from right ones? When we asked, 7 + 8 was 55 and Shakespeare a "
        "French playwright, in the same voice that knew the capitals. Fluent doesn't mean true.",
    ),
    hints=[
        "계산, 작가, 동물의 다리 수처럼 답을 확실히 아는 것을 영어로 물어보세요.",
        "Ask, in English, what you know for sure: sums, authors, the legs of an animal.",
        'print(ask("What is 7 + 8?"))처럼 물으면 됩니다. max_tokens=40이면 더 길게 답합니다.',
        'print(ask("What is 7 + 8?")) will do; max_tokens=40 lets it say more.',
    ],
)
