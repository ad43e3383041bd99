"""Marian translators of the transformers library with random weights, alone and in a folder."""

import io
import json
import warnings

import sentencepiece
import torch
from transformers import MarianConfig, MarianMTModel, MarianTokenizer


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


def save_marian(folder, texts, vocab_size=300, seed=0):
    """A Marian in a folder, as others publish theirs: random weights, pieces learned from pairs of texts."""
    folder.mkdir()
    ids = {"</s>": 0, "<unk>": 1}
    for side, lines in zip(("source", "target"), zip(*texts, strict=True), strict=True):
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(lines),
            model_writer=model,
            vocab_size=vocab_size,
            hard_vocab_limit=False,
            minloglevel=2,
        )
        (folder / f"{side}.spm").write_bytes(model.getvalue())
        pieces = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
        for id in range(len(pieces)):
            ids.setdefault(pieces.id_to_piece(id), len(ids))
    ids["<pad>"] = len(ids)
    (folder / "vocab.json").write_text(json.dumps(ids), encoding="utf-8")
    with warnings.catch_warnings(action="ignore"):  # that a further package is recommended
        tokenizer = MarianTokenizer(
            *(str(folder / name) for name in ("source.spm", "target.spm", "vocab.json"))
        )
    tokenizer.save_pretrained(folder)
    model = marian(len(ids), 32, 4, 64, 2, seed=seed)
    with torch.no_grad():  # else what is likeliest after a token is the token itself: both have one table
        model.model.decoder.layers[-1].final_layer_norm.weight[1::2] *= -1
    model.save_pretrained(folder)
    return model, tokenizer
