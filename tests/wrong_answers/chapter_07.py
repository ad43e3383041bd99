"""Wrong answers to the exercises of chapter 07."""

import torch

from wrong_answers import wrong


@wrong("The two are swapped")
def join_sublayer(x, f, norm, dropout, norm_first):
    if norm_first:
        return norm(x + dropout(f(x)))
    return x + dropout(f(norm(x)))


@wrong("always post-LN")
def join_sublayer(x, f, norm, dropout, norm_first):
    x = x + dropout(f(x))
    return norm(x)


@wrong("always pre-LN")
def join_sublayer(x, f, norm, dropout, norm_first):
    return dropout(f(norm(x))) + x


@wrong("dropout is missing")
def join_sublayer(x, f, norm, dropout, norm_first):
    return x + f(norm(x)) if norm_first else norm(x + f(x))


@wrong("dropout acts on the sum")
def join_sublayer(x, f, norm, dropout, norm_first):
    if norm_first:
        return dropout(x + f(norm(x)))
    return norm(dropout(x + f(x)))


@wrong("dropout comes after the norm")
def join_sublayer(x, f, norm, dropout, norm_first):
    if norm_first:
        return x + dropout(f(norm(x)))
    return dropout(norm(x + f(x)))


@wrong("acts on the sublayer's input")
def join_sublayer(x, f, norm, dropout, norm_first):
    if norm_first:
        return x + f(dropout(norm(x)))
    return norm(x + f(dropout(x)))


@wrong("starts from norm(x)")
def join_sublayer(x, f, norm, dropout, norm_first):
    if norm_first:
        x = norm(x)
        return x + dropout(f(x))
    return norm(x + dropout(f(x)))


@wrong("residual connection is missing")
def join_sublayer(x, f, norm, dropout, norm_first):
    if norm_first:
        return dropout(f(norm(x)))
    return norm(dropout(f(x)))


@wrong("normalizes the sublayer's output; normalize its input")
def join_sublayer(x, f, norm, dropout, norm_first):
    y = dropout(f(x))
    return x + norm(y) if norm_first else norm(x + y)


@wrong("normalize its sum with x")
def join_sublayer(x, f, norm, dropout, norm_first):
    if norm_first:
        return x + dropout(f(norm(x)))
    return x + norm(dropout(f(x)))


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
