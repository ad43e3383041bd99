"""The exercises of chapter 08."""

import math

import torch

from helpers.exercises.kinds import Exercise, Exploration, Prediction, random_tensors
from helpers.masking import causal_mask

_random = random_tensors()

size_of_output = Prediction(
    answer=8.0,
    near=0.05,
    why=(
        "마지막 레이어 정규화가 성분의 제곱의 평균을 1로 맞추므로, 입력의 크기와 상관없이 √64 = 8입니다.",
        "The last layer norm makes the mean of the squared components 1, so the norm is √64 = 8, whatever "
        "the size of the input.",
    ),
    hints=[
        "post-LN 층이 마지막으로 하는 일은 무엇인가요?",
        "What is the last thing that a post-LN layer does?",
        "정규화한 벡터에서 성분의 제곱의 평균은 1입니다. 64개의 합은 얼마인가요?",
        "In a normalized vector the squared components have mean 1. What do 64 of them sum to?",
    ],
    slips=[
        800,
        "입력이 커져도 마지막 레이어 정규화가 크기를 되돌립니다.",
        "However large the input, the last layer norm resets the size.",
        64,
        "64는 제곱의 합입니다.",
        "64 is the sum of the squares.",
    ],
)


def _reach(mask, n_layers):
    """One step per layer: the mask, and the residual, which keeps every token itself."""
    step = (mask | torch.eye(len(mask), dtype=torch.bool)).double()
    return torch.linalg.matrix_power(step, n_layers) > 0


def _without_residual(mask, n_layers):
    return torch.linalg.matrix_power(mask.double(), n_layers) > 0


_window = causal_mask(5) & ~causal_mask(5).tril(diagonal=-2)
_previous = torch.ones(4, 4, dtype=torch.bool).tril(diagonal=-1) & ~torch.ones(4, 4).tril(-2).bool()
reach = Exercise(
    spec=_reach,
    cases=[
        (_previous, 1),
        (_previous, 2),
        (_window, 1),
        (_window, 3),
        (_window.T, 2),
        (causal_mask(4), 3),
    ],
    by_hand=(torch.ones(3, 3, dtype=torch.bool).tril(-1).triu(-1), 2),
    draw=lambda rng: (_random(n := rng.randint(4, 6), n) > 0.9, rng.randint(1, 3)),
    mistakes=[
        _without_residual,
        "잔차 연결이 빠졌습니다. 토큰은 마스크가 가려도 늘 자기 자신에게 닿습니다.",
        "The residual connection is missing: a token always reaches itself, whatever the mask says.",
        lambda mask, n_layers: _without_residual(mask, n_layers) | torch.eye(len(mask)).bool(),
        "잔차 연결은 끝에 한 번이 아니라 층마다 있습니다.",
        "The residual connection acts in every layer, not once at the end.",
        lambda mask, n_layers: _reach(mask, 2 ** (n_layers - 1)),
        "층마다 지금까지의 표를 제곱해서 걸음이 두 배로 늘어납니다. 층마다 한 걸음입니다.",
        "Squaring what was reached doubles the steps; each layer adds one step.",
        lambda mask, n_layers: _reach(mask, 1),
        "한 층만 지났습니다. 층마다 한 걸음씩 더 닿습니다.",
        "This is one layer alone; every layer reaches one step further.",
        lambda mask, n_layers: mask.clone(),
        "마스크 그대로입니다. 잔차 연결도 있고, 층마다 한 걸음씩 더 닿습니다.",
        "This is the mask itself. A residual is missing, and every layer reaches one step further.",
    ],
    hints=[
        "1층부터 해 보세요. 마스크 말고 또 무엇이 토큰을 출력까지 데려가나요?",
        "Start with 1 layer: besides the mask, what else carries a token to the output?",
        "한 층의 표에 대각선을 더한 것이 한 걸음입니다. 2층이면 두 걸음입니다.",
        "One step is the mask with the diagonal added; 2 layers make two steps.",
        "i에서 k로, k에서 j로 갈 수 있는 k가 몇 개인지는 행렬 곱으로 셀 수 있습니다.",
        "A matrix product counts the k through which one gets from i to k and from k to j.",
    ],
)


def _sentence_vector(memory, ids, pad_id):
    real = (ids != pad_id).unsqueeze(-1)  # (B, T, 1)
    return memory.masked_fill(~real, 0.0).sum(dim=1) / real.sum(dim=1).clamp(min=1)


def _leading(memory, ids, pad_id):
    """The first tokens, as many as there are real ones: right only if padding comes last."""
    return _sentence_vector(memory, (ids != pad_id).long().sort(dim=1, descending=True).values, 0)


_nan = torch.tensor([[[1.0, 2.0], [3.0, 6.0], [math.nan, math.nan]]])


def _layer(x, attend, feed, norm1, norm2):
    y = norm1(x + attend(x))
    return norm2(y + feed(y))


def _from_the_input(x, attend, feed, norm1, norm2):
    y = norm1(x + attend(x))
    return norm2(x + feed(y))


def _from_the_sum(x, attend, feed, norm1, norm2):
    total = x + attend(x)
    return norm2(total + feed(norm1(total)))


def _pre_ln(x, attend, feed, norm1, norm2):
    y = x + attend(norm1(x))
    return y + feed(norm2(y))


def _without_second_sum(x, attend, feed, norm1, norm2):
    return norm2(feed(norm1(x + attend(x))))


def _parallel(x, attend, feed, norm1, norm2):
    return norm2(norm1(x + attend(x)) + feed(x))


def _mix(x):
    """Stands for attention: every token gets the mean of all."""
    return x.mean(dim=-2, keepdim=True).expand(x.shape)


def _square(x):
    return x * x


def _double(x):
    return 2 * x


def _halve(x):
    return x / 2


def _add_one(x):
    return x + 1


def _norm(x):
    """With a scale, so that one norm is not like the other."""
    normal = torch.nn.functional.layer_norm(x, x.shape[-1:])
    return normal * torch.arange(1, x.size(-1) + 1)


def _other_norm(x):
    return torch.nn.functional.layer_norm(x, x.shape[-1:]) + 0.5


_x = torch.tensor([[[1.0, 3.0, 2.0], [4.0, 0.0, 1.0]]])
post_ln_layer = Exercise(
    spec=_layer,
    start=_from_the_input,
    cases=[
        (_x, _mix, torch.zeros_like, _norm, _other_norm),
        (_x, _mix, _square, _norm, _other_norm),
        (_x, torch.zeros_like, _square, _other_norm, _norm),
        (_random(2, 3, 4), _mix, torch.sin, _norm, _other_norm),
    ],
    by_hand=(torch.tensor([[[2.0, 4.0]]]), _double, _square, _halve, _add_one),
    mistakes=[
        _from_the_sum,
        "둘째 합에는 정규화하기 전의 합이 아니라 정규화한 y를 더합니다.",
        "The second sum adds y after its norm, not the sum from before it.",
        _pre_ln,
        "pre-LN이 되었습니다. post-LN은 더한 다음에 정규화합니다.",
        "This is pre-LN; post-LN normalizes after the sum.",
        _without_second_sum,
        "둘째 잔차가 빠졌습니다. 피드포워드의 출력에 y를 더하세요.",
        "The second residual is missing; add y to the output of feed-forward.",
        _parallel,
        "피드포워드가 층의 입력 x를 읽습니다. 어텐션 다음의 y를 읽어야 합니다.",
        "Feed-forward reads x, the layer's input; it must read y, which comes after attention.",
    ],
    hints=[
        "feed가 늘 0이라면 출력은 무엇이어야 하나요? 첫 사례가 그렇습니다.",
        "If feed always returns 0, what should the output be? The first case is like that.",
        "8.4절에서 서브층은 무엇을 읽었고, 그 출력은 무엇에 더해졌나요?",
        "In section 8.4, what did each sublayer read, and what was its output added to?",
        "피드포워드의 잔차는 피드포워드에 들어간 것, 곧 y입니다.",
        "The residual of feed-forward is what went into it: y.",
    ],
)

unseen_lengths = Exploration(
    look_for=(
        "길이 1은 늘 맞지만 베이스라인도 그렇고, 길이 2는 0.8에서 0.9로 베이스라인 0.55보다 뚜렷이 낫습니다. "
        "길이 7은 0.4에서 0.6으로 베이스라인 0.3보다 낫고, 8은 0.1쯤이라 베이스라인보다 못합니다. 길이 7에서 "
        "틀린 숫자를 길이 6의 거울 위치 5 - i에 있는 숫자와 비교해 보세요. 거의 모두 같습니다. 길이를 6으로 "
        "여기는 듯합니다.",
        "Length 1 is always right, but so is the baseline; length 2, at 0.8 to 0.9, is clearly above its "
        "baseline of 0.55. Length 7, at 0.4 to 0.6, is above its baseline of 0.3, and length 8, at about "
        "0.1, is worse than the baseline. At length 7, compare the wrong digits with those at 5 - i, the "
        "mirror position of length 6: nearly all agree. The models seem to take the length to be 6.",
    ),
    hints=[
        "model(digits).argmax(dim=-1)을 digits.flip(1)과 비교해 평균하세요.",
        "Compare model(digits).argmax(dim=-1) with digits.flip(1) and take the mean.",
        "위치마다 따로 재 보세요. 길이 7에서 어느 위치가 틀리나요?",
        "Measure each position on its own: which ones go wrong at length 7?",
        "틀린 자리에 쓴 숫자는 입력의 어디에 있나요? 학습할 때 가장 긴 길이는 6이었습니다.",
        "Where in the input are the wrong digits? The longest length in training was 6.",
    ],
)
