"""Wrong answers to the exercises of chapter 03."""

import math

import torch

from wrong_answers import wrong


@wrong("These are token ids")
def position_ids(ids):
    return ids


@wrong("counted from 1")
def position_ids(ids):
    return (torch.arange(ids.size(1)) + 1).expand(ids.shape)


@wrong("along the batch axis")
def position_ids(ids):
    return torch.arange(len(ids))[:, None].expand(ids.shape)


@wrong("runs on")
def position_ids(ids):
    return torch.arange(ids.numel()).reshape(ids.shape)


@wrong("The shape is")
def position_ids(ids):
    return torch.arange(ids.size(1))


@wrong("should alternate")
def sinusoid(position, d_model):
    a = position / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.cat([a.sin(), a.cos()])


@wrong("swapped")
def sinusoid(position, d_model):
    a = position / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([a.cos(), a.sin()], 1).flatten()


@wrong("Every column has its own")
def sinusoid(position, d_model):
    a = position / 10000 ** (torch.arange(d_model) / d_model)
    even = torch.arange(d_model) % 2 == 0
    return torch.where(even, a.sin(), a.cos())


@wrong("exponent is i/d_model")
def sinusoid(position, d_model):
    a = position / 10000 ** (torch.arange(d_model // 2) / d_model)
    return torch.stack([a.sin(), a.cos()], 1).flatten()


@wrong("The shape is")
def sinusoid(position, d_model):
    return torch.zeros(d_model, 1)


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


@wrong("one place whatever the offset")
def shift_matrix(offset, d_model):
    m = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        a = 1 / 10000 ** (i / d_model)
        m[i, i] = m[i + 1, i + 1] = math.cos(a)
        m[i, i + 1], m[i + 1, i] = math.sin(a), -math.sin(a)
    return m


@wrong("The values differ")
def shift_matrix(offset, d_model):
    return torch.eye(d_model)
