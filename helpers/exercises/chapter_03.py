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
        "그 각속도는 1/10000^(14/16) ≈ 1/3162입니다. 한 바퀴는 2π 라디안입니다.",
        "Its angular frequency is 1/10000^(14/16) ≈ 1/3162. A full turn is 2π radians.",
    ],
    why=(
        "한 위치에 1/3162 라디안씩 도니 한 바퀴에 2π · 3162 ≈ 19869 위치가 걸립니다.",
        "It turns by 1/3162 radians per position, so a full turn takes 2π · 3162 ≈ 19869 positions.",
    ),
)


def _packed(ids, bos_id):
    steps = torch.arange(ids.size(1)).expand(ids.shape)
    return steps - torch.where(ids == bos_id, steps, 0).cummax(dim=1).values


def _restarts_late(ids, bos_id):
    steps = torch.arange(ids.size(1)).expand(ids.shape)
    after = torch.roll(ids == bos_id, 1, dims=1)
    after[:, 0] = False
    return steps - torch.where(after, steps, 0).cummax(dim=1).values


def _counts_on_into_the_next_row(ids, bos_id):
    return _packed(ids.reshape(1, -1), bos_id).view(ids.shape)


def _after_the_last_only(ids, bos_id):
    steps = torch.arange(ids.size(1)).expand(ids.shape)
    last = torch.where(ids == bos_id, steps, 0).max(dim=1, keepdim=True).values
    return torch.where(steps < last, steps, steps - last)


def _long_row(length, every, bos_id=1):
    return torch.tensor([[bos_id if i % every == 0 else 2 + (7 * i) % 40 for i in range(length)]])


packed_positions = Exercise(
    spec=_packed,
    cases=[
        (torch.tensor([[1]]), 1),
        (torch.tensor([[1, 5, 6]]), 1),
        (torch.tensor([[1, 5, 1, 6]]), 1),
        (torch.tensor([[1, 9, 8, 4, 1, 7, 3]]), 1),
        (torch.tensor([[7, 8, 1, 5]]), 1),
        (torch.tensor([[2, 2, 2], [2, 5, 2]]), 2),
        (torch.tensor([[1, 5, 6, 1, 7, 1], [6, 1, 9, 8, 1, 4]]), 1),
        (_long_row(13, every=5), 1),
        (_long_row(101, every=17, bos_id=0), 0),
        (_long_row(101, every=200), 1),
    ],
    draw=lambda rng: (torch.tensor([rng.choices(range(4), k=6) for _ in range(2)]), rng.randrange(4)),
    mistakes=[
        lambda ids, bos_id: torch.arange(ids.size(1)).repeat(ids.size(0), 1),
        "다음 문장이 시작되어도 이어서 셉니다. bos_id마다 0부터 다시 세야 합니다.",
        "The count runs on into the next sentence; it must start at 0 again at every bos_id.",
        _restarts_late,
        "한 토큰 늦게 다시 시작합니다. 위치 0은 bos_id 자신의 것입니다.",
        "The count restarts one token late; position 0 belongs to bos_id itself.",
        _counts_on_into_the_next_row,
        "앞 행의 끝에서 이어서 셉니다. 행의 첫 토큰은 언제나 0입니다.",
        "The count goes on from the end of the row before; the first token of a row is always 0.",
        _after_the_last_only,
        "마지막 bos_id에서만 다시 시작합니다.",
        "The count restarts only at the last bos_id.",
        lambda ids, bos_id: (ids == bos_id).cumsum(dim=1) - 1,
        "몇 번째 문장인지를 셌습니다. 필요한 것은 문장 안의 위치입니다.",
        "This counts the sentences; what is needed is the position within the sentence.",
    ],
    hints=[
        "행마다 반복문으로 세어도 됩니다. bos_id를 만나면 0으로 돌아갑니다.",
        "A loop over each row will do. At bos_id the count returns to 0.",
        "반복문 없이 하려면, 토큰마다 가장 가까운 앞쪽 bos_id의 자리를 찾아 빼세요.",
        "Without a loop: for each token find where the nearest bos_id before it stands, and subtract.",
        (
            "torch.where(ids == bos_id, steps, 0)은 bos_id가 있는 곳에만 0, 1, 2, …(steps)를 남깁니다. "
            "cummax(dim=1).values는 거기까지 나온 가장 큰 값입니다."
        ),
        (
            "torch.where(ids == bos_id, steps, 0) keeps 0, 1, 2, … (steps) where bos_id stands; "
            "cummax(dim=1).values is the largest value so far."
        ),
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
    hints=[
        "쌍마다 2×2 회전 행렬이 있고, 서로 다른 쌍은 섞이지 않습니다. 그러니 나머지는 모두 0입니다.",
        "Each pair has its 2×2 rotation matrix, and pairs do not mix. So all the rest is 0.",
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
        "Put in torch.zeros(2, 3, 4). Do a sentence's tokens differ? Are the two sentences equal?",
        "x의 어느 축이 배치이고 어느 축이 위치입니까? size(0)과 size(1)을 보세요.",
        "Which axis of x is the batch, and which the position? Look at size(0) and size(1).",
        "(T, d_model)인 표의 조각은 (B, T, d_model)에 그대로 브로드캐스팅됩니다.",
        "A slice of the table, (T, d_model), broadcasts to (B, T, d_model) as it is.",
    ],
)

random_offsets = Exploration(
    look_for=(
        "길이 16만 보고 학습했는데도 위치 63까지 평균 정확도가 학습된 임베딩은 0.94, 사인은 0.97쯤입니다. "
        "모자랐던 것은 긴 문장이 아니라 그 위치를 한 번이라도 본 적이 있느냐였습니다. "
        "64를 넘으면 다시 떨어집니다. 사인은 위치 127까지 0.57쯤입니다.",
        "Trained on length 16 alone, accuracy up to position 63 is about 0.94 for learned positions and 0.97 "
        "for sinusoids. What was missing was not long sentences but ever having seen those positions. "
        "Beyond 64 it falls again, for sinusoids to about 0.57 up to position 127.",
    ),
    hints=[
        "train_anywhere에서 model(ids)를 부르는 줄 하나만 바꾸면 됩니다. forward에는 offset이 있습니다.",
        "Only the line of train_anywhere that calls model(ids) has to change: forward takes an offset.",
        "max_len이 64이고 길이가 16이니 offset은 0부터 48까지 쓸 수 있습니다.",
        "With max_len 64 and length 16, offset can be 0 to 48.",
    ],
)
