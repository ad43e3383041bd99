"""Wrong answers to the exercises of chapter 09."""

import torch
from torch.nn.utils.rnn import pad_sequence

from wrong_answers import wrong


@wrong("removed from the input of shorter rows")
def make_batch(sentences, bos_id, eos_id, pad_id):
    given = [torch.tensor([bos_id, *sentence]) for sentence in sentences]
    labels = [torch.tensor([*sentence, eos_id]) for sentence in sentences]
    return (
        pad_sequence(given, batch_first=True, padding_value=pad_id),
        pad_sequence(labels, batch_first=True, padding_value=pad_id),
    )


@wrong("Input and labels are swapped")
def make_batch(sentences, bos_id, eos_id, pad_id):
    rows = [torch.tensor([bos_id, *sentence, eos_id]) for sentence in sentences]
    tgt = pad_sequence(rows, batch_first=True, padding_value=pad_id)
    return tgt[:, 1:], tgt[:, :-1]


@wrong("taken to be 0")
def make_batch(sentences, bos_id, eos_id, pad_id):
    rows = [torch.tensor([bos_id, *sentence, eos_id]) for sentence in sentences]
    tgt = pad_sequence(rows, batch_first=True)
    return tgt[:, :-1], tgt[:, 1:]


@wrong("<eos> comes after the padding")
def make_batch(sentences, bos_id, eos_id, pad_id):
    longest = max(len(sentence) for sentence in sentences)
    rows = [[bos_id] + s + [pad_id] * (longest - len(s)) + [eos_id] for s in sentences]
    tgt = torch.tensor(rows)
    return tgt[:, :-1], tgt[:, 1:]


@wrong("Nothing is shifted")
def make_batch(sentences, bos_id, eos_id, pad_id):
    rows = [torch.tensor([bos_id, *sentence, eos_id]) for sentence in sentences]
    tgt = pad_sequence(rows, batch_first=True, padding_value=pad_id)
    return tgt, tgt


@wrong("<eos> is missing")
def make_batch(sentences, bos_id, eos_id, pad_id):
    rows = [torch.tensor([bos_id, *sentence]) for sentence in sentences]
    tgt = pad_sequence(rows, batch_first=True, padding_value=pad_id)
    return tgt[:, :-1], tgt[:, 1:]


@wrong("changes its arguments")
def make_batch(sentences, bos_id, eos_id, pad_id):
    longest = max(len(sentence) for sentence in sentences)
    for sentence in sentences:
        count = longest - len(sentence)
        sentence.insert(0, bos_id)
        sentence.append(eos_id)
        sentence.extend([pad_id] * count)
    tgt = torch.tensor(sentences)
    return tgt[:, :-1], tgt[:, 1:]


@wrong("The source sees only its past")
def prefix_mask(n_src, n_tgt):
    return torch.ones(n_src + n_tgt, n_src + n_tgt, dtype=torch.bool).tril()


@wrong("leaks through the source")
def prefix_mask(n_src, n_tgt):
    mask = torch.ones(n_src + n_tgt, n_src + n_tgt, dtype=torch.bool).tril()
    mask[:n_src] = True
    mask[:, :n_src] = True
    return mask


@wrong("sees its own future")
def prefix_mask(n_src, n_tgt):
    mask = torch.ones(n_src + n_tgt, n_src + n_tgt, dtype=torch.bool)
    mask[:n_src, n_src:] = False
    return mask


@wrong("does not see the source")
def prefix_mask(n_src, n_tgt):
    return torch.block_diag(torch.ones(n_src, n_src), torch.ones(n_tgt, n_tgt).tril()).bool()


@wrong("does not see itself")
def prefix_mask(n_src, n_tgt):
    mask = torch.ones(n_src + n_tgt, n_src + n_tgt, dtype=torch.bool).tril(-1)
    mask[:, :n_src] = True
    return mask


@wrong("The dtype is torch.float32, not torch.bool")
def prefix_mask(n_src, n_tgt):
    mask = torch.ones(n_src + n_tgt, n_src + n_tgt).tril()
    mask[:, :n_src] = 1
    return mask


@wrong("The values come from a")
def decoder_layer(x, memory, mask, memory_mask, attend, attend_memory, feed, norm):
    a = norm(x + attend(x, x, x, mask))
    b = norm(a + attend_memory(a, memory, a, memory_mask))
    return norm(b + feed(b))


@wrong("self-attention twice")
def decoder_layer(x, memory, mask, memory_mask, attend, attend_memory, feed, norm):
    a = norm(x + attend(x, x, x, mask))
    b = norm(a + attend_memory(a, a, a, memory_mask))
    return norm(b + feed(b))


@wrong("x, the layer's input; a, which has been through")
def decoder_layer(x, memory, mask, memory_mask, attend, attend_memory, feed, norm):
    a = norm(x + attend(x, x, x, mask))
    b = norm(a + attend_memory(x, memory, memory, memory_mask))
    return norm(b + feed(b))


@wrong("residual is x, the layer's input")
def decoder_layer(x, memory, mask, memory_mask, attend, attend_memory, feed, norm):
    a = norm(x + attend(x, x, x, mask))
    b = norm(x + attend_memory(a, memory, memory, memory_mask))
    return norm(b + feed(b))


@wrong("Cross-attention comes first")
def decoder_layer(x, memory, mask, memory_mask, attend, attend_memory, feed, norm):
    a = norm(x + attend_memory(x, memory, memory, memory_mask))
    b = norm(a + attend(a, a, a, mask))
    return norm(b + feed(b))


@wrong("lacks memory_mask")
def decoder_layer(x, memory, mask, memory_mask, attend, attend_memory, feed, norm):
    a = norm(x + attend(x, x, x, mask))
    b = norm(a + attend_memory(a, memory, memory))
    return norm(b + feed(b))
