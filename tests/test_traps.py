"""Mistakes found in other people's notebooks, D01 to D44: ours keeps the law that each of them breaks.

A trap is a law, what helpers has, and a version with the mistake, newly written and as small as possible.
"""

import contextlib
import copy
import dataclasses
import functools
import io
import math
import operator
from collections.abc import Callable
from typing import NamedTuple

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.testing import assert_close

from helpers.attention import AttentionHead, scaled_dot_product_attention
from helpers.decoder import Decoder, DecoderLayer
from helpers.embedding import TokenEmbedding
from helpers.encoder import Encoder, EncoderLayer, Residual, StackConfig
from helpers.layers import LayerNorm
from helpers.masking import causal_mask, combine_masks, padding_mask
from helpers.multi_head_attention import MultiHeadAttention, split_heads
from helpers.positional_encoding import LearnedPositionalEmbedding, SinusoidalPositionalEncoding
from helpers.tokenization import SPECIAL_TOKENS, WhitespaceTokenizer
from helpers.transformer import Transformer, TransformerConfig

CLAIMS = {"D03", "D11", "D12", "D32", "D39", "D42"}  # wrong words, not wrong code


class Trap(NamedTuple):
    """`law(ours)` passes; `law(broken)` raises `error`, with a message that holds `says`."""

    law: Callable
    ours: Callable
    broken: Callable
    error: type = AssertionError
    says: str = ""


# Tokens: D01, D02


def every_id_has_a_row(tokenizer):
    tokenizer = tokenizer(["나는 나는 파리"])
    ids = torch.tensor(tokenizer.encode("나는 파리"))
    assert nn.Embedding(len(tokenizer), 4)(ids).shape == (2, 4)


def new_words_are_unknown(tokenizer):
    tokenizer = tokenizer(["나는 파리"])
    assert tokenizer.encode("나는 런던") == [tokenizer.ids["나는"], tokenizer.unk_id]


class NumbersEveryToken(WhitespaceTokenizer):  # D01: a word that comes twice takes two ids
    def __init__(self, texts):
        words = [word for text in texts for word in text.split()]
        self.ids = {token: id for id, token in enumerate([*SPECIAL_TOKENS, *words])}

    def __len__(self):
        return len(self.ids)


class NoUnknown(WhitespaceTokenizer):  # D02: no token for new words
    def encode(self, text):
        return [self.ids[word] for word in text.split()]


# Positions and embeddings: D04 to D06, D43, D44


def refuses_long_inputs(positions):
    place = positions(4, max_len=12)
    assert place(torch.zeros(1, 12, 4)).shape == (1, 12, 4)
    with pytest.raises(ValueError, match="max_len"):
        place(torch.zeros(1, 13, 4))


def adds_positions(positions):
    """To a copy: the input stays as it was, and may be a leaf."""
    place, x = positions(4, max_len=10), torch.zeros(2, 3, 4)
    assert_close(place(x), place.table[:3].expand(2, 3, 4))
    assert (x == 0).all()
    assert place(x.requires_grad_()).requires_grad


def table_moves(positions):
    assert positions(4, max_len=10).to("meta").table.device.type == "meta"


def tokens_are_as_loud_as_positions(embedding):
    ids = torch.randint(100, (1, 50))
    spread = embedding(100, 256)(ids).std() / SinusoidalPositionalEncoding(256).table[:50].std()
    assert 0.5 < spread < 2


class NoLengthCheck(LearnedPositionalEmbedding):  # D04: looks up the 13th of 12 rows
    def forward(self, x):
        return x + F.embedding(torch.arange(x.size(-2)), self.weight)


class TwoSizes(SinusoidalPositionalEncoding):  # D05: takes (B, T, d_model) for (B, T)
    def forward(self, x):
        batch, length = x.size()
        return x + self.table[:length]


class PositionEncoding(SinusoidalPositionalEncoding):  # D05: named one way here, another way there
    def __init__(self, d_model, max_len=5000):
        super(PositionalEncoding, self).__init__(d_model, max_len)  # noqa: F821


class PlainAttribute(SinusoidalPositionalEncoding):  # D06: the table is no buffer
    def __init__(self, d_model, max_len=5000):
        super().__init__(d_model, max_len)
        table = self.table
        del self.table
        self.table = table


class AddsInPlace(SinusoidalPositionalEncoding):  # D43: writes into its input
    def forward(self, x):
        x += self.table[: x.size(-2)]
        return x


class NotScaled(TokenEmbedding):  # D44: not multiplied by √d_model
    def forward(self, ids):
        return F.embedding(ids, self.weight)


# One attention: D09, D10, D13, D14, D21, D22


def equals_torch(attend):
    query, key, value = torch.randn(2, 3, 5, 4), torch.randn(2, 3, 7, 4), torch.randn(2, 3, 7, 6)
    for mask in (None, torch.ones(5, 7, dtype=torch.bool).tril()):
        output, weights = attend(query, key, value, mask)
        assert_close(weights.sum(dim=-1), torch.ones(2, 3, 5))  # over the keys
        assert_close(output, F.scaled_dot_product_attention(query, key, value, mask))


def hides_the_future(attend):
    x = torch.randn(1, 6, 8)
    changed = torch.cat([x[:, :3], torch.randn(1, 3, 8)], dim=1)
    before, after = (attend(y, y, y, causal_mask(6))[0] for y in (x, changed))
    assert_close(before[:, :3], after[:, :3])


def fully_masked_row_is_zero(attend):
    x, mask = torch.randn(1, 3, 4), causal_mask(3).clone()
    mask[1] = False
    output, weights = attend(x, x, x, mask)
    assert (output[:, 1] == 0).all() and (weights[:, 1] == 0).all()


def half_precision_works(attend):
    x = torch.randn(1, 3, 4, dtype=torch.float16)
    assert attend(x, x, x, causal_mask(3))[0].dtype == torch.float16


def score(query, key):
    return query @ key.mT / math.sqrt(query.size(-1))


def mix(scores, value, mask, dim=-1):
    """What follows the scores; as `score`, without a mistake."""
    weights = F.softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf), dim)
    return weights @ value, weights


def no_mask(query, key, value, mask=None):  # D09: accepted, ignored
    return mix(score(query, key), value, None)


querys = torch.zeros(1, 3, 16)  # left over from an earlier cell


def reads_a_global(qureys, key, value, mask=None):  # D10: a parameter misspelt
    return mix(qureys @ key.mT / math.sqrt(querys.size(-1)), value, mask)


def no_dim(query, key, value, mask=None):  # D13: on four axes that is axis 1, the heads
    return mix(score(query, key), value, mask, dim=None)


def returns_nothing(query, key, value, mask=None):  # D14: no mask, no softmax, no values
    score(query, key)


def backticks(query, key, value, mask=None):  # D14: as quotes of a docstring
    exec("def attend(query, key, value, mask=None):\n    ```The scores.```")


def view_for_transpose(query, key, value, mask=None):  # D21: the right shape, the wrong numbers
    return mix(score(query, key.view(key.mT.shape).mT), value, mask)


def minus_a_billion(query, key, value, mask=None):  # D22: not minus infinity
    return mix(score(query, key).masked_fill(~mask, -1e9), value, None)


# One head and several: D15 to D20


def is_linear_layers_and_attention(head):
    head, x, memory = head(16, 32), torch.randn(1, 3, 16), torch.randn(1, 5, 16)
    mask = torch.ones(3, 5, dtype=torch.bool).tril()
    expected = mix(score(head.w_q(x), head.w_k(memory)), head.w_v(memory), mask)
    assert_close(head(x, memory, mask), expected)


def every_projection_gets_a_gradient(head):
    head, x = head(8, 4), torch.randn(1, 3, 8)
    head(x, x)[0].square().sum().backward()
    assert all(layer.weight.grad is not None for layer in (head.w_q, head.w_k, head.w_v))


def memory_may_be_longer(attention):
    query, memory = torch.randn(1, 5, 16), torch.randn(1, 7, 16)
    assert attention(16, 4)(query, memory, memory)[0].shape == (1, 5, 16)


def refuses_unequal_heads(attention):
    x = torch.randn(1, 5, 16)
    with pytest.raises(ValueError, match="n_heads: 3 does not divide"):
        attention(16, 3)(x, x, x)


def heads_have_columns_of_every_token(split):
    x = torch.randn(2, 3, 8)
    assert_close(split(x, 4)[:, 0], x[..., :2])


class LengthOfTheQuery(MultiHeadAttention):  # D15: used for key and value too
    def forward(self, query, key, value, mask=None, need_weights=False):
        shape = (*query.shape[:2], self.n_heads, query.size(-1) // self.n_heads)
        projected = self.w_q(query), self.w_k(key), self.w_v(value)
        q, k, v = (x.view(shape).transpose(1, 2) for x in projected)
        output, weights = mix(score(q, k), v, mask)
        return self.w_o(output.transpose(1, 2).flatten(2)), weights if need_weights else None


class SizeOfTheInput(AttentionHead):  # D16: the head is 32 wide, the input 16
    def forward(self, x, memory, mask=None):
        pairs = (self.w_q, x), (self.w_k, memory), (self.w_v, memory)
        q, k, v = (layer(tokens).view(tokens.shape) for layer, tokens in pairs)
        return mix(score(q, k), v, mask)


class NoHeadsCheck(MultiHeadAttention):  # D17: the first forward fails, on a shape
    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__(d_model, 1, dropout)
        self.n_heads = n_heads


class OneProjection(AttentionHead):  # D18: w_q for all three
    def forward(self, x, memory, mask=None):
        return mix(score(self.w_q(x), self.w_q(memory)), self.w_q(memory), mask)


class Compares(AttentionHead):  # D19: == for =
    def __init__(self, d_model, d_head):
        super().__init__(d_model, d_head)
        del self.w_q
        self.w_q == nn.Linear(d_model, d_head)  # noqa: B015


class NoBrackets(AttentionHead):  # D19: super for super()
    def __init__(self, d_model, d_head):
        super.__init__()


class MisspeltMethod(AttentionHead):  # D19: masked_fil for masked_fill
    def forward(self, x, memory, mask=None):
        scores = score(self.w_q(x), self.w_k(memory))
        return mix(scores.masked_fil(~mask, -math.inf), self.w_v(memory), None)


class NeverSet(AttentionHead):  # D19: self.d_model is read only
    def forward(self, x, memory, mask=None):
        scores = self.w_q(x) @ self.w_k(memory).mT / math.sqrt(self.d_model)
        return mix(scores, self.w_v(memory), mask)


def no_transpose(x, n_heads):  # D20: a head gets pieces of some tokens
    return x.view(x.size(0), n_heads, x.size(1), x.size(2) // n_heads)


# Masks: D23, D25, D26


def every_query_sees_something(padding):
    x = torch.randn(1, 1, 3, 4)
    _, weights = scaled_dot_product_attention(x, x, x, padding(torch.tensor([[5, 6, 0]]), 0))
    assert_close(weights.sum(dim=-1), torch.ones(1, 1, 3))


def prints_nothing(padding):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        padding(torch.tensor([[5, 6, 0]]), 0)
    assert printed.getvalue() == ""


def combines_booleans_only(combine):
    assert combine(causal_mask(3), causal_mask(3)).dtype == torch.bool
    with pytest.raises(RuntimeError, match="not implemented"):
        combine(causal_mask(3), torch.zeros(3, 3).masked_fill(~causal_mask(3), -math.inf))


def is_where_the_tokens_are(target_mask):
    for device in ("cpu", "meta"):
        ids = torch.ones(1, 3, dtype=torch.long, device=device)
        assert target_mask(ids).device.type == device


def hides_queries(ids, pad_id):  # D23: padding as a query sees nothing
    return padding_mask(ids, pad_id) & padding_mask(ids, pad_id).mT


def prints(ids, pad_id):  # D25: a line at every call
    print(ids.shape)
    return padding_mask(ids, pad_id)


def multiplies(*masks):  # D26: what is not boolean goes through, and 0 · −inf is NaN
    return functools.reduce(operator.mul, masks)


def target_mask(ids, device=None):  # ours, as the model makes it
    return combine_masks(padding_mask(ids, 0), causal_mask(ids.size(1), device or ids.device))


def fixed_device(ids):  # D26: not that of the tokens
    return target_mask(ids, device="cpu")


# Inside a layer: D27 to D31, D37, D38


def norm_equals_torch(norm):
    x = torch.randn(4, 16)
    assert_close(norm(16)(x), nn.LayerNorm(16)(x))


def config(**options):
    return StackConfig(d_model=16, n_heads=4, d_ff=32, **options)


def run(module, x):
    return module(x, x) if isinstance(module, (Decoder, DecoderLayer)) else module(x)


def keeps_the_residual_stream(layer):
    """A pre-LN layer whose weights are all 0 hands x on as it is."""
    layer, x = layer(config(norm_first=True)), torch.randn(2, 5, 16)
    for parameter in layer.parameters():
        nn.init.zeros_(parameter)
    assert_close(run(layer, x), x)


def drops_the_sublayer_only(residual):
    """Where the sublayer gives 0 there is nothing to drop, and where it gives 1 there is."""
    x = torch.randn(2, 5, 16)
    for norm_first in (False, True):
        module = residual(16, 0.5, norm_first)
        for sublayer in (torch.zeros_like, torch.ones_like):
            in_training, in_use = module.train()(x, sublayer), module.eval()(x, sublayer)
            assert torch.allclose(in_training, in_use) == (sublayer is torch.zeros_like)


def layer_hides_the_future(layer):
    layer, memory, x = layer(config()), torch.randn(1, 4, 16), torch.randn(1, 6, 16)
    changed = torch.cat([x[:, :3], torch.randn(1, 3, 16)], dim=1)
    before, after = (layer(y, memory, causal_mask(6)) for y in (x, changed))
    assert_close(before[:, :3], after[:, :3])


class DividesByStd(LayerNorm):  # D27: unbiased, eps outside the root
    def forward(self, x):
        centered = x - x.mean(dim=-1, keepdim=True)
        return centered / (x.std(dim=-1, keepdim=True) + self.eps) * self.weight + self.bias


class AddsToTheNorm(Residual):  # D28, D29: to norm(x), not to x
    def forward(self, x, sublayer):
        if not self.norm_first:
            return super().forward(x, sublayer)
        return self.norm(x) + self.dropout(sublayer(self.norm(x)))


class LosesTheStream(EncoderLayer):  # D28: around the feed-forward network
    def __init__(self, config):
        super().__init__(config)
        self.residuals[-1] = AddsToTheNorm(config.d_model, norm_first=config.norm_first)


class DecoderLosesTheStream(DecoderLayer):  # D29: around the decoder's self-attention
    def __init__(self, config):
        super().__init__(config)
        self.residuals[0] = AddsToTheNorm(config.d_model, norm_first=config.norm_first)


class DropsTheSum(Residual):  # D30: and with it the skip path
    def forward(self, x, sublayer):
        if self.norm_first:
            return self.dropout(x + sublayer(self.norm(x)))
        return self.norm(self.dropout(x + sublayer(x)))


class DropsAfterTheNorm(Residual):  # D31: the normalized stream, not the sublayer's output
    def forward(self, x, sublayer):
        if self.norm_first:
            return x + sublayer(self.dropout(self.norm(x)))
        return self.dropout(self.norm(x + sublayer(x)))


class PassesAFlag(DecoderLayer):  # D37: that attention does not take
    def forward(self, x, memory=None, mask=None, memory_mask=None):
        x = self.residuals[0](x, lambda x: self.attention(x, x, x, is_causal=True)[0])
        x = self.residuals[1](x, lambda x: self.cross_attention(x, memory, memory, memory_mask)[0])
        return self.residuals[-1](x, self.feed_forward)


class TakesOneTensor(DecoderLayer):  # D38: called with memory and mask
    def forward(self, x):
        return super().forward(x, x)


# Stacks: D33 to D35, D40


def is_a_stack_with_a_final_norm(stack):
    stack = stack(config(n_layers=6, norm_first=True))
    assert len(stack.layers) == 6
    y = run(stack, 100 * torch.randn(2, 5, 16))
    assert_close(y.std(dim=-1, correction=0), torch.ones(2, 5), atol=1e-3, rtol=0)


def layers_start_different(stack):
    first, second = stack(config(n_layers=2)).layers
    assert not torch.equal(first.feed_forward.linear1.weight, second.feed_forward.linear1.weight)


global_norm = LayerNorm(16)


class NeverNorms(Encoder):  # D33: keeps a global norm and does not apply it
    def __init__(self, config):
        super().__init__(config)
        self.norm = global_norm

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x


class MisspeltList(Encoder):  # D34: nn.ModuleList has two capitals
    def __init__(self, config):
        super().__init__(config)
        self.layers = nn.Modulelist(self.layers)


class CopiesOfOneLayer(Encoder):  # D35: all layers start alike
    def __init__(self, config):
        super().__init__(config)
        self.layers = nn.ModuleList(copy.deepcopy(self.layers[0]) for _ in self.layers)


class LoneLayer(Decoder):  # D40: for the whole stack
    def __init__(self, config):
        super().__init__(dataclasses.replace(config, n_layers=1))


class NoFinalNorm(Decoder):  # D40
    def __init__(self, config):
        super().__init__(dataclasses.replace(config, final_norm=False))


# The model: D07, D08, D24, D36, D41


def small(model, **changes):
    sizes = {"d_model": 8, "n_heads": 2, "d_ff": 16, "n_layers": 1, "dropout": 0.0, "max_len": 60}
    return model(TransformerConfig(9, 9, **sizes, **changes))


def gives_logits(model):
    logits = small(model)(torch.randint(9, (1, 4)), torch.randint(9, (1, 60)))
    assert logits.shape == (1, 60, 9) and logits.device.type == "cpu"


def encoder_sees_the_order(model):
    model, src, order = small(model), torch.tensor([[2, 3, 4, 5]]), [2, 0, 3, 1]
    assert not torch.allclose(model.encode(src)[0][:, order], model.encode(src[:, order])[0], atol=1e-3)


def hides_padding_of_the_target(model):
    model, src, tgt = small(model, src_pad_id=0, tgt_pad_id=1), torch.tensor([[2, 3]]), torch.tensor([[1, 5]])
    before = model(src, tgt)
    model.tgt_embed.tokens.weight.data[1] += torch.randn(8)  # the padding, seen by no real token
    assert_close(model(src, tgt)[:, 1], before[:, 1])


class FiftyPositions(Transformer):  # D07: whatever max_len is
    def __init__(self, config):
        super().__init__(config)
        self.tgt_embed.positions = SinusoidalPositionalEncoding(config.d_model, max_len=50)


class OneDevice(Transformer):  # D07: whatever the rest of the model is on
    def __init__(self, config):
        super().__init__(config)
        self.tgt_embed.positions.to("meta")


class AddsNothing(nn.Module):
    def forward(self, x, offset=0):
        return x


class NoPositions(Transformer):  # D08: in the encoder
    def __init__(self, config):
        super().__init__(config)
        self.src_embed.positions = AddsNothing()


class PadOfTheSource(Transformer):  # D24: in the target
    def __init__(self, config):
        super().__init__(config)
        self.tgt_pad_id = self.src_pad_id


class AnotherName(Transformer):  # D36: src_embed is made, src_emb called
    def encode(self, src):
        mask = padding_mask(src, self.src_pad_id)
        return self.encoder(self.src_emb(src), mask), mask


class NamesFromNowhere(Transformer):  # D36: in the sizes of the vocabularies
    def __init__(self, config):
        super().__init__(TransformerConfig(len(kor_text), len(eng_text)))  # noqa: F821


class EmbedsTwice(Transformer):  # D41: the second time, vectors come for ids
    def encode(self, src):
        x = F.embedding(self.src_embed(src), self.src_embed.tokens.weight)
        mask = padding_mask(src, self.src_pad_id)
        return self.encoder(x, mask), mask


ATTEND, PLACE, MULTI = scaled_dot_product_attention, SinusoidalPositionalEncoding, MultiHeadAttention
HEAD_LAW, NO_VIEW = is_linear_layers_and_attention, "is invalid for input of size"
TRAPS = {
    "D01": [Trap(every_id_has_a_row, WhitespaceTokenizer, NumbersEveryToken, IndexError, "out of range")],
    "D02": [Trap(new_words_are_unknown, WhitespaceTokenizer, NoUnknown, KeyError, "런던")],
    "D04": [Trap(refuses_long_inputs, LearnedPositionalEmbedding, NoLengthCheck, IndexError, "out of range")],
    "D05": [
        Trap(adds_positions, PLACE, TwoSizes, ValueError, "too many values to unpack"),
        Trap(adds_positions, PLACE, PositionEncoding, NameError, "'PositionalEncoding' is not defined"),
    ],
    "D06": [Trap(table_moves, PLACE, PlainAttribute)],
    "D07": [
        Trap(gives_logits, Transformer, FiftyPositions, ValueError, "but max_len is 50"),
        Trap(gives_logits, Transformer, OneDevice, RuntimeError, "meta"),
    ],
    "D08": [Trap(encoder_sees_the_order, Transformer, NoPositions)],
    "D09": [Trap(hides_the_future, ATTEND, no_mask)],
    "D10": [Trap(equals_torch, ATTEND, reads_a_global)],
    "D13": [Trap(equals_torch, ATTEND, no_dim)],
    "D14": [
        Trap(equals_torch, ATTEND, backticks, SyntaxError, "invalid syntax"),
        Trap(equals_torch, ATTEND, returns_nothing, TypeError, "cannot unpack non-iterable NoneType"),
    ],
    "D15": [Trap(memory_may_be_longer, MULTI, LengthOfTheQuery, RuntimeError, f"'[1, 5, 4, 4]' {NO_VIEW}")],
    "D16": [Trap(HEAD_LAW, AttentionHead, SizeOfTheInput, RuntimeError, f"'[1, 3, 16]' {NO_VIEW}")],
    "D17": [Trap(refuses_unequal_heads, MULTI, NoHeadsCheck, RuntimeError, "don't multiply up to the size")],
    "D18": [Trap(every_projection_gets_a_gradient, AttentionHead, OneProjection)],
    "D19": [
        Trap(HEAD_LAW, AttentionHead, Compares, AttributeError, "no attribute 'w_q'"),
        Trap(HEAD_LAW, AttentionHead, NoBrackets, TypeError, "'super' object needs an argument"),
        Trap(HEAD_LAW, AttentionHead, MisspeltMethod, AttributeError, "no attribute 'masked_fil'"),
        Trap(HEAD_LAW, AttentionHead, NeverSet, AttributeError, "no attribute 'd_model'"),
    ],
    "D20": [Trap(heads_have_columns_of_every_token, split_heads, no_transpose)],
    "D21": [Trap(equals_torch, ATTEND, view_for_transpose)],
    "D22": [
        Trap(fully_masked_row_is_zero, ATTEND, minus_a_billion),
        Trap(half_precision_works, ATTEND, minus_a_billion, RuntimeError, "without overflow"),
    ],
    "D23": [Trap(every_query_sees_something, padding_mask, hides_queries)],
    "D24": [Trap(hides_padding_of_the_target, Transformer, PadOfTheSource)],
    "D25": [Trap(prints_nothing, padding_mask, prints)],
    "D26": [
        Trap(combines_booleans_only, combine_masks, multiplies, pytest.fail.Exception, "DID NOT RAISE"),
        Trap(is_where_the_tokens_are, target_mask, fixed_device, RuntimeError, "meta"),
    ],
    "D27": [Trap(norm_equals_torch, LayerNorm, DividesByStd)],
    "D28": [Trap(keeps_the_residual_stream, EncoderLayer, LosesTheStream)],
    "D29": [Trap(keeps_the_residual_stream, DecoderLayer, DecoderLosesTheStream)],
    "D30": [Trap(drops_the_sublayer_only, Residual, DropsTheSum)],
    "D31": [Trap(drops_the_sublayer_only, Residual, DropsAfterTheNorm)],
    "D33": [Trap(is_a_stack_with_a_final_norm, Encoder, NeverNorms)],
    "D34": [Trap(layers_start_different, Encoder, MisspeltList, AttributeError, "no attribute 'Modulelist'")],
    "D35": [Trap(layers_start_different, Encoder, CopiesOfOneLayer)],
    "D36": [
        Trap(gives_logits, Transformer, AnotherName, AttributeError, "no attribute 'src_emb'"),
        Trap(gives_logits, Transformer, NamesFromNowhere, NameError, "'kor_text' is not defined"),
    ],
    "D37": [Trap(layer_hides_the_future, DecoderLayer, PassesAFlag, TypeError, "argument 'is_causal'")],
    "D38": [Trap(layer_hides_the_future, DecoderLayer, TakesOneTensor, TypeError, "but 4 were given")],
    "D40": [
        Trap(is_a_stack_with_a_final_norm, Decoder, LoneLayer),
        Trap(is_a_stack_with_a_final_norm, Decoder, NoFinalNorm),
    ],
    "D41": [Trap(gives_logits, Transformer, EmbedsTwice, RuntimeError, "Expected tensor for argument #1")],
    "D43": [Trap(adds_positions, PLACE, AddsInPlace)],
    "D44": [Trap(tokens_are_as_loud_as_positions, TokenEmbedding, NotScaled)],
}
CASES = [pytest.param(trap, id=f"{d}-{trap.broken.__name__}") for d, traps in TRAPS.items() for trap in traps]


def test_every_defect_that_is_code_has_a_trap():
    assert sorted([*TRAPS, *CLAIMS]) == [f"D{number:02}" for number in range(1, 45)]


@pytest.mark.filterwarnings("ignore:Implicit dimension choice")
@pytest.mark.parametrize("trap", CASES)
def test_ours_keeps_the_law_and_the_mistake_breaks_it(trap):
    torch.manual_seed(0)
    trap.law(trap.ours)
    with pytest.raises(trap.error) as caught:
        trap.law(trap.broken)
    assert trap.says in str(caught.value)
    if trap.error is AssertionError:  # raised by the law, or by the comparison that it calls
        assert trap.law.__name__ in [entry.name for entry in caught.traceback[-2:]]
