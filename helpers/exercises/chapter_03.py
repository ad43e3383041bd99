"""The exercises of chapter 03."""

import math

import torch

from helpers.exercises.kinds import Exercise, Mistake

position_ids = Exercise(
    spec=lambda ids: torch.arange(ids.size(1)).repeat(ids.size(0), 1),
    cases=[
        (torch.tensor([[7]]),),
        (torch.tensor([[4, 5, 6]]),),
        (torch.tensor([[4, 4], [9, 5]]),),
        (torch.tensor([[4, 5, 6, 4, 5], [8, 8, 8, 0, 0]]),),
    ],
    mistakes=[
        Mistake(
            lambda ids: ids.clone(),
            "토큰 번호입니다. 위치 번호는 어떤 토큰인지와 상관없이 0, 1, 2, …입니다.",
            "These are token ids; position ids are 0, 1, 2, … whatever the tokens are.",
        ),
        Mistake(
            lambda ids: torch.arange(1, ids.size(1) + 1).repeat(ids.size(0), 1),
            "위치를 1부터 셌습니다. 첫 자리는 0입니다.",
            "Positions are counted from 1; the first place is 0.",
        ),
        Mistake(
            lambda ids: torch.arange(ids.size(0)).unsqueeze(1).repeat(1, ids.size(1)),
            "배치 축을 따라 셌습니다. 위치는 문장 안에서 세야 합니다.",
            "This counts along the batch axis; positions count within a sentence.",
        ),
        Mistake(
            lambda ids: torch.arange(ids.numel()).view(ids.shape),
            "다음 문장에서도 이어서 셌습니다. 문장마다 0부터 다시 시작합니다.",
            "The count runs on into the next sentence; every sentence starts at 0 again.",
        ),
    ],
)


def _sinusoid(
    position, d_model, first=math.sin, second=math.cos, exponent=lambda column: column - column % 2
):
    values = []
    for column in range(d_model):
        angle = position / 10000 ** (exponent(column) / d_model)
        values.append(first(angle) if column % 2 == 0 else second(angle))
    return torch.tensor(values)


def _halves(position, d_model):
    table = _sinusoid(position, d_model)
    return torch.cat([table[0::2], table[1::2]])


sinusoid = Exercise(
    spec=_sinusoid,
    cases=[(0, 2), (1, 2), (1, 4), (2, 4), (3, 6), (9, 16), (60, 64)],
    mistakes=[
        Mistake(
            _halves,
            "사인을 앞 절반에, 코사인을 뒤 절반에 모았습니다. 사인과 코사인은 번갈아 놓입니다.",
            "All sines come first and all cosines after; they should alternate.",
        ),
        Mistake(
            lambda position, d_model: _sinusoid(position, d_model, math.cos, math.sin),
            "사인과 코사인이 바뀌었습니다. 짝수 열이 사인입니다.",
            "Sine and cosine are swapped; the even columns hold sines.",
        ),
        Mistake(
            lambda position, d_model: _sinusoid(position, d_model, exponent=lambda column: column),
            "열마다 주파수가 다릅니다. 사인과 코사인 한 쌍은 주파수가 같아야 합니다.",
            "Every column has its own frequency; a sine and its cosine share one.",
        ),
        Mistake(
            lambda position, d_model: _sinusoid(position, d_model, exponent=lambda column: column // 2),
            "지수가 i/d_model입니다. 2i/d_model이어야 합니다.",
            "The exponent is i/d_model; it should be 2i/d_model.",
        ),
    ],
)


def _shift(offset, d_model, frequency=lambda i, d_model: 10000 ** (-2 * i / d_model)):
    matrix = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        angle = offset * frequency(i, d_model)
        sine, cosine = math.sin(angle), math.cos(angle)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[cosine, sine], [-sine, cosine]])
    return matrix


shift_matrix = Exercise(
    spec=_shift,
    cases=[(0, 2), (1, 2), (1, 4), (3, 4), (-2, 6), (10, 16)],
    mistakes=[
        Mistake(
            lambda offset, d_model: _shift(-offset, d_model),
            "반대 방향입니다. pos + offset이 아니라 pos - offset으로 옮깁니다.",
            "This turns the wrong way: it moves to pos - offset, not to pos + offset.",
        ),
        Mistake(
            lambda offset, d_model: _shift(1, d_model),
            "offset과 상관없이 한 칸만 옮깁니다.",
            "This moves by one place whatever the offset is.",
        ),
        Mistake(
            lambda offset, d_model: _shift(offset, d_model, frequency=lambda i, d_model: 1.0),
            "모든 쌍을 같은 각도로 돌립니다. 쌍마다 주파수가 다릅니다.",
            "All pairs turn by the same angle; each pair has its own frequency.",
        ),
        Mistake(
            lambda offset, d_model: _shift(offset, d_model).abs(),
            "사인 하나에 음의 부호가 빠졌습니다.",
            "One of the sines lacks its minus sign.",
        ),
    ],
)
