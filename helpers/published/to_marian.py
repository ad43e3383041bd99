"""Our translator as a Marian of the transformers library. Chapter 19."""

import torch
from torch import nn

from helpers.positional_encoding import SinusoidalPositionalEncoding
from helpers.published.marian import MARIAN_NAMES
from helpers.published.weights import rename

THEIR_ACTIVATIONS = {"relu": "relu", "gelu": "gelu", "gelu_tanh": "gelu_new", "silu": "swish"}
READERS = ("w_q", "w_k", "w_v", "linear1", "tokens", "generator.linear")  # columns: the residual stream
OUR_NAMES = {ours: theirs for theirs, ours in MARIAN_NAMES.items() if not theirs.endswith("embed_positions")}


def check_expressible(model):
    """A Marian can be what this model is.

    Args:
        model: a `Transformer`.

    Raises:
        ValueError: it cannot; the message names the setting.
    """
    sines = isinstance(model.src_embed.positions, SinusoidalPositionalEncoding)
    norm_first = model.encoder.layers[0].residuals[0].norm_first
    final_norm = not isinstance(model.encoder.norm, nn.Identity)
    asked = {
        "norm_first": (norm_first, False, "normalizes after the sum"),
        "final_norm": (final_norm, False, "has no norm after its layers"),
        "positions": ("sinusoidal" if sines else "learned", "sinusoidal", "knows sines and cosines only"),
        "tgt_pad_id": (model.tgt_pad_id, model.src_pad_id, "has one padding for both sides"),
    }
    for name, (value, wanted, reason) in asked.items():
        if value != wanted:
            raise ValueError(f"{name}: value is {value!r}, but a Marian {reason}; train with {wanted!r}")


def sines_first(d_model):
    """The order in which Marian has our numbers: all columns of sines, then all of cosines.

    Args:
        d_model: numbers per token.

    Returns:
        Indices (d_model) into ours.
    """
    return torch.cat([torch.arange(0, d_model, 2), torch.arange(1, d_model, 2)])


def reordered(name, weight, order):
    """A weight whose side towards the residual stream has its numbers in another order.

    Args:
        name: ours.
        weight: a tensor.
        order: indices (d_model).

    Returns:
        A tensor of the same shape.
    """
    if name.endswith(tuple(f"{reader}.weight" for reader in READERS)):
        return weight[:, order]
    if any(part in name for part in (".w_o.", ".linear2.", ".norm.")):
        return weight[order]
    return weight  # a bias within a sublayer, or of the logits


def to_marian(model, bos_id, eos_id):
    """A Marian with the logits of our model.

    Ours alternates sines and cosines, Marian has all sines first. So every vector of the residual stream gets
    its numbers in Marian's order, which changes nothing: attention, sums and norms do not ask for an order.

    Args:
        model: a `Transformer`.
        bos_id: what a target starts with.
        eos_id: what ends it.

    Returns:
        A `MarianMTModel` of the transformers library, set to evaluation.

    Raises:
        ValueError: as `check_expressible`.
    """
    check_expressible(model)
    import transformers  # here, since it takes seconds

    transformers.logging.disable_progress_bar()
    layer, tables = model.encoder.layers[0], (model.src_embed.tokens.weight, model.tgt_embed.tokens.weight)
    tied = model.generator.linear.weight is tables[1]
    one_table = tied and tables[0] is tables[1]
    sizes = {
        "layers": len(model.encoder.layers),
        "attention_heads": layer.attention.n_heads,
        "ffn_dim": layer.feed_forward.linear1.out_features,
    }
    theirs = transformers.MarianMTModel(
        transformers.MarianConfig(
            vocab_size=len(tables[0]),
            decoder_vocab_size=len(tables[1]),
            d_model=model.d_model,
            **{f"{side}_{name}": size for side in ("encoder", "decoder") for name, size in sizes.items()},
            activation_function=THEIR_ACTIVATIONS[layer.feed_forward.activation],
            scale_embedding=True,
            share_encoder_decoder_embeddings=one_table,
            tie_word_embeddings=tied,
            max_position_embeddings=model.max_len,
            dropout=model.src_embed.dropout.p,
            pad_token_id=model.src_pad_id,
            bos_token_id=bos_id,
            eos_token_id=eos_id,
            decoder_start_token_id=bos_id,
            forced_eos_token_id=None,
        )
    )
    order = sines_first(model.d_model)
    weights = {name: reordered(name, weight, order) for name, weight in model.state_dict().items()}
    weights = rename(weights, OUR_NAMES, sizes["layers"])
    weights["final_logits_bias"] = weights.pop("lm_head.bias").unsqueeze(0)  # (1, tgt_vocab_size)
    for side, embed in (("encoder", model.src_embed), ("decoder", model.tgt_embed)):
        weights[f"model.{side}.embed_positions.weight"] = embed.positions.table[:, order]
    if one_table:
        weights["model.shared.weight"] = weights["model.encoder.embed_tokens.weight"]
    theirs.load_state_dict(weights)
    return theirs.eval()
