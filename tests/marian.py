"""A Marian translator of the transformers library with random weights, and our Transformer with the same."""

import torch
from transformers import MarianConfig, MarianMTModel

from helpers.transformer import Transformer


def marian(vocab_size, d_model, n_heads, d_ff, n_layers, max_len=64, eos_id=0, seed=0):
    """A Marian model; padding is the last id, and decoding starts from it."""
    torch.manual_seed(seed)
    config = MarianConfig(
        vocab_size=vocab_size,
        d_model=d_model,
        encoder_layers=n_layers,
        decoder_layers=n_layers,
        encoder_attention_heads=n_heads,
        decoder_attention_heads=n_heads,
        encoder_ffn_dim=d_ff,
        decoder_ffn_dim=d_ff,
        max_position_embeddings=max_len,
        activation_function="swish",
        scale_embedding=True,
        pad_token_id=vocab_size - 1,
        eos_token_id=eos_id,
        bos_token_id=None,
        decoder_start_token_id=vocab_size - 1,
        forced_eos_token_id=None,
        dropout=0.0,
        init_std=0.2 if d_model < 64 else 0.02,  # so that a tiny model has opinions
    )
    model = MarianMTModel(config).eval()
    model.final_logits_bias[:, -1] = -1e9  # padding is never written
    return model


def ours_from(theirs):
    """Our `Transformer` filled with a Marian's weights.

    Marian starts its targets with padding, which our mask hides. So our vocabulary has one more token, bos,
    with the vector of padding and no chance of being written.
    """
    config, weights = theirs.config, theirs.state_dict()
    size, d_model, pad_id = config.vocab_size, config.d_model, config.pad_token_id
    model = Transformer(
        size + 1,
        size + 1,
        d_model,
        config.decoder_attention_heads,
        config.decoder_ffn_dim,
        config.decoder_layers,
        dropout=0.0,
        activation="silu",
        positions="learned",
        max_len=config.max_position_embeddings,
        src_pad_id=pad_id,
        tgt_pad_id=pad_id,
        tie_embeddings=True,
        tie_generator=True,
    )
    filled = {}
    table = weights["model.shared.weight"]
    table = torch.cat([table, table[pad_id : pad_id + 1]])
    for side in ("src_embed", "tgt_embed"):
        filled[f"{side}.tokens.weight"] = table
    filled["src_embed.positions.weight"] = theirs.model.encoder.embed_positions.weight
    filled["tgt_embed.positions.weight"] = theirs.model.decoder.embed_positions.weight
    filled["generator.linear.weight"] = table
    filled["generator.linear.bias"] = torch.cat([weights["final_logits_bias"][0], torch.tensor([-1e9])])

    def copy(ours, theirs):
        for kind in ("weight", "bias"):
            filled[f"{ours}.{kind}"] = weights[f"model.{theirs}.{kind}"]

    def copy_attention(ours, theirs):
        for kind in ("weight", "bias"):
            parts = [weights[f"model.{theirs}.{letter}_proj.{kind}"] for letter in "qkv"]
            filled[f"{ours}.w_qkv.{kind}"] = torch.cat(parts)
        copy(f"{ours}.w_o", f"{theirs}.out_proj")

    for stack in ("encoder", "decoder"):
        for number in range(config.decoder_layers):
            layer = f"{stack}.layers.{number}"
            norms = ["self_attn_layer_norm", "final_layer_norm"]
            copy_attention(f"{layer}.attention", f"{layer}.self_attn")
            if stack == "decoder":
                norms.insert(1, "encoder_attn_layer_norm")
                copy_attention(f"{layer}.cross_attention", f"{layer}.encoder_attn")
            for place, norm in enumerate(norms):
                copy(f"{layer}.residuals.{place}.norm", f"{layer}.{norm}")
            copy(f"{layer}.feed_forward.linear1", f"{layer}.fc1")
            copy(f"{layer}.feed_forward.linear2", f"{layer}.fc2")
    model.load_state_dict(filled)
    return model.eval()
