"""The patients of chapter 14: small translators with one fault each, none of which raises an error."""

import math

from torch.nn import functional as F

from helpers.embedding import TokenEmbedding
from helpers.encoder import Residual
from helpers.layers import LayerNorm
from helpers.lesson.clinic import loss_of, translator
from helpers.multi_head_attention import MultiHeadAttention, merge_heads, split_heads
from helpers.transformer import Generator


class FutureVisible(MultiHeadAttention):
    """Attention with a fault."""

    def attend(self, q, k, v, mask=None, need_weights=False):
        return super().attend(q, k, v, mask[..., -1:, :])  # healthy: mask


class MaskInverted(MultiHeadAttention):
    """Attention with a fault."""

    def attend(self, q, k, v, mask=None, need_weights=False):
        return super().attend(q, k, v, ~mask)  # healthy: mask


class SoftmaxOverHeads(MultiHeadAttention):
    """Attention with a fault."""

    def attend(self, q, k, v, mask=None, need_weights=False):
        scores = q @ k.mT / math.sqrt(q.size(-1))
        return scores.masked_fill(~mask, -1e9).softmax(dim=1) @ v, None  # healthy: softmax(dim=-1)


class QueryThreeTimes(MultiHeadAttention):
    """Attention with a fault."""

    def forward(self, query, key, value, mask=None, cache=None):
        layers = self.w_q, self.w_q, self.w_q  # healthy: self.w_q, self.w_k, self.w_v
        inputs = zip(layers, (query, key, value), strict=True)
        q, k, v = (split_heads(layer(x), self.n_heads) for layer, x in inputs)
        return self.w_o(merge_heads(self.attend(q, k, v, mask)[0])), None


class HeadsNotTransposed(MultiHeadAttention):
    """Attention with a fault."""

    def forward(self, query, key, value, mask=None, cache=None):
        shape = len(query), self.n_heads, -1, query.size(-1) // self.n_heads
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        q, k, v = (x.view(shape) for x in (q, k, v))  # healthy: split_heads(x, self.n_heads)
        return self.w_o(merge_heads(self.attend(q, k, v, mask)[0])), None


class KeysReshaped(MultiHeadAttention):
    """Attention with a fault."""

    def attend(self, q, k, v, mask=None, need_weights=False):
        return super().attend(q, k.reshape(k.mT.shape).mT, v, mask)  # healthy: k


class DividesByRootOfModel(MultiHeadAttention):
    """Attention with a fault."""

    def attend(self, q, k, v, mask=None, need_weights=False):
        scores = q @ k.mT / math.sqrt(self.w_o.in_features)  # healthy: q.size(-1)
        weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
        return weights.masked_fill(~mask, 0.0) @ v, None  # 0, not NaN, where all keys are hidden


class NoKeyLeft(MultiHeadAttention):
    """Attention with a fault."""

    def attend(self, q, k, v, mask=None, need_weights=False):
        scores = (q @ k.mT / math.sqrt(q.size(-1))).masked_fill(~mask, -math.inf)
        return scores.softmax(dim=-1) @ v, None  # healthy: softmax(dim=-1).masked_fill(~mask, 0.0)


class NormOverBatch(LayerNorm):
    """A norm with a fault."""

    def forward(self, x):  # healthy: dim=-1, over the numbers of one token
        return (x - x.mean(dim=0)) / (x.var(dim=0, correction=0) + self.eps).sqrt() * self.weight + self.bias


class NormByDMinus1(LayerNorm):
    """A norm with a fault."""

    def forward(self, x):  # healthy: x.var(dim=-1, correction=0), and eps inside the root
        centered = x - x.mean(dim=-1, keepdim=True)
        return centered / (x.std(dim=-1, keepdim=True) + self.eps) * self.weight + self.bias


class AddsToNorm(Residual):
    """A residual connection with a fault."""

    def forward(self, x, sublayer):
        return self.norm(x) + self.dropout(sublayer(self.norm(x)))  # healthy: x + …


class DropsTheSum(Residual):
    """A residual connection with a fault."""

    def forward(self, x, sublayer):
        return self.dropout(x + sublayer(self.norm(x)))  # healthy: x + self.dropout(…)


class NotScaled(TokenEmbedding):
    """An embedding with a fault."""

    def forward(self, ids):
        return F.embedding(ids, self.weight)  # healthy: … * √d_model


class Probabilities(Generator):
    """A generator with a fault."""

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


def _no_positions(model):
    model.src_embed.positions.forward = lambda x, offset=0: x
    return model


def _padding_visible(model):
    model.src_pad_id = -1  # no token has this id, so no padding is hidden
    return model


def _no_final_norm(model):
    for stack in (model.encoder, model.decoder):
        stack.norm.forward = lambda x: x  # made, and not used
    return model


def _cloned_layers(model):
    for stack in (model.encoder, model.decoder):
        stack.layers[1].load_state_dict(stack.layers[0].state_dict())
    return model


def _future_visible(model):
    swap(model.decoder.layers[1].attention, FutureVisible)
    return model


def _wrong_root(model):
    swap(model.decoder.layers[0].cross_attention, DividesByRootOfModel)
    return model


PATIENTS = {  # (Korean, English) name of the fault → what makes a healthy model ill
    ("미래가 보임", "future visible"): _future_visible,
    ("마스크가 뒤집힘", "mask inverted"): MaskInverted,
    ("헤드 축으로 소프트맥스", "softmax over heads"): SoftmaxOverHeads,
    ("W_Q를 세 번", "W_Q three times"): QueryThreeTimes,
    ("헤드 축을 옮기지 않음", "heads not transposed"): HeadsNotTransposed,
    ("키를 reshape로 전치", "keys reshaped"): KeysReshaped,
    ("√d_model로 나눔", "divides by √d_model"): _wrong_root,
    ("배치 축 정규화", "norm over the batch"): NormOverBatch,
    ("d − 1로 나눈 정규화", "norm with d − 1"): NormByDMinus1,
    ("정규화한 x에 더함", "adds to norm(x)"): AddsToNorm,
    ("합에 드롭아웃", "dropout of the sum"): DropsTheSum,
    ("√d_model을 곱하지 않음", "not multiplied by √d_model"): NotScaled,
    ("위치 없음", "no positions"): _no_positions,
    ("패딩이 보임", "padding visible"): _padding_visible,
    ("마지막 정규화 없음", "no final norm"): _no_final_norm,
    ("복제된 층", "cloned layers"): _cloned_layers,
    ("빈 문장에서 NaN", "NaN for empty sentences"): NoKeyLeft,
    ("로짓 대신 확률", "probabilities for logits"): Probabilities,
}


def patient(fault, seed, dropout=0.0):
    """A translator with one fault.

    Args:
        fault: its English name in `PATIENTS`, or "healthy".
        seed, dropout: as in `clinic.translator`.

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
        seed: as in `clinic.translator`.

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


def no_zero_grad(model, optimizer, src, tgt):
    """A step of a training loop with a fault.

    Args:
        model, optimizer, src, tgt: as in `clinic.healthy_step`.

    Returns:
        The loss, a float.
    """
    loss = loss_of(model, src, tgt)
    loss.backward()  # healthy: optimizer.zero_grad() first
    optimizer.step()
    return loss.item()


def stuck(number, seed):
    """The patients of section 14.8: a fault in the loop, in the learning rate, in the model.

    Args:
        number: 1, 2 or 3; 0: healthy.
        seed: as in `clinic.translator`.

    Returns:
        A `Transformer` in training mode, and how it is trained: a dictionary of options of `clinic.train`.
    """
    options = {1: {"step": no_zero_grad}, 2: {"lr": 0.5}}
    return patient("probabilities for logits" if number == 3 else "healthy", seed), options.get(number, {})
