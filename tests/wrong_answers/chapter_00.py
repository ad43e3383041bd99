"""Wrong answers to the exercises of chapter 00."""

import torch

from wrong_answers import wrong


@wrong("counts characters")
def count_words(text):
    return len(list(text))


@wrong("empty strings between doubled spaces")
def count_words(text):
    return len(text.split(" "))


@wrong("counts spaces")
def count_words(text):
    return sum(c == " " for c in text)


@wrong("It returns str; return int")
def count_words(text):
    return str(len(text.split()))


@wrong("empty strings between doubled spaces")
def count_words(text):
    return text.count(" ") + 1


@wrong("return how many there are")
def count_words(text):
    return [word for word in text.split()]


@wrong("means of the columns")
def center_rows(x):
    return x - x.mean(dim=0, keepdim=True)


@wrong("one mean of everything")
def center_rows(x):
    return x - x.sum() / x.numel()


@wrong("sums, not the means")
def center_rows(x):
    return x - x.sum(1)[:, None]


@wrong("The sign")
def center_rows(x):
    return x.mean(1, True) - x


@wrong("divides by the means")
def center_rows(x):
    return torch.stack([row / row.mean() for row in x])


@wrong("means alone")
def center_rows(x):
    return x.mean(-1, keepdim=True)


@wrong("Rows and columns are swapped")
def all_dot_products(query, key):
    return torch.stack([(query * k).sum(-1) for k in key])


@wrong("multiplies without adding")
def all_dot_products(query, key):
    return query.unsqueeze(1) * key.unsqueeze(0)


@wrong("divides by the dimension")
def all_dot_products(query, key):
    return (query[:, None] * key).mean(-1)


@wrong("first query")
def all_dot_products(query, key):
    return torch.stack([query[0] @ k for k in key])[None]


@wrong("products of all keys")
def all_dot_products(query, key):
    return query @ key.sum(0)[:, None]


@wrong("The shape is")
def all_dot_products(query, key):
    return query * key


@wrong("cannot be multiplied")
def all_dot_products(query, key):
    return query @ key


@wrong("cannot be multiplied")
def apply_linear(x, weight, bias):
    return x @ weight + bias


@wrong("bias is missing")
def apply_linear(x, weight, bias):
    return x.matmul(weight.T)


@wrong("bias is subtracted")
def apply_linear(x, weight, bias):
    return x @ weight.T - bias


@wrong("negative numbers into zeros")
def apply_linear(x, weight, bias):
    return torch.relu(x @ weight.mT + bias)


@wrong("added to the weight")
def apply_linear(x, weight, bias):
    return x @ (weight + bias[:, None]).T


@wrong("bias is multiplied")
def apply_linear(x, weight, bias):
    return (x @ weight.T) * bias


@wrong("sum of the bias")
def apply_linear(x, weight, bias):
    return x @ weight.T + bias.sum()


@wrong("take their mean")
def mean_loss(logits, targets):
    return sum(-row.softmax(0)[target].log() for row, target in zip(logits, targets))


@wrong("The sign is missing")
def mean_loss(logits, targets):
    return torch.stack([row.softmax(0)[t].log() for row, t in zip(logits, targets)]).mean()


@wrong("The log is missing")
def mean_loss(logits, targets):
    return -torch.stack([row.softmax(0)[t] for row, t in zip(logits, targets)]).mean()


@wrong("largest probability")
def mean_loss(logits, targets):
    return -logits.log_softmax(-1).amax(-1).mean()


@wrong("applied twice")
def mean_loss(logits, targets):
    p = logits.softmax(-1).log_softmax(-1)
    return -torch.stack([row[t] for row, t in zip(p, targets)]).mean()


@wrong("down the columns")
def mean_loss(logits, targets):
    p = logits.exp() / logits.exp().sum(dim=0)
    return -torch.stack([row[t].log() for row, t in zip(p, targets)]).mean()


@wrong("averages all log-probabilities")
def mean_loss(logits, targets):
    return -logits.softmax(-1).log().mean()


@wrong("not turned into probabilities")
def mean_loss(logits, targets):
    return -logits.gather(1, targets[:, None]).mean()


@wrong("base 10")
def mean_loss(logits, targets):
    return -torch.stack([row.softmax(0)[t].log10() for row, t in zip(logits, targets)]).mean()


@wrong("first row")
def mean_loss(logits, targets):
    return -logits[0].log_softmax(-1)[targets[0]]


@wrong("every target from every row")
def mean_loss(logits, targets):
    return -logits.log_softmax(-1)[:, targets].mean()
