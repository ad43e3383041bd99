"""The translator of chapter 11 out of the reader's parts: trained, kept, opened again, moved into ours."""

import math
import time
from types import SimpleNamespace

import torch
from torch.nn.utils.rnn import pad_sequence
from tqdm import tqdm

from helpers.corpus import RUNNING_EXAMPLE, make_pairs
from helpers.engine.checkpoint_checks import serialize
from helpers.engine.files import write_whole
from helpers.lesson.translator import saved_tokenizer
from helpers.mine.assembly import assemble
from helpers.mine.matching import Matching, tensors_of
from helpers.mine.rungs import BONUS, PARTS, RUNGS
from helpers.mine.yours import find, folder
from helpers.tokenization import BPETokenizer
from helpers.training import encode_pairs, length_buckets, linear_cooldown
from helpers.transformer import Transformer, TransformerConfig

OPTIONS = {"d_model": 128, "n_heads": 4, "d_ff": 256, "n_layers": 2, "dropout": 0.0}
BATCH, WARMUP, LR_SCALE, VOCABULARY = 128, 300, 0.5, 1200


def path_of_model():
    """Where the reader's translator is kept."""
    return folder() / "model.pt"


def own_parts():
    """Which parts are the reader's.

    Returns:
        {name of a part: whether it is}.
    """
    return {name: find(name) is not None for name in PARTS}


def own_rungs():
    """Which rungs of the translator are the reader's: those all parts of which are.

    Returns:
        {name of a rung: whether it is}.
    """
    own = own_parts()
    return {
        rung: all(own[part.name] for part in PARTS.values() if part.rung == rung)
        for rung in RUNGS
        if rung not in BONUS
    }


def train(pair_count=30000, epochs=3, show=print):
    """Train a translator out of the reader's parts, and ours for the rest, and keep it.

    Args:
        pair_count, epochs: of the training.
        show: a function that shows a line.

    Returns:
        Seconds that it took.

    Raises:
        ValueError: the loss or the step asks the model for what it does not have.
        Whatever else the reader's parts raise.
    """
    made = assemble()
    take_a_step(made)
    begun = time.monotonic()
    pairs = make_pairs("train", pair_count)
    sides = [list(side) for side in zip(*pairs, strict=True)]
    tokenizers = [made["tokenization"].BPETokenizer(side, VOCABULARY) for side in sides]
    ids = encode_pairs(pairs, *tokenizers)
    lengths = [(len(tgt), len(src)) for src, tgt in ids]
    torch.manual_seed(0)
    model = made["transformer"].Transformer(config_of(tokenizers))
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9)
    total, step = epochs * math.ceil(pair_count / BATCH), 0
    for epoch in range(epochs):
        losses = []
        batches = length_buckets(lengths, BATCH, seed=epoch)
        for batch in tqdm(batches, desc=f"epoch {epoch + 1}", leave=False, disable=None):
            step += 1
            rate = made["training"].inverse_sqrt(step, OPTIONS["d_model"], WARMUP)
            optimizer.param_groups[0]["lr"] = LR_SCALE * rate * linear_cooldown(step, total)
            src, tgt = (
                pad_sequence(side, batch_first=True) for side in zip(*(ids[i] for i in batch), strict=True)
            )
            losses.append(float(made["mine.training"].train_step(model, optimizer, src, tgt, 0.1)))
        show(f"epoch {epoch + 1}: loss {sum(losses) / len(losses):.3f}")
    seconds = time.monotonic() - begun
    texts = {"src": sides[0], "tgt": sides[1]}
    state = {
        "model": model.state_dict(),
        "seconds": seconds,
        "steps": step,
        "tokenizers": {key: of_the_course(side) for key, side in texts.items()},
        "pair_count": pair_count,
        "ids": ids_of(tokenizers),
    }
    write_whole(path_of_model(), serialize(state))
    return seconds


def take_a_step(made):
    """A step of training with two short sentences: what fails is told now, and not after the preparation.

    Args:
        made: as from `assemble`.

    Raises:
        ValueError, and others: as `train`.
    """
    model = made["transformer"].Transformer(TransformerConfig(9, 9, **OPTIONS))
    optimizer = torch.optim.Adam(model.parameters())
    src, tgt = torch.tensor([[4, 5, 6], [7, 8, 0]]), torch.tensor([[1, 4, 5, 2], [1, 6, 2, 0]])
    try:
        made["mine.training"].train_step(model, optimizer, src, tgt, 0.1)
    except AttributeError as error:
        if error.obj is not model:
            raise
        kind = type(model).__name__
        raise ValueError(
            f"mine: the step of training asks your model for {error.name}, and {kind} has none; "
            f"give it one, such as self.{error.name} = …, or do without it in your loss and step"
        ) from None


def ids_of(tokenizers):
    """What tokenizers make of one pair, to know them again."""
    return [tokenizer.encode(text) for tokenizer, text in zip(tokenizers, RUNNING_EXAMPLE, strict=True)]


def config_of(tokenizers):
    """The config of the translator.

    Args:
        tokenizers: of source and target.

    Returns:
        A `TransformerConfig`.
    """
    return TransformerConfig(*map(len, tokenizers), **OPTIONS)


def of_the_course(texts):
    """What our tokenizer learns from texts, as plain values."""
    made = BPETokenizer(texts, VOCABULARY)
    return {"alphabet": made.alphabet, "merges": made.merges}


def open_mine():
    """The reader's translator as it was trained.

    Returns:
        A namespace of model, src_tokenizer, tgt_tokenizer, modules (as from `assemble`), seconds and steps.

    Raises:
        ValueError: it is not trained yet; or a part has changed since, so that its weights do not fit.
    """
    path = path_of_model()
    if not path.is_file():
        raise ValueError(f"mine: {path.name} is not there yet; train it with: python -m helpers mine train")
    state = torch.load(path, weights_only=True)
    made = assemble()
    pairs = make_pairs("train", state["pair_count"])
    tokenizers = [
        made["tokenization"].BPETokenizer(list(side), VOCABULARY) for side in zip(*pairs, strict=True)
    ]
    model = made["transformer"].Transformer(config_of(tokenizers))
    try:
        model.load_state_dict(state["model"])
        if state["ids"] != ids_of(tokenizers):
            raise RuntimeError("other ids")
    except RuntimeError:
        again = "train it again with: python -m helpers mine train"
        raise ValueError(f"mine: your parts have changed since {path.name} was trained; {again}") from None
    return SimpleNamespace(
        model=model.eval(),
        src_tokenizer=tokenizers[0],
        tgt_tokenizer=tokenizers[1],
        modules=made,
        seconds=state["seconds"],
        steps=state["steps"],
        saved=state["tokenizers"],
    )


def moved_into_ours(mine):
    """The reader's weights in our `Transformer`, which gives the same logits.

    Args:
        mine: as from `open_mine`.

    Returns:
        model, src_tokenizer, tgt_tokenizer, all of helpers; and the largest difference of a logit.

    Raises:
        ValueError: as `Matching`; or the tokenizer is not the course's, so that ours would read other ids.
    """
    tokenizers = [saved_tokenizer(**mine.saved[side]) for side in ("src", "tgt")]
    pairs = make_pairs("unseen", 20)
    for own, ours, side in zip(
        (mine.src_tokenizer, mine.tgt_tokenizer), tokenizers, zip(*pairs, strict=True), strict=True
    ):
        if any(own.encode(text) != ours.encode(text) for text in side):
            raise ValueError(
                "tokenization: your ids are not the course's, which the page needs; check it again, or take "
                "BPETokenizer out of your files, and train anew"
            )
    model = Transformer(config_of(tokenizers)).eval()
    weights = Matching(mine.model, model, tensors_of(mine.model, model)).read()
    model.load_state_dict(model.state_dict() | weights)
    ids = encode_pairs(pairs, *tokenizers)
    src, tgt = (pad_sequence(side, batch_first=True) for side in zip(*ids, strict=True))
    with torch.no_grad():
        gap = (mine.model(src, tgt) - model(src, tgt))[tgt != model.tgt_pad_id].abs().max().item()
    return model, *tokenizers, gap
