"""Wrong answers to the exercises of chapter 13."""

import torch

from wrong_answers import wrong


@wrong("gives NaN")
def entropy(weights):
    return -(weights * torch.log(weights)).sum(-1)


@wrong("The sign is wrong")
def entropy(weights):
    return torch.xlogy(weights, weights).sum(-1)


@wrong("The shape is")
def entropy(weights):
    return -torch.xlogy(weights, weights).sum(0)


@wrong("the mean instead of the sum")
def entropy(weights):
    return -torch.xlogy(weights, weights).mean(-1)


@wrong("The shape is ()")
def entropy(weights):
    return -torch.xlogy(weights, weights).sum()


@wrong("below the threshold are still there")
def align(weights, source, written, threshold):
    w = weights.mean(0)
    return [(written[i], source[w[i].argmax()]) for i in range(len(written))]


@wrong("Only one head is used")
def align(weights, source, written, threshold):
    w = weights[0]
    rows = [(a, r) for a, r in zip(written, w) if r.max() >= threshold]
    return [(a, source[r.argmax()]) for a, r in rows]


@wrong("the wrong way round")
def align(weights, source, written, threshold):
    w = weights.mean(0)
    rows = [(a, r) for a, r in zip(written, w) if r.max() >= threshold]
    return [(source[r.argmax()], a) for a, r in rows]


@wrong("the largest weight of the heads")
def align(weights, source, written, threshold):
    w = weights.max(0).values
    rows = [(a, r) for a, r in zip(written, w) if r.max() >= threshold]
    return [(a, source[r.argmax()]) for a, r in rows]


@wrong("cuts the rows of W_O")
def shares_of_heads(weights, values, w_o):
    n, _, d = values.shape
    out = weights @ values
    return torch.stack([out[h] @ w_o[h * d : (h + 1) * d] for h in range(n)])


@wrong("The heads are summed")
def shares_of_heads(weights, values, w_o):
    out = (weights @ values).transpose(0, 1).flatten(1)
    return out @ w_o.T


@wrong("deals them out in turn")
def shares_of_heads(weights, values, w_o):
    n, _, d = values.shape
    out = weights @ values
    return torch.stack([out[h] @ w_o[:, h::n].T for h in range(n)])
