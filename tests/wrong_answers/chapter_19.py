"""Answers to the exercises of chapter 19, right ones and wrong ones that no exercise lists."""

from wrong_answers import also, right, wrong

also("four_bit_model", (None, 3.94), ("Not quite", 3.5), ("Not quite", 28))


@right
def pack(numbers):
    return [numbers[i] | numbers[i + 1] << 4 for i in range(0, len(numbers), 2)]


@wrong("It returns tuple; return list")
def pack(numbers):  # noqa: F811
    return tuple(a + 16 * b for a, b in zip(numbers[0::2], numbers[1::2], strict=True))


@right
def hand_out(answers, counts):
    left = iter(answers)
    return [[next(left) for _ in range(count)] for count in counts]


@wrong("their types are not")
def hand_out(answers, counts):  # noqa: F811
    left = iter(answers)
    return [tuple(next(left) for _ in range(count)) for count in counts]


@wrong("wrong only where len(counts) > 1")
def hand_out(answers, counts):  # noqa: F811
    return [answers[sum(counts[:i]) : sum(counts[:i]) + count + 1] for i, count in enumerate(counts)]
