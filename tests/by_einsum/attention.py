import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    score = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    if mask is None:
        mask = torch.ones_like(score, dtype=torch.bool)
    top = score.masked_fill(~mask, -1e30).amax(-1, keepdim=True)
    e = torch.exp(score - top.detach()).where(mask, 0.0)
    total = e.sum(-1, keepdim=True)
    a = e / total.where(total > 0, 1.0)
    return torch.einsum("...ij,...jd->...id", a, v), a
