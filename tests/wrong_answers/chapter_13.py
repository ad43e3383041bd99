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


@wrong("divides by the largest possible entropy")
def entropy(weights):
    return -torch.xlogy(weights, weights).sum(-1) / torch.log(torch.tensor(float(weights.shape[-1])))


@wrong("exactly at the threshold stays")
def align(weights, source, written, threshold):
    w = weights.mean(0)
    return [(a, source[r.argmax()]) for a, r in zip(written, w) if r.max() > threshold]


@wrong("finds a partner for each source word")
def align(weights, source, written, threshold):
    w = weights.mean(0).T
    return [(written[r.argmax()], a) for a, r in zip(source, w) if r.max() >= threshold]


@wrong("not averaged by the weights")
def shares_of_heads(weights, values, w_o):
    n, _, d = values.shape
    return torch.stack([values[h, : weights.size(1)] @ w_o[:, h * d : (h + 1) * d].T for h in range(n)])


@wrong("still counted")
def head_confidence(weights, real):
    return (weights.amax(-1) * real[:, None]).mean((0, 2))


@wrong("averages the sentences' means")
def head_confidence(weights, real):
    means = [w.amax(-1)[:, r].mean(-1) for w, r in zip(weights, real)]
    return sum(means) / len(means)


@wrong("The heads are averaged too")
def head_confidence(weights, real):
    return weights.amax(-1).transpose(1, 2)[real].mean()


@wrong("This is the sum")
def head_confidence(weights, real):
    return (weights.amax(-1) * real[:, None]).sum((0, 2))


@wrong("largest of every column")
def head_confidence(weights, real):
    return weights.amax(-2).transpose(1, 2)[real].mean(0)


@wrong("The heads are summed; what is compared")
def align(weights, source, written, threshold):
    w = weights.sum(0)
    return [(a, source[r.argmax()]) for a, r in zip(written, w) if r.max() >= threshold]


@wrong("by the number of sentences")
def head_confidence(weights, real):
    largest = weights.amax(-1) * real[:, None]
    return largest.sum((0, 2)) / len(real)


@wrong("A word has several partners")
def align(weights, source, written, threshold):
    mean = weights.mean(dim=0)
    return [(w, s) for i, w in enumerate(written) for j, s in enumerate(source) if mean[i, j] >= threshold]


@wrong("written twice has two pairs")
def align(weights, source, written, threshold):
    pairs = {}
    for word, row in zip(written, weights.mean(dim=0)):
        if row.max() >= threshold:
            pairs[word] = source[row.argmax().item()]
    return list(pairs.items())
