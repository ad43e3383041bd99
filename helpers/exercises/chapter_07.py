"""The exercises of chapter 07."""

import torch

from helpers.exercises.kinds import Exercise, Mistake, random_tensors

_random = random_tensors()


def _normalize(x, correction=0, dim=-1, center=True):
    mean = x.mean(dim=dim, keepdim=True) if center else 0.0
    return (x - mean) / (x.var(dim=dim, keepdim=True, correction=correction) + 1e-5).sqrt()


normalize = Exercise(
    spec=_normalize,
    cases=[
        (torch.tensor([[1.0, 3.0]]),),
        (torch.tensor([[2.0, 2.0]]),),
        (torch.tensor([[0.0, 0.004]]),),
        (torch.tensor([[1.0, 3.0, 8.0], [0.0, -4.0, 1.0]]),),
        (_random(2, 3, 16),),
    ],
    mistakes=[
        Mistake(
            lambda x: _normalize(x, correction=1),
            "분산을 d_model - 1로 나누었습니다. d_model로 나누세요(correction=0).",
            "The variance is divided by d_model - 1; divide by d_model (correction=0).",
        ),
        Mistake(
            lambda x: _normalize(x, dim=-2),
            "토큰들에 걸쳐 정규화했습니다. 토큰마다, 마지막 축에서 해야 합니다.",
            "This normalizes across tokens; do it within each token, over the last axis.",
        ),
        Mistake(
            lambda x: (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True, correction=0),
            "eps가 빠졌습니다. 값이 모두 같은 토큰에서 0으로 나눕니다.",
            "eps is missing: a token whose numbers are all equal is divided by 0.",
        ),
        Mistake(
            lambda x: (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True),
            "std는 d_model - 1로 나눕니다. eps도 빠졌습니다.",
            "std divides by d_model - 1, and eps is missing.",
        ),
        Mistake(
            lambda x: _normalize(x, center=False),
            "평균을 빼지 않았습니다.",
            "The mean is not subtracted.",
        ),
        Mistake(
            lambda x: (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True, correction=0) + 1e-5),
            "분산으로 나누었습니다. 제곱근을 씌운 표준편차로 나누세요.",
            "This divides by the variance; divide by its root, the standard deviation.",
        ),
    ],
)


def _double(x):
    return 2 * x


def _norm(x):
    return _normalize(x)


def _residual(x, sublayer, norm, norm_first):
    return x + sublayer(norm(x)) if norm_first else norm(x + sublayer(x))


def _from_norm(x, sublayer, norm, norm_first):
    y = norm(x)
    return y + sublayer(y) if norm_first else norm(x + sublayer(x))


_x = torch.tensor([[1.0, 3.0]])
residual = Exercise(
    spec=_residual,
    cases=[
        (_x, _double, _norm, True),
        (_x, _double, _norm, False),
        (_random(3, 4), torch.sin, _norm, True),
        (_random(3, 4), torch.sin, _norm, False),
    ],
    mistakes=[
        Mistake(
            _from_norm,
            "잔차를 norm(x)에서 시작했습니다. pre-LN에서도 더하는 것은 x입니다.",
            "The residual starts from norm(x); in pre-LN, too, it is x that is added.",
        ),
        Mistake(
            lambda x, sublayer, norm, norm_first: _residual(x, sublayer, norm, not norm_first),
            "사전과 사후가 바뀌었습니다. norm_first가 참이면 먼저 정규화합니다.",
            "Pre and post are swapped: norm_first means normalize first.",
        ),
        Mistake(
            lambda x, sublayer, norm, norm_first: norm(x + sublayer(x)),
            "norm_first를 보지 않고 늘 나중에 정규화합니다.",
            "norm_first is ignored: this always normalizes last.",
        ),
        Mistake(
            lambda x, sublayer, norm, norm_first: x + sublayer(norm(x)),
            "norm_first를 보지 않고 늘 먼저 정규화합니다.",
            "norm_first is ignored: this always normalizes first.",
        ),
        Mistake(
            lambda x, sublayer, norm, norm_first: sublayer(norm(x)) if norm_first else norm(sublayer(x)),
            "x를 더하지 않았습니다. 잔차 연결이 없습니다.",
            "x is not added: the residual connection is missing.",
        ),
    ],
)


def _collapse(w1, b1, w2, b2):
    return w2 @ w1, w2 @ b1 + b2


collapse = Exercise(
    spec=lambda *layers: torch.cat([_collapse(*layers)[0], _collapse(*layers)[1].unsqueeze(1)], dim=1),
    cases=[
        (torch.eye(1), torch.ones(1), 2 * torch.eye(1), torch.zeros(1)),
        (_random(3, 2), _random(3), _random(2, 3), _random(2)),
        (_random(8, 4), _random(8), _random(4, 8), _random(4)),
    ],
    mistakes=[
        Mistake(
            lambda w1, b1, w2, b2: torch.cat([w2 @ w1, b2.unsqueeze(1)], dim=1),
            "b1이 빠졌습니다. 첫 층의 편향도 둘째 층을 지납니다.",
            "b1 is missing; the first bias passes through the second layer.",
        ),
        Mistake(
            lambda w1, b1, w2, b2: torch.cat([w2 @ w1, (w2 @ b1).unsqueeze(1)], dim=1),
            "b2가 빠졌습니다.",
            "b2 is missing.",
        ),
        Mistake(
            lambda w1, b1, w2, b2: torch.cat([(w1.T @ w2.T), (w2 @ b1 + b2).unsqueeze(1)], dim=1),
            "가중치가 전치되었습니다. nn.Linear의 가중치는 (출력, 입력)입니다.",
            "The weight is transposed; that of nn.Linear is (out, in).",
        ),
    ],
)
