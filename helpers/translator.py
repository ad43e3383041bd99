"""A translator in one file: a checkpoint with the model and its tokenizers. Used by chapters 12 and 13."""

import math
from pathlib import Path

import torch
from torch.nn.utils.rnn import pad_sequence

from helpers.checkpoints import read_checkpoint, save_checkpoint
from helpers.corpus import make_pairs
from helpers.decoding import beam_search, generate
from helpers.guards import guard_texts, guard_translator
from helpers.tokenization import BPETokenizer
from helpers.training import Trainer, encode_pairs
from helpers.transformer import Transformer


def translator_notes(sizes, src_tokenizer, tgt_tokenizer):
    """What a checkpoint needs besides weights, as plain values, for `build_translator`.

    Args:
        sizes: the arguments of `Transformer` after the vocabulary sizes, a dictionary.
        src_tokenizer, tgt_tokenizer: of the kind `BPETokenizer`.
    """
    src, tgt = ({**vars(tokenizer), "cache": {}} for tokenizer in (src_tokenizer, tgt_tokenizer))
    return {"sizes": sizes, "src_tokenizer": src, "tgt_tokenizer": tgt}


def build_translator(notes, path):
    """The model, with fresh weights, and the tokenizers that `translator_notes` describe.

    Args:
        notes: of a checkpoint.
        path: of the checkpoint, for the message.

    Returns:
        model, src_tokenizer, tgt_tokenizer.

    Raises:
        ValueError: the notes are others.
    """
    guard_translator(notes, path)
    tokenizers = [BPETokenizer.__new__(BPETokenizer) for _ in range(2)]
    for tokenizer, side in zip(tokenizers, ("src", "tgt"), strict=True):
        vars(tokenizer).update(notes[f"{side}_tokenizer"], cache={})  # a cache of its own, not the notes'
    return Transformer(*map(len, tokenizers), **notes["sizes"]), *tokenizers


def open_translator(path, device="cpu"):
    """Read a checkpoint that has `translator_notes`.

    Returns:
        model, src_tokenizer, tgt_tokenizer.

    Raises:
        ValueError: as `read_checkpoint`, or the checkpoint has no such notes.
    """
    state = read_checkpoint(path, device)
    model, *tokenizers = build_translator(state["notes"], path)
    model.load_state_dict(state["model"])
    return model.to(device).eval(), *tokenizers


def translate_texts(model, texts, src_tokenizer, tgt_tokenizer, max_len=None, width=1):
    """Translate texts, all at once: greedily, or by beam search where width is above 1.

    Args:
        model, src_tokenizer, tgt_tokenizer: as `open_translator` returns them.
        texts: list of strings.
        max_len, width: as in `generate` and `beam_search`; max_len None: twice the longest source, plus 10.

    Returns:
        List of strings.

    Raises:
        ValueError: as `generate` and `beam_search`.
    """
    guard_texts(texts)
    ids = [torch.tensor(src_tokenizer.encode(text), dtype=torch.long) for text in texts]
    src = pad_sequence(ids, batch_first=True, padding_value=model.src_pad_id)
    ends = tgt_tokenizer.bos_id, tgt_tokenizer.eos_id
    src = src.to(model.generator.linear.weight.device)
    max_len = max_len or 2 * src.size(1) + 10
    if width == 1:
        found = generate(model, src, *ends, max_len)
    else:
        found = [ranked[0][1] for ranked in beam_search(model, src, *ends, max_len, width)]
    return [tgt_tokenizer.decode(ids) for ids in found]


def course_translator(path, pair_count=30000, epochs=3):
    """The translator of chapter 11: opened if its file is there, else trained, in about a minute, and kept.

    Returns:
        model, Korean tokenizer, English tokenizer.

    Raises:
        ValueError: as `open_translator`.
    """
    if not Path(path).exists():
        pairs = make_pairs("train", pair_count)
        korean, english = (BPETokenizer(list(side), vocab_size=1200) for side in zip(*pairs, strict=True))
        sizes = {
            "d_model": 128,
            "n_heads": 4,
            "d_ff": 256,
            "n_layers": 2,
            "dropout": 0.0,
            "tie_generator": True,
        }
        torch.manual_seed(0)
        trainer = Trainer(
            Transformer(len(korean), len(english), **sizes),
            encode_pairs(pairs, korean, english),
            batch_size=128,
            warm_up_steps=300,
            scale=0.5,
            last_step=epochs * math.ceil(pair_count / 128),
            notes=translator_notes(sizes, korean, english),
        )
        for _ in range(epochs):
            trainer.run_epoch()
        save_checkpoint(trainer, path)
    return open_translator(path)
