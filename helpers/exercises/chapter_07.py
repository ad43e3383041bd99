"""The exercises of chapter 07."""

import torch

from helpers.exercises.kinds import Exercise, Exploration, Mistake, Prediction, random_tensors

_random = random_tensors()

stream_std = Prediction(
    answer=3.0,
    near=0.02,
    hints=[
        ("독립인 값을 더하면 무엇이 더해지나요? 4.8절에서 보았습니다.", "What adds up? See section 4.8."),
        (
            "분산이 더해집니다. x의 분산은 1이고, 서브층 8개가 저마다 1을 더합니다.",
            "Variances do. That of x is 1, and each of the 8 sublayers adds 1.",
        ),
    ],
    why=(
        "분산이 1 + 8 = 9이므로 표준편차는 3입니다.",
        "The variance is 1 + 8 = 9, so the standard deviation is 3.",
    ),
)


def _folded(weight, bias, w, b):
    rows = [[w[i, j] * weight[j] for j in range(w.size(1))] for i in range(w.size(0))]
    return torch.tensor(rows), torch.stack([(row * bias).sum() for row in w]) + b


fold_norm = Exercise(
    spec=_folded,
    cases=[
        (torch.tensor([2.0]), torch.tensor([3.0]), torch.tensor([[5.0]]), torch.tensor([1.0])),
        (
            torch.tensor([2.0, 3.0]),
            torch.tensor([1.0, 0.0]),
            torch.tensor([[1.0, 1.0], [0.0, 2.0]]),
            torch.tensor([0.0, 5.0]),
        ),
        (_random(3), _random(3), _random(3, 3), _random(3)),
        (_random(4), _random(4), _random(4, 4), _random(4)),
    ],
    mistakes=[
        Mistake(
            lambda weight, bias, w, b: (_folded(weight, bias, w, b)[0], b),
            "정규화의 편향을 잃었습니다. 편향도 선형 층을 지나 b에 더해집니다.",
            "The norm's bias is lost; it passes through the linear layer and adds to b.",
        ),
        Mistake(
            lambda weight, bias, w, b: (_folded(weight, bias, w, b)[0], _folded(weight, bias, w, 0 * b)[1]),
            "선형 층의 편향 b가 빠졌습니다.",
            "The linear layer's own bias b is missing.",
        ),
        Mistake(
            lambda weight, bias, w, b: (w, _folded(weight, bias, w, b)[1]),
            "정규화의 가중치를 쓰지 않았습니다.",
            "The norm's weight is not used.",
        ),
        Mistake(
            lambda weight, bias, w, b: (w * weight, (w * weight) @ bias + b),
            "편향에는 정규화의 가중치를 곱하지 않습니다. z · weight + bias이니 bias는 w만 지납니다.",
            "The norm's weight does not multiply its bias: in z · weight + bias the bias passes w alone.",
        ),
        Mistake(
            lambda weight, bias, w, b: (w * weight, w @ bias + w @ b),
            "b는 선형 층 뒤에서 더해지므로 w를 곱하지 않습니다.",
            "b is added after the linear layer, so it is not multiplied by w.",
        ),
        Mistake(
            lambda weight, bias, w, b: (w * weight, w.sum(dim=1) * bias.sum() + b),
            "편향은 w의 각 행과 내적해야 합니다. 따로 더해서 곱할 수 없습니다.",
            "Each row of w has a dot product with the bias; sums cannot be taken apart.",
        ),
        Mistake(
            lambda weight, bias, w, b: (w * weight, bias + b),
            "정규화의 편향은 그대로가 아니라 w를 거쳐서 더해집니다.",
            "The norm's bias reaches b through w, not as it is.",
        ),
        Mistake(
            lambda weight, bias, w, b: (w * weight[:, None], w @ bias + b),
            "w의 행에 곱했습니다. nn.Linear의 가중치는 (출력, 입력)이니 입력의 성분은 열입니다.",
            "This multiplies the rows of w; a linear layer's weight is (out, in), so inputs are columns.",
        ),
        Mistake(
            lambda weight, bias, w, b: (w * weight, bias @ w + b),
            "w의 열과 내적했습니다. 출력마다 w의 한 행이 입력의 성분에 곱해집니다.",
            "This multiplies columns of w; each output has one row of w for the components of the input.",
        ),
    ],
    hints=[
        (
            "정규화한 토큰을 z라고 두고 선형 층의 출력을 식으로 적어 보세요.",
            "Write the output of the linear layer for a normalized token z.",
        ),
        (
            "w(z · weight + bias) + b를 풀어서 z에 곱하는 것과 나머지로 나누세요.",
            "Expand w(z · weight + bias) + b into what multiplies z and the rest.",
        ),
        (
            "z의 j번째 성분에 곱하는 수는 w의 j열에 곱합니다. 나머지는 w @ bias + b입니다.",
            "What multiplies component j of z goes into column j of w; the rest is w @ bias + b.",
        ),
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


def _contributions(x, sublayers, norm):
    parts, stream = [x], x
    for sublayer in sublayers:
        parts.append(sublayer(norm(stream)))
        stream = stream + parts[-1]
    return torch.stack(parts)


def _states(x, sublayers, norm):
    return torch.cumsum(_contributions(x, sublayers, norm), dim=0)


def _chained(x, sublayers, norm):
    parts = [x]
    for sublayer in sublayers:
        parts.append(sublayer(norm(parts[-1])))
    return torch.stack(parts)


def _post(x, sublayers, norm):
    parts = [x]
    for sublayer in sublayers:
        parts.append(sublayer(x))
        x = norm(x + parts[-1])
    return torch.stack(parts)


def _from_norm(x, sublayers, norm):
    parts = [x]
    for sublayer in sublayers:
        x = norm(x)
        parts.append(sublayer(x))
        x = x + parts[-1]
    return torch.stack(parts)


contributions = Exercise(
    spec=_contributions,
    cases=[
        (torch.tensor([[1.0, 3.0]]), [_double], _center),
        (torch.tensor([[1.0, 3.0]]), [_double, _double], _center),
        (torch.tensor([[1.0, 3.0]]), [], _center),
        (torch.tensor([[1.0, 4.0], [0.0, 2.0]]), [_double, _add_one, _square], _center),
        (_random(3, 4), [torch.sin, _square, _add_one], _center),
        (_random(2, 3), [_double, torch.sin, _square, _double], _double),
    ],
    mistakes=[
        Mistake(
            _states,
            "더한 것이 아니라 그때그때의 스트림입니다. 더해진 몫만 돌려주세요.",
            "This is the stream after each sublayer; return only what each one added.",
        ),
        Mistake(
            _chained,
            "서브층이 앞 서브층의 출력만 읽습니다. 그때까지의 합, 스트림을 읽어야 합니다.",
            "Each sublayer reads only the output of the one before; it reads the sum so far, the stream.",
        ),
        Mistake(
            lambda x, sublayers, norm: torch.stack([x, *(sublayer(norm(x)) for sublayer in sublayers)]),
            "모든 서브층이 처음의 x를 읽습니다. 그때까지의 스트림을 읽어야 합니다.",
            "All sublayers read the first x; each should read the stream as it is by then.",
        ),
        Mistake(
            lambda x, sublayers, norm: _contributions(x, sublayers, lambda y: y),
            "norm을 쓰지 않았습니다. 서브층은 정규화한 스트림을 읽습니다.",
            "norm is not used; a sublayer reads the normalized stream.",
        ),
        Mistake(
            _post,
            "post-LN입니다. pre-LN은 서브층 앞에서 정규화하고, 합은 정규화하지 않습니다.",
            "This is post-LN; pre-LN normalizes before the sublayer and leaves the sum alone.",
        ),
        Mistake(
            _from_norm,
            "정규화한 것에 더했습니다. 스트림은 정규화하지 않은 채 남아야 합니다.",
            "The sum starts from norm(x); the stream itself should not be normalized.",
        ),
        Mistake(
            lambda x, sublayers, norm: _contributions(x, sublayers, norm)[1:],
            "x가 빠졌습니다. 첫 번째 몫은 x 자신입니다.",
            "x is missing: the first part is x itself.",
        ),
        Mistake(
            lambda x, sublayers, norm: _contributions(x, sublayers, norm).sum(dim=0),
            "모두 더했습니다. 몫을 하나씩 쌓아 돌려주세요.",
            "This is the sum of all parts; return them stacked, one by one.",
        ),
        Mistake(
            lambda x, sublayers, norm: norm(_contributions(x, sublayers, norm)),
            "돌려줄 몫을 정규화했습니다. 더한 그대로 돌려주세요.",
            "The parts themselves are normalized; return them as they were added.",
        ),
    ],
    hints=[
        (
            "서브층 하나일 때부터 적어 보세요. 더한 것은 sublayer(norm(x))입니다.",
            "Begin with one sublayer: what it adds is sublayer(norm(x)).",
        ),
        (
            "둘째 서브층은 x와 첫째가 더한 것의 합을 읽습니다.",
            "The second sublayer reads the sum of x and what the first one added.",
        ),
        (
            "스트림과 몫의 리스트를 둘 다 들고 가면서, 몫을 스트림에 더하고 리스트에 붙이세요.",
            "Carry the stream and a list of parts; add each part to the stream and append it to the list.",
        ),
    ],
)


def _normalized(x, dim=-1, correction=0, eps=1e-5, center=True):
    mean = x.mean(dim=dim, keepdim=True) if center else 0.0
    return (x - mean) / (x.var(dim=dim, keepdim=True, correction=correction) + eps).sqrt()


def _over_the_sentence(x):
    return _normalized(x, dim=(1, 2))


normalize = Exercise(
    spec=_normalized,
    start=_over_the_sentence,
    cases=[
        (torch.tensor([[[1.0, 3.0], [2.0, 6.0]]]),),
        (torch.tensor([[[1.0, 3.0]], [[2.0, 2.0]]]),),
        (torch.tensor([[[0.0, 0.004], [1.0, 5.0]]]),),
        (torch.tensor([[[1.0, 3.0, 8.0], [0.0, -4.0, 1.0]]]),),
        (_random(2, 3, 3) + 2,),
        (3 * _random(2, 5, 16) + 1,),
    ],
    mistakes=[
        Mistake(
            lambda x: _normalized(x, dim=1),
            "차원마다 문장의 토큰들에 걸쳐 정규화했습니다. 토큰마다, 마지막 축에서 하세요.",
            "This normalizes each feature across the tokens; do it within each token, over the last axis.",
        ),
        Mistake(
            lambda x: _normalized(x, dim=0),
            "배치에 걸쳐 정규화했습니다. 토큰마다, 마지막 축에서 하세요.",
            "This normalizes across the batch; do it within each token, over the last axis.",
        ),
        Mistake(
            lambda x: _normalized(x, dim=(0, 1)),
            "배치 정규화입니다. 토큰마다, 마지막 축에서 하세요.",
            "This is batch normalization; do it within each token, over the last axis.",
        ),
        Mistake(
            lambda x: _normalized(x, dim=(0, 1, 2)),
            "텐서 전체를 한꺼번에 정규화했습니다. 토큰마다 따로 하세요.",
            "This normalizes the whole tensor at once; do it for each token.",
        ),
        Mistake(
            lambda x: (
                (x - x.mean(dim=-1, keepdim=True))
                / ((x - x.mean(dim=-1, keepdim=True)).square().mean(dim=(1, 2), keepdim=True) + 1e-5).sqrt()
            ),
            "평균은 토큰마다 냈지만 분산은 아직 문장 전체의 것입니다.",
            "The mean is now that of each token, but the variance is still the sentence's.",
        ),
        Mistake(
            lambda x: (
                (x - x.mean(dim=(1, 2), keepdim=True))
                / ((x - x.mean(dim=(1, 2), keepdim=True)).square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()
            ),
            "분산은 토큰마다 냈지만 평균은 아직 문장 전체의 것입니다.",
            "The variance is now that of each token, but the mean is still the sentence's.",
        ),
        Mistake(
            lambda x: _normalized(x, correction=1),
            "분산을 d - 1로 나누었습니다. d로 나누세요.",
            "The variance is divided by d - 1; divide by d.",
        ),
        Mistake(
            lambda x: _normalized(x, eps=0.0),
            "eps가 빠졌습니다. 수가 모두 같은 토큰에서 0으로 나눕니다.",
            "eps is missing: a token whose numbers are all equal is divided by 0.",
        ),
        Mistake(
            lambda x: (x - x.mean(dim=-1, keepdim=True)) / (x.std(dim=-1, keepdim=True, correction=0) + 1e-5),
            "eps가 제곱근 밖에 있습니다. 분산에 더하세요.",
            "eps is outside the root; add it to the variance.",
        ),
        Mistake(
            lambda x: (x - x.mean(dim=-1, keepdim=True)) / (x.std(dim=-1, keepdim=True) + 1e-5),
            "std는 d - 1로 나누고, eps도 제곱근 밖에 있습니다.",
            "std divides by d - 1, and eps is outside the root.",
        ),
        Mistake(
            lambda x: _normalized(x, center=False),
            "평균을 빼지 않았습니다.",
            "The mean is not subtracted.",
        ),
        Mistake(
            lambda x: (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True, correction=0) + 1e-5),
            "분산으로 나누었습니다. 제곱근을 씌우세요.",
            "This divides by the variance; take its root.",
        ),
    ],
    hints=[
        (
            "토큰 하나를 바꾸고, 다른 토큰의 출력이 달라지는지 보세요.",
            "Change one token, and see whether the output of another one changes.",
        ),
        (
            "평균과 분산의 형태가 (B, 1, 1)입니다. 토큰마다 하나라면 어떤 형태여야 하나요?",
            "Mean and variance have shape (B, 1, 1). What should it be with one per token?",
        ),
        ("(B, T, 1)이 되도록 마지막 축에서만 평균을 내세요.", "Average over the last axis only: (B, T, 1)."),
    ],
)

shorter_warmup = Exploration(
    look_for=(
        "몇 스텝부터 세 시드가 모두 되는지, 한 시드만으로 결론을 내릴 수 있는지.",
        "from how many steps on all three seeds succeed, and whether one seed would have told you.",
    ),
    hints=[
        (
            "warmup을 1, 5, 20, 50, 100으로 바꾸고 seed는 0, 1, 2로 해 보세요.",
            "Try a warmup of 1, 5, 20, 50 and 100, with seeds 0, 1 and 2.",
        ),
        (
            "1은 워밍업이 없는 것과 같습니다. 실패하면 정확도가 얼마인가요?",
            "1 is no warm-up at all. What accuracy does a failure have?",
        ),
    ],
)
