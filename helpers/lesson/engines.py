"""Translators as others run them: written into a folder, and opened from it. Chapter 19."""

import importlib.util
import json
import tempfile
from pathlib import Path

import torch

from helpers.engine.checkpoint_checks import is_finite
from helpers.lesson.translator import saved_tokenizer, translate_texts
from helpers.published.marian import from_marian
from helpers.published.to_marian import check_expressible, to_marian
from helpers.published.weights import naming, one_line_errors, read_json

TOKENIZERS = "tokenizers.json"  # beside the weights: how our texts become ids


class TorchEngine:
    """A translator that runs in our own classes.

    Args:
        model: a `Transformer`.
        src_tokenizer, tgt_tokenizer: its tokenizers.
    """

    def __init__(self, model, src_tokenizer, tgt_tokenizer):
        self.model, self.src_tokenizer, self.tgt_tokenizer = model, src_tokenizer, tgt_tokenizer
        self.max_len = model.max_len

    def translate(self, texts, num_beams=1):
        """Translate texts, all at once.

        Args:
            texts: list of strings.
            num_beams: width of the beam; 1 is greedy.

        Returns:
            List of strings.
        """
        return translate_texts(self.model, texts, self.src_tokenizer, self.tgt_tokenizer, num_beams=num_beams)


def has_ctranslate2():
    """Whether the package ctranslate2 is installed.

    Returns:
        A bool.
    """
    return importlib.util.find_spec("ctranslate2") is not None


def publish(model, src_tokenizer, tgt_tokenizer, folder, with_marian=True):
    """Write a translator as other engines read it, all of it or nothing.

    Args:
        model: a `Transformer`.
        src_tokenizer, tgt_tokenizer: of the kind `BPETokenizer`.
        folder: a new one. It gets marian/, for the transformers library, and, where ctranslate2 is installed,
            float32/ and int8/, each with the tokenizers.
        with_marian: False leaves marian/ out, for settings that no Marian has.

    Returns:
        The names of what was written, a list.

    Raises:
        ValueError: the folder is there already, or cannot be written; a setting cannot be expressed; or
            there would be nothing to write.
    """
    folder = Path(folder)
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise ValueError(f"folder: {folder} is there already; name a new folder")
    if with_marian:
        check_expressible(model)
    elif not has_ctranslate2():
        raise ValueError(
            "ctranslate2: it is not installed, so nothing would be written; pip install ctranslate2"
        )
    saved = {"max_len": model.max_len}
    for side, tokenizer in (("src_tokenizer", src_tokenizer), ("tgt_tokenizer", tgt_tokenizer)):
        saved[side] = {"alphabet": tokenizer.alphabet, "merges": tokenizer.merges}
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(suffix=".tmp", dir=folder.parent) as temporary:
            made = Path(temporary) / folder.name
            made.mkdir()
            if with_marian:
                theirs = to_marian(model, tgt_tokenizer.bos_id, tgt_tokenizer.eos_id)
                theirs.save_pretrained(made / "marian")
            if has_ctranslate2():
                from helpers.published.ctranslate import TYPES, write_ctranslate2

                for dtype in TYPES:
                    write_ctranslate2(model, src_tokenizer, tgt_tokenizer, made / dtype, dtype)
            written = sorted(each.name for each in made.iterdir())
            for name in written:
                (made / name / TOKENIZERS).write_text(json.dumps(saved, ensure_ascii=False), "utf-8")
            made.replace(folder)  # whole, or not at all
    except OSError as error:
        reason = f"{folder} cannot be written ({error.strerror})"
        raise ValueError(f"folder: {reason}; name a folder where you may write") from None
    return written


def is_published(folder):
    """Whether `publish` has written a folder.

    Args:
        folder: a path.

    Returns:
        A bool.
    """
    return (Path(folder) / TOKENIZERS).is_file()


def open_published(folder):
    """Open one of the folders that `publish` has written: marian, float32 or int8.

    Args:
        folder: a path.

    Returns:
        A `TorchEngine`, or a `CTranslate2Engine`.

    Raises:
        ValueError: a file is missing or damaged, or CTranslate2 is needed and not installed.
    """
    folder = Path(folder)
    with naming("folder", folder):
        saved = read_json(folder / TOKENIZERS)
        with one_line_errors(TOKENIZERS, "publish the translator again"):
            sides = [saved_tokenizer(**saved[side]) for side in ("src_tokenizer", "tgt_tokenizer")]
        if (folder / "model.bin").exists():
            with one_line_errors("the translator", "publish it again", packages="ctranslate2"):
                from helpers.published.ctranslate import CTranslate2Engine

                return CTranslate2Engine(folder, *sides, saved["max_len"])
        with one_line_errors("the translator", "publish it again"):
            import transformers

            transformers.logging.disable_progress_bar()
            theirs = transformers.MarianMTModel.from_pretrained(folder, dtype=torch.float32)
        model = from_marian(theirs)
        if not is_finite(model.state_dict()):
            raise ValueError("weights are not finite; publish it again")
    sides[1].bos_id = model.generator.linear.out_features - 1  # the row that `from_marian` adds
    return TorchEngine(model, *sides)
