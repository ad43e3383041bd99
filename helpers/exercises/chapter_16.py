"""The exercises of chapter 16."""

import math
from functools import partial

import torch

from helpers.exercises.kinds import Exercise, Exploration, Prediction, random_tensors
from helpers.modern import rotate

_random = random_tensors()

cache_of_llama = Prediction(
    answer=1.0,
    near=0.02,
    why=(
        "토큰 하나에 키와 밸류 2 · 층 32 · 헤드 8 · 128 · 2바이트 = 131072바이트이고, 8192를 곱하면 "
        "1 GiB입니다.",
        "A token takes 2 (keys, values) · 32 layers · 8 heads · 128 · 2 bytes = 131072 bytes; 8192 of them "
        "make 1 GiB.",
    ),
    hints=[
        "캐시에 남는 것은 쿼리, 키, 밸류 가운데 무엇인가요?",
        "What stays in the cache: queries, keys, values?",
        "토큰 하나, 층 하나에는 키와 밸류가 헤드마다 d_head개씩 있습니다.",
        "For one token and one layer there are d_head numbers for each head of keys, and of values.",
        "2 · 32 · 8 · 128 · 2바이트에 8192를 곱하고 2의 30제곱으로 나누세요.",
        "Multiply 2 · 32 · 8 · 128 · 2 bytes by 8192 and divide by 2 to the 30.",
    ],
)


def _attend_in_groups(q, k, v, heads=lambda x: x):
    k, v = heads(k), heads(v)
    grouped = q.unflatten(1, (k.size(1), -1)).flatten(2, 3)  # (B, n_kv_heads, group · T_q, d_head)
    scores = grouped @ k.mT / torch.tensor(q.size(-1)).sqrt()
    return (scores.softmax(dim=-1) @ v).reshape(q.shape)


def _dealt_out(q, k, v):
    """Head 0 looks at number 0, head 1 at number 1, and so on in turn."""
    order = torch.arange(q.size(1)).view(-1, k.size(1)).t().flatten()
    return _attend_in_groups(q[:, order], k, v)[:, order.argsort()]


def _over_queries(q, k, v):
    grouped, k, v = q.unflatten(1, (k.size(1), -1)), k.unsqueeze(2), v.unsqueeze(2)
    return ((grouped @ k.mT / math.sqrt(q.size(-1))).softmax(dim=-2) @ v).flatten(1, 2)


def _heads_case(batch, n_heads, n_kv_heads, t_q, t_k, d_head):
    return (
        _random(batch, n_heads, t_q, d_head),
        _random(batch, n_kv_heads, t_k, d_head),
        _random(batch, n_kv_heads, t_k, d_head),
    )


attend_in_groups = Exercise(
    spec=_attend_in_groups,
    cases=[
        _heads_case(1, 4, 2, 1, 2, 2),
        _heads_case(2, 4, 1, 2, 3, 2),
        _heads_case(2, 6, 3, 3, 5, 4),
        _heads_case(1, 3, 3, 4, 4, 5),
    ],
    forbidden=("repeat_interleave",),
    mistakes=[
        _dealt_out,
        "이웃한 쿼리 헤드들이 한 그룹입니다. 헤드를 번갈아 나누었습니다.",
        "Neighboring heads of queries form a group; this deals the heads out in turn.",
        partial(_attend_in_groups, heads=lambda x: x[:, :1]),
        "모든 쿼리 헤드가 키와 밸류의 헤드 0만 봅니다.",
        "Every head of queries looks at head 0 of keys and values.",
        partial(_attend_in_groups, heads=lambda x: x.mean(dim=1, keepdim=True)),
        "키와 밸류의 헤드를 평균했습니다. 그룹마다 제 헤드를 보아야 합니다.",
        "The heads of keys and values are averaged; each group looks at its own.",
        _over_queries,
        "소프트맥스가 쿼리 방향입니다. 키 방향, 즉 마지막 축이어야 합니다.",
        "The softmax runs over the queries; it should run over the keys, the last axis.",
    ],
    hints=[
        "q의 헤드 축을 (n_kv_heads, 그룹)으로 나누면 어떤 형태인가요?",
        "What shape does q get when the axis of its heads becomes (n_kv_heads, group)?",
        (
            "q.unflatten(1, (k.size(1), -1))은 (B, n_kv_heads, 그룹, T_q, d_head)입니다. 그룹의 쿼리는 모두 "
            "같은 키를 보니, 그룹 축을 T_q와 합쳐 쿼리가 더 많은 것처럼 다루세요."
        ),
        (
            "q.unflatten(1, (k.size(1), -1)) is (B, n_kv_heads, group, T_q, d_head). The queries of a group "
            "see the same keys: join the group with T_q, as if there were more queries."
        ),
        (
            "flatten(2, 3)으로 합친 grouped에서 grouped @ k.mT, 나누기, 소프트맥스, @ v, 그리고 "
            "reshape(q.shape)입니다."
        ),
        "Join them with flatten(2, 3); then grouped @ k.mT, divide, softmax, @ v, and reshape(q.shape).",
    ],
)


def _to_halves(weight, n_heads):
    heads = weight.unflatten(0, (n_heads, -1))  # (n_heads, d_head, d_model)
    return torch.cat([heads[:, 0::2], heads[:, 1::2]], dim=1).flatten(0, 1)


to_halves = Exercise(
    spec=_to_halves,
    cases=[
        (torch.arange(4.0).unsqueeze(1), 1),
        (torch.arange(16.0).view(8, 2), 2),
        (torch.arange(24.0).view(12, 2), 2),
        (_random(12, 3), 3),
        (_random(24, 24), 3),
    ],
    mistakes=[
        lambda weight, n_heads: weight.unflatten(0, (n_heads, 2, -1)).transpose(1, 2).flatten(0, 2),
        "반대로 바꾸었습니다. 우리의 배치를 논문의 배치로 되돌리는 순서입니다.",
        "This goes the other way, from our layout back to the paper's.",
        lambda weight, n_heads: _to_halves(weight, 1),
        "헤드의 경계를 넘어 섞었습니다. 헤드마다 따로 늘어놓으세요.",
        "The rows are mixed across heads; reorder them within each head.",
        *(
            part
            for across in (True, False)
            for part in (
                lambda weight, n_heads, across=across: _to_halves(weight.mT, 1 if across else n_heads).mT,
                "열을 바꾸었습니다. 헤드의 숫자 하나하나는 weight의 행이 만듭니다.",
                "This reorders columns; each number of a head is made by a row of weight.",
            )
        ),
    ],
    hints=[
        "헤드 하나, d_head 4일 때 논문의 짝은 (0, 1)과 (2, 3), 우리의 짝은 (0, 2)와 (1, 3)입니다.",
        "With one head and d_head 4 the paper pairs (0, 1) and (2, 3); we pair (0, 2) and (1, 3).",
        "그래서 행 0, 1, 2, 3은 0, 2, 1, 3의 순서가 되어야 합니다. 짝수 행이 앞, 홀수 행이 뒤입니다.",
        "So the rows 0, 1, 2, 3 should come as 0, 2, 1, 3: even rows first, then the odd ones.",
        "heads = weight.unflatten(0, (n_heads, -1))에서 heads[:, 0::2]와 heads[:, 1::2]를 이으세요.",
        "With heads = weight.unflatten(0, (n_heads, -1)), join heads[:, 0::2] and heads[:, 1::2].",
    ],
)


def _scores_of_newest(query, keys, cos, sin, at=lambda T: T - 1, sin_at=None, turned=True):
    T, sin_at = len(keys), sin_at or at
    keys = rotate(keys, cos[:T], sin[:T]) if turned else keys
    return keys @ rotate(query, cos[at(T)], sin[sin_at(T)]) / torch.tensor(len(query)).sqrt()


def _at_0(T):
    return 0


def _tables_case(T, d_head):
    speeds = 10000 ** -(torch.arange(0, d_head, 2) / d_head)
    angles = torch.outer(torch.arange(T + 2), speeds)
    return _random(d_head), _random(T, d_head), angles.cos(), angles.sin()


scores_of_newest = Exercise(
    spec=_scores_of_newest,
    cases=[_tables_case(2, 2), _tables_case(5, 4), _tables_case(1, 4), _tables_case(9, 8)],
    start=partial(_scores_of_newest, at=_at_0),
    mistakes=[
        partial(_scores_of_newest, at=lambda T: T),
        "쿼리를 한 칸 더 돌렸습니다. 키 T개의 마지막 위치는 T − 1입니다.",
        "The query is turned one position too far; the last of T positions is T − 1.",
        partial(_scores_of_newest, at=lambda T: -1),
        "표의 마지막 행, 즉 max_len − 1의 위치로 돌렸습니다. 캐시의 길이가 위치를 정합니다.",
        "The query is turned to the last row of the table; the length of the cache gives its position.",
        *(
            part
            for right, wrong, how in (
                ("cos", "sin", {"sin_at": _at_0}),
                ("sin", "cos", {"at": _at_0, "sin_at": lambda T: T - 1}),
            )
            for part in (
                partial(_scores_of_newest, **how),
                f"{right}만 쿼리의 위치에서 읽었습니다. {wrong}도 같은 위치에서 읽으세요.",
                f"Only {right} is read at the position of the query; read {wrong} there, too.",
            )
        ),
        lambda query, keys, cos, sin: keys @ query / math.sqrt(len(query)),
        "아무것도 돌리지 않은 것과 같은 스코어입니다. 쿼리와 키를 저마다 제 위치만큼 돌리세요.",
        "The scores are as if nothing were turned; turn the query and each key to its own position.",
        partial(_scores_of_newest, turned=False),
        "키를 돌리지 않았습니다.",
        "The keys are not turned.",
    ],
    hints=[
        "첫 사례에서 키는 몇 개이고, 새 토큰의 위치는 어디인가요?",
        "In the first case, how many keys are there, and at which position is the newest token?",
        "16.5절의 attend에서 쿼리의 offset은 무엇이었나요?",
        "In attend of section 16.5, what was the offset of the queries?",
        "쿼리는 cos[T - 1]과 sin[T - 1]로 돌려야 합니다.",
        "The query has to be turned by cos[T - 1] and sin[T - 1].",
    ],
)

slower_or_longer = Exploration(
    look_for=(
        "세 시드를 나란히 놓고 보았나요? 시드끼리의 차이보다 큰 것만 차이입니다. 우리가 재었을 때 학습률 "
        "0.002에서는 베이스라인이 0.06에서 0.18, RoPE가 0.16에서 0.37을 맞혔습니다. T = 64로 학습시킨 "
        "RoPE의 손실은 위치 63까지 0.06에서 0.32, 64부터 0.37에서 0.81이었습니다.",
        "Did you put three seeds side by side? Only what is larger than the difference between seeds is one. "
        "When we measured, a learning rate of 0.002 gave the baseline 0.06 to 0.18 and RoPE 0.16 to 0.37 "
        "right. RoPE trained with T = 64 had a loss of 0.06 to 0.32 up to position 63, and of 0.37 to 0.81 "
        "from 64 on.",
    ),
    hints=[
        (
            "models = [build(use_rope, seed) for seed in range(3)]로 만들고 train(model, seed, lr=0.002)로 "
            "학습시킨 다음, examine(model, *new)로 재세요."
        ),
        (
            "Make models = [build(use_rope, seed) for seed in range(3)], train each with "
            "train(model, seed, lr=0.002), and measure with examine(model, *new)."
        ),
        'T = 64로 학습시킨 모델은 print_blocks("RoPE, T = 64", loss_by_position(models))로 재세요.',
        'Measure models trained with T = 64 by print_blocks("RoPE, T = 64", loss_by_position(models)).',
    ],
)
