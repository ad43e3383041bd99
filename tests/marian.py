"""Marian translators of the transformers library with random weights."""

import torch
from transformers import MarianConfig, MarianMTModel


def marian(vocab_size, d_model, n_heads, d_ff, n_layers, max_len=64, eos_id=0, seed=0, **options):
    """A Marian model; padding is the last id, and decoding starts from it. Options are further settings."""
    torch.manual_seed(seed)
    settings = {
        "vocab_size": vocab_size,
        "d_model": d_model,
        "encoder_layers": n_layers,
        "decoder_layers": n_layers,
        "encoder_attention_heads": n_heads,
        "decoder_attention_heads": n_heads,
        "encoder_ffn_dim": d_ff,
        "decoder_ffn_dim": d_ff,
        "max_position_embeddings": max_len,
        "activation_function": "swish",
        "scale_embedding": True,
        "pad_token_id": vocab_size - 1,
        "eos_token_id": eos_id,
        "bos_token_id": None,
        "decoder_start_token_id": vocab_size - 1,
        "forced_eos_token_id": None,
        "dropout": 0.0,
        "init_std": 0.2 if d_model < 64 else 0.02,  # so that a tiny model has opinions
    }
    config = MarianConfig(**settings | options)
    model = MarianMTModel(config).eval()
    model.final_logits_bias[:, -1] = -1e9  # padding is never written
    return model
