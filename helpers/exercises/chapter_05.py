"""The exercises of chapter 05."""

from functools import partial

import torch

from helpers.exercises.kinds import Exercise, Exploration, Prediction, random_tensors

_random = random_tensors()


def _tokens_in_head_1():
    tokens = torch.arange(12).repeat_interleave(6)  # 12 tokens, 6 columns
    return tokens.view(3, 12, 2)[1].unique().tolist()


tokens_of_head_1 = Prediction(
    answer=_tokens_in_head_1,
    hints=[
        "view는 숫자의 순서를 바꾸지 않습니다. 숫자는 모두 72개이고, 헤드 하나에 24개가 들어갑니다.",
        "view keeps the order of the numbers. There are 72 of them, and a head takes 24.",
        "토큰 하나가 6개입니다. 헤드 0은 토큰 몇 개를 가져갈까요?",
        "One token has 6. How many tokens does head 0 use up?",
    ],
    why=(
        "헤드마다 이어진 토큰 12 / 3 = 4개가 통째로 들어갑니다. 0, 1, 2, 3은 헤드 0이, 그다음 넷은 헤드 1이 "
        "가져갑니다.",
        "Each head gets 12 / 3 = 4 tokens in a row, whole. Head 0 takes 0, 1, 2, 3; head 1 the next four.",
    ),
    slips=[
        [1, 4, 7, 10],
        "view는 번갈아 나누지 않고 앞에서부터 차례로 자릅니다.",
        "view doesn't deal them out in turn; it cuts from the front.",
        [0, 1, 2, 3],
        "그것은 헤드 0의 토큰입니다.",
        "Those are the tokens of head 0.",
        [8, 9, 10, 11],
        "그것은 헤드 2의 토큰입니다. 헤드는 0부터 셉니다.",
        "Those are the tokens of head 2; heads are counted from 0.",
    ],
)


def _heads(part, n_heads):
    return part.unflatten(-1, (n_heads, -1)).transpose(1, 2)


def _heads_by_view(part, n_heads):
    return part.reshape(len(part), n_heads, part.size(1), -1)


def _merged(found):
    return found.transpose(1, 2).flatten(start_dim=2)


def _merged_by_view(found):
    return found.reshape(len(found), found.size(2), -1)


def _attend(q, k, v):
    return (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(dim=-1) @ v


def _attention(x, w_q, w_k, w_v, w_o, n_heads, split=_heads, merge=_merged):
    q, k, v = split(x @ w_q.T, n_heads), split(x @ w_k.T, n_heads), split(x @ w_v.T, n_heads)
    return merge(_attend(q, k, v)) @ w_o.T


def _stacked(x, w_qkv, w_o, n_heads, order=(0, 1, 2), **options):
    parts = w_qkv.chunk(3)
    return _attention(x, *(parts[i] for i in order), w_o, n_heads, **options)


multi_head_attention = Exercise(
    spec=_attention,
    cases=[
        (_random(1, 2, 2), *(_random(2, 2) for _ in range(4)), 2),
        (_random(1, 3, 4), *(_random(4, 4) for _ in range(4)), 2),
        (_random(1, 5, 4), *(_random(4, 4) for _ in range(4)), 1),
        (_random(2, 4, 12), *(_random(12, 12) for _ in range(4)), 3),
        (_random(2, 4, 12), *(_random(12, 12) for _ in range(4)), 4),
    ],
    by_hand=(torch.tensor([[[0.0, 0.0], [2.0, 0.0], [0.0, 0.0]]]), *[torch.eye(2)] * 4, 2),
    forbidden=(
        "MultiHeadAttention",
        "MultiheadAttention",
        "split_heads",
        "merge_heads",
        "scaled_dot_product_attention",
        "multi_head_attention_forward",
    ),
    mistakes=[
        partial(_attention, split=_heads_by_view),
        "한 번에 view로 나누어 토큰이 섞였습니다. view(B, T, H, d_head) 다음에 transpose입니다.",
        "view(B, H, T, d_head) in one go mixes the tokens; it is view(B, T, H, d_head), then transpose.",
        partial(_attention, merge=_merged_by_view),
        "나누는 것은 맞습니다. 그런데 합칠 때 헤드와 토큰의 축을 되돌리지 않았습니다.",
        "The split is right, but the axes of heads and tokens aren't swapped back before merging.",
        partial(
            _attention,
            split=lambda part, n_heads: part.unflatten(-1, (n_heads, -1)),
            merge=lambda found: found.flatten(start_dim=2),
        ),
        "transpose가 없어서 한 토큰 안의 헤드들이 서로를 봅니다. 헤드의 축이 토큰의 축보다 앞입니다.",
        "Without a transpose the heads within a token attend to each other; heads go before tokens.",
    ],
    hints=[
        "세 단계입니다. 투영하고 헤드로 나누고, 헤드마다 어텐션을 하고, 합쳐서 w_o를 곱합니다.",
        "Three steps: project and split into heads, attend in every head, merge and apply w_o.",
        "x @ w_q.T는 (B, T, d_model)입니다. 마지막 축만 (n_heads, d_head)로 나누고, 축 둘을 맞바꾸세요.",
        "x @ w_q.T is (B, T, d_model). Divide its last axis into (n_heads, d_head), then swap two axes.",
        "스코어는 q @ k.transpose(-2, -1) / d_head**0.5이고, 합칠 때는 transpose 다음에 reshape입니다.",
        "The scores are q @ k.transpose(-2, -1) / d_head**0.5; to merge, transpose and then reshape.",
    ],
)


def _silence(weight, head, n_heads):
    column = torch.arange(weight.size(1))
    return weight.masked_fill(column // (weight.size(1) // n_heads) == head, 0.0)


def _silence_every_nth(weight, head, n_heads):
    result = weight.clone()
    result[:, head::n_heads] = 0.0
    return result


def _silence_one_column(weight, head, n_heads):
    result = weight.clone()
    result[:, head] = 0.0
    return result


silence_head = Exercise(
    spec=_silence,
    cases=[
        (torch.ones(2, 2), 0, 2),
        (torch.ones(2, 2), 1, 2),
        (_random(4, 4), 0, 2),
        (_random(6, 6), 2, 3),
    ],
    by_hand=(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), 0, 2),
    draw=lambda rng: (_random(n := 2 * rng.randint(2, 4), n), rng.randrange(2), 2),
    mistakes=[
        lambda weight, head, n_heads: _silence(weight.T, head, n_heads).T,
        "행을 지웠습니다. nn.Linear의 가중치는 (출력, 입력)이고, 헤드는 입력인 열에 있습니다.",
        "Rows are cleared; the weight of nn.Linear is (out, in), and heads are inputs, so columns.",
        _silence_every_nth,
        "n_heads열마다 하나씩 지웠습니다. 한 헤드의 열은 나란히 있습니다.",
        "Every n_heads-th column is cleared; the columns of a head lie side by side.",
        _silence_one_column,
        "열 하나만 지웠습니다. 헤드마다 열이 d_head개입니다.",
        "Only one column is cleared; each head has d_head of them.",
        lambda weight, head, n_heads: weight - _silence(weight, head, n_heads),
        "그 헤드만 남기고 나머지를 지웠습니다.",
        "This keeps that head and clears all others.",
    ],
    hints=[
        "5.3절을 보세요. 헤드 하나가 출력에 더하는 것은 W_O의 어느 행을 지나가나요?",
        "See section 5.3. Which rows of W_O does a head go through?",
        "w_o.weight는 W_O를 전치한 (출력, 입력)입니다. 그래서 W_O의 행은 weight의 열입니다.",
        "w_o.weight is W_O transposed, (out, in), so a row of W_O is a column of weight.",
        "복사본에서 열 head * d_head부터 d_head개를 0으로 만드세요.",
        "In a copy, set d_head columns to 0, from column head * d_head on.",
    ],
)


def _split_before_chunk(x, w_qkv, w_o, n_heads):
    return _merged(_attend(*_heads(x @ w_qkv.T, n_heads).chunk(3, dim=-1))) @ w_o.T


stacked_attention = Exercise(
    spec=_stacked,
    start=_split_before_chunk,
    cases=[
        (
            torch.eye(2).unsqueeze(0),
            torch.tensor([[2.0, 0.0], [0.0, 2.0], [1.0, 0.0], [0.0, 1.0], [3.0, 0.0], [0.0, 6.0]]),
            torch.eye(2),
            2,
        ),
        (_random(1, 2, 2), _random(6, 2), _random(2, 2), 2),
        (_random(1, 3, 4), _random(12, 4), _random(4, 4), 2),
        (_random(1, 5, 4), _random(12, 4), _random(4, 4), 1),
        (_random(2, 4, 12), _random(36, 12), _random(12, 12), 3),
        (_random(2, 4, 12), _random(36, 12), _random(12, 12), 4),
    ],
    by_hand=(
        torch.eye(2)[None],
        torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [2.0, 0.0], [0.0, 4.0]]),
        torch.eye(2),
        2,
    ),
    mistakes=[
        partial(_stacked, split=_heads_by_view),
        "먼저 chunk로 자른 것은 맞습니다. 그런데 view(B, H, T, d_head)로 나누어 토큰이 섞였습니다.",
        "Cutting with chunk first is right, but view(B, H, T, d_head) mixes the tokens.",
        partial(_stacked, merge=_merged_by_view),
        "나누는 것은 맞습니다. 그런데 축을 되돌리지 않고 합쳤습니다.",
        "The split is right, but the heads are merged without swapping the axes back.",
        partial(_stacked, order=(0, 2, 1)),
        "키와 밸류가 바뀌었습니다. 쌓은 순서는 W_Q, W_K, W_V입니다.",
        "Keys and values are swapped; the order of the stack is W_Q, W_K, W_V.",
        partial(_stacked, order=(1, 0, 2)),
        "쿼리와 키가 바뀌었습니다. 쌓은 순서는 W_Q, W_K, W_V입니다.",
        "Queries and keys are swapped; the order of the stack is W_Q, W_K, W_V.",
    ],
    hints=[
        "헤드가 하나일 때는 맞고 둘일 때 틀립니다. 헤드와 관계있는 줄은 어느 것인가요?",
        "With one head it is right, with two it is wrong. Which lines have to do with the heads?",
        "w_qkv의 행은 W_Q 전체, W_K 전체, W_V 전체의 순서입니다. 지금 헤드 0은 어느 열을 가져가나요?",
        "The rows of w_qkv are all of W_Q, then W_K, then W_V. Which columns does head 0 get?",
        "먼저 chunk로 셋을 자르고, 그다음에 하나씩 헤드로 나누세요.",
        "First cut into three with chunk, then split each of the three into heads.",
    ],
)


how_many_heads = Exploration(
    look_for=(
        "헤드 8개와 32개는 거의 모두 맞히지만, 64개(d_head 1)에서는 정확도가 0.75쯤으로 떨어집니다. "
        "d_head가 1이면 스코어는 두 수의 곱이라, 쿼리는 가장 큰 키나 가장 작은 키밖에 고르지 못합니다. "
        "밸류도 숫자 하나인데, 어느 쪽 탓인지는 이 실험으로 구별하지 못합니다. "
        "논문의 표 3 (A)에서도 헤드가 하나일 때와 너무 많을 때 모두 나빠지지만, 거기서는 d_k가 16이라 "
        "이것으로 설명되지 않습니다.",
        "8 and 32 heads get nearly everything right, but with 64 (d_head 1) accuracy drops to about 0.75. "
        "With d_head 1 a score is a product of two numbers, so a query can pick only the largest key or the "
        "smallest. Values are single numbers, too; the experiment doesn't tell which of the two hurts. "
        "In the paper's table 3 (A), too, both one head and too many do worse, but d_k is 16 there, so "
        "this doesn't explain it.",
    ),
    hints=[
        "d_model은 64 그대로입니다. 헤드가 64개면 d_head는 얼마인가요?",
        "d_model stays 64. What is d_head with 64 heads?",
        "쿼리와 키가 숫자 하나씩이면, q가 양수일 때 q · k가 가장 큰 키는 어느 것인가요? 음수일 때는요?",
        "If query and key are one number each, which key has the largest q · k if q > 0? If q < 0?",
    ],
)
