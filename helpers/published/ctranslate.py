"""Our translator in CTranslate2, an engine in C++. Chapter 19.

Imported only where ctranslate2 is installed.
"""

from pathlib import Path

import ctranslate2
import torch
from ctranslate2.specs import TransformerSpec, common_spec
from ctranslate2.specs.transformer_spec import TransformerDecoderSpec, TransformerEncoderSpec
from torch import nn

from helpers.engine.checks import check_sizes
from helpers.positional_encoding import SinusoidalPositionalEncoding
from helpers.published.weights import one_line_errors

ACTIVATIONS = {
    "relu": common_spec.Activation.RELU,
    "gelu": common_spec.Activation.GELU,
    "gelu_tanh": common_spec.Activation.GELUTanh,
    "silu": common_spec.Activation.SWISH,
}
LONGEST = 1024  # tokens: a table of positions takes room
TYPES = ("float32", "int8")  # of the weights


def put(spec, *layers):
    """Give a part of CTranslate2 the weights of ours, the rows of several under each other.

    Args:
        spec: of a linear layer, of a norm, or of a table.
        layers: ours.
    """
    for name in ("weight", "bias"):
        parts = [getattr(layer, name) for layer in layers if hasattr(layer, name)]
        if parts:
            at = "gamma" if name == "weight" and hasattr(spec, "gamma") else name
            at = "beta" if name == "bias" and hasattr(spec, "beta") else at
            setattr(spec, at, torch.cat([part.detach() for part in parts]).float().cpu().numpy())


def put_attention(spec, attention, norm):
    """Give an attention its weights; the matrices that read the same vectors are stacked.

    Args:
        spec: of CTranslate2; it has two linear layers, or three where it reads the memory.
        attention: a `MultiHeadAttention`.
        norm: of its residual connection.
    """
    inputs = [attention.w_q, attention.w_k, attention.w_v]
    if len(spec.linear) == 2:
        put(spec.linear[0], *inputs)
    else:
        put(spec.linear[0], inputs[0])
        put(spec.linear[1], *inputs[1:])
    put(spec.linear[-1], attention.w_o)
    put(spec.layer_norm, norm)


def put_stack(spec, embed, stack, table):
    """Give an encoder or decoder its weights.

    Args:
        spec: of CTranslate2.
        embed: our `Embedding`.
        stack: our `Encoder` or `Decoder`.
        table: the spec of the table of tokens.
    """
    positions = embed.positions
    sines = isinstance(positions, SinusoidalPositionalEncoding)
    spec.scale_embeddings = embed.tokens.weight.size(1) ** 0.5
    rows = positions.table if sines else positions.weight
    spec.position_encodings.encodings = rows[:LONGEST].detach().cpu().numpy()
    put(table, embed.tokens)
    for each, layer in zip(spec.layer, stack.layers, strict=True):
        put_attention(each.self_attention, layer.attention, layer.residuals[0].norm)
        if hasattr(each, "attention"):
            put_attention(each.attention, layer.cross_attention, layer.residuals[1].norm)
        put(each.ffn.linear_0, layer.feed_forward.linear1)
        put(each.ffn.linear_1, layer.feed_forward.linear2)
        put(each.ffn.layer_norm, layer.residuals[-1].norm)
    if not isinstance(stack.norm, nn.Identity):
        put(spec.layer_norm, stack.norm)


def write_ctranslate2(model, src_tokenizer, tgt_tokenizer, folder, dtype="float32"):
    """Write a translator of ours for CTranslate2.

    Args:
        model: a `Transformer`.
        src_tokenizer, tgt_tokenizer: of the kind `BPETokenizer`.
        folder: a new one.
        dtype: of the weights, "float32" or "int8".

    Raises:
        ValueError: norms stand where CTranslate2 has none.
    """
    layer = model.encoder.layers[0]
    norm_first, has_norm = layer.residuals[0].norm_first, not isinstance(model.encoder.norm, nn.Identity)
    if norm_first != has_norm:
        raise ValueError(
            f"final_norm: value is {has_norm}, but CTranslate2 has a norm after the layers with norm_first "
            "only, and then always; train with final_norm=None"
        )
    shape = len(model.encoder.layers), layer.attention.n_heads
    options = {"pre_norm": norm_first, "activation": ACTIVATIONS[layer.feed_forward.activation]}
    spec = TransformerSpec(
        TransformerEncoderSpec(*shape, **options), TransformerDecoderSpec(*shape, **options)
    )
    put_stack(spec.encoder, model.src_embed, model.encoder, spec.encoder.embeddings[0])
    put_stack(spec.decoder, model.tgt_embed, model.decoder, spec.decoder.embeddings)
    put(spec.decoder.projection, model.generator.linear)
    spec.register_source_vocabulary(src_tokenizer.tokens)
    spec.register_target_vocabulary(tgt_tokenizer.tokens)
    names = tgt_tokenizer.tokens
    spec.config.bos_token = spec.config.decoder_start_token = names[tgt_tokenizer.bos_id]
    spec.config.eos_token, spec.config.unk_token = names[tgt_tokenizer.eos_id], names[tgt_tokenizer.unk_id]
    spec.validate()
    spec.optimize(quantization=None if dtype == "float32" else dtype)
    Path(folder).mkdir(parents=True)
    spec.save(str(folder))


class CTranslate2Engine:
    """A translator that runs in CTranslate2, on as many threads as torch would use.

    Args:
        folder: that `write_ctranslate2` has written.
        src_tokenizer, tgt_tokenizer: of the kind `BPETokenizer`.
        max_len: tokens of the longest sentence.

    Raises:
        ValueError: it cannot be opened.
    """

    def __init__(self, folder, src_tokenizer, tgt_tokenizer, max_len):
        check_sizes(max_len=max_len)
        self.src_tokenizer, self.tgt_tokenizer = src_tokenizer, tgt_tokenizer
        self.max_len = min(max_len, LONGEST)
        self.ids = {name: id for id, name in enumerate(tgt_tokenizer.tokens)}
        with one_line_errors(str(folder), "publish it again", packages="ctranslate2"):
            threads = torch.get_num_threads()
            self.translator = ctranslate2.Translator(str(folder), inter_threads=1, intra_threads=threads)

    def translate(self, texts, num_beams=1):
        """Translate texts, all at once.

        Args:
            texts: list of strings.
            num_beams: width of the beam; 1 is greedy.

        Returns:
            List of strings.
        """
        names = self.src_tokenizer.tokens
        rows = [[names[id] for id in self.src_tokenizer.encode(text)] for text in texts]
        longest = max(map(len, rows))
        found = self.translator.translate_batch(
            rows,
            beam_size=num_beams,
            length_penalty=0.6,
            max_decoding_length=min(2 * longest + 10, self.max_len),
        )
        written = [[self.ids[name] for name in row.hypotheses[0]] for row in found]
        return [self.tgt_tokenizer.decode(ids) for ids in written]
