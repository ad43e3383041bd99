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
        "For one token and one layer, each key head and each value head has d_head numbers.",
        "2 · 32 · 8 · 128 · 2바이트에 8192를 곱하고 2의 30제곱으로 나누세요.",
        "Multiply 2 · 32 · 8 · 128 · 2 bytes by 8192 and divide by 2 to the 30.",
    ],
    slips=[
        0.5,
        "키와 밸류를 모두 보관합니다.",
        "Both keys and values are kept.",
        4,
        "쿼리 헤드가 아니라 키·밸류 헤드의 수로 셉니다.",
        "Count the key/value heads, not the query heads.",
        1024,
        "1024 MiB입니다. GiB로 적으세요.",
        "That's in MiB; write it in GiB.",
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
    by_hand=(
        torch.zeros(1, 4, 1, 1),
        torch.zeros(1, 2, 2, 1),
        torch.tensor([[[[1.0], [3.0]], [[10.0], [30.0]]]]),
    ),
    forbidden=("repeat_interleave",),
    mistakes=[
        _dealt_out,
        "이웃한 쿼리 헤드들이 한 그룹입니다. 헤드를 번갈아 나누었습니다.",
        "Neighboring query heads form a group; this deals the heads out in turn.",
        partial(_attend_in_groups, heads=lambda x: x[:, :1]),
        "모든 쿼리 헤드가 키와 밸류의 헤드 0만 봅니다.",
        "Every query head looks at key/value head 0.",
        partial(_attend_in_groups, heads=lambda x: x.mean(dim=1, keepdim=True)),
        "키와 밸류의 헤드를 평균했습니다. 그룹마다 제 헤드를 보아야 합니다.",
        "The key/value heads are averaged; each group should look at its own.",
        _over_queries,
        "소프트맥스가 쿼리 방향입니다. 키 방향, 즉 마지막 축이어야 합니다.",
        "The softmax runs over the queries; it should run over the keys, the last axis.",
    ],
    hints=[
        "q의 헤드 축을 (n_kv_heads, 그룹)으로 나누면 어떤 shape인가요?",
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


_quarter_turns = (torch.tensor([[1.0], [0.0], [-1.0]]), torch.tensor([[0.0], [1.0], [0.0]]))  # cos, sin

scores_of_newest = Exercise(
    spec=_scores_of_newest,
    cases=[_tables_case(2, 2), _tables_case(5, 4), _tables_case(1, 4), _tables_case(9, 8)],
    start=partial(_scores_of_newest, at=_at_0),
    mistakes=[
        partial(_scores_of_newest, at=lambda T: T),
        "쿼리를 한 칸 더 돌렸습니다. 키 T개의 마지막 위치는 T − 1입니다.",
        "The query is rotated one position too far; the last of T positions is T − 1.",
        partial(_scores_of_newest, at=lambda T: -1),
        "표의 마지막 행, 즉 max_len − 1의 위치로 돌렸습니다. 캐시의 길이가 위치를 정합니다.",
        "The query is rotated by the last row of the table; the length of the cache gives its position.",
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
        "The scores are as if nothing were rotated; rotate the query and each key by its own position.",
        partial(_scores_of_newest, turned=False),
        "키를 돌리지 않았습니다.",
        "The keys aren't rotated.",
        lambda query, keys, cos, sin: _scores_of_newest(query, keys, cos, sin) * math.sqrt(len(query)),
        "√d_head로 나누지 않았습니다.",
        "The scores aren't divided by √d_head.",
    ],
    by_hand=(torch.tensor([1.0, 0.0]), torch.tensor([[1.0, 0.0], [1.0, 0.0]]), *_quarter_turns),
    hints=[
        "첫 사례에서 키는 몇 개이고, 새 토큰의 위치는 어디인가요?",
        "In the first case, how many keys are there, and at which position is the newest token?",
        "16.6절의 forward에서 새 토큰의 쿼리는 몇 칸 돌아갔나요?",
        "In forward of section 16.6, by how many positions is the query of a new token rotated?",
        "쿼리는 cos[T - 1]과 sin[T - 1]로 돌려야 합니다.",
        "The query has to be rotated by cos[T - 1] and sin[T - 1].",
    ],
)

more_steps = Exploration(
    look_for=(
        "20스텝의 표와 비교해 보세요. 우리가 재었을 때 100스텝 뒤에는 RoPE가 세 열 모두 1.00, 학습된 "
        "위치가 0.98, 0.76, 0.58을 맞혔습니다.",
        "Compare with the table of 20 steps. When we measured, after 100 steps RoPE got 1.00 right in all "
        "three columns, learned positions 0.98, 0.76, 0.58.",
    ),
    hints=[
        "steps를 바꾼 다음 16.8절의 두 번째 표를 만드는 셀을 다시 실행하세요. 1분쯤 걸립니다.",
        "Change steps, then rerun the cell of the second table in section 16.8. It takes about 1 minute.",
        "글 하나에서 127번 위치는 한 번 나옵니다. 그 행은 100스텝 동안 몇 번 학습하나요?",
        "Position 127 occurs once in a text. How often is its row trained in 100 steps?",
    ],
)
