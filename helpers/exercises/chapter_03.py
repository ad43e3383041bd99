"""The exercises of chapter 03."""

import math

import torch

from helpers.exercises.kinds import Exercise, Exploration, Prediction, random_tensors

slowest_turn = Prediction(
    answer=2 * math.pi * 10000 ** (14 / 16),
    near=0.02,
    hints=[
        "바늘은 16/2개이고, 마지막 바늘은 i = 7입니다.",
        "There are 16/2 hands; the last one is i = 7.",
        "그 각속도는 1/10000^(14/16) ≈ 1/3162.3입니다. 한 바퀴는 2π 라디안입니다.",
        "Its angular frequency is 1/10000^(14/16) ≈ 1/3162.3. A full turn is 2π radians.",
    ],
    why=(
        "한 위치에 1/3162.3 라디안씩 도니 한 바퀴에 2π · 3162.3 ≈ 19869 위치가 걸립니다.",
        "It turns by 1/3162.3 radians per position, so a full turn takes 2π · 3162.3 ≈ 19869 positions.",
    ),
    slips=[
        3162.28,
        "한 위치에 1/3162.28 라디안을 돕니다. 한 바퀴는 몇 라디안인가요?",
        "It turns by 1/3162.28 radians per position. How many radians are a full turn?",
        62831.85,
        "마지막 바늘의 지수는 1이 아니라 14/16입니다.",
        "The exponent of the last hand is 14/16, not 1.",
    ],
)


def _shift(offset, d_model, speed=lambda i, d: 10000 ** (-2 * i / d), hands=None, sign=-1):
    matrix = torch.eye(d_model)
    for i in range(d_model // 2 if hands is None else hands):
        angle = offset * speed(i, d_model)
        sine, cosine = math.sin(angle), math.cos(angle)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[cosine, sine], [sign * sine, cosine]])
    return matrix


def _shift_in_halves(offset, d_model):
    order = torch.cat([torch.arange(0, d_model, 2), torch.arange(1, d_model, 2)])
    return _shift(offset, d_model)[order][:, order]


shift_matrix = Exercise(
    spec=_shift,
    cases=[(0, 2), (1, 2), (1, 4), (3, 4), (10, 16), (13, 8), (101, 16)],
    mistakes=[
        lambda offset, d_model: _shift(offset, d_model, speed=lambda i, d: 1.0),
        "모든 쌍을 같은 각도로 돌립니다. 쌍마다 각속도가 다릅니다.",
        "All pairs turn by the same angle; each pair has its own frequency.",
        lambda offset, d_model: _shift(offset, d_model, hands=1),
        "첫 쌍만 돌립니다. 나머지 쌍도 저마다의 각도로 돌아야 합니다.",
        "Only the first pair turns; the other pairs must turn by angles of their own.",
        lambda offset, d_model: _shift(offset, d_model, speed=lambda i, d: 10000 ** (-i / d)),
        "지수가 i/d_model입니다. 2i/d_model이어야 합니다.",
        "The exponent is i/d_model; it should be 2i/d_model.",
        lambda offset, d_model: _shift(offset, d_model, speed=lambda i, d: 10000 ** (2 * i / d)),
        "10000의 거듭제곱을 곱했습니다. 나누어야 뒤쪽 쌍이 느려집니다.",
        "The power of 10000 is multiplied; divide by it, so that later pairs turn more slowly.",
        _shift_in_halves,
        "사인을 앞 절반에, 코사인을 뒤 절반에 둔 표의 행렬입니다. 우리 표에서는 번갈아 놓입니다.",
        "This fits a table with all sines first and all cosines after; in ours they alternate.",
        lambda offset, d_model: _shift(offset, d_model, sign=1),
        "음의 부호가 빠졌습니다. 회전 행렬에는 -sin이 하나 있습니다.",
        "A minus sign is missing; a rotation matrix has one -sin.",
    ],
    by_hand=1,
    hints=[
        "쌍마다 2×2 회전 행렬이 있고, 서로 다른 쌍은 섞이지 않습니다. 그러니 나머지는 모두 0입니다.",
        "Each pair has its 2×2 rotation matrix, and pairs don't mix. So all the rest is 0.",
        "torch.zeros(d_model, d_model)에서 시작해 [2i : 2i + 2, 2i : 2i + 2]에 회전 행렬을 넣으세요.",
        "Start from torch.zeros(d_model, d_model) and put a rotation into [2i : 2i + 2, 2i : 2i + 2].",
    ],
)


_random = random_tensors()

add_positions = Exercise(
    spec=lambda x, table: x + table[: x.size(1)],
    start=lambda x, table: x + table[: x.size(0)].unsqueeze(1),
    cases=[
        (torch.zeros(1, 1, 2), torch.tensor([[1.0, 2.0], [3.0, 4.0]])),
        (torch.zeros(1, 2, 2), torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])),
        (torch.ones(2, 2, 2), torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])),
        (_random(3, 3, 4), _random(12, 4)),
        (_random(5, 2, 4), _random(12, 4)),
        (_random(2, 13, 6), _random(30, 6)),
        (_random(2, 101, 4), _random(210, 4)),
    ],
    by_hand=(torch.zeros(2, 2, 1), torch.tensor([[10.0], [20.0], [30.0], [40.0]])),
    mistakes=[
        lambda x, table: x + table[: x.size(1)].unsqueeze(1),
        "unsqueeze(1)을 하면 (T, 1, d_model)이 되어 위치가 배치의 축과 짝이 됩니다.",
        "With unsqueeze(1) the slice is (T, 1, d_model), and positions pair with the axis of the batch.",
        lambda x, table: x + table[x.size(1) - 1],
        "모든 토큰에 같은 행을 더합니다. 위치마다 다른 행이어야 합니다.",
        "Every token gets the same row; each position needs its own.",
        lambda x, table: x + table[1 : x.size(1) + 1],
        "위치를 1부터 셌습니다. 첫 토큰은 0번 행을 받습니다.",
        "Positions are counted from 1; the first token gets row 0.",
        lambda x, table: x + table[-x.size(1) :],
        "표의 마지막 행들을 더했습니다. 앞에서부터 세어야 합니다.",
        "These are the last rows of the table; count from the front.",
        lambda x, table: x + table[: x.size(0) * x.size(1)].view(x.shape),
        "다음 문장에서도 이어서 셉니다. 문장마다 0번 행부터 더해야 합니다.",
        "The count runs on into the next sentence; every sentence starts with row 0.",
        lambda x, table: x + table[: x.size(1)].flip(0),
        "뒤에서부터 셌습니다.",
        "The positions are counted from the end.",
    ],
    hints=[
        "torch.zeros(2, 3, 4)를 넣으세요. 한 문장 안의 세 토큰이 서로 다릅니까? 두 문장은 같습니까?",
        "Try torch.zeros(2, 3, 4). Do a sentence's tokens differ? Are the two sentences equal?",
        "x의 어느 축이 배치이고 어느 축이 위치입니까? size(0)과 size(1)을 보세요.",
        "Which axis of x is the batch, and which the position? Look at size(0) and size(1).",
        "(T, d_model)인 표의 조각은 (B, T, d_model)에 그대로 브로드캐스트됩니다.",
        "A slice of the table, (T, d_model), broadcasts to (B, T, d_model) as it is.",
    ],
)

other_bases = Exploration(
    look_for=(
        "가장 닮은 둘은 언제나 이웃한 위치이고, 밑이 작을수록 더 다릅니다(2, 10, 10000, 10^8에서 0.72, 0.47, "
        "0.26, 0.21). 대신 밑이 작으면 아주 먼 위치도 멀어 보이지 않습니다. 위치 0과의 차이가 밑이 2일 때 "
        "100걸음에서 1.41, 400걸음에서 1.33이고, 10000일 때 0.94, 1.23입니다.",
        "The two most alike are always neighbors, and the smaller the base, the more they differ (0.72, "
        "0.47, 0.26 and 0.21 for 2, 10, 10000 and 10^8). But a small base doesn't show that a position is "
        "very far away: the difference from position 0 is 1.41 after 100 steps and 1.33 after 400 with "
        "the base 2, and 0.94 and 1.23 with 10000.",
    ),
    hints=[
        "#를 지우고, 밑마다 한 번씩 실행하세요. 떨어진 걸음 수, 차이의 순서로 나옵니다.",
        "Remove the # and run the line once for each base: it gives the steps apart, then the difference.",
        "먼 위치와도 비교해 보세요. x = with_base(2)이면 (x[0] - x[100]).norm() / 32**0.5입니다.",
        "Compare far positions, too: with x = with_base(2), it is (x[0] - x[100]).norm() / 32**0.5.",
    ],
)
