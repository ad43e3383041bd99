"""A small Marian translator in a folder, as others publish theirs: it knows about trips. For chapter 17."""

import io
import json
import tempfile
import warnings
from pathlib import Path

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.optim.lr_scheduler import LambdaLR

from helpers.corpus import make_pairs

STEPS, BATCH_SIZE = 240, 32


def learn_pieces(texts, path):
    """Learn the pieces of one side, as sentencepiece does.

    Args:
        texts: strings.
        path: of the file to write, *.spm.

    Returns:
        List of pieces.
    """
    import sentencepiece

    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts),
        model_writer=model,
        vocab_size=1000,
        hard_vocab_limit=False,  # as many pieces as there are, up to that
        minloglevel=2,
    )
    path.write_bytes(model.getvalue())
    pieces = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    return [pieces.id_to_piece(id) for id in range(len(pieces))]


def train_marian(model, src, labels):
    """Train a Marian with the loss that it computes itself.

    Args:
        model: a `MarianMTModel`.
        src, labels: token ids (N, T_src) and (N, T_tgt); -100 stands for padding in labels.
    """
    parameters = [weight for weight in model.parameters() if weight.requires_grad]
    for weight in parameters:
        if weight.dim() > 1:
            nn.init.xavier_uniform_(weight)
    nn.init.normal_(model.model.shared.weight, std=model.config.d_model**-0.5)
    adam = torch.optim.Adam(parameters, lr=5e-3, betas=(0.9, 0.98), fused=True)
    schedule = LambdaLR(adam, lambda step: min(1, (step + 1) / 40) * (1 - step / STEPS))
    rng = torch.Generator().manual_seed(0)
    for _ in range(STEPS):
        rows = torch.randint(len(src), (BATCH_SIZE,), generator=rng)
        attended = (src[rows] != model.config.pad_token_id).long()
        loss = model(input_ids=src[rows], attention_mask=attended, labels=labels[rows]).loss
        adam.zero_grad()
        loss.backward()
        adam.step()
        schedule.step()


def publish_marian(folder, pair_count=20000):
    """Train a small Marian on sentences about trips and save it as others do, in a few seconds; then open it.

    Args:
        folder: where; if it is there already, it is only opened.
        pair_count: of the corpus, among which the trips are.

    Returns:
        A `MarianMTModel` and a `MarianTokenizer` of the transformers library.

    Raises:
        ValueError: something else has this name.
    """
    import transformers

    transformers.logging.disable_progress_bar()
    folder = Path(folder)
    if not (folder / "config.json").exists():
        if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
            raise ValueError(f"folder: {folder} is there already, without a config.json; name a new folder")
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(suffix=".tmp", dir=folder.parent) as temporary:
            made = Path(temporary) / folder.name
            train_and_save(made, pair_count)
            made.replace(folder)  # whole, or not at all
    with warnings.catch_warnings(action="ignore"):
        tokenizer = transformers.MarianTokenizer.from_pretrained(folder)
    return transformers.MarianMTModel.from_pretrained(folder), tokenizer


def train_and_save(folder, pair_count):
    """What `publish_marian` does in a temporary folder, where its own is not there yet.

    Args:
        folder: to make.
        pair_count: as there.
    """
    import transformers

    folder.mkdir()
    pairs = [pair for pair in make_pairs("train", pair_count) if "여행을" in pair[0]]
    files = [folder / "source.spm", folder / "target.spm"]
    sides = zip(files, zip(*pairs, strict=True), strict=True)
    pieces = [piece for file, texts in sides for piece in learn_pieces(texts, file)]
    tokens = dict.fromkeys(["</s>", "<unk>", *pieces, "<pad>"])
    (folder / "vocab.json").write_text(json.dumps({token: id for id, token in enumerate(tokens)}), "utf-8")
    with warnings.catch_warnings(action="ignore"):  # that a further package is recommended
        tokenizer = transformers.MarianTokenizer(*map(str, [*files, folder / "vocab.json"]))
    torch.manual_seed(0)
    sizes = {"layers": 2, "attention_heads": 4, "ffn_dim": 128}
    model = transformers.MarianMTModel(
        transformers.MarianConfig(
            vocab_size=len(tokens),
            d_model=64,
            **{f"{side}_{name}": size for side in ("encoder", "decoder") for name, size in sizes.items()},
            activation_function="swish",
            scale_embedding=True,
            max_position_embeddings=64,
            dropout=0.0,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
            decoder_start_token_id=tokenizer.pad_token_id,
            forced_eos_token_id=None,
        )
    )
    sources = [torch.tensor(tokenizer(source).input_ids) for source, _ in pairs]
    targets = [torch.tensor(tokenizer(text_target=target).input_ids) for _, target in pairs]
    src = pad_sequence(sources, batch_first=True, padding_value=tokenizer.pad_token_id)
    train_marian(model, src, pad_sequence(targets, batch_first=True, padding_value=-100))
    model.final_logits_bias[:, tokenizer.pad_token_id] = -1e9  # padding is never written
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)
