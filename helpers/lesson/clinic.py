"""The bug clinic of chapter 14: a translator of the small world, its training, and the patients."""

import math
from typing import NamedTuple

import torch
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.optim.lr_scheduler import LambdaLR

from helpers.corpus.meetings import meetings
from helpers.embedding import TokenEmbedding
from helpers.encoder import Residual
from helpers.layers import LayerNorm
from helpers.multi_head_attention import MultiHeadAttention, merge_heads, split_heads
from helpers.tokenization import WhitespaceTokenizer
from helpers.transformer import Generator, Transformer, TransformerConfig

PAD, BOS = 0, 2
TRAINING = 100, 1900  # rows of the small world; those before are for the test
N_TOKENS = 28  # of either language
SIZES = {"d_model": 32, "n_heads": 2, "d_ff": 64, "n_layers": 2, "max_len": 20, "norm_first": True}


class World(NamedTuple):
    """The sentences of the small world, as text and as ids."""

    pairs: list  # (Korean, English)
    src: torch.Tensor  # (5600, 9)
    tgt: torch.Tensor  # (5600, 13), bos … eos
    english: WhitespaceTokenizer


def small_world():
    """The pairs of `meetings`, the first 100 for the test and the next 1,800 for training.

    Returns:
        A `World`; its ids are filled up with 0.
    """
    pairs = meetings()
    korean, english = zip(*pairs, strict=True)
    sources, targets = WhitespaceTokenizer(korean), WhitespaceTokenizer(english)
    src = [torch.tensor(sources.encode(text)) for text in korean]
    tgt = [torch.tensor([BOS, *targets.encode(text), targets.eos_id]) for text in english]
    return World(pairs, pad_sequence(src, True, PAD), pad_sequence(tgt, True, PAD), targets)


def translator(seed, dropout=0.0):
    """The `Transformer` of chapter 10, small, with random weights.

    Args:
        seed: of the weights.
        dropout: as in `TransformerConfig`.

    Returns:
        A `Transformer` in training mode.
    """
    torch.manual_seed(seed)
    return Transformer(TransformerConfig(N_TOKENS, N_TOKENS, **SIZES, dropout=dropout))


def loss_of(model, src, tgt):
    """The mean loss of the tokens that are to be written, padding aside.

    Args:
        model: called with src and tgt[:, :-1].
        src, tgt: token ids (B, T_src) and (B, T_tgt).

    Returns:
        A tensor of one number.
    """
    logits = model(src, tgt[:, :-1])  # (B, T - 1, V)
    return F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=PAD)


def healthy_step(model, optimizer, src, tgt):
    """One step of a training loop.

    Args:
        model, src, tgt: as in `loss_of`.
        optimizer: of torch.

    Returns:
        The loss, a float.
    """
    loss = loss_of(model, src, tgt)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def train(model, seed, src, tgt, step=healthy_step, steps=100, lr=0.015):
    """Train with Adam on batches of 24 of the 1,800 pairs for training.

    Args:
        model: set to training.
        seed: of the batches.
        src, tgt: all pairs of the world, or what a fault in the data makes of them.
        step: as `healthy_step`.
        steps: of training.
        lr: the highest learning rate, after 20 steps.

    Returns:
        List of the losses.
    """
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.train().parameters(), lr=lr, betas=(0.9, 0.98), fused=True)
    schedule = LambdaLR(optimizer, lambda step: min(1, (step + 1) / 20) * (1 - step / steps))
    losses = []
    for _ in range(steps):
        rows = torch.randint(*TRAINING, (24,), generator=generator)
        losses.append(step(model, optimizer, src[rows], tgt[rows]))
        schedule.step()
    return losses


@torch.no_grad()
def write(model, src, length=12):
    """What a model writes, token by token, each time the likeliest.

    Args:
        model: set to evaluation.
        src: token ids (B, T_src).
        length: how many tokens.

    Returns:
        Token ids (B, 1 + length), bos first.
    """
    written = torch.full((len(src), 1), BOS)
    for _ in range(length):
        likeliest = model.eval()(src, written)[:, -1].argmax(dim=-1, keepdim=True)
        written = torch.cat([written, likeliest], dim=1)
    return written


@torch.no_grad()
def examine(model, src, tgt):
    """The loss of some pairs, and the share of sentences that a model translates without a mistake.

    Args:
        model: set to evaluation.
        src, tgt: token ids (B, T_src) and (B, T_tgt).

    Returns:
        Two floats.
    """
    correct = ((write(model, src, tgt.size(1) - 1) == tgt) | (tgt == PAD)).all(dim=1)  # up to eos
    return loss_of(model, src, tgt).item(), correct.float().mean().item()


class FutureVisible(MultiHeadAttention):
    def attend(self, q, k, v, mask=None, need_weights=False):
        return super().attend(q, k, v, mask[..., -1:, :])  # healthy: mask


class MaskInverted(MultiHeadAttention):
    def attend(self, q, k, v, mask=None, need_weights=False):
        return super().attend(q, k, v, ~mask)  # healthy: mask


class SoftmaxOverHeads(MultiHeadAttention):
    def attend(self, q, k, v, mask=None, need_weights=False):
        scores = q @ k.mT / math.sqrt(q.size(-1))
        return scores.masked_fill(~mask, -1e9).softmax(dim=1) @ v, None  # healthy: softmax(dim=-1)


class QueryThreeTimes(MultiHeadAttention):
    def forward(self, query, key, value, mask=None, cache=None):
        layers = self.w_q, self.w_q, self.w_q  # healthy: self.w_q, self.w_k, self.w_v
        inputs = zip(layers, (query, key, value), strict=True)
        q, k, v = (split_heads(layer(x), self.n_heads) for layer, x in inputs)
        return self.w_o(merge_heads(self.attend(q, k, v, mask)[0])), None


class HeadsNotTransposed(MultiHeadAttention):
    def forward(self, query, key, value, mask=None, cache=None):
        shape = len(query), self.n_heads, -1, query.size(-1) // self.n_heads
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        q, k, v = (x.view(shape) for x in (q, k, v))  # healthy: split_heads(x, self.n_heads)
        return self.w_o(merge_heads(self.attend(q, k, v, mask)[0])), None


class KeysReshaped(MultiHeadAttention):
    def attend(self, q, k, v, mask=None, need_weights=False):
        return super().attend(q, k.reshape(k.mT.shape).mT, v, mask)  # healthy: k


class DividesByRootOfModel(MultiHeadAttention):
    def attend(self, q, k, v, mask=None, need_weights=False):
        scores = q @ k.mT / math.sqrt(self.w_o.in_features)  # healthy: q.size(-1)
        return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v, None


class NoKeyLeft(MultiHeadAttention):
    def attend(self, q, k, v, mask=None, need_weights=False):
        scores = (q @ k.mT / math.sqrt(q.size(-1))).masked_fill(~mask, -math.inf)
        return scores.softmax(dim=-1) @ v, None  # healthy: softmax(dim=-1).nan_to_num(0.0)


class NormOverBatch(LayerNorm):
    def forward(self, x):  # healthy: dim=-1, over the numbers of one token
        return (x - x.mean(dim=0)) / (x.var(dim=0, correction=0) + self.eps).sqrt() * self.weight + self.bias


class NormByDMinus1(LayerNorm):
    def forward(self, x):  # healthy: x.var(dim=-1, correction=0), and eps inside the root
        centered = x - x.mean(dim=-1, keepdim=True)
        return centered / (x.std(dim=-1, keepdim=True) + self.eps) * self.weight + self.bias


class AddsToNorm(Residual):
    def forward(self, x, sublayer):
        return self.norm(x) + self.dropout(sublayer(self.norm(x)))  # healthy: x + …


class DropsTheSum(Residual):
    def forward(self, x, sublayer):
        return self.dropout(x + sublayer(self.norm(x)))  # healthy: x + self.dropout(…)


class NotScaled(TokenEmbedding):
    def forward(self, ids):
        return F.embedding(ids, self.weight)  # healthy: … * √d_model


class Probabilities(Generator):
    def forward(self, x):
        return super().forward(x).softmax(dim=-1)  # healthy: without softmax


def swap(model, faulty):
    """Give the modules of one class another that is derived from it: the weights stay.

    Args:
        model: a model, or one module of it.
        faulty: the class that they get.

    Returns:
        The model.
    """
    for module in model.modules():
        if type(module) is faulty.__base__:
            module.__class__ = faulty
    return model


def no_positions(model):
    model.src_embed.positions.forward = lambda x, offset=0: x
    return model


def padding_visible(model):
    model.src_pad_id = -1  # no token has this id, so no padding is hidden
    return model


def no_final_norm(model):
    for stack in (model.encoder, model.decoder):
        stack.norm.forward = lambda x: x  # made, and not used
    return model


def cloned_layers(model):
    for stack in (model.encoder, model.decoder):
        stack.layers[1].load_state_dict(stack.layers[0].state_dict())
    return model


def future_visible(model):
    swap(model.decoder.layers[1].attention, FutureVisible)
    return model


def wrong_root(model):
    swap(model.decoder.layers[0].cross_attention, DividesByRootOfModel)
    return model


PATIENTS = {  # (Korean, English) name of the fault → what makes a healthy model ill
    ("미래가 보임", "future visible"): future_visible,
    ("마스크가 뒤집힘", "mask inverted"): MaskInverted,
    ("헤드끼리 소프트맥스", "softmax over heads"): SoftmaxOverHeads,
    ("W_Q를 세 번", "W_Q three times"): QueryThreeTimes,
    ("헤드 축을 옮기지 않음", "heads not transposed"): HeadsNotTransposed,
    ("키를 reshape로 전치", "keys reshaped"): KeysReshaped,
    ("√d_model로 나눔", "divides by √d_model"): wrong_root,
    ("배치 축 정규화", "norm over the batch"): NormOverBatch,
    ("d − 1로 나눈 정규화", "norm with d − 1"): NormByDMinus1,
    ("정규화한 x에 더함", "adds to norm(x)"): AddsToNorm,
    ("합에 드롭아웃", "dropout of the sum"): DropsTheSum,
    ("√d_model을 곱하지 않음", "not multiplied by √d_model"): NotScaled,
    ("위치 없음", "no positions"): no_positions,
    ("패딩이 보임", "padding visible"): padding_visible,
    ("마지막 정규화 없음", "no final norm"): no_final_norm,
    ("복제된 층", "cloned layers"): cloned_layers,
    ("빈 문장에서 NaN", "NaN for empty sentences"): NoKeyLeft,
    ("로짓 대신 확률", "probabilities for logits"): Probabilities,
}


def patient(fault, seed, dropout=0.0):
    """A translator with one fault.

    Args:
        fault: its English name in `PATIENTS`, or "healthy".
        seed, dropout: as in `translator`.

    Returns:
        A `Transformer` in training mode.
    """
    model = translator(seed, dropout)
    if fault == "healthy":
        return model
    faulty = {english: faulty for (_, english), faulty in PATIENTS.items()}[fault]
    return swap(model, faulty) if isinstance(faulty, type) else faulty(model)


def two_translators(seed):
    """The models A and B of section 14.1: the same weights, but one of the two is ill.

    Args:
        seed: as in `translator`.

    Returns:
        Two `Transformer` in training mode.
    """
    return translator(seed), patient("future visible", seed)


def unknown(number):
    """The patients of exercise 1.

    Args:
        number: 1, 2 or 3.

    Returns:
        A `Transformer` in training mode.
    """
    return patient(["no positions", "norm over the batch", "padding visible"][number - 1], number)


def calls(model, src, tgt):
    """What goes into each module of a model and what comes out, collected by hooks (chapter 13).

    Args:
        model: an `nn.Module` called with src and tgt.
        src, tgt: token ids (B, T_src) and (B, T_tgt).

    Returns:
        Dictionary from the names of the modules, in the order in which they finish, to a list of inputs and
        the output, masks as numbers. A module that is given a function, as `Residual` is, is left out:
        what is in the function cannot be compared.
    """
    found, hooks = {}, []

    def hook_for(name):
        def hook(module, inputs, output):
            if not any(callable(value) for value in inputs):
                tensors = [value.float() for value in inputs if isinstance(value, torch.Tensor)]
                found[name] = tensors, output[0] if isinstance(output, tuple) else output

        return hook

    for name, module in model.named_modules():
        hooks.append(module.register_forward_hook(hook_for(name or "the model itself")))
    with torch.no_grad():
        model(src, tgt)
    for hook in hooks:
        hook.remove()
    return found
