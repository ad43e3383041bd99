"""Wrong answers to the exercises of chapter 08."""

import torch

from wrong_answers import wrong


@wrong("residual connection is missing")
def reach(mask, n_layers):
    return torch.linalg.matrix_power(mask.float(), n_layers) > 0


@wrong("counts one layer")
def reach(mask, n_layers):
    return mask | torch.eye(len(mask), dtype=torch.bool)


@wrong("Rows and columns are swapped")
def reach(mask, n_layers):
    step = (mask | torch.eye(len(mask)).bool()).float().T
    return torch.linalg.matrix_power(step, n_layers) > 0


@wrong("one layer too many")
def reach(mask, n_layers):
    step = mask | torch.eye(len(mask)).bool()
    reached = step
    for _ in range(n_layers):
        reached = (step.float() @ reached.float()) > 0
    return reached


@wrong("in every layer, not once at the end")
def reach(mask, n_layers):
    reached = torch.eye(len(mask))
    for _ in range(n_layers):
        reached = mask.float() @ reached
    return (reached > 0) | torch.eye(len(mask)).bool()


@wrong("doubles the steps")
def reach(mask, n_layers):
    reached = (mask | torch.eye(len(mask)).bool()).float()
    for _ in range(n_layers - 1):
        reached = (reached @ reached > 0).float()
    return reached > 0


@wrong("to the very end")
def reach(mask, n_layers):
    step = (mask | torch.eye(len(mask)).bool()).float()
    return torch.linalg.matrix_power(step, len(mask)) > 0


@wrong("The dtype is torch.float32, not torch.bool")
def reach(mask, n_layers):
    step = (mask | torch.eye(len(mask)).bool()).float()
    return torch.linalg.matrix_power(step, n_layers)


@wrong("averages the padding too")
def sentence_vector(memory, ids, pad_id):
    return memory.mean(1)


@wrong("divides by T")
def sentence_vector(memory, ids, pad_id):
    return memory.masked_fill((ids == pad_id)[..., None], 0).mean(dim=1)


@wrong("This is the sum")
def sentence_vector(memory, ids, pad_id):
    return memory.masked_fill((ids == pad_id)[..., None], 0).sum(dim=1)


@wrong("the sum includes the padding")
def sentence_vector(memory, ids, pad_id):
    return memory.sum(dim=1) / (ids != pad_id).sum(dim=1).clamp(min=1)[:, None]


@wrong("taken to be 0")
def sentence_vector(memory, ids, pad_id):
    real = (ids != 0).unsqueeze(-1)
    return memory.masked_fill(~real, 0.0).sum(dim=1) / real.sum(dim=1).clamp(min=1)


@wrong("divides 0 by 0")
def sentence_vector(memory, ids, pad_id):
    return torch.stack([m[row != pad_id].mean(dim=0) for m, row in zip(memory, ids, strict=True)])


@wrong("does not erase a NaN")
def sentence_vector(memory, ids, pad_id):
    real = (ids != pad_id).float()
    return (memory * real[..., None]).sum(dim=1) / real.sum(dim=1, keepdim=True).clamp(min=1)


@wrong("takes the padding to come last")
def sentence_vector(memory, ids, pad_id):
    rows = []
    for vectors, row in zip(memory, ids, strict=True):
        length = int((row != pad_id).sum())
        rows.append(vectors[:length].sum(dim=0) / max(length, 1))
    return torch.stack(rows)


@wrong("from before it")
def post_ln_layer(x, attend, feed, norm1, norm2):
    x = x + attend(x)
    return norm2(x + feed(norm1(x)))


@wrong("This is pre-LN")
def post_ln_layer(x, attend, feed, norm1, norm2):
    x = x + attend(norm1(x))
    return x + feed(norm2(x))


@wrong("second residual is missing")
def post_ln_layer(x, attend, feed, norm1, norm2):
    y = norm1(x + attend(x))
    return norm2(feed(y))


@wrong("norm1 is used twice")
def post_ln_layer(x, attend, feed, norm1, norm2):
    for sublayer in (attend, feed):
        x = norm1(x + sublayer(x))
    return x


@wrong("Feed-forward reads x")
def post_ln_layer(x, attend, feed, norm1, norm2):
    y = norm1(x + attend(x))
    return norm2(y + feed(x))


@wrong("Both x and y are added")
def post_ln_layer(x, attend, feed, norm1, norm2):
    y = norm1(x + attend(x))
    return norm2(y + feed(y) + x)
