"""What an exercise forbids is found under any name, and no name of the reader's own is taken for it."""

import ast

import pytest
import torch
import torch.nn as n
from torch.nn import functional as F

from helpers.exercises import (
    chapter_02,
    chapter_04,
    chapter_05,
    chapter_10,
    chapter_11,
    chapter_16,
)
from helpers.exercises.checking import diagnose
from helpers.multi_head_attention import MultiHeadAttention as Ours
from notebook_parts import CHAPTERS, read, trees


def by_class(kind, **options):
    """An answer of chapter 05 that lets a module of PyTorch or of the course do it."""

    def answer(x, w_q, w_k, w_v, w_o, n_heads):
        module = kind(x.size(-1), n_heads, **options).eval()
        ours = hasattr(module, "w_q")
        parts = (module.w_q, module.w_k, module.w_v, module.w_o) if ours else (module.out_proj,)
        with torch.no_grad():
            for part, weight in zip(parts, (w_q, w_k, w_v, w_o) if ours else (w_o,), strict=True):
                part.weight.copy_(weight)
                part.bias.zero_() if part.bias is not None else None
            if not ours:
                module.in_proj_weight.copy_(torch.cat([w_q, w_k, w_v]))
        found = module(x, x, x)
        return found if ours else found[0]

    return answer


def attention(split, attend):
    """An answer of chapter 05 made of a way to split and a way to attend."""

    def answer(x, w_q, w_k, w_v, w_o, n_heads):
        q, k, v = (split(x @ w.T, n_heads) for w in (w_q, w_k, w_v))
        return attend(q, k, v).transpose(1, 2).flatten(2) @ w_o.T

    return answer


def split(x, n_heads):
    return x.view(*x.shape[:2], n_heads, -1).transpose(1, 2)


def attend(q, k, v):
    return (q @ k.mT / q.size(-1) ** 0.5).softmax(dim=-1) @ v


def of_the_page(name):
    """A function as a cell of chapter 05 defines it."""
    nodes = [node for _, tree in trees(read(CHAPTERS[5])) for node in tree.body]
    (found,) = (node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == name)
    names = {"__name__": "__main__"}
    exec(compile(ast.Module([found], []), "a cell", "exec"), names)
    return names[name]


def by_autograd(how):
    def answer(ids, grad, vocab_size):
        weight = torch.zeros(vocab_size, grad.size(1), requires_grad=True)
        return how(weight, weight[ids], grad)

    return answer


def clipped(gradients, max_norm):
    parameters = [n.Parameter(torch.zeros_like(gradient)) for gradient in gradients]
    for parameter, gradient in zip(parameters, gradients, strict=True):
        parameter.grad = gradient.clone()
    getattr(n.utils, "clip_grad_" + "norm_")(parameters, max_norm)
    return [parameter.grad for parameter in parameters]


attend_05, softmax = chapter_05.multi_head_attention, chapter_04.softmax
USED = {
    "ours, imported under another name": (attend_05, by_class(Ours), "MultiHeadAttention"),
    "an alias of torch.nn": (
        attend_05,
        by_class(n.MultiheadAttention, batch_first=True, bias=False),
        "MultiheadAttention",
    ),
    "getattr": (
        attend_05,
        by_class(getattr(n, "Multihead" + "Attention"), batch_first=True, bias=False),
        "MultiheadAttention",
    ),
    "a part of it": (
        attend_05,
        attention(split, F.scaled_dot_product_attention),
        "scaled_dot_product_attention",
    ),
    "the page's": (attend_05, attention(of_the_page("split_heads"), attend), "split_heads"),
    "a method": (softmax, lambda scores: scores.softmax(-1), "softmax"),
    "a function": (softmax, lambda scores, f=F.softmax: f(scores, dim=-1), "softmax"),
    "a module": (softmax, n.Softmax(dim=-1), "softmax"),
    "special": (softmax, lambda scores: torch.special.softmax(scores, -1), "special_softmax"),
    "below": (softmax, lambda scores: torch._softmax(scores, -1, False), "_softmax"),
    "backward": (
        chapter_02.embedding_gradient,
        by_autograd(lambda weight, rows, grad: (rows.backward(grad), weight.grad)[1]),
        "backward",
    ),
    "torch.autograd.backward": (
        chapter_02.embedding_gradient,
        by_autograd(lambda weight, rows, grad: (torch.autograd.backward(rows, grad), weight.grad)[1]),
        "backward",
    ),
    "torch.autograd.grad": (
        chapter_02.embedding_gradient,
        by_autograd(lambda weight, rows, grad: torch.autograd.grad(rows, weight, grad)[0]),
        "autograd",
    ),
    "of n.utils": (chapter_11.clip, clipped, "clip_grad_norm_"),
    "copies": (
        chapter_16.attend_in_groups,
        lambda q, k, v: attend(
            q, *(torch.repeat_interleave(x, q.size(1) // k.size(1), dim=1) for x in (k, v))
        ),
        "repeat_interleave",
    ),
}


@pytest.mark.parametrize("how", USED)
def test_what_is_forbidden_is_found_under_any_name(how):
    exercise, answer, name = USED[how]
    found = diagnose(answer, exercise)
    assert (found.passed, found.en) == (False, f"This exercise is to be solved without {name}.")


class MultiHeadAttention(n.Module):
    """A reader's own, with a name that the course has, too."""

    def forward(self, x, w_q, w_k, w_v, w_o, n_heads):
        def split_heads(x):
            return x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)

        def scaled_dot_product_attention(q, k, v):
            return attend(q, k, v)

        found = scaled_dot_product_attention(*(split_heads(x @ w.T) for w in (w_q, w_k, w_v)))
        return found.transpose(1, 2).flatten(2) @ w_o.T


def split_heads(x, n_heads):  # as the course's, in the reader's own cell
    return x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)


def own_cell(x, w_q, w_k, w_v, w_o, n_heads):
    heads = attend(*(split_heads(x @ w.T, n_heads) for w in (w_q, w_k, w_v)))
    return heads.transpose(1, 2).flatten(2) @ w_o.T


@pytest.mark.parametrize("answer", [lambda *given: MultiHeadAttention()(*given), own_cell])
def test_a_name_of_the_readers_own_is_not_forbidden(answer):
    assert diagnose(answer, attend_05).passed is True


def test_a_class_is_told_how_to_be_passed():
    found = diagnose(MultiHeadAttention, attend_05)
    assert found.passed is None and "클래스 MultiHeadAttention 대신" in found.ko
    call = "f(x, w_q, w_k, w_v, w_o, n_heads)"
    assert found.en == (
        f"Not yet: instead of the class MultiHeadAttention pass a function {call} that builds and calls it."
    )


@pytest.mark.parametrize("answer", [lambda x: x, n.Linear(2, 2)])
def test_what_takes_another_number_of_arguments_is_told_how_many(answer):
    found = diagnose(answer, attend_05)
    assert found.en == "It raises an error (TypeError). The exercise calls it with 6 arguments."
    assert "인자 6개로 호출합니다" in found.ko


def test_a_mask_that_is_none_is_said_to_be_none():
    answer = lambda *given: (*chapter_10.masks_of.spec(*given)[:2], None)  # noqa: E731
    assert diagnose(answer, chapter_10.masks_of).en == "One of the values is None."
