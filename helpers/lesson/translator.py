"""A translator in one file: a checkpoint with the model and its tokenizers. Used by chapters 12 and 13."""

import math
from pathlib import Path

import torch
from torch.nn.utils.rnn import pad_sequence

from helpers.corpus import make_pairs
from helpers.decoding import beam_search, generate
from helpers.engine.checkpoint_checks import check_finite, check_same_model
from helpers.engine.checkpoints import read_checkpoint, save_checkpoint
from helpers.engine.checks import check_texts
from helpers.engine.files import check_writable
from helpers.tokenization import BPETokenizer
from helpers.training import Trainer, encode_pairs
from helpers.transformer import Transformer, TransformerConfig


def translator_config(options, src_tokenizer, tgt_tokenizer):
    """What a checkpoint needs besides weights, as plain values, for `build_translator`.

    Args:
        options: the arguments of `TransformerConfig` besides the vocabulary sizes, a dictionary.
        src_tokenizer, tgt_tokenizer: of the kind `BPETokenizer`.

    Returns:
        A dictionary, for the `config` of a `Trainer`.
    """
    tokenizers = {"src_tokenizer": src_tokenizer, "tgt_tokenizer": tgt_tokenizer}
    saved = {name: {"alphabet": t.alphabet, "merges": t.merges} for name, t in tokenizers.items()}
    return {"options": options, **saved}


def build_translator(config, path):
    """The model, with fresh weights, and the tokenizers that `translator_config` describes.

    Args:
        config: of a checkpoint.
        path: of the checkpoint, for the message.

    Returns:
        model, src_tokenizer, tgt_tokenizer.

    Raises:
        ValueError: the config is of something else.
    """
    try:
        tokenizers = [saved_tokenizer(**config[side]) for side in ("src_tokenizer", "tgt_tokenizer")]
        return Transformer(TransformerConfig(*map(len, tokenizers), **config["options"])), *tokenizers
    except (KeyError, TypeError, ValueError, RuntimeError):  # whatever was saved in its place
        what = f"path: {path} has no model with tokenizers in it"
        raise ValueError(f"{what}; pass translator_config to the Trainer") from None


def saved_tokenizer(alphabet, merges):
    """A tokenizer from what `translator_config` has kept of it.

    Args:
        alphabet, merges: as for `BPETokenizer.from_merges`.

    Returns:
        A `BPETokenizer`.

    Raises:
        ValueError: the alphabet is not of characters, each once; or a merge joins what is no piece.
    """
    if any(len(character) != 1 or "\ud800" <= character <= "\udfff" for character in alphabet):
        raise ValueError("alphabet: an entry is no character")  # a lone surrogate is none: no text has it
    pieces = set(alphabet)
    if len(pieces) < len(alphabet):
        raise ValueError("alphabet: a character stands there twice")
    for left, right in merges:
        if not {left, right} <= pieces:
            raise ValueError(f"merges: {left!r} and {right!r} are not both pieces")
        pieces.add(left + right)
    return BPETokenizer.from_merges(alphabet, merges)


def open_translator(path, device="cpu"):
    """Read a checkpoint that has a `translator_config`.

    Args:
        path: the file.
        device: where the model goes.

    Returns:
        model, src_tokenizer, tgt_tokenizer.

    Raises:
        ValueError: as `read_checkpoint`; or the checkpoint has no such config, or holds NaN.
    """
    state = read_checkpoint(path, device)
    model, *tokenizers = build_translator(state["config"], path)
    check_same_model(state["model"], model.state_dict(), path)
    check_finite(state["model"], path)
    model.load_state_dict(state["model"])
    return model.to(device).eval(), *tokenizers


def translate_texts(model, texts, src_tokenizer, tgt_tokenizer, max_len=None, num_beams=1):
    """Translate texts, all at once: greedily, or by beam search where num_beams is above 1.

    Args:
        model, src_tokenizer, tgt_tokenizer: as `open_translator` returns them.
        texts: list of strings.
        max_len, num_beams: as in `generate` and `beam_search`; max_len None: twice the longest source, plus
            10, but no more than the model takes.

    Returns:
        List of strings.

    Raises:
        ValueError: as `generate` and `beam_search`.
    """
    texts = check_texts(texts)
    ids = [torch.tensor(src_tokenizer.encode(text), dtype=torch.long) for text in texts]
    src = pad_sequence(ids, batch_first=True, padding_value=model.src_pad_id)
    src = src.to(next(model.parameters()).device)
    ends = tgt_tokenizer.bos_id, tgt_tokenizer.eos_id
    max_len = max_len or min(2 * src.size(1) + 10, model.max_len)
    if num_beams == 1:
        found = generate(model, src, *ends, max_len)
    else:
        found = [ranked[0][1] for ranked in beam_search(model, src, *ends, max_len, num_beams)]
    return [tgt_tokenizer.decode(ids) for ids in found]


def course_translator(path, pair_count=30000, epochs=3):
    """The translator of chapter 11: opened if its file is there, else trained, in about a minute, and kept.

    Args:
        path: the file.
        pair_count, epochs: of the training.

    Returns:
        model, Korean tokenizer, English tokenizer.

    Raises:
        ValueError: as `open_translator`.
    """
    if not Path(path).exists():
        check_writable(path)
        pairs = make_pairs("train", pair_count)
        korean, english = (BPETokenizer(list(side), vocab_size=1200) for side in zip(*pairs, strict=True))
        options = {"d_model": 128, "n_heads": 4, "d_ff": 256, "n_layers": 2, "dropout": 0.0}
        options["tie_generator"] = True
        torch.manual_seed(0)
        trainer = Trainer(
            Transformer(TransformerConfig(len(korean), len(english), **options)),
            encode_pairs(pairs, korean, english),
            batch_size=128,
            warmup_steps=300,
            lr_scale=0.5,
            total_steps=epochs * math.ceil(pair_count / 128),
            config=translator_config(options, korean, english),
        )
        for _ in range(epochs):
            trainer.run_epoch()
        save_checkpoint(trainer, path)
    return open_translator(path)
