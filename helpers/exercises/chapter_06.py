"""The exercises of chapter 06."""

import torch

from helpers.exercises.kinds import Exercise, Mistake


def _real_tokens(lengths, length, first=0, last=0):
    mask = torch.zeros(len(lengths), 1, 1, length, dtype=torch.bool)
    for sentence, real in enumerate(lengths.tolist()):
        mask[sentence, 0, 0, first : real + last] = True
    return mask


mask_from_lengths = Exercise(
    spec=_real_tokens,
    cases=[
        (torch.tensor([1]), 2),
        (torch.tensor([2]), 2),
        (torch.tensor([1, 3]), 3),
        (torch.tensor([4, 2, 5]), 5),
    ],
    mistakes=[
        Mistake(
            lambda lengths, length: ~_real_tokens(lengths, length),
            "뒤집혔습니다. True는 볼 수 있다는 뜻이니 진짜 토큰이 True여야 합니다.",
            "It is inverted: True means may attend, so the real tokens should be True.",
        ),
        Mistake(
            lambda lengths, length: _real_tokens(lengths, length, last=1),
            "하나씩 더 보입니다. 첫 패딩까지 True가 되었습니다.",
            "One too many: the first padding is True as well.",
        ),
        Mistake(
            lambda lengths, length: _real_tokens(lengths, length)[:, 0, 0],
            "형태가 (B, T)입니다. 헤드와 쿼리의 축을 끼워 (B, 1, 1, T)로 만드세요.",
            "The shape is (B, T); insert the axes of heads and queries to get (B, 1, 1, T).",
        ),
        Mistake(
            lambda lengths, length: _real_tokens(lengths, length).transpose(2, 3),
            "키가 아니라 쿼리를 가렸습니다. 길이의 축은 맨 뒤입니다.",
            "This masks queries, not keys: the length belongs on the last axis.",
        ),
        Mistake(
            lambda lengths, length: _real_tokens(lengths, length).float(),
            "실수 텐서입니다. 마스크는 bool이어야 합니다.",
            "The tensor holds floats; a mask is boolean.",
        ),
    ],
)


def _window(length, window, future=0, extra=0):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for query in range(length):
        for key in range(length):
            mask[query, key] = query - window - extra < key <= query + future
    return mask


window_mask = Exercise(
    spec=_window,
    cases=[(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (4, 9)],
    mistakes=[
        Mistake(
            lambda length, window: _window(length, window, extra=1),
            "하나 더 멀리 봅니다. 자기 자신까지 합쳐 window개입니다.",
            "This sees one key too far back; window counts the token itself.",
        ),
        Mistake(
            lambda length, window: _window(length, length),
            "과거를 끝까지 봅니다. window개까지만 보아야 합니다.",
            "This sees the whole past; only window keys are allowed.",
        ),
        Mistake(
            lambda length, window: _window(length, window, future=window - 1),
            "미래도 봅니다. 대각선 위는 모두 False입니다.",
            "This sees the future too; everything above the diagonal is False.",
        ),
        Mistake(
            lambda length, window: ~_window(length, window),
            "뒤집혔습니다. True는 볼 수 있다는 뜻입니다.",
            "It is inverted: True means may attend.",
        ),
        Mistake(
            lambda length, window: _window(length, window, future=length),
            "미래가 모두 보입니다. 대각선 위는 False입니다.",
            "The whole future is visible; everything above the diagonal is False.",
        ),
        Mistake(
            lambda length, window: _window(length, window, extra=-1),
            "하나 덜 봅니다. 자기 자신까지 합쳐 window개입니다.",
            "This sees one key too few; window counts the token itself.",
        ),
        Mistake(
            lambda length, window: _window(length, window).T,
            "행과 열이 바뀌었습니다. 행이 쿼리, 열이 키입니다.",
            "Rows and columns are swapped: rows are queries, columns are keys.",
        ),
    ],
)


def _packed(sentence, causal=True, same=True):
    B, T = sentence.shape
    mask = torch.zeros(B, 1, T, T, dtype=torch.bool)
    for b in range(B):
        for query in range(T):
            for key in range(T):
                together = sentence[b, query].item() == sentence[b, key].item()
                mask[b, 0, query, key] = (together or not same) and (key <= query or not causal)
    return mask


packed_mask = Exercise(
    spec=_packed,
    cases=[
        (torch.tensor([[0, 1]]),),
        (torch.tensor([[0, 0, 1]]),),
        (torch.tensor([[0, 0, 1, 1, 1], [0, 1, 1, 2, 2]]),),
    ],
    mistakes=[
        Mistake(
            lambda sentence: _packed(sentence, causal=False),
            "같은 문장의 미래가 보입니다. 인과 마스크와 합치세요.",
            "The future of the same sentence is visible; combine with a causal mask.",
        ),
        Mistake(
            lambda sentence: _packed(sentence, same=False),
            "앞 문장이 보입니다. 같은 문장 안에서만 보아야 합니다.",
            "Earlier sentences are visible; a token may see only its own.",
        ),
        Mistake(
            lambda sentence: ~_packed(sentence),
            "뒤집혔습니다. True는 볼 수 있다는 뜻입니다.",
            "It is inverted: True means may attend.",
        ),
        Mistake(
            lambda sentence: _packed(sentence).tril(-1),
            "자기 자신도 볼 수 있어야 합니다.",
            "A token may see itself.",
        ),
        Mistake(
            lambda sentence: _packed(sentence)[:, 0],
            "헤드의 축이 없습니다. (B, 1, T, T)여야 합니다.",
            "The axis of the heads is missing; the shape should be (B, 1, T, T).",
        ),
        Mistake(
            lambda sentence: _packed(sentence).transpose(2, 3),
            "행과 열이 바뀌었습니다. 미래가 보이고 과거가 가려집니다.",
            "Rows and columns are swapped: the future is visible and the past hidden.",
        ),
    ],
)
