"""Answers to the exercises of chapter 09, right ones and wrong ones that no exercise lists."""

import torch
from torch.nn.utils.rnn import pad_sequence

from wrong_answers import right, wrong


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
