"""The exercises of chapter 19."""

from functools import partial

from helpers.exercises.kinds import Exercise, Exploration, Prediction

four_bit_model = Prediction(
    answer=3.9375,
    near=0.02,
    why=(
        "가중치 32개가 16 + 2 = 18바이트이고, 7,000,000,000 · 18 / 32바이트는 3.94 GB입니다.",
        "32 weights are 16 + 2 = 18 bytes, and 7,000,000,000 · 18 / 32 bytes are 3.94 GB.",
    ),
    hints=[
        "먼저 가중치 32개가 scale과 함께 몇 바이트인지 세세요.",
        "First count the bytes of 32 weights together with their scale.",
        "4비트는 반 바이트이므로 32개는 16바이트이고, scale이 2바이트입니다.",
        "4 bits are half a byte, so 32 weights are 16 bytes; the scale has 2.",
        "7 · 18 / 32를 계산하세요.",
        "Compute 7 · 18 / 32.",
    ],
)


def _pack(numbers, low=0, shift=16):
    return [
        first + shift * second for first, second in zip(numbers[low::2], numbers[1 - low :: 2], strict=True)
    ]


pack = Exercise(
    spec=_pack,
    cases=[
        ([1, 2],),
        ([2, 1],),
        ([0, 0],),
        ([0, 15],),
        ([15, 0, 3, 4],),
        ([1, 2, 3, 4, 5, 6],),
        ([],),
    ],
    draw=lambda rng: ([rng.randrange(16) for _ in range(2 * rng.randint(0, 5))],),
    mistakes=[
        partial(_pack, low=1),
        "첫 번째 수가 위 4비트에 들어갔습니다. 첫 번째는 아래, 두 번째는 위입니다.",
        "The first number is in the upper 4 bits; it belongs into the lower ones.",
        partial(_pack, shift=15),
        "두 번째 수에 15를 곱했습니다. 4비트를 건너뛰려면 16을 곱합니다.",
        "The second number is multiplied by 15; to skip 4 bits, multiply by 16.",
        partial(_pack, shift=10),
        "두 번째 수에 10을 곱했습니다. 4비트를 건너뛰려면 16을 곱합니다.",
        "The second number is multiplied by 10; to skip 4 bits, multiply by 16.",
        lambda numbers: [
            a + 16 * b
            for a, b in zip(numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :], strict=True)
        ],
        "앞 절반과 뒤 절반을 짝지었습니다. 이웃한 두 수가 한 바이트에 들어갑니다.",
        "The first half is paired with the second half; neighbors share a byte.",
        lambda numbers: [a + 16 * b for a, b in zip(numbers, numbers[1:], strict=False)],
        "수마다 두 번 쓰였습니다. 두 칸씩 건너뛰세요.",
        "Each number is used twice; go on by two.",
    ],
    hints=[
        "numbers[0::2]는 첫 번째 수들, numbers[1::2]는 두 번째 수들입니다.",
        "numbers[0::2] are the first numbers of the pairs, numbers[1::2] the second.",
        "위 4비트에 두려면 16을 곱합니다.",
        "Multiplied by 16, a number stands in the upper 4 bits.",
        "짝마다 low + 16 * high를 구해 리스트로 만드세요.",
        "For each pair, put low + 16 * high into the list.",
    ],
)


def _loss_weight(tokens, rank):
    return len(tokens) * tokens[rank] / sum(tokens)


def _shares(rng):
    tokens = [rng.randint(1, 40) for _ in range(rng.randint(1, 6))]
    return tokens, rng.randrange(len(tokens))


loss_weight = Exercise(
    spec=_loss_weight,
    cases=[([6], 0), ([3, 1], 0), ([3, 1], 1), ([2, 2], 1), ([5, 1, 6], 2), ([4, 8, 12, 16], 0)],
    draw=_shares,
    start=lambda tokens, rank: tokens[rank] / sum(tokens),
    mistakes=[
        lambda tokens, rank: 1.0,
        "언제나 1이면 그냥 평균입니다. 토큰 수의 비율이 들어가야 합니다.",
        "Always 1 is the plain average; the share of tokens has to come in.",
        lambda tokens, rank: len(tokens) * sum(tokens) / tokens[rank],
        "비율이 뒤집혔습니다. 토큰이 많은 쪽이 더 무겁습니다.",
        "The share is upside down; who has more tokens weighs more.",
        lambda tokens, rank: float(tokens[rank]),
        "토큰의 수를 모든 프로세스의 합으로 나누지 않았습니다.",
        "The tokens are not divided by the sum over all processes.",
        lambda tokens, rank: 2 * tokens[rank] / sum(tokens),
        "프로세스가 둘일 때만 맞습니다. 프로세스의 수를 곱하세요.",
        "This is right for two processes only; multiply by their number.",
    ],
    hints=[
        "프로세스가 하나일 때와 둘일 때의 값을 손으로 구해 보세요.",
        "Find the values for one process and for two by hand.",
        "평균은 합을 프로세스의 수로 나눕니다. 그 나눗셈을 미리 되돌려야 합니다.",
        "An average divides the sum by the number of processes; undo that beforehand.",
        "len(tokens)를 곱하세요.",
        "Multiply by len(tokens).",
    ],
)

strange_questions = Exploration(
    look_for=(
        "빈 문장에는 빈 번역이, 너무 많은 줄이나 너무 긴 줄에는 413과 허용되는 크기가 옵니다. 이모지에는 "
        "모델이 지어낸 문장이 옵니다. 서버는 형식을 검사할 뿐, 번역이 맞는지는 모릅니다.",
        "An empty text gets an empty translation; too many lines, or too long a line, get 413 and the size "
        "that is allowed. For an emoji the model makes up a sentence. The server checks the form, and does "
        "not know whether a translation is right.",
    ),
    hints=[
        'ask_all(engines["ours"], [""])부터 해 보세요.',
        'Begin with ask_all(engines["ours"], [""]).',
        "상태의 줄(첫 줄)과 마지막 줄의 JSON을 보세요.",
        "Look at the line of the status, the first, and at the JSON in the last.",
    ],
)
