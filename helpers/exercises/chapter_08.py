"""The exercises of chapter 08."""

import torch

from helpers.exercises.kinds import Exercise, Mistake, random_tensors
from helpers.masking import causal_mask

_random = random_tensors()


def _layer_parameters(d_model, d_ff, projections=4, biases=True, norms=2):
    weights = projections * d_model**2 + 2 * d_model * d_ff
    return weights + biases * (projections * d_model + d_ff + d_model) + norms * 2 * d_model


layer_parameters = Exercise(
    spec=_layer_parameters,
    cases=[(1, 1), (2, 3), (16, 64), (512, 2048)],
    mistakes=[
        Mistake(
            lambda d_model, d_ff: 4 * d_model**2 + 2 * d_model * d_ff,
            "행렬만 셌습니다. 선형 층의 편향과 층 정규화 2개가 빠졌습니다.",
            "Only the matrices are counted; the biases of the linear layers and both norms are missing.",
        ),
        Mistake(
            lambda d_model, d_ff: _layer_parameters(d_model, d_ff, biases=False),
            "편향이 빠졌습니다. 선형 층마다 출력의 칸 수만큼 있습니다.",
            "The biases are missing: each linear layer has one per column of its output.",
        ),
        Mistake(
            lambda d_model, d_ff: _layer_parameters(d_model, d_ff, norms=0),
            "4 × d_model이 모자랍니다. 층 정규화 2개(배율과 편향)나 어텐션의 편향 4개를 빠뜨렸습니다.",
            "4 × d_model is missing: both norms (a scale and a bias each), or attention's 4 biases.",
        ),
        Mistake(
            lambda d_model, d_ff: _layer_parameters(d_model, d_ff, norms=1),
            "2 × d_model이 모자랍니다. 층 정규화는 2개이고, 저마다 배율과 편향이 있습니다.",
            "2 × d_model is missing: there are 2 norms, each with a scale and a bias.",
        ),
        Mistake(
            lambda d_model, d_ff: _layer_parameters(d_model, d_ff, projections=3),
            "어텐션의 선형 층은 3개가 아니라 4개입니다. 쿼리, 키, 값 다음에 W_o가 있습니다.",
            "Attention has 4 linear layers, not 3: after query, key and value comes W_o.",
        ),
    ],
)


def _mix(x):
    """Stands for attention: every token gets the mean of all."""
    return x.mean(dim=-2, keepdim=True).expand(x.shape)


def _square(x):
    return x * x


def _norm(x):
    """With a scale, so that to normalize twice is not the same as once."""
    normal = torch.nn.functional.layer_norm(x, x.shape[-1:])
    return normal * torch.arange(1, x.size(-1) + 1)


def _around(x, sublayer, norm, norm_first):
    return x + sublayer(norm(x)) if norm_first else norm(x + sublayer(x))


def _around_norm(x, sublayer, norm, norm_first):
    return norm(x) + sublayer(norm(x)) if norm_first else norm(x + sublayer(x))


def _without_sum(x, sublayer, norm, norm_first):
    return sublayer(norm(x)) if norm_first else norm(sublayer(x))


def _run_stack(x, layers, norm, norm_first, final=None, around=_around):
    for layer in layers:
        for sublayer in layer:
            x = around(x, sublayer, norm, norm_first)
    return norm(x) if (norm_first if final is None else final) else x


def _from_the_input(x, layers, norm, norm_first):
    result = x
    for layer in layers:
        result = _run_stack(x, [layer], norm, norm_first, final=False)
    return norm(result) if norm_first else result


def _swapped(x, layers, norm, norm_first):
    return _run_stack(x, [layer[::-1] for layer in layers], norm, norm_first)


_x = torch.tensor([[[1.0, 3.0, 2.0], [4.0, 0.0, 1.0]]])
run_stack = Exercise(
    spec=_run_stack,
    cases=[
        (_x, [(_mix, _square)], _norm, False),
        (_x, [(_mix, _square)], _norm, True),
        (_x, [(_mix, _square), (_square, _mix)], _norm, False),
        (_random(2, 3, 4), [(_mix, torch.sin), (_mix, _square)], _norm, True),
    ],
    mistakes=[
        Mistake(
            lambda *given: _run_stack(*given, final=False),
            "pre-LN에는 마지막 층 다음에 정규화가 하나 더 있어야 합니다.",
            "Pre-LN needs one more norm after the last layer.",
        ),
        Mistake(
            lambda *given: _run_stack(*given, final=True),
            "post-LN에는 맨 끝에 정규화를 더 하지 않습니다.",
            "Post-LN has no further norm at the end.",
        ),
        Mistake(
            _from_the_input,
            "층마다 처음의 x에서 다시 시작합니다. 앞 층의 출력을 넣으세요.",
            "Every layer starts again from the first x; give it the output of the layer before.",
        ),
        Mistake(
            lambda *given: _run_stack(*given, around=_around_norm),
            "pre-LN에서 더하는 것은 정규화하기 전의 x입니다.",
            "Pre-LN adds to the x from before the norm.",
        ),
        Mistake(
            lambda *given: _run_stack(*given, around=_without_sum),
            "잔차 연결이 빠졌습니다. 하위 층이 낸 것에 x를 더하세요.",
            "The residual connection is missing: add x to what each sublayer gives.",
        ),
        Mistake(
            _swapped,
            "순서가 바뀌었습니다. 어텐션이 먼저, 피드포워드가 다음입니다.",
            "The order is swapped: attention first, then feed-forward.",
        ),
        Mistake(
            lambda x, layers, norm, norm_first: _run_stack(x, layers, norm, not norm_first, not norm_first),
            "사전과 사후가 뒤바뀌었습니다.",
            "Pre-LN and post-LN are swapped.",
        ),
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
        (_random(6, 6) > 0.8, 2),
    ],
    mistakes=[
        Mistake(
            _without_residual,
            "잔차 연결이 빠졌습니다. 토큰은 마스크가 가려도 늘 자기 자신에게 닿습니다.",
            "The residual connection is missing: a token always reaches itself, whatever the mask says.",
        ),
        Mistake(
            lambda mask, n_layers: _without_residual(mask, n_layers) | torch.eye(len(mask)).bool(),
            "잔차 연결은 끝에 한 번이 아니라 층마다 있습니다.",
            "The residual connection acts in every layer, not once at the end.",
        ),
        Mistake(
            lambda mask, n_layers: _reach(mask, 1),
            "한 층만 셌습니다. 다음 층은 앞 층에서 모은 것을 다시 모읍니다.",
            "This counts one layer: the next one gathers what the layer before has gathered.",
        ),
        Mistake(
            lambda mask, n_layers: _reach(mask.T, n_layers),
            "행과 열이 바뀌었습니다. 행이 출력, 열이 입력입니다.",
            "Rows and columns are swapped: rows are outputs, columns inputs.",
        ),
        Mistake(
            lambda mask, n_layers: _reach(mask, n_layers + 1),
            "한 층이 많습니다.",
            "That is one layer too many.",
        ),
    ],
)
