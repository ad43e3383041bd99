"""The exercises of chapter 05."""

import math

import torch

from helpers.exercises.kinds import Exercise, Mistake, random_tensors

_random = random_tensors()


count_parameters = Exercise(
    spec=lambda d_model, n_heads: 4 * (d_model * d_model + d_model),
    cases=[(1, 1), (2, 1), (4, 2), (16, 4), (512, 8)],
    mistakes=[
        Mistake(
            lambda d_model, n_heads: 4 * d_model * d_model,
            "편향을 빠뜨렸습니다. 선형 층마다 d_model개씩 있습니다.",
            "The biases are missing; each linear layer has d_model of them.",
        ),
        Mistake(
            lambda d_model, n_heads: 3 * (d_model * d_model + d_model),
            "W_O를 빠뜨렸습니다.",
            "W_O is missing.",
        ),
        Mistake(
            lambda d_model, n_heads: (3 * n_heads + 1) * (d_model * d_model + d_model),
            "W_Q, W_K, W_V에 헤드의 수를 곱했습니다. 헤드는 d_model을 나누어 쓸 뿐입니다.",
            "W_Q, W_K and W_V are counted once per head; heads only share d_model.",
        ),
        Mistake(
            lambda d_model, n_heads: n_heads * 4 * (d_model * d_model + d_model),
            "헤드의 수를 곱했습니다. 헤드는 d_model을 나누어 쓸 뿐이라 매개변수가 늘지 않습니다.",
            "This multiplies by the number of heads; heads share d_model, so they add no parameters.",
        ),
    ],
    forbidden=("MultiHeadAttention", "Linear"),
)


def _by_loops(query, key, value, n_heads):
    d_head = query.size(-1) // n_heads
    output = torch.zeros(query.shape)
    for head in range(n_heads):
        columns = slice(head * d_head, (head + 1) * d_head)
        q, k, v = query[..., columns], key[..., columns], value[..., columns]
        output[..., columns] = (q @ k.transpose(1, 2) / math.sqrt(d_head)).softmax(dim=-1) @ v
    return output


def _split(x, n_heads):
    return x.unflatten(-1, (n_heads, -1)).transpose(1, 2)


def _attend(query, key, value, n_heads, scale=None, dim=-1, split=_split):
    q, k, v = (split(x, n_heads) for x in (query, key, value))
    weights = (q @ k.transpose(2, 3) / (scale or math.sqrt(q.size(-1)))).softmax(dim=dim)
    return (weights @ v).transpose(1, 2).flatten(2)


def _wrong_view(x, n_heads):
    return x.reshape(x.size(0), n_heads, x.size(1), -1)


def _not_transposed_back(query, key, value, n_heads):
    q, k, v = (_split(x, n_heads) for x in (query, key, value))
    output = (q @ k.transpose(2, 3) / math.sqrt(q.size(-1))).softmax(dim=-1) @ v
    return output.reshape(query.shape)


def _views_only(query, key, value, n_heads):
    q, k, v = (_wrong_view(x, n_heads) for x in (query, key, value))
    return ((q @ k.transpose(2, 3) / math.sqrt(q.size(-1))).softmax(dim=-1) @ v).reshape(query.shape)


def _query_length(query, key, value, n_heads):
    length = query.size(1)
    q, k, v = (x.view(x.size(0), length, n_heads, -1).transpose(1, 2) for x in (query, key, value))
    return ((q @ k.transpose(2, 3) / math.sqrt(q.size(-1))).softmax(dim=-1) @ v).transpose(1, 2).flatten(2)


attend_in_heads = Exercise(
    spec=_by_loops,
    cases=[
        (_random(1, 2, 2), _random(1, 2, 2), _random(1, 2, 2), 1),
        (_random(1, 2, 4), _random(1, 2, 4), _random(1, 2, 4), 2),
        (_random(1, 3, 4), _random(1, 5, 4), _random(1, 5, 4), 2),
        (_random(2, 4, 12), _random(2, 3, 12), _random(2, 3, 12), 3),
    ],
    mistakes=[
        Mistake(
            lambda query, key, value, n_heads: _attend(query, key, value, n_heads, math.sqrt(query.size(-1))),
            "√d_model로 나누었습니다. 헤드의 쿼리는 d_head칸이니 √d_head로 나눕니다.",
            "The scores are divided by √d_model; a head's query has d_head columns, so divide by √d_head.",
        ),
        Mistake(
            lambda query, key, value, n_heads: _attend(query, key, value, n_heads, dim=1),
            "가중치의 합이 1이 되는 축이 틀렸습니다: 헤드의 축, dim=1.",
            "Weights sum to 1 over the wrong axis: the heads, dim=1.",
        ),
        Mistake(
            lambda query, key, value, n_heads: _attend(query, key, value, n_heads, split=_wrong_view),
            "view(B, H, T, d_head)는 토큰을 섞습니다. (B, T, H, d_head)로 나누고 축을 바꾸세요.",
            "view(B, H, T, d_head) mixes tokens; split into (B, T, H, d_head), then swap the axes.",
        ),
        Mistake(
            lambda query, key, value, n_heads: _attend(query, key, value, n_heads, scale=1.0),
            "√d_head로 나누지 않았습니다.",
            "The scores are not divided by √d_head.",
        ),
        Mistake(
            lambda query, key, value, n_heads: _attend(query, key, value, n_heads, dim=2),
            "가중치의 합이 1이 되는 축이 틀렸습니다: 쿼리의 축, dim=2.",
            "Weights sum to 1 over the wrong axis: the queries, dim=2.",
        ),
        Mistake(
            lambda query, key, value, n_heads: _attend(query, key, key, n_heads),
            "값이 아니라 키를 섞었습니다.",
            "This mixes the keys; mix the values.",
        ),
        Mistake(
            _views_only,
            "view와 reshape만으로 나누고 합쳤습니다. 축을 바꾸지 않으면 토큰이 섞입니다.",
            "This splits and merges by view and reshape alone; without swapping axes, tokens get mixed.",
        ),
        Mistake(
            _not_transposed_back,
            "축을 되돌리지 않고 합쳤습니다. 먼저 (B, T, H, d_head)로 바꾸세요.",
            "The heads are merged without swapping the axes back to (B, T, H, d_head).",
        ),
        Mistake(
            _query_length,
            "키와 값을 쿼리의 길이로 나누었습니다. 길이는 서로 다를 수 있습니다.",
            "Keys and values are reshaped with the query's length; the lengths may differ.",
        ),
        Mistake(
            lambda query, key, value, n_heads: _attend(query, key, value, 1),
            "헤드로 나누지 않았습니다. 헤드 하나로 계산한 결과와 같습니다.",
            "Nothing is split: this equals a single head.",
        ),
    ],
)


def _silence(weight, head, n_heads):
    d_head = weight.size(1) // n_heads
    result = weight.clone()
    for column in range(head * d_head, (head + 1) * d_head):
        result[:, column] = 0.0
    return result


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
        (_random(12, 12), 1, 4),
    ],
    mistakes=[
        Mistake(
            lambda weight, head, n_heads: _silence(weight.T, head, n_heads).T,
            "행을 지웠습니다. nn.Linear의 가중치는 (출력, 입력)이고, 헤드는 입력인 열에 있습니다.",
            "Rows are cleared; the weight of nn.Linear is (out, in), and heads are inputs, so columns.",
        ),
        Mistake(
            _silence_every_nth,
            "n_heads칸마다 하나씩 지웠습니다. 한 헤드의 열은 나란히 있습니다.",
            "Every n_heads-th column is cleared; the columns of a head lie side by side.",
        ),
        Mistake(
            _silence_one_column,
            "열 하나만 지웠습니다. 헤드마다 열이 d_head개입니다.",
            "Only one column is cleared; each head has d_head of them.",
        ),
        Mistake(
            lambda weight, head, n_heads: weight - _silence(weight, head, n_heads),
            "그 헤드만 남기고 나머지를 지웠습니다.",
            "This keeps that head and clears all others.",
        ),
        Mistake(
            lambda weight, head, n_heads: weight[:, _silence(torch.ones_like(weight), head, n_heads)[0] > 0],
            "열을 없애면 형태가 달라집니다. 0으로 채우세요.",
            "The columns are removed, which changes the shape; fill them with 0.",
        ),
    ],
)
