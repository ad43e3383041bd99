"""Answers to the exercises of chapter 09, right ones and wrong ones that no exercise lists."""

import torch
from torch.nn.utils.rnn import pad_sequence

from wrong_answers import also, right, wrong


@right
def make_batch(sentences, bos_id, eos_id, pad_id):
    rows = [torch.tensor([bos_id, *sentence, eos_id]) for sentence in sentences]
    tgt = pad_sequence(rows, batch_first=True, padding_value=pad_id)
    return tgt[:, :-1], tgt[:, 1:]


@wrong("changes its arguments")
def make_batch(sentences, bos_id, eos_id, pad_id):
    longest = max(len(sentence) for sentence in sentences)
    for sentence in sentences:
        sentence += [eos_id] + [pad_id] * (longest - len(sentence))
    tgt = torch.tensor([[bos_id, *sentence] for sentence in sentences])
    return tgt[:, :-1], tgt[:, 1:]


@wrong("pad_id were always 0")
def make_batch(sentences, bos_id, eos_id, pad_id):
    rows = [torch.tensor([bos_id, *sentence, eos_id]) for sentence in sentences]
    tgt = pad_sequence(rows, batch_first=True)
    return tgt[:, :-1], tgt[:, 1:]


@wrong("Only value 2 of 2 differs")
def make_batch(sentences, bos_id, eos_id, pad_id):
    rows = [torch.tensor([bos_id, *sentence, eos_id]) for sentence in sentences]
    tgt = pad_sequence(rows, batch_first=True, padding_value=pad_id)
    return tgt[:, :-1], tgt[:, :-1]


def mask_of(n_src, n_tgt, diagonal=0):
    n = n_src + n_tgt
    return torch.ones(n, n).tril(diagonal).bool() | (torch.arange(n) < n_src)


@wrong("scores")
def prefix_mask(n_src, n_tgt):
    return torch.zeros(n_src + n_tgt, n_src + n_tgt).masked_fill(~mask_of(n_src, n_tgt), -torch.inf)


also(
    "prefix_mask",
    (None, mask_of),
    ("True and False are inverted", lambda n_src, n_tgt: ~mask_of(n_src, n_tgt)),
    ("The source sees the target", lambda n_src, n_tgt: torch.ones(n_src + n_tgt, n_src + n_tgt).bool()),
    ("It is transposed", lambda n_src, n_tgt: mask_of(n_src, n_tgt).T),
    ("n_src and n_tgt are swapped", lambda n_src, n_tgt: mask_of(n_tgt, n_src)),
    ("the diagonal were one lower", lambda n_src, n_tgt: mask_of(n_src, n_tgt, -1)),
    ("The dtype is torch.float32, not torch.bool", lambda n_src, n_tgt: mask_of(n_src, n_tgt).float()),
    ("n_src were always 0", lambda n_src, n_tgt: mask_of(0, n_tgt)),
)


@wrong("The key of cross-attention is a; both keys and values come from the memory. The value")
def decoder_layer(x, memory, mask, memory_mask, attend, attend_memory, feed, norm):
    a = norm(x + attend(x, x, x, mask))
    b = norm(a + attend_memory(a, a, a, memory_mask))
    return norm(b + feed(b))


@wrong("mask is used where memory_mask belongs")
def decoder_layer(x, memory, mask, memory_mask, attend, attend_memory, feed, norm):
    a = norm(x + attend(x, x, x, mask))
    b = norm(a + attend_memory(a, memory, memory, mask))
    return norm(b + feed(b))


@wrong("The query of cross-attention is x; a, the target after self-attention, must ask. The second")
def decoder_layer(x, memory, mask, memory_mask, attend, attend_memory, feed, norm):
    b = norm(x + attend_memory(x, memory, memory, memory_mask))
    return norm(b + feed(b))


@wrong("norm did nothing")
def decoder_layer(x, memory, mask, memory_mask, attend, attend_memory, feed, norm):
    a = x + attend(x, x, x, mask)
    b = a + attend_memory(a, memory, memory, memory_mask)
    return b + feed(b)
