"""The exercises of chapter 06."""

import torch

from helpers.exercises.kinds import Exercise, Exploration, Mistake, Prediction

allowed_cells = Prediction(
    answer=12,
    hints=[
        ("다섯 행을 하나씩 세어 보세요. 행이 쿼리입니다.", "Count the five rows; a row is a query."),
        ("패딩인 쿼리의 행은 가리지 않습니다.", "The rows of queries that are padding are not hidden."),
        ("처음 두 행은 1개와 2개입니다.", "The first two rows have 1 and 2."),
    ],
    why=(
        "행마다 1, 2, 3, 3, 3개입니다. 패딩인 쿼리 2개도 진짜 키 3개를 봅니다.",
        "The rows have 1, 2, 3, 3, 3: the 2 queries that are padding see the 3 real keys as well.",
    ),
)


def _real_tokens(lengths, length, first=0, last=0):
    mask = torch.zeros(len(lengths), 1, 1, length, dtype=torch.bool)
    for sentence, real in enumerate(lengths.tolist()):
        mask[sentence, 0, 0, first : max(real + last, 0)] = True
    return mask


mask_from_lengths = Exercise(
    spec=_real_tokens,
    cases=[
        (torch.tensor([1]), 2),
        (torch.tensor([2]), 2),
        (torch.tensor([0, 2]), 3),
        (torch.tensor([1, 3]), 3),
        (torch.tensor([4, 2, 5]), 5),
        (torch.tensor([2, 0, 1]), 4),
    ],
    mistakes=[
        Mistake(
            lambda lengths, length: ~_real_tokens(lengths, length),
            "뒤집혔습니다. True는 봐도 된다는 뜻이니 진짜 토큰이 True여야 합니다.",
            "It is inverted: True means may attend, so the real tokens should be True.",
        ),
        Mistake(
            lambda lengths, length: _real_tokens(lengths, length, last=1),
            "하나씩 더 보입니다. 첫 패딩까지 True가 되었습니다.",
            "One too many: the first padding is True as well.",
        ),
        Mistake(
            lambda lengths, length: _real_tokens(lengths, length, last=-1),
            "하나씩 덜 보입니다. 마지막 진짜 토큰이 가려졌습니다.",
            "One too few: the last real token is hidden.",
        ),
        Mistake(
            lambda lengths, length: _real_tokens(lengths, length, first=1),
            "첫 토큰이 가려졌습니다. 위치는 0부터 셉니다.",
            "The first token is hidden; positions count from 0.",
        ),
        Mistake(
            lambda lengths, length: _real_tokens(lengths, int(lengths.max())),
            "형태의 마지막 축이 가장 긴 문장의 길이입니다. 인자 length를 쓰세요.",
            "The last axis is as long as the longest sentence; use the argument length.",
        ),
        Mistake(
            lambda lengths, length: _real_tokens(lengths.clamp(min=1), length),
            "빈 문장의 첫 패딩이 True입니다. 빈 문장에는 볼 것이 없습니다.",
            "In an empty sentence the first padding is True; there is nothing to see in it.",
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
            "float 텐서입니다. 마스크는 bool이어야 합니다.",
            "The tensor holds floats; a mask is boolean.",
        ),
    ],
    hints=[
        (
            "위치 번호 0, 1, 2, …를 길이와 비교하면 됩니다.",
            "Compare the positions 0, 1, 2, … with the lengths.",
        ),
        (
            "torch.arange(length)의 형태는 (length), lengths[:, None]의 형태는 (B, 1)입니다.",
            "torch.arange(length) has shape (length) and lengths[:, None] has (B, 1).",
        ),
        (
            "둘을 <로 비교하면 (B, length)이고, 거기에 크기 1인 축을 둘 끼웁니다.",
            "Compared with < they give (B, length); then insert two axes of size 1.",
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
            "뒤집혔습니다. True는 봐도 된다는 뜻입니다.",
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
            lambda length, window: _window(length, window, future=-1),
            "자기 자신이 가려졌습니다. 쿼리 i는 키 i를 봐도 됩니다.",
            "The token itself is hidden; query i may see key i.",
        ),
        Mistake(
            lambda length, window: _window(length, window).T,
            "행과 열이 바뀌었습니다. 행이 쿼리, 열이 키입니다.",
            "Rows and columns are swapped: rows are queries, columns are keys.",
        ),
        Mistake(
            lambda length, window: _window(length, window).float(),
            "float 텐서입니다. 마스크는 bool이어야 합니다.",
            "The tensor holds floats; a mask is boolean.",
        ),
    ],
    hints=[
        (
            "length 4, window 2인 마스크를 종이에 그려 보세요. 대각선을 따라 띠가 생깁니다.",
            "Draw the mask for length 4 and window 2 on paper: a band along the diagonal.",
        ),
        (
            "인과 마스크에서 먼 과거만 지우면 됩니다. triu(diagonal=d)는 대각선 d와 그 위만 남깁니다.",
            "Take the causal mask and erase the distant past; triu(diagonal=d) keeps diagonal d and above.",
        ),
        (
            "window가 1이면 대각선 0만, window가 2이면 대각선 −1까지 남습니다.",
            "With window 1 only diagonal 0 is left, with window 2 also diagonal −1.",
        ),
    ],
)


def _packed(sentence, causal=True, together=torch.eq, itself=True):
    B, T = sentence.shape
    mask = torch.zeros(B, 1, T, T, dtype=torch.bool)
    for b in range(B):
        for query in range(T):
            for key in range(T):
                allowed = bool(together(sentence[b, query], sentence[b, key]))
                allowed &= key <= query or not causal
                mask[b, 0, query, key] = allowed and (key != query or itself)
    return mask


packed_mask = Exercise(
    spec=_packed,
    cases=[
        (torch.tensor([[0, 1]]),),
        (torch.tensor([[0, 0, 1]]),),
        (torch.tensor([[4, 4, 2]]),),
        (torch.tensor([[0, 0, 1, 1, 1], [0, 1, 1, 2, 2]]),),
    ],
    mistakes=[
        Mistake(
            lambda sentence: _packed(sentence, causal=False),
            "같은 문장의 미래가 보입니다. 인과 마스크와 합치세요.",
            "The future of the same sentence is visible; combine with a causal mask.",
        ),
        Mistake(
            lambda sentence: _packed(sentence, together=lambda query, key: True),
            "앞 문장이 보입니다. 같은 문장 안에서만 보아야 합니다.",
            "Earlier sentences are visible; a token may see only its own.",
        ),
        Mistake(
            lambda sentence: _packed(sentence, together=torch.ge),
            "번호가 더 작은 문장이 보입니다. 번호는 크기가 아니라 같은지를 비교하세요.",
            "Sentences with a smaller number are visible; compare the numbers for equality, not size.",
        ),
        Mistake(
            lambda sentence: _packed(sentence, together=lambda query, key: query == sentence[0, 0] == key),
            "첫 문장만 보입니다. 문장마다 자기 문장을 볼 수 있어야 합니다.",
            "Only the first sentence is visible; each sentence may see itself.",
        ),
        Mistake(
            lambda sentence: ~_packed(sentence),
            "뒤집혔습니다. True는 봐도 된다는 뜻입니다.",
            "It is inverted: True means may attend.",
        ),
        Mistake(
            lambda sentence: _packed(sentence, itself=False),
            "자기 자신도 볼 수 있어야 합니다.",
            "A token must see itself too.",
        ),
        Mistake(
            lambda sentence: _packed(sentence)[:, 0],
            "헤드의 축이 없습니다. (B, 1, T, T)여야 합니다.",
            "The axis of the heads is missing; the shape should be (B, 1, T, T).",
        ),
        Mistake(
            lambda sentence: _packed(sentence)[:1],
            "첫 행의 마스크만 있습니다. 배치의 모든 행에 마스크가 필요합니다.",
            "This is the mask of the first row only; every row of the batch needs one.",
        ),
        Mistake(
            lambda sentence: _packed(sentence).transpose(2, 3),
            "행과 열이 바뀌었습니다. 미래가 보이고 과거가 가려집니다.",
            "Rows and columns are swapped: the future is visible and the past hidden.",
        ),
    ],
    hints=[
        (
            "쿼리의 문장 번호와 키의 문장 번호가 같은 칸을 먼저 찾으세요.",
            "First find the cells where the query's sentence number equals the key's.",
        ),
        (
            "sentence[:, :, None]은 (B, T, 1), sentence[:, None, :]은 (B, 1, T)입니다.",
            "sentence[:, :, None] is (B, T, 1) and sentence[:, None, :] is (B, 1, T).",
        ),
        (
            "둘을 ==로 비교해 (B, T, T)를 얻고, tril로 미래를 지우고, 헤드의 축을 끼웁니다.",
            "Compare them with == for (B, T, T), erase the future with tril, insert the axis of the heads.",
        ),
    ],
)


def _last_queries(T_q, T_k, shift=0):
    mask = torch.zeros(T_q, T_k, dtype=torch.bool)
    for row in range(T_q):
        for key in range(T_k):
            mask[row, key] = key <= T_k - T_q + row + shift
    return mask


mask_of_last_queries = Exercise(
    spec=_last_queries,
    start=lambda T_q, T_k: torch.ones(T_q, T_k, dtype=torch.bool).tril(),
    cases=[(1, 2), (1, 1), (2, 3), (2, 5), (3, 3), (1, 6), (4, 6)],
    mistakes=[
        Mistake(
            lambda T_q, T_k: torch.ones(T_q, T_k, dtype=torch.bool),
            "모든 것이 보입니다. 쿼리가 둘이면 앞의 쿼리는 뒤의 토큰을 보면 안 됩니다.",
            "Everything is visible; of two queries the first must not see the token of the second.",
        ),
        Mistake(
            lambda T_q, T_k: _last_queries(T_q, T_k, shift=1),
            "하나 더 봅니다. 대각선이 한 칸 오른쪽으로 어긋났습니다.",
            "One key too many: the diagonal is off by one to the right.",
        ),
        Mistake(
            lambda T_q, T_k: _last_queries(T_q, T_k, shift=-1),
            "하나 덜 봅니다. 쿼리는 자기 자신을 볼 수 있어야 합니다.",
            "One key too few: a query may see itself.",
        ),
        Mistake(
            lambda T_q, T_k: torch.ones(T_q, T_k, dtype=torch.bool).tril(diagonal=T_q - T_k),
            "대각선을 반대쪽으로 옮겼습니다. 더 적게 보게 됩니다.",
            "The diagonal moved the other way; the queries see even less.",
        ),
        Mistake(
            lambda T_q, T_k: torch.ones(T_q, T_k, dtype=torch.bool).triu(diagonal=T_k - T_q),
            "미래가 보이고 과거가 가려집니다. tril이 아니라 triu입니다.",
            "The future is visible and the past hidden; this is triu, not tril.",
        ),
        Mistake(
            lambda T_q, T_k: torch.ones(T_k, T_k, dtype=torch.bool).tril(),
            "행이 T_k개입니다. 마지막 T_q개의 행만 남기세요.",
            "There are T_k rows; keep only the last T_q.",
        ),
        Mistake(
            lambda T_q, T_k: _last_queries(T_q, T_k).T,
            "행과 열이 바뀌었습니다. 행이 쿼리, 열이 키입니다.",
            "Rows and columns are swapped: rows are queries, columns are keys.",
        ),
    ],
    hints=[
        (
            "T_q = 1, T_k = 2로 해 보세요. 마지막 토큰 하나는 무엇을 볼 수 있어야 하나요?",
            "Try T_q = 1 and T_k = 2: what should the last token alone be able to see?",
        ),
        (
            "행 0의 쿼리는 문장의 몇 번째 토큰인가요? 그 번호까지 보여야 합니다.",
            "Which token of the sentence is the query of row 0? It may see up to that one.",
        ),
        (
            "tril(diagonal=d)는 대각선을 오른쪽으로 d칸 옮깁니다. d = T_k − T_q입니다.",
            "tril(diagonal=d) moves the diagonal d cells to the right; d = T_k − T_q.",
        ),
    ],
)

padding_in_front = Exploration(
    look_for=(
        "마스크는 왼쪽 패딩도 모두 가리지만 출력은 달라집니다. 단어들이 뒤로 밀려 위치 인코딩이 "
        "바뀌었기 때문이고, 위치 인코딩이 없으면 출력도 그대로입니다.",
        "The mask hides left padding as well, yet the outputs change: the words were pushed to other "
        "positions. Without positional encoding they stay the same.",
    ),
    hints=[
        (
            "단어들의 출력은 이제 output[:, n:]입니다.",
            "The outputs of the words are now output[:, n:].",
        ),
        (
            "패딩에 준 가중치가 정말 0인지 need_weights=True로 먼저 확인하세요.",
            "First make sure with need_weights=True that the padding gets weight 0.",
        ),
        (
            "그렇다면 무엇이 달라졌을까요? embed는 토큰 임베딩과 위치 인코딩 둘입니다.",
            "Then what has changed? embed is a token embedding and a positional encoding.",
        ),
    ],
)
