"""Wrong answers to the exercises of chapter 09."""

import math

import torch
from torch.nn import functional as F

from wrong_answers import wrong


@wrong("last token is still there")
def shift_right(tgt, bos_id):
    return F.pad(tgt, (1, 0), value=bos_id)


@wrong("to the left")
def shift_right(tgt, bos_id):
    return F.pad(tgt[:, 1:], (0, 1), value=bos_id)


@wrong("come round to the front")
def shift_right(tgt, bos_id):
    return torch.roll(tgt, 1, 1)


@wrong("nothing is shifted")
def shift_right(tgt, bos_id):
    tgt = tgt.clone()
    tgt[:, 0] = bos_id
    return tgt


@wrong("changes its arguments")
def shift_right(tgt, bos_id):
    tgt[:, 1:] = tgt[:, :-1].clone()
    tgt[:, 0] = bos_id
    return tgt


@wrong("memory_mask is not used")
def attend_to_memory(x, memory, w_q, w_k, w_v, memory_mask):
    q, k, v = x @ w_q, memory @ w_k, memory @ w_v
    return (q @ k.T / math.sqrt(q.size(-1))).softmax(-1) @ v


@wrong("mask is inverted")
def attend_to_memory(x, memory, w_q, w_k, w_v, memory_mask):
    q, k, v = x @ w_q, memory @ w_k, memory @ w_v
    s = q @ k.T / math.sqrt(q.size(-1))
    return s.masked_fill(memory_mask, -math.inf).softmax(-1) @ v


@wrong("not divided by")
def attend_to_memory(x, memory, w_q, w_k, w_v, memory_mask):
    q, k, v = x @ w_q, memory @ w_k, memory @ w_v
    return (q @ k.T).masked_fill(~memory_mask, -math.inf).softmax(-1) @ v


@wrong("make them from memory")
def attend_to_memory(x, memory, w_q, w_k, w_v, memory_mask):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    return (q @ k.T / math.sqrt(q.size(-1))).softmax(-1) @ v


@wrong("Output j may see token j")
def find_leaks(decode, ids):
    out, leaks = decode(ids), []
    for j in range(ids.size(1)):
        other = ids.clone()
        other[0, j] += 1
        if (decode(other) - out).abs()[0, : j + 1].max() > 1e-6:
            leaks.append(j)
    return leaks


@wrong("only at the output just before")
def find_leaks(decode, ids):
    out, leaks = decode(ids), []
    for j in range(1, ids.size(1)):
        other = ids.clone()
        other[0, j] += 1
        if (decode(other) - out).abs()[0, j - 1].max() > 1e-6:
            leaks.append(j)
    return leaks


@wrong("changes its arguments")
def find_leaks(decode, ids):
    out, leaks = decode(ids), []
    for j in range(1, ids.size(1)):
        ids[0, j] += 1
        if (decode(ids) - out).abs()[0, :j].max() > 1e-6:
            leaks.append(j)
    return leaks


@wrong("changes nothing where it was 0")
def find_leaks(decode, ids):
    out, leaks = decode(ids), []
    for j in range(1, ids.size(1)):
        other = ids.clone()
        other[0, j] = 0
        if (decode(other) - out).abs()[0, :j].max() > 1e-6:
            leaks.append(j)
    return leaks
