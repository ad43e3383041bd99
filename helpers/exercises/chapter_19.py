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
    slips=[
        3.5,
        "가중치 32개마다 간격이 하나씩 더 있습니다.",
        "Every 32 weights have a scale as well.",
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
    by_hand=4,
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


def _hand_out(answers, counts):
    starts = [sum(counts[:i]) for i in range(len(counts))]
    return [answers[start : start + count] for start, count in zip(starts, counts, strict=True)]


def _requests(rng):
    counts = [rng.randint(1, 4) for _ in range(rng.randint(1, 5))]
    return [f"text {number}" for number in range(sum(counts))], counts


hand_out = Exercise(
    spec=_hand_out,
    cases=[
        (["a"], [1]),
        (["a", "b"], [1, 1]),
        (["a", "b", "c"], [2, 1]),
        (["a", "b", "c", "d"], [2, 2]),
        ([], []),
    ],
    by_hand=(["a", "b", "c", "d"], [3, 1]),
    draw=_requests,
    start=lambda answers, counts: [answers[i : i + count] for i, count in enumerate(counts)],
    mistakes=[
        lambda answers, counts: [answers[i * count : (i + 1) * count] for i, count in enumerate(counts)],
        "요청마다 문장 수가 같을 때만 맞습니다. 앞선 요청들의 문장 수를 더하세요.",
        "This is right only if all requests have equally many lines; add up the lines of those before.",
        lambda answers, counts: [answers[:count] for count in counts],
        "모두가 처음부터 받았습니다. 요청마다 앞선 요청이 끝난 곳에서 시작해야 합니다.",
        "Everyone gets answers from the start; each request starts where the one before it ends.",
        lambda answers, counts: [answers[sum(counts[:i])] for i in range(len(counts))],
        "요청마다 번역 하나만 돌려주었습니다. 그 요청의 문장 수만큼 잘라 내세요.",
        "Each request gets a single translation; cut out as many as it has lines.",
        lambda answers, counts: [answers[sum(counts[:i]) :] for i in range(len(counts))],
        "뒤에 온 요청의 번역까지 돌려주었습니다. 문장 수만큼에서 끊으세요.",
        "The translations of later requests come along; stop after the lines of this one.",
        lambda answers, counts: [
            answers[sum(counts[: i + 1]) : sum(counts[: i + 1]) + count] for i, count in enumerate(counts)
        ],
        "요청마다 다음 요청의 번역을 받았습니다. 자기 문장 수는 자른 다음에 더하세요.",
        "Each request gets the translations of the next; add its own lines only after cutting.",
    ],
    hints=[
        "counts가 [2, 1]일 때 요청 1의 번역은 answers의 몇 번에서 시작하나요?",
        "With counts [2, 1], where in answers do the translations of request 1 start?",
        "어디까지 나누어 주었는지를 변수 하나에 적어 두세요.",
        "Keep in a variable how many have been handed out.",
        "start를 0으로 두고, 요청마다 answers[start : start + count]를 담은 뒤 start에 count를 더하세요.",
        "Let start be 0; for each request append answers[start : start + count], then add count to start.",
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
        "Look at the status in the first line and at the JSON in the last.",
    ],
)
