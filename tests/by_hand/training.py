import torch
from torch.nn import functional as F


def token_loss(model, src, tgt, label_smoothing=0.0):
    logits = model(src, tgt[:, :-1])
    y = tgt[:, 1:]
    loss = F.cross_entropy(logits.flatten(0, 1), y.flatten(), ignore_index=0, label_smoothing=label_smoothing)
    real = y != 0
    return loss, ((logits.argmax(-1) == y) & real).sum() / real.sum()


def inverse_sqrt(step, d_model, warmup_steps):
    return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)


def train_step(model, optimizer, src, tgt, label_smoothing=0.0):
    model.train()
    optimizer.zero_grad()
    loss, _ = token_loss(model, src, tgt, label_smoothing)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()
