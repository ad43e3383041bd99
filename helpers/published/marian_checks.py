"""What a Marian must be for our Transformer to take its weights."""

from helpers.engine.checks import check_id
from helpers.published.gpt2 import our_activation
from helpers.published.weights import check_fixed

MARIAN_FIXED = {
    "model_type": "marian",
    "scale_embedding": True,
    "normalize_before": False,  # the last four are those of older files
    "add_final_layer_norm": False,
    "normalize_embedding": False,
    "static_position_embeddings": True,
}


def check_marian(config):
    """Our `Transformer` can follow all that a configuration asks.

    Args:
        config: of a model of the transformers library.

    Raises:
        ValueError: it cannot; the message names the setting.
    """
    fields = config.to_dict()
    check_fixed(fields, MARIAN_FIXED)
    sizes = ("layers", "attention_heads", "ffn_dim")
    check_fixed(fields, {f"decoder_{size}": fields[f"encoder_{size}"] for size in sizes})
    our_activation(config.activation_function)
    check_id("pad_token_id", config.pad_token_id, config.vocab_size)
    check_id("decoder_start_token_id", config.decoder_start_token_id, config.decoder_vocab_size)


def check_loaded(loaded):
    """All weights came from the file, and all that the file has went into the model.

    Args:
        loaded: the `loading_info` of the transformers library.

    Raises:
        ValueError: some are missing, which are random now; or left over.
    """
    for kind, what in (("missing_keys", "is missing"), ("unexpected_keys", "is left over")):
        if loaded[kind]:
            raise ValueError(
                f"{min(loaded[kind])} {what}; name a translator with weights that fit its config"
            )


def check_vocabulary(tokenizer, config):
    """A tokenizer knows every id that a model may write, and gives it none beyond its table.

    Args:
        tokenizer: a `MarianTokenizer` of the transformers library.
        config: of the model.

    Raises:
        ValueError: it does not.
    """
    size = config.vocab_size if config.share_encoder_decoder_embeddings else config.decoder_vocab_size
    if unknown := set(range(size)) - tokenizer.decoder.keys():
        raise ValueError(f"the vocabulary has no token for id {min(unknown)}, but vocab_size is {size}")
    if (largest := max(tokenizer.encoder.values())) >= config.vocab_size:
        raise ValueError(f"the vocabulary has id {largest}, but vocab_size is {config.vocab_size}")
