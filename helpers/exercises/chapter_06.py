"""The exercises of chapter 06."""

import torch

from helpers.exercises.kinds import Exercise, Exploration, Prediction

allowed_cells = Prediction(
    answer=12,
    hints=[
        "다섯 행을 하나씩 세어 보세요. 행이 쿼리입니다.",
        "Count the five rows; a row is a query.",
        "패딩인 쿼리의 행은 가리지 않습니다.",
        "The rows of queries that are padding aren't hidden.",
        "처음 두 행은 1개와 2개입니다.",
        "The first two rows have 1 and 2.",
    ],
    why=(
        "행마다 1, 2, 3, 3, 3개입니다. 패딩인 쿼리 2개도 진짜 키 3개를 봅니다.",
        "The rows have 1, 2, 3, 3, 3: the 2 queries that are padding see the 3 real keys as well.",
    ),
    slips=[
        6,
        "패딩인 쿼리의 행도 셉니다.",
        "Count the rows of queries that are padding, too.",
        15,
        "인과 마스크도 함께 씁니다.",
        "The causal mask applies as well.",
    ],
)


def _real_tokens(lengths, length):
    return (torch.arange(length) < lengths[:, None])[:, None, None]


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
    by_hand=2,
    draw=lambda rng: (torch.tensor(rng.choices(range(5), k=rng.randint(1, 3))), rng.randint(4, 6)),
    mistakes=[
        lambda lengths, length: _real_tokens(lengths, length) & (torch.arange(length) > 0),
        "첫 토큰이 가려졌습니다. 위치는 0부터 셉니다.",
        "The first token is hidden; positions count from 0.",
        lambda lengths, length: _real_tokens(lengths, int(lengths.max())),
        "shape의 마지막 축이 가장 긴 문장의 길이입니다. 인자 length를 쓰세요.",
        "The last axis is as long as the longest sentence; use the argument length.",
        lambda lengths, length: _real_tokens(lengths.clamp(min=1), length),
        "빈 문장의 첫 패딩이 True입니다. 빈 문장에는 볼 것이 없습니다.",
        "In an empty sentence your mask lets the first padding be seen; there is nothing in it to see.",
    ],
    hints=[
        "위치 번호 0, 1, 2, …를 길이와 비교하면 됩니다.",
        "Compare the positions 0, 1, 2, … with the lengths.",
        "torch.arange(length)의 shape는 (length), lengths[:, None]의 shape는 (B, 1)입니다.",
        "torch.arange(length) has shape (length) and lengths[:, None] has (B, 1).",
        "둘을 <로 비교하면 (B, length)이고, 거기에 크기 1인 축을 둘 끼웁니다.",
        "Compared with < they give (B, length); then insert two axes of size 1.",
    ],
)


mask_of_last_queries = Exercise(
    spec=lambda T_q, T_k: torch.ones(T_q, T_k, dtype=torch.bool).tril(diagonal=T_k - T_q),
    draw=lambda rng: (T_q := rng.randint(1, 5), T_q + rng.randrange(4)),
    start=lambda T_q, T_k: torch.ones(T_q, T_k, dtype=torch.bool).tril(),
    cases=[(1, 2), (1, 1), (2, 3), (2, 5), (3, 3), (1, 6), (4, 6)],
    mistakes=[
        lambda T_q, T_k: torch.ones(T_q, T_k, dtype=torch.bool).tril(diagonal=T_q - T_k),
        "대각선을 반대쪽으로 옮겼습니다. 더 적게 보게 됩니다.",
        "The diagonal moved the other way; the queries see even less.",
    ],
    by_hand=2,
    hints=[
        "T_q = 1, T_k = 2로 해 보세요. 마지막 토큰 하나는 무엇을 볼 수 있어야 하나요?",
        "Try T_q = 1 and T_k = 2: what should the last token alone be able to see?",
        "행 0의 쿼리는 문장의 몇 번째 토큰인가요? 그 번호까지 보여야 합니다.",
        "Which token of the sentence is the query of row 0? It may see up to that one.",
        "tril(diagonal=d)는 대각선을 오른쪽으로 d칸 옮깁니다. d = T_k − T_q입니다.",
        "tril(diagonal=d) moves the diagonal d cells to the right; d = T_k − T_q.",
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
        "단어들의 출력은 이제 output[:, n:]입니다.",
        "The outputs of the words are now output[:, n:].",
        "패딩에 준 가중치가 정말 0인지 need_weights=True로 먼저 확인하세요.",
        "First make sure with need_weights=True that the padding gets weight 0.",
        "그렇다면 무엇이 달라졌을까요? embed는 토큰 임베딩과 위치 인코딩 둘입니다.",
        "Then what has changed? embed is a token embedding and a positional encoding.",
    ],
)
