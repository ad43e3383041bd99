"""Wrong answers to the exercises of chapter 07."""

import torch

from wrong_answers import wrong


@wrong("divided by d_model - 1")
def normalize(x):
    return (x - x.mean(-1, True)) / (x.var(-1, keepdim=True) + 1e-5) ** 0.5


@wrong("across tokens")
def normalize(x):
    c = x - x.mean(-2, keepdim=True)
    return c / ((c * c).mean(-2, keepdim=True) + 1e-5).sqrt()


@wrong("eps is missing")
def normalize(x):
    c = x - x.mean(-1, keepdim=True)
    return c / (c * c).mean(-1, keepdim=True).sqrt()


@wrong("divides by the variance")
def normalize(x):
    c = x - x.mean(-1, keepdim=True)
    return c / ((c * c).mean(-1, keepdim=True) + 1e-5)


@wrong("starts from norm(x)")
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        x = norm(x)
        return x + sublayer(x)
    return norm(x + sublayer(x))


@wrong("swapped")
def residual(x, sublayer, norm, norm_first):
    return norm(x + sublayer(x)) if norm_first else x + sublayer(norm(x))


@wrong("always normalizes first")
def residual(x, sublayer, norm, norm_first):
    return x + sublayer(norm(x))


@wrong("residual connection is missing")
def residual(x, sublayer, norm, norm_first):
    return sublayer(norm(x)) if norm_first else norm(sublayer(x))


@wrong("b1 is missing")
def collapse(w1, b1, w2, b2):
    return torch.cat([w2 @ w1, b2[:, None]], 1)


@wrong("b2 is missing")
def collapse(w1, b1, w2, b2):
    return torch.cat([w2 @ w1, (w2 @ b1)[:, None]], 1)


@wrong("transposed")
def collapse(w1, b1, w2, b2):
    return torch.cat([(w2 @ w1).T, (w2 @ b1 + b2)[:, None]], 1)


@wrong("It returns tuple")
def collapse(w1, b1, w2, b2):
    return w2 @ w1, w2 @ b1 + b2
