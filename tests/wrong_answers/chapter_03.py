"""Wrong answers to the exercises of chapter 03."""

import math

import torch

from wrong_answers import wrong


@wrong("runs on into the next sentence")
def packed_positions(ids, bos_id):
    return torch.arange(ids.size(1)).expand(ids.shape)


@wrong("These are token ids")
def packed_positions(ids, bos_id):
    return ids


@wrong("counted from 1")
def packed_positions(ids, bos_id):
    steps = torch.arange(ids.size(1)).expand(ids.shape)
    start = torch.where(ids == bos_id, steps, 0).cummax(dim=1).values
    return steps - start + 1


@wrong("one token late")
def packed_positions(ids, bos_id):
    result = torch.zeros_like(ids)
    for b in range(ids.size(0)):
        count = 0
        for t in range(ids.size(1)):
            result[b, t] = count
            count = 0 if ids[b, t] == bos_id and t > 0 else count + 1
            if t == 0 and ids[b, t] == bos_id:
                count = 0
    return result


@wrong("wherever a token id falls")
def packed_positions(ids, bos_id):
    result = torch.zeros_like(ids)
    for b in range(ids.size(0)):
        for t in range(1, ids.size(1)):
            result[b, t] = 0 if ids[b, t] < ids[b, t - 1] else result[b, t - 1] + 1
    return result


@wrong("the positions of the first")
def packed_positions(ids, bos_id):
    count, row = -1, []
    for id in ids[0]:
        count = 0 if id == bos_id else count + 1
        row.append(count)
    return torch.tensor(row).expand(ids.shape)


@wrong("the end of the row before")
def packed_positions(ids, bos_id):
    result, count = torch.zeros_like(ids), -1
    for b in range(ids.size(0)):
        for t in range(ids.size(1)):
            count = 0 if ids[b, t] == bos_id else count + 1
            result[b, t] = count
    return result


@wrong("only at the last bos_id")
def packed_positions(ids, bos_id):
    result = torch.arange(ids.size(1)).repeat(ids.size(0), 1)
    for b in range(ids.size(0)):
        found = (ids[b] == bos_id).nonzero().flatten().tolist()
        if found:
            result[b, found[-1] :] -= found[-1]
    return result


@wrong("counts the sentences")
def packed_positions(ids, bos_id):
    return (ids == bos_id).cumsum(dim=1) - 1


@wrong("The values differ")
def packed_positions(ids, bos_id):  # a row that begins in the middle of a sentence is left at -1
    result = torch.full_like(ids, -1)
    for b in range(ids.size(0)):
        start = None
        for t in range(ids.size(1)):
            start = t if ids[b, t] == bos_id else start
            if start is not None:
                result[b, t] = t - start
    return result


@wrong("differ")
def packed_positions(ids, bos_id):  # up to ten tokens only
    steps = torch.arange(ids.size(1)).expand(ids.shape)
    return (steps - torch.where(ids == bos_id, steps, 0).cummax(dim=1).values) % 10


@wrong("wrong way")
def shift_matrix(offset, d_model):
    m = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        a = offset / 10000 ** (i / d_model)
        m[i, i] = m[i + 1, i + 1] = math.cos(a)
        m[i, i + 1], m[i + 1, i] = -math.sin(a), math.sin(a)
    return m


@wrong("same angle")
def shift_matrix(offset, d_model):
    m = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        m[i, i] = m[i + 1, i + 1] = math.cos(offset)
        m[i, i + 1], m[i + 1, i] = math.sin(offset), -math.sin(offset)
    return m


@wrong("one position whatever the offset")
def shift_matrix(offset, d_model):
    m = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        a = 1 / 10000 ** (i / d_model)
        m[i, i] = m[i + 1, i + 1] = math.cos(a)
        m[i, i + 1], m[i + 1, i] = math.sin(a), -math.sin(a)
    return m


@wrong("Only the first pair turns")
def shift_matrix(offset, d_model):
    m = torch.eye(d_model)
    m[0, 0] = m[1, 1] = math.cos(offset)
    m[0, 1], m[1, 0] = math.sin(offset), -math.sin(offset)
    return m


@wrong("exponent is i/d_model")
def shift_matrix(offset, d_model):
    m = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        a = torch.tensor(offset / 10000 ** (i / d_model))
        m[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[a.cos(), a.sin()], [-a.sin(), a.cos()]])
    return m


@wrong("power of 10000 is multiplied")
def shift_matrix(offset, d_model):
    m = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        a = offset * 10000 ** (i / d_model)
        m[i, i] = m[i + 1, i + 1] = math.cos(a)
        m[i, i + 1], m[i + 1, i] = math.sin(a), -math.sin(a)
    return m


@wrong("all sines first")
def shift_matrix(offset, d_model):
    half = d_model // 2
    a = offset * 10000 ** (-2 * torch.arange(half) / d_model)
    sine, cosine = torch.diag(a.sin()), torch.diag(a.cos())
    return torch.cat([torch.cat([cosine, sine], 1), torch.cat([-sine, cosine], 1)])


@wrong("minus sign")
def shift_matrix(offset, d_model):
    m = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        a = offset / 10000 ** (i / d_model)
        m[i, i] = m[i + 1, i + 1] = math.cos(a)
        m[i, i + 1] = m[i + 1, i] = math.sin(a)
    return m


@wrong("The values differ")
def shift_matrix(offset, d_model):
    return torch.eye(d_model)


@wrong("same row")
def add_positions(x, table):
    return x + table[x.size(1) - 1]


@wrong("row 0")
def add_positions(x, table):
    return x + table[1 : 1 + x.size(1)]


@wrong("last rows")
def add_positions(x, table):
    return x + table[-x.size(1) :]


@wrong("runs on into the next sentence")
def add_positions(x, table):
    return x + table[: x.size(0) * x.size(1)].reshape(x.shape)


@wrong("must be added to x")
def add_positions(x, table):
    return table[: x.size(1)].repeat(x.size(0), 1, 1)


@wrong("multiplies")
def add_positions(x, table):
    return x * table[: x.size(1)]


@wrong("from the end")
def add_positions(x, table):
    return x + table[: x.size(1)].flip(0)


@wrong("changes its arguments")
def add_positions(x, table):
    x += table[: x.size(1)]
    return x


@wrong("The shape is")
def add_positions(x, table):
    return x + table[: x.size(1)].unsqueeze(1)
