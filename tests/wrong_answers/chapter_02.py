"""Wrong answers to the exercises of chapter 02."""

import torch
from torch.nn import functional as F

from wrong_answers import wrong


@wrong("overwrites")
def embedding_gradient(ids, grad, vocab_size):
    out = torch.zeros(vocab_size, grad.size(1))
    for t in range(len(ids)):
        out[ids[t]] = grad[t]
    return out


@wrong("overwrites")
def embedding_gradient(ids, grad, vocab_size):
    out = torch.zeros(vocab_size, grad.size(1))
    out[ids] += grad
    return out


@wrong("averaged")
def embedding_gradient(ids, grad, vocab_size):
    hot = F.one_hot(ids, vocab_size).float()
    return hot.T @ grad / hot.sum(0).clamp(min=1)[:, None]


@wrong("one row per token")
def embedding_gradient(ids, grad, vocab_size):
    return 1 * grad


@wrong("divided by the number of tokens")
def embedding_gradient(ids, grad, vocab_size):
    return F.one_hot(ids, vocab_size).float().T @ grad / len(ids)


@wrong("only marks the rows")
def embedding_gradient(ids, grad, vocab_size):
    out = torch.zeros(vocab_size, grad.size(1))
    out[ids] = 1.0
    return out


@wrong("")
def embedding_gradient(ids, grad, vocab_size):  # as if ids were counted from 1
    out = torch.zeros(vocab_size, grad.size(1))
    for t in range(len(ids)):
        out[ids[t] - 1] += grad[t]
    return out


@wrong("listed per token")
def embedding_gradient(ids, grad, vocab_size):
    hot = F.one_hot(ids, vocab_size).float()
    return hot @ (hot.T @ grad)


@wrong("without backward")
def embedding_gradient(ids, grad, vocab_size):
    weight = torch.zeros(vocab_size, grad.size(1), requires_grad=True)
    weight[ids].backward(grad)
    return weight.grad


@wrong("dot products")
def odd_one_out(vectors):
    return (vectors @ vectors.T).mean(dim=1).argmin().item()


@wrong("dot products")
def odd_one_out(vectors):
    scores = vectors @ vectors.T
    scores.fill_diagonal_(0)
    return scores.sum(dim=0).argmin().item()


@wrong("Only one of the two")
def odd_one_out(vectors):
    unit = vectors / vectors.norm(dim=-1, keepdim=True)
    return (vectors @ unit.T).mean(dim=1).argmin().item()


@wrong("goes by distance")
def odd_one_out(vectors):
    totals = [sum((v - u).norm() for u in vectors) for v in vectors]
    return max(range(len(totals)), key=lambda i: totals[i])


@wrong("most like the others")
def odd_one_out(vectors):
    unit = F.normalize(vectors, dim=1)
    return (unit @ unit.T).sum(dim=1).argmax().item()


@wrong("opposite directions")
def odd_one_out(vectors):
    unit = F.normalize(vectors, dim=1)
    return (unit @ unit.T).abs().sum(dim=1).argmin().item()


@wrong("columns are normalized")
def odd_one_out(vectors):
    unit = vectors / vectors.norm(dim=0)
    return (unit @ unit.T).mean(dim=1).argmin().item()


@wrong("the mean vector")
def odd_one_out(vectors):
    center = vectors.sum(dim=0)
    return F.cosine_similarity(vectors, center[None]).argmin().item()


@wrong("nearest one only")
def odd_one_out(vectors):
    unit = F.normalize(vectors, dim=1)
    cosines = (unit @ unit.T).fill_diagonal_(-2)
    return cosines.max(dim=1).values.argmin().item()


@wrong("")
def odd_one_out(vectors):  # skips every vector that points the same way, not only itself
    means = []
    for v in vectors:
        cosines = F.cosine_similarity(vectors, v[None])
        means.append(cosines[cosines < 0.999].mean())
    return int(torch.stack(means).argmin())


@wrong("")
def odd_one_out(vectors):  # one end of the pair that is least alike
    unit = F.normalize(vectors, dim=1)
    return (unit @ unit.T).argmin().item() // len(vectors)


@wrong("still mixed")
def embed(weight, ids):
    B, T = ids.shape
    one_hot = F.one_hot(ids.T.reshape(-1), len(weight)).float()
    return (one_hot @ weight).view(B, T, -1).transpose(0, 1)


@wrong("axes are swapped")
def embed(weight, ids):
    B, T = ids.shape
    one_hot = F.one_hot(ids.T.reshape(-1), len(weight)).float()
    return (one_hot @ weight).view(T, B, -1)


@wrong("cut into (T, B, d_model)")
def embed(weight, ids):
    B, T = ids.shape
    one_hot = F.one_hot(ids.reshape(-1), len(weight)).float()
    return (one_hot @ weight).view(T, B, -1)


@wrong("batch axis is gone")
def embed(weight, ids):
    return F.one_hot(ids.flatten(), len(weight)).float() @ weight


@wrong("first sentence is repeated")
def embed(weight, ids):
    B, T = ids.shape
    one_hot = F.one_hot(ids[0], len(weight)).float()
    return (one_hot @ weight).repeat(B, 1, 1)


@wrong("are sorted")
def embed(weight, ids):
    B, T = ids.shape
    one_hot = F.one_hot(ids.sort().values.reshape(-1), len(weight)).float()
    return (one_hot @ weight).view(B, T, -1)
