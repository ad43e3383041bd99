"""The exercises of chapter 11."""

import torch
from torch.nn import functional as F

from helpers.exercises.kinds import Exercise, Mistake


def _padding_share(lengths, batches):
    cells = sum(len(batch) * max(lengths[i] for i in batch) for batch in batches)
    return 1 - sum(lengths[i] for batch in batches for i in batch) / cells


padding_share = Exercise(
    spec=_padding_share,
    cases=[
        ([2, 4], [[0, 1]]),
        ([2, 4], [[0], [1]]),
        ([1, 4, 2, 8], [[3, 0], [2, 1]]),
        ([5, 5, 5, 6, 9], [[0, 1, 2], [4, 3]]),
    ],
    mistakes=[
        Mistake(
            lambda lengths, batches: 1 - _padding_share(lengths, batches),
            "진짜 토큰의 몫입니다. 패딩의 몫을 돌려주세요.",
            "That is the share of real tokens; return that of padding.",
        ),
        Mistake(
            lambda lengths, batches: 1 - sum(lengths) / (len(lengths) * max(lengths)),
            "모든 배치를 가장 긴 문장에 맞추었습니다. 배치마다 그 안에서 가장 긴 문장에 맞춥니다.",
            "Every batch is padded to the longest sentence of all; pad each to its own longest.",
        ),
        Mistake(
            lambda lengths, batches: sum(_padding_share(lengths, [b]) for b in batches) / len(batches),
            "배치마다 구해 평균했습니다. 큰 배치와 작은 배치의 칸 수가 다릅니다. 모두 합쳐 나누세요.",
            "This averages over batches, whose sizes differ; divide the totals.",
        ),
    ],
)


def _smooth(answers, vocab_size, smoothing):
    return (1 - smoothing) * F.one_hot(answers, vocab_size) + smoothing / vocab_size


smooth = Exercise(
    spec=_smooth,
    cases=[
        (torch.tensor([1]), 4, 0.0),
        (torch.tensor([1]), 4, 0.2),
        (torch.tensor([0, 2, 2]), 3, 0.3),
        (torch.tensor([4, 0]), 5, 0.1),
    ],
    mistakes=[
        Mistake(
            lambda answers, vocab_size, smoothing: (
                _smooth(answers, vocab_size, smoothing)
                - smoothing / vocab_size * F.one_hot(answers, vocab_size)
            ),
            "정답도 고르게 나눈 몫을 받습니다. 지금은 합이 1이 되지 않습니다.",
            "The right word gets its part of what is spread, too; this does not sum to 1.",
        ),
        Mistake(
            lambda answers, vocab_size, smoothing: (
                (1 - smoothing) * F.one_hot(answers, vocab_size)
                + smoothing / (vocab_size - 1) * (1 - F.one_hot(answers, vocab_size))
            ),
            "정답이 아닌 단어에만 나누었습니다. torch.nn처럼 사전 전체에 나누세요.",
            "This spreads over the wrong words only; spread over the whole vocabulary, as torch.nn does.",
        ),
        Mistake(
            lambda answers, vocab_size, smoothing: F.one_hot(answers, vocab_size).float(),
            "스무딩을 쓰지 않았습니다.",
            "There is no smoothing in it.",
        ),
        Mistake(
            lambda answers, vocab_size, smoothing: F.one_hot(answers, vocab_size) + smoothing / vocab_size,
            "정답의 몫을 1 - smoothing으로 줄이지 않아 합이 1을 넘습니다.",
            "The right word keeps all of 1, so the sum exceeds 1; scale it by 1 - smoothing.",
        ),
    ],
)


def _token_batches(lengths, max_tokens, by="padded", sort=True):
    batches, batch = [], []
    for i in sorted(range(len(lengths)), key=lengths.__getitem__) if sort else range(len(lengths)):
        longest, real = max(lengths[j] for j in [*batch, i]), sum(lengths[j] for j in [*batch, i])
        size = longest * (len(batch) + 1) if by == "padded" else real
        if batch and size > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(i)
    return [*batches, batch]


token_batches = Exercise(
    spec=_token_batches,
    cases=[
        ([3, 3], 6),
        ([3, 3], 5),
        ([4, 1, 2], 6),
        ([2, 9, 4, 4, 3, 8, 2], 12),
        ([7, 1], 5),
    ],
    mistakes=[
        Mistake(
            lambda lengths, max_tokens: _token_batches(lengths, max_tokens, by="real"),
            "진짜 토큰만 셌습니다. 배치가 차지하는 칸은 패딩까지입니다.",
            "This counts real tokens only; a batch takes up its padding as well.",
        ),
        Mistake(
            lambda lengths, max_tokens: _token_batches(lengths, max_tokens, sort=False),
            "길이 순으로 늘어놓지 않았습니다.",
            "The sentences are not sorted by length.",
        ),
        Mistake(
            lambda lengths, max_tokens: _token_batches(lengths, max_tokens)[:-1],
            "마지막 배치가 빠졌습니다.",
            "The last batch is missing.",
        ),
        Mistake(
            lambda lengths, max_tokens: _token_batches(lengths, max_tokens - 1),
            "꼭 max_tokens인 배치도 됩니다.",
            "A batch of exactly max_tokens is fine.",
        ),
    ],
)
