"""Typical faults of single parts: embedding, positions, multi-head attention, normalization, feed-forward."""

import math

import torch
from torch.nn import functional as F

from helpers.embedding import TokenEmbedding
from helpers.layers import FeedForward, LayerNorm
from helpers.mine.fault import Fault
from helpers.mine.faults_of_functions import ATTENTION, attend
from helpers.multi_head_attention import MultiHeadAttention, merge_heads, split_heads
from helpers.positional_encoding import SinusoidalPositionalEncoding


def with_forward(kind, forward):
    """A class of ours with another forward pass."""
    return type("Wrong", (kind,), {"forward": forward})


EMBEDDING = [
    Fault(
        with_forward(TokenEmbedding, lambda self, ids: self.weight[ids]),
        "2.5",
        "√d_model을 곱하지 않았습니다.",
        "The vectors are not multiplied by √d_model.",
    ),
    Fault(
        with_forward(TokenEmbedding, lambda self, ids: self.weight[ids] * self.weight.size(1)),
        "2.5",
        "d_model을 곱했습니다. 그 제곱근을 곱합니다.",
        "The vectors are multiplied by d_model; use its root.",
    ),
    Fault(
        with_forward(TokenEmbedding, lambda self, ids: self.weight[ids] / math.sqrt(self.weight.size(1))),
        "2.5",
        "√d_model로 나누었습니다. 꺼낸 벡터에는 곱합니다.",
        "The vectors are divided by √d_model; multiply them.",
    ),
]


def positions(make):
    """A `SinusoidalPositionalEncoding` with a table of its own, from max_len and d_model."""

    class Wrong(SinusoidalPositionalEncoding):
        def __init__(self, d_model, max_len=5000):
            super().__init__(d_model, max_len)
            self.table = make(max_len, d_model)

    return Wrong


def table(max_len, d_model, base=10000, first=0, exponent=2):
    """Angles (max_len, d_model / 2)."""
    frequency = base ** (-exponent * torch.arange(d_model // 2) / d_model)
    return (first + torch.arange(max_len)).unsqueeze(1) * frequency


def alternating(angles, even=torch.sin, odd=torch.cos):
    """One function in even columns, the other in odd ones."""
    return torch.stack([even(angles), odd(angles)], dim=-1).flatten(1)


def by_column(angles):
    """Sines of the even columns of angles, and cosines of the odd ones."""
    even = torch.arange(angles.size(1)) % 2 == 0
    return torch.where(even, angles.sin(), angles.cos())


POSITIONS = [
    Fault(
        with_forward(SinusoidalPositionalEncoding, lambda self, x: self.table[: x.size(-2)].expand_as(x)),
        "3.6",
        "위치의 표만 돌려줍니다. x에 더하세요.",
        "It returns the table alone; add it to x.",
    ),
    Fault(
        positions(lambda n, d: alternating(table(n, d), torch.cos, torch.sin)),
        "3.6",
        "사인과 코사인의 자리가 바뀌었습니다. 짝수 열이 사인입니다.",
        "Sine and cosine are exchanged: even columns are sines.",
    ),
    Fault(
        positions(lambda n, d: torch.cat([table(n, d).sin(), table(n, d).cos()], dim=-1)),
        "3.6",
        "사인을 앞쪽 절반에, 코사인을 뒤쪽 절반에 두었습니다. 두 열씩 번갈아 놓습니다.",
        "Sines fill the first half and cosines the second; here they alternate, column by column.",
    ),
    Fault(
        positions(lambda n, d: alternating(table(n, d, first=1))),
        "3.6",
        "위치가 1부터 시작합니다. 첫 토큰의 위치는 0입니다.",
        "Positions begin at 1; the first token has position 0.",
    ),
    Fault(
        positions(lambda n, d: alternating(table(n, d, exponent=1))),
        "3.5",
        "지수가 i/d_model입니다. 열의 쌍마다 2i/d_model입니다.",
        "The exponent is i/d_model; for each pair of columns it is 2i/d_model.",
    ),
    Fault(
        positions(lambda n, d: by_column(table(n, 2 * d))),
        "3.5",
        "열마다 각속도가 다릅니다. 사인과 코사인의 쌍은 짝수 열의 각속도를 함께 씁니다.",
        "Each column has a frequency of its own; a sine and its cosine share that of the even column.",
    ),
    Fault(
        positions(lambda n, d: alternating(table(n, d, exponent=-2))),
        "3.5",
        "각도를 나누지 않고 곱했습니다. 뒤의 열일수록 느려져야 합니다.",
        "The angles are multiplied instead of divided; later columns should be slower.",
    ),
    Fault(
        positions(lambda n, d: alternating(table(n, d, base=1000))),
        "3.5",
        "밑이 1000입니다. 논문의 밑은 10000입니다.",
        "The base is 1000; that of the paper is 10000.",
    ),
    Fault(
        positions(lambda n, d: alternating(table(n, d), torch.cos, torch.cos)),
        "3.6",
        "모든 열이 코사인입니다. 짝수 열은 사인입니다.",
        "All columns are cosines; the even ones are sines.",
    ),
    Fault(
        positions(lambda n, d: alternating(table(n, d), torch.sin, torch.sin)),
        "3.6",
        "모든 열이 사인입니다. 홀수 열은 코사인입니다.",
        "All columns are sines; the odd ones are cosines.",
    ),
    *(
        Fault(
            with_forward(SinusoidalPositionalEncoding, forward),
            "3.6",
            "위치를 배치 축에서 셌습니다. 위치는 토큰의 축(끝에서 두 번째)입니다: x.size(-2).",
            "Positions are counted along the batch; they run along the axis of the tokens, x.size(-2).",
        )
        for forward in (
            lambda self, x: x + self.table[: x.size(0)],
            lambda self, x: x + self.table[: x.size(0)].unsqueeze(1),
        )
    ),
]


def heads(
    split=split_heads,
    merge=merge_heads,
    look=attend,
    sources="qkv",
    layers="qkv",
    mixed=True,
    bias="qkvo",
    turned=False,
):
    """A `MultiHeadAttention` with something changed.

    Args:
        split, merge: in place of `split_heads` and `merge_heads`.
        look: in place of attention.
        sources: what queries, keys and values are made of: q, k or v.
        layers: by which linear layers.
        mixed: whether W_O follows.
        bias: the linear layers that have one.
        turned: whether x @ W stands for x @ W.T.
    """

    class Wrong(MultiHeadAttention):
        def forward(self, query, key, value, mask=None):
            given = {"q": query, "k": key, "v": value}
            made = [
                split(self.through(f"w_{layer}", given[source]), self.n_heads)
                for layer, source in zip(layers, sources, strict=True)
            ]
            merged = merge(look(*made, mask)[0])
            return self.through("w_o", merged) if mixed else merged

        def through(self, name, x):
            layer = getattr(self, name)
            weight = layer.weight.T if turned else layer.weight
            return F.linear(x, weight, layer.bias if name[-1] in bias else None)

    return Wrong


def in_one_go(x, n_heads):
    """view(B, H, T, d_head), which mixes tokens."""
    return x.reshape(x.size(0), n_heads, x.size(1), -1)


def dealt(x, n_heads):
    """Head h has the columns h, h + n_heads, …"""
    return x.unflatten(-1, (-1, n_heads)).permute(0, 3, 1, 2)


def untransposed(x, n_heads):
    """(B, T, H, d_head): the heads of a token look at each other."""
    return x.unflatten(-1, (n_heads, -1))


def scaled_by_width(q, k, v, mask=None):
    """Attention divided by √d_model."""
    return attend(q, k, v, mask, scale=lambda q, k: math.sqrt(q.size(-1) * q.size(-3)))


def joined_unmoved(x):
    """The heads of (B, H, T, d_head) joined without moving their axis back."""
    return x.reshape(x.size(0), x.size(2), -1)


def joined_by_component(x):
    """The first numbers of all heads, then the second ones, …"""
    return x.permute(0, 2, 3, 1).flatten(start_dim=-2)


AXES = [  # what is changed in splitting and joining heads, and what to say about it
    (
        {"split": in_one_go},
        "한 번에 view(B, H, T, d_head)로 나누어 토큰이 섞였습니다. view(B, T, H, d_head)와 transpose입니다.",
        "view(B, H, T, d_head) in one go mixes tokens: it is view(B, T, H, d_head), then transpose.",
    ),
    (
        {"split": in_one_go, "merge": joined_unmoved},
        "나눌 때도 합칠 때도 transpose가 없어 토큰이 섞였습니다. view(B, T, H, d_head)와 transpose입니다.",
        "Neither split nor merge transposes, which mixes tokens: view(B, T, H, d_head), then transpose.",
    ),
    (
        {"merge": joined_unmoved},
        "합치기 전에 transpose가 빠졌습니다. 헤드와 토큰의 축을 되돌린 다음 이어 붙이세요.",
        "The transpose before merging is missing: swap heads and tokens back, then join.",
    ),
    (
        {"merge": joined_by_component},
        "합칠 때 헤드들의 성분을 하나씩 번갈아 놓았습니다. 헤드마다 d_head개가 이어지게 합치세요.",
        "The heads are joined component by component; the d_head numbers of a head stay together.",
    ),
    (
        {"split": dealt},
        "헤드가 열을 번갈아 가졌습니다. 헤드 h의 열은 h · d_head부터 이어진 d_head개입니다.",
        "The heads take columns in turn; head h owns the d_head columns from h · d_head on.",
    ),
    (
        {"split": dealt, "merge": joined_by_component},
        "헤드가 열을 번갈아 가졌습니다. 헤드 h의 열은 h · d_head부터 이어진 d_head개입니다.",
        "The heads take columns in turn; head h owns the d_head columns from h · d_head on.",
    ),
]


def of_axes(make):
    """The faults of `AXES` in an attention.

    Args:
        make: of an attention with another split and merge, such as `heads`.
    """
    return [Fault(make(**changed), "5.5", ko, en) for changed, ko, en in AXES]


MULTI_HEAD = [
    Fault(
        heads(
            split=untransposed,
            merge=lambda x: x.flatten(start_dim=-2),
            look=lambda q, k, v, mask=None: attend(q, k, v),
        ),
        "5.5",
        "transpose가 없어서 한 토큰 안의 헤드들이 서로를 봅니다. 헤드의 축이 토큰의 축보다 앞이어야 합니다.",
        "Without a transpose the heads of one token see each other; the heads' axis goes before the tokens'.",
    ),
    *of_axes(heads),
    Fault(
        heads(look=scaled_by_width),
        "5.4",
        "√d_model로 나누었습니다. 헤드마다 √d_head로 나눕니다.",
        "The scores are divided by √d_model; each head divides by √d_head.",
    ),
    Fault(
        heads(mixed=False),
        "5.3",
        "W_O가 빠졌습니다. 헤드를 이어 붙인 다음 선형 층을 하나 더 거칩니다.",
        "W_O is missing: another linear layer follows the joined heads.",
    ),
    Fault(
        heads(sources="qqq"),
        "9.2",
        "키와 밸류까지 query에서 만들었습니다. key와 value 인자를 쓰세요.",
        "Keys and values are made of query, too; use the arguments key and value.",
    ),
    Fault(
        heads(sources="qqv"),
        "9.2",
        "키를 query에서 만들었습니다. key 인자를 쓰세요.",
        "The keys are made of query; use the argument key.",
    ),
    Fault(
        heads(sources="qvk"),
        "9.2",
        "인자 key와 value가 바뀌었습니다. 키는 key에서, 밸류는 value에서 만듭니다.",
        "The arguments key and value are exchanged: keys are made of key, values of value.",
    ),
    Fault(
        heads(sources="qkk"),
        "9.2",
        "밸류를 key에서 만들었습니다. value 인자를 쓰세요.",
        "The values are made of key; use the argument value.",
    ),
    Fault(
        heads(sources="qkq"),
        "9.2",
        "밸류를 query에서 만들었습니다. value 인자를 쓰세요.",
        "The values are made of query; use the argument value.",
    ),
    Fault(
        heads(layers="qqq"),
        "5.6",
        "쿼리, 키, 밸류에 모두 W_Q를 썼습니다.",
        "Queries, keys and values all go through W_Q.",
    ),
    Fault(
        heads(layers="qvk"),
        "5.6",
        "W_K와 W_V가 바뀌었습니다.",
        "W_K and W_V are exchanged.",
    ),
    Fault(
        heads(layers="kqv"),
        "5.6",
        "W_Q와 W_K가 바뀌었습니다.",
        "W_Q and W_K are exchanged.",
    ),
    Fault(
        heads(bias=""),
        "5.7",
        "편향을 더하지 않았습니다. 편향을 두지 않으려면 어댑터에 None이라고 적으세요.",
        "The biases are not added; if you want none, say None in the adapter.",
    ),
    Fault(
        heads(bias="o"),
        "5.7",
        "쿼리, 키, 밸류에 편향을 더하지 않았습니다. 편향을 두지 않으려면 어댑터에 None이라고 적으세요.",
        "Queries, keys and values lack their biases; if you want none, say None in the adapter.",
    ),
    Fault(
        heads(turned=True),
        "5.4",
        "가중치를 전치하지 않고 곱했습니다. nn.Linear는 x @ W.T입니다. W를 (입력, 출력)으로 두었다면 "
        "어댑터에서 .T로 돌려주세요.",
        "The weights are used untransposed: nn.Linear is x @ W.T. If your W is (in, out), return its .T in "
        "the adapter.",
    ),
    Fault(
        heads(look=lambda q, k, v, mask=None: attend(q, v, k, mask)),
        "5.6",
        "어텐션에 넘긴 키와 밸류의 순서가 바뀌었습니다.",
        "Keys and values are passed to attention in the other order.",
    ),
    *(Fault(heads(look=fault.wrong), fault.section, fault.ko, fault.en) for fault in ATTENTION),
]


def normalized(self, x, dim=-1, divide=None, shift=True, scale=True, mean=True):
    """Layer normalization with something changed."""
    centered = x - x.mean(dim=dim, keepdim=True) if mean else x
    divided = divide(centered, self.eps) if divide else spread(centered, self.eps, dim)
    result = centered / divided
    result = result * self.weight if scale else result
    return result + self.bias if shift else result


def spread(centered, eps, dim=-1):
    """The standard deviation, eps inside the root."""
    return (centered.square().mean(dim=dim, keepdim=True) + eps).sqrt()


def norm(**changes):
    """A `LayerNorm` with changes, as for `normalized`."""
    return with_forward(LayerNorm, lambda self, x: normalized(self, x, **changes))


NORM = [
    Fault(
        norm(divide=lambda c, eps: (c.square().sum(-1, keepdim=True) / (c.size(-1) - 1) + eps).sqrt()),
        "7.4",
        "분산을 n − 1로 나누었습니다. 레이어 정규화는 n으로 나눕니다(unbiased=False).",
        "The variance is divided by n − 1; layer normalization divides by n (unbiased=False).",
    ),
    Fault(
        norm(divide=lambda c, eps: c.std(-1, keepdim=True) + eps),
        "7.4",
        "std는 n − 1로 나누고, eps는 제곱근 밖에 있습니다. √(분산 + eps)로, 분산은 n으로 나누어 구하세요.",
        "std divides by n − 1, and eps is outside the root: it is √(variance + eps), divided by n.",
    ),
    Fault(
        norm(divide=lambda c, eps: c.std(-1, keepdim=True, unbiased=False) + eps),
        "7.4",
        "eps를 제곱근 밖에서 더했습니다. √(분산 + eps)입니다.",
        "eps is added outside the root; it is √(variance + eps).",
    ),
    Fault(
        norm(divide=lambda c, eps: c.square().mean(-1, keepdim=True) + eps),
        "7.4",
        "분산으로 나누었습니다. 그 제곱근으로 나눕니다.",
        "It is divided by the variance; divide by its root.",
    ),
    Fault(
        norm(divide=lambda c, eps: (spread(c, 0) + eps).sqrt()),
        "7.4",
        "표준편차의 제곱근으로 나누었습니다. 분산의 제곱근으로 나눕니다.",
        "It is divided by the root of the standard deviation; divide by the root of the variance.",
    ),
    *(
        Fault(
            norm(divide=lambda c, eps, other=other: spread(c, other)),
            "7.4",
            f"eps가 {other:g}입니다. 기본값은 1e-05입니다.",
            f"eps is {other:g}; its default is 1e-05.",
        )
        for other in (1e-2, 1e-3, 1e-6)
    ),
    Fault(
        norm(divide=lambda c, eps: c.square().mean(-1, keepdim=True).sqrt()),
        "7.4",
        "eps가 빠졌습니다. 모든 수가 같은 토큰에서 0으로 나눕니다.",
        "eps is missing: a token of equal numbers is divided by 0.",
    ),
    Fault(
        norm(dim=-2),
        "7.4",
        "토큰의 축을 따라 정규화했습니다. 토큰마다 마지막 축을 따라 정규화합니다.",
        "It normalizes along the tokens; each token is normalized along the last axis.",
    ),
    Fault(
        norm(dim=(-2, -1)),
        "7.4",
        "토큰과 차원을 한꺼번에 정규화했습니다. 토큰마다 따로, 마지막 축만입니다.",
        "It normalizes tokens and features together; each token by itself, the last axis alone.",
    ),
    Fault(norm(mean=False), "7.4", "평균을 빼지 않았습니다.", "The mean is not subtracted."),
    Fault(
        with_forward(
            LayerNorm,
            lambda self, x: (
                F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)
                + x.mean(-1, keepdim=True) / spread(x - x.mean(-1, keepdim=True), self.eps) * self.weight
            ),
        ),
        "7.4",
        "분산은 맞지만, 나누기 전에 평균을 빼지 않았습니다.",
        "The variance is right, but the mean is not subtracted before dividing.",
    ),
    Fault(
        with_forward(
            LayerNorm,
            lambda self, x: (normalized(self, x, shift=False, scale=False) + self.bias) * self.weight,
        ),
        "7.4",
        "bias를 먼저 더하고 weight를 곱했습니다. weight를 곱한 다음 bias를 더합니다.",
        "The bias is added before multiplying by weight; multiply first, then add.",
    ),
    Fault(
        norm(shift=False),
        "7.4",
        "bias를 더하지 않았습니다.",
        "The bias is not added.",
    ),
    Fault(
        norm(scale=False),
        "7.4",
        "weight를 곱하지 않았습니다.",
        "It is not multiplied by weight.",
    ),
    Fault(
        norm(scale=False, shift=False),
        "7.4",
        "weight와 bias를 쓰지 않았습니다.",
        "weight and bias are not used.",
    ),
]
FEED_FORWARD = [
    Fault(
        with_forward(FeedForward, lambda self, x: self.linear2(self.linear1(x))),
        "7.5",
        "활성화 함수가 없습니다. 선형 층 두 개는 하나와 같습니다.",
        "There is no activation: two linear layers are one.",
    ),
    Fault(
        with_forward(FeedForward, lambda self, x: F.relu(self.linear2(self.linear1(x)))),
        "7.5",
        "활성화 함수가 마지막에 있습니다. 두 선형 층 사이에 둡니다.",
        "The activation comes last; it stands between the two linear layers.",
    ),
    Fault(
        with_forward(FeedForward, lambda self, x: F.relu(self.linear2(F.relu(self.linear1(x))))),
        "7.5",
        "출력에도 활성화 함수를 썼습니다. 두 선형 층 사이에만 둡니다.",
        "The output goes through an activation, too; it stands only between the two linear layers.",
    ),
    *(
        Fault(
            with_forward(FeedForward, lambda self, x, other=other: self.linear2(other(self.linear1(x)))),
            "7.5",
            f"{name}를 썼습니다. 여기서는 config가 말하는 ReLU입니다.",
            f"This is {name}; here it is ReLU, as the config says.",
        )
        for name, other in {
            "GELU": F.gelu,
            "LeakyReLU": F.leaky_relu,
            "ELU": F.elu,
            "SiLU": F.silu,
            "tanh": torch.tanh,
            "sigmoid": torch.sigmoid,
        }.items()
    ),
    Fault(
        with_forward(FeedForward, lambda self, x: x + self.linear2(F.relu(self.linear1(x)))),
        "7.3",
        "잔차를 이미 더했습니다. 잔차는 층이 더합니다.",
        "The residual is already added; the layer does that.",
    ),
]
