"""The live translator: a trained model in a web page, and the code that runs it there. Used by chapter 12."""

import base64
from importlib.resources import files

from helpers.figures.viewer import as_script
from helpers.live.known_words import course_words, is_of_the_course

LARGEST = 20_000_000  # parameters; the page then has 53 MB
PIECE = 3 * 2**18  # bytes of weights in a script; larger ones would make the page stall while it opens
SCRIPTS = (
    "engine.js",
    "work.js",
    "elements.js",
    "address.js",
    "lacking.js",
    "forms.js",
    "taught.js",
    "alike.js",
    "words.js",
    "notes.js",
    "numbers.js",
    "picture.js",
    "tree.js",
    "attention.js",
    "removal.js",
    "composer.js",
    "stations.js",
    "step.js",
    "translator.js",
)
STYLES = "translator.css", "picture.css", "step.css"


def live_parts(model, src_tokenizer, tgt_tokenizer):
    """The parts of a page in which a translator runs.

    Args:
        model: a `Transformer`.
        src_tokenizer, tgt_tokenizer: of the kind `BPETokenizer`.

    Returns:
        A dictionary of texts: "html", a section; "css", its style; "script", which comes after data and
        section; and "data", a list of scripts that set `window.TRANSLATOR`, to be run one after the other.

    Raises:
        ValueError: as `translator_data`.
    """
    data = translator_data(model, src_tokenizer, tgt_tokenizer)
    pieces = data.pop("weights")
    scripts = [f"window.TRANSLATOR = {as_script(data | {'weights': []})};\n"]
    scripts += [f"TRANSLATOR.weights.push({as_script(piece)});\n" for piece in pieces]
    return {
        "html": text_of("translator.html"),
        "css": text_of(*STYLES),
        "script": text_of(*SCRIPTS),
        "data": scripts,
    }


def text_of(*names):
    """The files of this folder, one after the other."""
    return "\n".join(files("helpers.live").joinpath(name).read_text("utf-8") for name in names)


def translator_data(model, src_tokenizer, tgt_tokenizer):
    """What engine.js needs of a translator, as plain values.

    Args:
        model, src_tokenizer, tgt_tokenizer: as for `live_parts`.

    Returns:
        A dictionary: options, the two tokenizers, the words of the course where the translator is of its
        language, and the weights: their shapes, and as base64 of 16-bit integers, to be multiplied by the
        scale of each, in pieces of `PIECE` bytes. Rounded so, logits and attention weights are ten times as
        near as with float16.

    Raises:
        ValueError: the model is larger than `LARGEST`.
    """
    options = model_options(model)
    if (count := options["parameters"]) > LARGEST:
        what = f"model: {count:,} parameters, but a page takes at most {LARGEST:,}"
        raise ValueError(f"{what}; train with a smaller vocab_size, d_model, d_ff or n_layers")
    shapes, scales, tied, integers, names = {}, {}, {}, [], {}
    for name, weight in model.state_dict().items():
        if (first := names.setdefault(weight.data_ptr(), name)) != name:
            tied[name] = first
            continue
        scale = weight.abs().max().item() / 32767 or 1.0
        shapes[name], scales[name] = list(weight.shape), scale
        integers.append((weight.cpu() / scale).round().numpy().astype("<i2").tobytes())
    whole = b"".join(integers)
    return {
        "options": options,
        "src": {"alphabet": "".join(src_tokenizer.alphabet), "merges": src_tokenizer.merges},
        "tgt": {"alphabet": "".join(tgt_tokenizer.alphabet), "merges": tgt_tokenizer.merges},
        "shapes": shapes,
        "scales": scales,
        "tied": tied,
        "weights": [
            base64.b64encode(whole[start : start + PIECE]).decode() for start in range(0, len(whole), PIECE)
        ],
        "course": course_words() if is_of_the_course(src_tokenizer, tgt_tokenizer) else None,
    }


def model_options(model):
    """The sizes and kinds of a `Transformer` that its weights alone do not tell."""
    layer = model.decoder.layers[0]
    return {
        "d_model": model.d_model,
        "n_heads": layer.attention.n_heads,
        "d_ff": layer.feed_forward.linear1.out_features,
        "n_layers": len(model.decoder.layers),
        "activation": layer.feed_forward.activation,
        "norm_first": layer.residuals[0].norm_first,
        "max_len": model.max_len,
        "tgt_pad_id": model.tgt_pad_id,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
    }
