"""Wrong answers to the exercises of chapter 07."""

import torch

from wrong_answers import wrong


@wrong("norm's bias is lost")
def fold_norm(weight, bias, w, b):
    return w * weight, b


@wrong("own bias b is missing")
def fold_norm(weight, bias, w, b):
    return w * weight, w @ bias


@wrong("norm's weight is not used")
def fold_norm(weight, bias, w, b):
    return w, w @ bias + b


@wrong("does not multiply its bias")
def fold_norm(weight, bias, w, b):
    w = w * weight
    return w, w @ bias + b


@wrong("multiplies the rows of w")
def fold_norm(weight, bias, w, b):
    return weight[:, None] * w, w @ bias + b


@wrong("multiplies columns of w")
def fold_norm(weight, bias, w, b):
    return w * weight, w.T @ bias + b


@wrong("returns list; return tuple")
def fold_norm(weight, bias, w, b):
    return [w * weight, w @ bias + b]


@wrong("the stream after each sublayer")
def contributions(x, sublayers, norm):
    states = [x]
    for f in sublayers:
        states.append(states[-1] + f(norm(states[-1])))
    return torch.stack(states)


@wrong("only the output of the one before")
def contributions(x, sublayers, norm):
    parts = [x]
    for f in sublayers:
        parts += [f(norm(parts[-1]))]
    return torch.stack(parts)


@wrong("All sublayers read the first x")
def contributions(x, sublayers, norm):
    return torch.stack([x] + [f(norm(x)) for f in sublayers])


@wrong("norm is not used")
def contributions(x, sublayers, norm):
    parts = [x]
    for f in sublayers:
        parts.append(f(sum(parts)))
    return torch.stack(parts)


@wrong("starts from norm(x)")
def contributions(x, sublayers, norm):
    parts = [x]
    for f in sublayers:
        x = norm(x)
        parts.append(f(x))
        x = x + parts[-1]
    return torch.stack(parts)


@wrong("This is post-LN")
def contributions(x, sublayers, norm):
    parts = [x]
    for f in sublayers:
        parts.append(f(x))
        x = norm(x + f(x))
    return torch.stack(parts)


@wrong("return Tensor")
def contributions(x, sublayers, norm):
    parts = [x]
    for f in sublayers:
        parts.append(f(norm(sum(parts))))
    return parts


@wrong("across the tokens")
def normalize(x):
    c = x - x.mean(1, keepdim=True)
    return c / (c.square().mean(1, keepdim=True) + 1e-5).sqrt()


@wrong("across the batch")
def normalize(x):
    c = x - x.mean(0)
    return c / (c.square().mean(0) + 1e-5).sqrt()


@wrong("batch normalization")
def normalize(x):
    c = x - x.mean((0, 1))
    return c / (c.square().mean((0, 1)) + 1e-5).sqrt()


@wrong("the variance is still the sentence's")
def normalize(x):
    c = x - x.mean(-1, keepdim=True)
    return c / (c.square().mean((1, 2), keepdim=True) + 1e-5).sqrt()


@wrong("the mean is still the sentence's")
def normalize(x):
    c = x - x.mean((1, 2), keepdim=True)
    return c / (c.square().mean(-1, keepdim=True) + 1e-5).sqrt()


@wrong("divided by d - 1")
def normalize(x):
    return (x - x.mean(-1, True)) / (x.var(-1, keepdim=True) + 1e-5) ** 0.5


@wrong("divides by the variance")
def normalize(x):
    c = x - x.mean(-1, keepdim=True)
    return c / (c.square().mean(-1, keepdim=True) + 1e-5)


@wrong("eps is missing")
def normalize(x):
    c = x - x.mean(-1, keepdim=True)
    return c / c.square().mean(-1, keepdim=True).sqrt()


@wrong("eps is outside the root")
def normalize(x):
    c = x - x.mean(-1, keepdim=True)
    return c / (c.square().mean(-1, keepdim=True).sqrt() + 1e-5)
