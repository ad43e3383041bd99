"""The exercises of chapter 07."""

from functools import partial

import torch

from helpers.exercises.kinds import Exercise, Exploration, Prediction, random_tensors

_random = random_tensors()

stream_std = Prediction(
    answer=3.0,
    near=0.02,
    hints=[
        "독립인 값을 더하면 무엇이 더해지나요? 4.7절에서 보았습니다.",
        "What adds up? See section 4.7.",
        "분산이 더해집니다. x의 분산은 1이고, 서브층 8개가 저마다 1을 더합니다.",
        "Variances do. That of x is 1, and each of the 8 sublayers adds 1.",
    ],
    why=(
        "분산이 1 + 8 = 9이므로 표준편차는 3입니다.",
        "The variance is 1 + 8 = 9, so the standard deviation is 3.",
    ),
    slips=[
        9,
        "더해지는 것은 분산입니다. 표준편차는 그 제곱근입니다.",
        "What adds up is the variance; the standard deviation is its square root.",
    ],
)


def _double(x):
    return 2 * x


def _square(x):
    return x * x


def _add_one(x):
    return x + 1


def _center(x):
    return x - x.mean(dim=-1, keepdim=True)


def _drop_last(x):
    """A dropout without chance: keeps everything but the last feature."""
    return torch.cat([x[..., :-1], torch.zeros_like(x[..., -1:])], dim=-1)


def _pre_ln(x, f, norm, dropout):
    return x + dropout(f(norm(x)))


def _post_ln(x, f, norm, dropout):
    return norm(x + dropout(f(x)))


def _joining(pre=_pre_ln, post=_post_ln):
    """A way to join a sublayer, right but for the forms given."""

    def joined(x, f, norm, dropout, norm_first):
        return (pre if norm_first else post)(x, f, norm, dropout)

    return joined


join_sublayer = Exercise(
    spec=_joining(),
    cases=[
        (torch.tensor([[1.0, 3.0]]), _double, _center, _drop_last, False),
        (torch.tensor([[1.0, 3.0]]), _double, _center, _drop_last, True),
        (torch.tensor([[1.0, 4.0], [0.0, 2.0]]), _square, _center, _drop_last, False),
        (torch.tensor([[1.0, 4.0], [0.0, 2.0]]), _square, _center, _drop_last, True),
        (_random(2, 3, 4), _add_one, _center, _double, False),
        (_random(2, 3, 4), _add_one, _center, _double, True),
        (_random(2, 3, 4), _square, _double, _drop_last, False),
        (_random(2, 3, 4), _square, _double, _drop_last, True),
    ],
    by_hand=1,
    mistakes=[
        _joining(
            pre=lambda x, f, norm, dropout: dropout(x + f(norm(x))),
            post=lambda x, f, norm, dropout: norm(dropout(x + f(x))),
        ),
        "합에 드롭아웃을 걸어 스트림까지 지웁니다. 서브층의 출력에만 거세요.",
        "dropout acts on the sum and erases the stream, too; apply it to the sublayer's output only.",
        _joining(post=lambda x, f, norm, dropout: dropout(norm(x + f(x)))),
        "post-LN에서 정규화한 뒤에 드롭아웃을 걸었습니다. 더하기 전에, 서브층의 출력에 거세요.",
        "In post-LN dropout comes after the norm; apply it to the sublayer's output, before the sum.",
        _joining(pre=lambda x, f, norm, dropout: norm(x) + dropout(f(norm(x)))),
        "pre-LN에서 정규화한 x에 더했습니다. 스트림 x에 더하세요.",
        "In pre-LN the sum starts from norm(x); add to the stream x itself.",
        _joining(pre=lambda x, f, norm, dropout: x + norm(dropout(f(x)))),
        "pre-LN에서 서브층의 출력을 정규화했습니다. 입력을 정규화하세요.",
        "In pre-LN this normalizes the sublayer's output; normalize its input.",
        _joining(pre=lambda x, f, norm, dropout: x + dropout(norm(f(x)))),
        "pre-LN에서 서브층의 출력을 정규화했습니다. 입력을 정규화하세요.",
        "In pre-LN this normalizes the sublayer's output; normalize its input.",
        _joining(post=lambda x, f, norm, dropout: x + norm(dropout(f(x)))),
        "post-LN에서 서브층의 출력만 정규화했습니다. x와 더한 합을 정규화하세요.",
        "In post-LN this normalizes the sublayer's output alone; normalize its sum with x.",
    ],
    hints=[
        "먼저 드롭아웃 없이 두 경우를 적고, 서브층의 출력 f(…)가 어디 있는지 보세요.",
        "First write the two cases without dropout, and see where the sublayer's output f(…) is.",
        "어느 쪽이든 f(…) 자리에 dropout(f(…))를 쓰면 됩니다.",
        "In both of them put dropout(f(…)) in place of f(…).",
        "pre-LN은 x + dropout(f(norm(x)))입니다. post-LN은 x + dropout(f(x))를 norm에 넣습니다.",
        "Pre-LN is x + dropout(f(norm(x))); post-LN puts x + dropout(f(x)) into norm.",
    ],
)


def _normalized(x, dim=-1):
    mean, variance = x.mean(dim=dim, keepdim=True), x.var(dim=dim, keepdim=True, correction=0)
    return (x - mean) / (variance + 1e-5).sqrt()


def _halves(x, mean_dim, variance_dim):
    """Mean and variance over different axes."""
    rest = x - x.mean(dim=mean_dim, keepdim=True)
    return rest / (rest.square().mean(dim=variance_dim, keepdim=True) + 1e-5).sqrt()


normalize = Exercise(
    spec=_normalized,
    start=partial(_normalized, dim=(1, 2)),
    cases=[
        (torch.tensor([[[1.0, 3.0], [2.0, 6.0]]]),),
        (torch.tensor([[[1.0, 3.0]], [[2.0, 2.0]]]),),
        (torch.tensor([[[0.0, 0.004], [1.0, 5.0]]]),),
        (torch.tensor([[[1.0, 3.0, 8.0], [0.0, -4.0, 1.0]]]),),
        (3 * _random(2, 5, 16) + 1,),
    ],
    by_hand=(torch.tensor([[[0.0, 0.0, 0.0, 4.0], [2.0, 2.0, 6.0, 6.0]]]),),
    draw=lambda rng: (_random(rng.randint(1, 3), rng.randint(1, 3), rng.randint(2, 4)) * 2 + 1,),
    mistakes=[
        partial(_normalized, dim=1),
        "차원마다 문장의 토큰들에 걸쳐 정규화했습니다. 토큰마다, 마지막 축에서 하세요.",
        "This normalizes each feature across the tokens; do it within each token, over the last axis.",
        partial(_normalized, dim=0),
        "배치에 걸쳐 정규화했습니다. 토큰마다, 마지막 축에서 하세요.",
        "This normalizes across the batch; do it within each token, over the last axis.",
        partial(_normalized, dim=(0, 1)),
        "배치 정규화입니다. 토큰마다, 마지막 축에서 하세요.",
        "This is batch normalization; do it within each token, over the last axis.",
        partial(_normalized, dim=(0, 1, 2)),
        "텐서 전체를 한꺼번에 정규화했습니다. 토큰마다 따로 하세요.",
        "This normalizes the whole tensor at once; do it for each token.",
        lambda x: _halves(x, -1, (1, 2)),
        "평균은 토큰마다 구했지만 분산은 아직 문장 전체의 것입니다.",
        "The mean is now that of each token, but the variance is still the sentence's.",
        lambda x: _halves(x, (1, 2), -1),
        "분산은 토큰마다 구했지만 평균은 아직 문장 전체의 것입니다.",
        "The variance is now that of each token, but the mean is still the sentence's.",
        lambda x: (x - x.mean(dim=-1, keepdim=True)) / (x.std(dim=-1, keepdim=True, correction=0) + 1e-5),
        "eps가 제곱근 밖에 있습니다. 분산에 더하세요.",
        "eps is outside the root; add it to the variance.",
    ],
    hints=[
        "토큰 하나를 바꾸고, 다른 토큰의 출력이 달라지는지 보세요.",
        "Change one token, and see whether the output of another one changes.",
        "평균과 분산의 shape가 (B, 1, 1)입니다. 토큰마다 하나라면 어떤 shape여야 하나요?",
        "Mean and variance have shape (B, 1, 1). What should it be with one per token?",
        "(B, T, 1)이 되도록 마지막 축에서만 평균하세요.",
        "Average over the last axis only: (B, T, 1).",
    ],
)

how_wide = Exploration(
    look_for=(
        "우리가 재었을 때 폭 32는 0.55–0.66, 128은 0.83–0.92, 512는 0.95–0.96이었습니다. 폭이 32인 것 "
        "네 개도 0.81–0.90이라 128 하나만큼 외웠으니, 폭 자체가 좋은지는 알 수 없습니다.",
        "When we measured, a width of 32 got 0.55–0.66, 128 got 0.83–0.92, and 512 got 0.95–0.96. Four "
        "networks of width 32 got 0.81–0.90, as much as one of 128, so this doesn't tell you that width "
        "itself helps.",
    ),
    hints=[
        "memorize([32]), memorize([128]), memorize([512])의 정확도를 비교하세요.",
        "Compare the accuracies of memorize([32]), memorize([128]) and memorize([512]).",
        "memorize([32] * 4)의 가중치는 memorize([128])과 몇 개나 다른가요?",
        "By how many weights do memorize([32] * 4) and memorize([128]) differ?",
    ],
)
