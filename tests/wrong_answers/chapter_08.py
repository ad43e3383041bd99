"""Wrong answers to the exercises of chapter 08."""

import torch

from wrong_answers import wrong


@wrong("Only the matrices are counted")
def layer_parameters(d_model, d_ff):
    return 4 * d_model**2 + 2 * d_model * d_ff


@wrong("biases are missing")
def layer_parameters(d_model, d_ff):
    return 4 * d_model**2 + 2 * d_model * d_ff + 4 * d_model


@wrong("both norms")
def layer_parameters(d_model, d_ff):
    return 4 * (d_model**2 + d_model) + 2 * d_model * d_ff + d_ff + d_model


@wrong("4 linear layers, not 3")
def layer_parameters(d_model, d_ff):
    return 3 * (d_model**2 + d_model) + 2 * d_model * d_ff + d_ff + 5 * d_model


@wrong("It returns float; return int")
def layer_parameters(d_model, d_ff):
    return float(d_model * d_ff)


@wrong("one more norm after the last layer")
def run_stack(x, layers, norm, norm_first):
    for layer in layers:
        for f in layer:
            x = x + f(norm(x)) if norm_first else norm(x + f(x))
    return x


@wrong("no further norm")
def run_stack(x, layers, norm, norm_first):
    for layer in layers:
        for f in layer:
            x = x + f(norm(x)) if norm_first else norm(x + f(x))
    return norm(x)


@wrong("attention first")
def run_stack(x, layers, norm, norm_first):
    for attend, feed in layers:
        for f in (feed, attend):
            x = x + f(norm(x)) if norm_first else norm(x + f(x))
    return norm(x) if norm_first else x


@wrong("values differ")
def run_stack(x, layers, norm, norm_first):
    for attend, feed in layers:
        x = norm(attend(x))
        x = norm(feed(x))
    return x


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


@wrong("The dtype is torch.float32, not torch.bool")
def reach(mask, n_layers):
    step = (mask | torch.eye(len(mask)).bool()).float()
    return torch.linalg.matrix_power(step, n_layers)
