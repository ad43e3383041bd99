"""Encoder, decoder and the whole model, chapters 08 to 10: parity with torch.nn, sizes, whole systems."""

import warnings
from functools import partial

import pytest
import torch
from torch import nn

from helpers.decoder import Decoder, DecoderLayer
from helpers.embedding import TokenEmbedding
from helpers.encoder import Encoder, EncoderLayer, StackConfig
from helpers.lesson.parity import in_their_order
from helpers.masking import causal_mask, combine_masks, padding_mask
from helpers.positional_encoding import LearnedPositionalEmbedding, SinusoidalPositionalEncoding
from helpers.transformer import Generator, Transformer, TransformerConfig

SIZES = {"d_model": 16, "n_heads": 4, "d_ff": 32}
PRECISIONS = [(torch.float32, 1e-5), (torch.float64, 1e-10)]
KINDS = [(norm_first, activation) for norm_first in (False, True) for activation in ("relu", "gelu")]


TWINS = {  # a stack: our layer, and the layer and the stack of torch.nn
    Encoder: (
        EncoderLayer,
        nn.TransformerEncoderLayer,
        partial(nn.TransformerEncoder, enable_nested_tensor=False),
    ),
    Decoder: (DecoderLayer, nn.TransformerDecoderLayer, nn.TransformerDecoder),
}


def twins(stack, n_layers, activation, norm_first):
    """Our stack and that of torch.nn; with n_layers None, a layer of each."""
    layer, their_layer, their_stack = TWINS[stack]
    kind = {"activation": activation, "norm_first": norm_first}
    theirs = their_layer(16, 4, 32, 0.0, batch_first=True, **kind)
    if n_layers is None:
        return layer(StackConfig(**SIZES, **kind)), theirs
    norm = nn.LayerNorm(16) if norm_first else None
    return stack(StackConfig(**SIZES, n_layers=n_layers, **kind)), their_stack(theirs, n_layers, norm)


def prepare(ours, theirs, dtype, training):
    """Give both the same weights, the dtype and the mode."""
    for parameter in ours.parameters():  # norms start as 1 and 0: other numbers show if they are misplaced
        if parameter.dim() == 1:
            nn.init.normal_(parameter, mean=0.5, std=0.5)
    for module in (ours, theirs):
        module.to(dtype).train(training)
    for stacked, other in zip(in_their_order(ours), theirs.parameters(), strict=True):
        other.data.copy_(torch.cat(stacked))


def assert_equal(ours, theirs, inputs, outputs, limit):
    """Outputs at real tokens, and the gradients of inputs and parameters."""
    a, b = outputs
    grad = torch.randn_like(a)
    groups = [[x] for x in inputs] + in_their_order(ours)
    wanted = torch.autograd.grad(b, [*inputs, *theirs.parameters()], grad)
    found = iter(torch.autograd.grad(a, [x for group in groups for x in group], grad))
    stacked = [torch.cat([next(found) for _ in group]) for group in groups]
    for one, other in [(a, b), *zip(stacked, wanted, strict=True)]:
        assert (one - other).abs().max().item() <= limit


def sentences():
    """src (3, 6) and tgt (3, 5), with padding (0) at the ends."""
    src = torch.tensor([[5, 6, 7, 8, 9, 4], [7, 7, 5, 0, 0, 0], [4, 9, 8, 6, 0, 0]])
    tgt = torch.tensor([[2, 4, 5, 6, 7], [2, 9, 8, 0, 0], [2, 5, 0, 0, 0]])
    return src, tgt


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize(("dtype", "limit"), PRECISIONS)
@pytest.mark.parametrize(("norm_first", "activation"), KINDS)
@pytest.mark.parametrize("n_layers", [None, 3])
def test_encoder_equals_torch(n_layers, norm_first, activation, dtype, limit, training):
    torch.manual_seed(0)
    ours, theirs = twins(Encoder, n_layers, activation, norm_first)
    prepare(ours, theirs, dtype, training)
    x = torch.randn(3, 6, 16, dtype=dtype, requires_grad=True)
    mask = padding_mask(sentences()[0], 0)
    for padding, causal in ((None, None), (mask, None), (None, causal_mask(6)), (mask, causal_mask(6))):
        hidden = {
            "src_key_padding_mask": None if padding is None else ~padding[:, 0, 0],
            ("src_mask" if n_layers is None else "mask"): None if causal is None else ~causal,
        }
        outputs = ours(x, combine_masks(padding, causal)), theirs(x, **hidden)
        assert_equal(ours, theirs, [x], outputs, limit)


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize(("dtype", "limit"), PRECISIONS)
@pytest.mark.parametrize(("norm_first", "activation"), KINDS)
@pytest.mark.parametrize("n_layers", [None, 3])
def test_decoder_equals_torch(n_layers, norm_first, activation, dtype, limit, training):
    torch.manual_seed(0)
    ours, theirs = twins(Decoder, n_layers, activation, norm_first)
    prepare(ours, theirs, dtype, training)
    src, tgt = sentences()
    x = torch.randn(3, 5, 16, dtype=dtype, requires_grad=True)
    memory = torch.randn(3, 6, 16, dtype=dtype, requires_grad=True)
    padding, memory_mask, causal = padding_mask(tgt, 0), padding_mask(src, 0), causal_mask(5)
    outputs = (
        ours(x, memory, combine_masks(padding, causal), memory_mask),
        theirs(
            x,
            memory,
            tgt_mask=~causal,
            tgt_key_padding_mask=~padding[:, 0, 0],
            memory_key_padding_mask=~memory_mask[:, 0, 0],
        ),
    )
    assert_equal(ours, theirs, [x, memory], outputs, limit)
    outputs = ours(x, memory), theirs(x, memory)
    assert_equal(ours, theirs, [x, memory], outputs, limit)


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize(("dtype", "limit"), PRECISIONS)
@pytest.mark.parametrize(("norm_first", "activation"), KINDS)
def test_transformer_equals_torch(norm_first, activation, dtype, limit, training):
    torch.manual_seed(0)
    kind = {"activation": activation, "norm_first": norm_first}
    model = Transformer(TransformerConfig(10, 10, **SIZES, n_layers=2, dropout=0.0, **kind))
    with warnings.catch_warnings():  # torch.nn warns about a fast path of its own
        warnings.simplefilter("ignore", UserWarning)
        theirs = nn.Transformer(16, 4, 2, 2, 32, 0.0, batch_first=True, **kind)
    if not norm_first:  # torch.nn normalizes once more after the last layer, the paper does not
        theirs.encoder.norm = theirs.decoder.norm = None
    ours = nn.ModuleList([model.encoder, model.decoder])
    prepare(ours, theirs, dtype, training)
    model.to(dtype).train(training)
    src, tgt = sentences()
    logits = model(src, tgt)
    output = theirs(
        model.src_embed(src),
        model.tgt_embed(tgt),
        tgt_mask=~causal_mask(5),
        src_key_padding_mask=src == 0,
        tgt_key_padding_mask=tgt == 0,
        memory_key_padding_mask=src == 0,
    )
    assert_equal(ours, theirs, list(model.src_embed.parameters()), (logits, model.generator(output)), limit)


def test_final_norm_is_where_pre_ln_needs_it_or_where_it_is_asked_for():
    for stack in (Encoder, Decoder):
        normed = [
            hasattr(
                stack(StackConfig(**SIZES, n_layers=1, norm_first=norm_first, final_norm=final_norm)).norm,
                "weight",
            )
            for norm_first in (False, True)
            for final_norm in (None, False, True)
        ]
        assert normed == [False, False, True, True, False, True]


def test_layers_are_initialized_independently():
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(10, 10, **SIZES, n_layers=3))
    for stack in (model.encoder, model.decoder):
        for name, weight in stack.layers[0].named_parameters():
            if weight.dim() > 1:
                others = [layer.get_parameter(name) for layer in stack.layers[1:]]
                assert not any(torch.equal(weight, other) for other in others)


def test_weights_are_drawn_as_xavier_says():
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(10, 10, **SIZES, n_layers=2))
    for part in (model.encoder, model.decoder, model.generator):
        for weight in part.parameters():
            if weight.dim() > 1:
                bound = (6 / sum(weight.shape)) ** 0.5
                assert 0.8 * bound < weight.abs().max().item() <= bound


class Recorder(nn.Module):
    """Stands for dropout: keeps what it was given."""

    def forward(self, x):
        self.given = x
        return x


def test_dropout_sits_on_sublayer_outputs_the_embedding_sum_and_attention_weights():
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(10, 10, **SIZES, n_layers=1, dropout=0.3))
    src, tgt = sentences()
    layer = model.encoder.layers[0]
    assert {m.p for m in model.modules() if isinstance(m, nn.Dropout)} == {0.3}
    assert {m.dropout for m in model.modules() if hasattr(m, "w_q")} == {0.3}
    layer.residuals[1].dropout = model.src_embed.dropout = Recorder()
    outputs = []
    layer.feed_forward.register_forward_hook(lambda module, inputs, output: outputs.append(output))
    model.eval()
    model.encode(src)
    assert torch.equal(layer.residuals[1].dropout.given, outputs[0])  # the sublayer's output, before the sum
    model.src_embed(src)
    expected = model.src_embed.positions(model.src_embed.tokens(src))
    assert torch.equal(model.src_embed.dropout.given, expected)


@pytest.mark.parametrize("tie_embeddings", [False, True])
@pytest.mark.parametrize("tie_generator", [False, True])
def test_tied_tables_are_one_parameter(tie_embeddings, tie_generator):
    torch.manual_seed(0)
    model = Transformer(
        TransformerConfig(
            10,
            10,
            **SIZES,
            n_layers=1,
            tie_embeddings=tie_embeddings,
            tie_generator=tie_generator,
        )
    )

    def tables():
        return model.src_embed.tokens.weight, model.tgt_embed.tokens.weight, model.generator.linear.weight

    before = [table.detach().clone() for table in tables()]
    assert len({id(table) for table in tables()}) == 3 - tie_embeddings - tie_generator
    model(*sentences()).square().sum().backward()
    torch.optim.SGD(model.parameters(), lr=0.1).step()
    src, tgt, generator = tables()  # asked for again, after the step
    assert all(not torch.equal(table, old) for table, old in zip((src, tgt, generator), before, strict=True))
    assert torch.equal(src, tgt) == tie_embeddings and torch.equal(tgt, generator) == tie_generator


@pytest.mark.parametrize(
    ("sizes", "millions"),
    [({}, 63.1), ({"d_model": 1024, "n_heads": 16, "d_ff": 4096}, 214.3)],
)
def test_parameters_counted_equal_the_formula(sizes, millions):
    """Vaswani et al. 2017, table 3: base and big, one vocabulary of 37,000, one table."""
    with torch.device("meta"):
        model = Transformer(TransformerConfig(37000, 37000, **sizes, tie_embeddings=True, tie_generator=True))
    d, d_ff = model.generator.linear.in_features, sizes.get("d_ff", 2048)
    attention, feed_forward, norm = 4 * d * d + 4 * d, 2 * d * d_ff + d_ff + d, 2 * d
    layers = 6 * (3 * attention + 2 * feed_forward + 5 * norm)
    counted = sum(parameter.numel() for parameter in model.parameters())
    assert counted == layers + 37000 * d + 37000
    assert round(counted / 1e6, 1) == millions


def test_masks_are_built_where_the_ids_are_and_dtypes_follow():
    model = Transformer(TransformerConfig(10, 10, **SIZES, n_layers=1)).to(torch.bfloat16)
    assert model(*sentences()).dtype == torch.bfloat16
    with torch.device("meta"):
        model = Transformer(TransformerConfig(10, 10, **SIZES, n_layers=1))
        x, memory = torch.empty(3, 5, 16), torch.empty(3, 6, 16)
    src, tgt = (ids.to("meta") for ids in sentences())
    mask = combine_masks(padding_mask(tgt, 0), causal_mask(5, tgt.device))
    output = model.generator(model.decoder(x, memory, mask, padding_mask(src, 0)))
    assert output.device.type == "meta" and output.shape == (3, 5, 10)


def backward(output):
    output.square().mean().backward()
    return output


def trained(module):
    """Every parameter has a finite gradient."""
    return all(p.grad is not None and p.grad.isfinite().all() for p in module.parameters())


def test_system_encoder_and_decoder_pre_ln_gelu_learned_positions():
    """d_model 16, 4 heads, 12 positions."""
    src, tgt = sentences()
    model = Transformer(
        TransformerConfig(
            10,
            10,
            d_model=16,
            n_heads=4,
            d_ff=64,
            n_layers=2,
            activation="gelu",
            norm_first=True,
            positions="learned",
            max_len=12,
        )
    )
    assert backward(model(src, tgt)).shape == (3, 5, 10) and trained(model)


def test_system_encoder_only_pre_ln_gelu():
    """One sentence of 5 tokens."""
    model = nn.Sequential(
        TokenEmbedding(5, 16),
        LearnedPositionalEmbedding(16, max_len=12),
        Encoder(
            StackConfig(
                d_model=16, n_heads=4, d_ff=64, n_layers=2, dropout=0.1, activation="gelu", norm_first=True
            )
        ),
    )
    assert backward(model(torch.arange(5).unsqueeze(0))).shape == (1, 5, 16) and trained(model)


def test_system_decoder_only_post_ln():
    """512/8/2048/5, dropout 0.1, 30 sentences of 200 tokens."""
    decoder = Decoder(
        StackConfig(d_model=512, n_heads=8, d_ff=2048, n_layers=5, dropout=0.1, final_norm=True),
        cross_attention=False,
    )
    output = backward(decoder(torch.randn(30, 200, 512), mask=causal_mask(200)))
    assert output.shape == (30, 200, 512) and trained(decoder)


def test_system_full_model_post_ln_log_softmax():
    """512/8/2048/6; encode and decode apart, log-probabilities at the end."""
    src, tgt = sentences()
    model = Transformer(TransformerConfig(1000, 1000, d_model=512, n_heads=8, d_ff=2048, n_layers=6))
    log_probs = model.generator(model.decode(tgt, *model.encode(src))).log_softmax(dim=-1)
    backward(log_probs)
    torch.testing.assert_close(log_probs.exp().sum(-1), torch.ones(3, 5))
    assert trained(model)


def test_system_full_model_sinusoidal_positions_pad_ids():
    """Its own pad id on each side; a decoder that runs without memory."""
    src, tgt = sentences()
    model = Transformer(
        TransformerConfig(
            20,
            30,
            d_model=512,
            n_heads=8,
            d_ff=2048,
            n_layers=6,
            max_len=50,
            src_pad_id=0,
            tgt_pad_id=1,
        )
    )
    assert backward(model(src, tgt + 1)).shape == (3, 5, 30) and trained(model)
    alone = Decoder(StackConfig(d_model=512, n_heads=8, d_ff=2048, n_layers=6), cross_attention=False)
    x = SinusoidalPositionalEncoding(512, max_len=50)(torch.randn(3, 5, 512))
    assert backward(alone(x, mask=causal_mask(5))).shape == (3, 5, 512) and trained(alone)


def test_generator_is_a_linear_layer():
    generator, x = Generator(16, 10), torch.randn(3, 5, 16)
    assert torch.equal(generator(x), nn.functional.linear(x, *generator.parameters()))
