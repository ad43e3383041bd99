"""A translator that others trained: the weights of a Marian in our `Transformer`. Chapter 17."""

import warnings
from functools import partial
from pathlib import Path

import torch
from torch.nn import functional as F

from helpers.published.gpt2 import our_activation
from helpers.published.marian_checks import check_loaded, check_marian, check_vocabulary
from helpers.published.weights import fill, naming, one_line_errors, rename
from helpers.transformer import Transformer, TransformerConfig

MARIAN_NAMES = {  # theirs: ours; * is the number of a layer
    "model.encoder.embed_tokens": "src_embed.tokens",
    "model.encoder.embed_positions": "src_embed.positions",
    "model.encoder.layers.*.self_attn.q_proj": "encoder.layers.*.attention.w_q",
    "model.encoder.layers.*.self_attn.k_proj": "encoder.layers.*.attention.w_k",
    "model.encoder.layers.*.self_attn.v_proj": "encoder.layers.*.attention.w_v",
    "model.encoder.layers.*.self_attn.out_proj": "encoder.layers.*.attention.w_o",
    "model.encoder.layers.*.self_attn_layer_norm": "encoder.layers.*.residuals.0.norm",
    "model.encoder.layers.*.fc1": "encoder.layers.*.feed_forward.linear1",
    "model.encoder.layers.*.fc2": "encoder.layers.*.feed_forward.linear2",
    "model.encoder.layers.*.final_layer_norm": "encoder.layers.*.residuals.1.norm",
    "model.decoder.embed_tokens": "tgt_embed.tokens",
    "model.decoder.embed_positions": "tgt_embed.positions",
    "model.decoder.layers.*.self_attn.q_proj": "decoder.layers.*.attention.w_q",
    "model.decoder.layers.*.self_attn.k_proj": "decoder.layers.*.attention.w_k",
    "model.decoder.layers.*.self_attn.v_proj": "decoder.layers.*.attention.w_v",
    "model.decoder.layers.*.self_attn.out_proj": "decoder.layers.*.attention.w_o",
    "model.decoder.layers.*.self_attn_layer_norm": "decoder.layers.*.residuals.0.norm",
    "model.decoder.layers.*.encoder_attn.q_proj": "decoder.layers.*.cross_attention.w_q",
    "model.decoder.layers.*.encoder_attn.k_proj": "decoder.layers.*.cross_attention.w_k",
    "model.decoder.layers.*.encoder_attn.v_proj": "decoder.layers.*.cross_attention.w_v",
    "model.decoder.layers.*.encoder_attn.out_proj": "decoder.layers.*.cross_attention.w_o",
    "model.decoder.layers.*.encoder_attn_layer_norm": "decoder.layers.*.residuals.1.norm",
    "model.decoder.layers.*.fc1": "decoder.layers.*.feed_forward.linear1",
    "model.decoder.layers.*.fc2": "decoder.layers.*.feed_forward.linear2",
    "model.decoder.layers.*.final_layer_norm": "decoder.layers.*.residuals.2.norm",
    "lm_head": "generator.linear",
}


def transformer_for(config):
    """A `Transformer` of the shape of a Marian, with weights of its own.

    Marian starts a target with padding, which our mask hides. So both vocabularies get one more token, bos.

    Args:
        config: a `MarianConfig` of the transformers library.

    Returns:
        A `Transformer`; the last id of its target's vocabulary is bos.

    Raises:
        ValueError: there is no argument for what the config asks.
    """
    check_marian(config)
    one_vocabulary, tied = config.share_encoder_decoder_embeddings, config.tie_word_embeddings
    return Transformer(
        TransformerConfig(
            config.vocab_size + 1,
            (config.vocab_size if one_vocabulary else config.decoder_vocab_size) + 1,
            d_model=config.d_model,
            n_heads=config.encoder_attention_heads,
            d_ff=config.encoder_ffn_dim,
            n_layers=config.encoder_layers,
            dropout=config.dropout,
            activation=our_activation(config.activation_function),
            positions="learned",
            max_len=config.max_position_embeddings,
            src_pad_id=config.pad_token_id,
            tgt_pad_id=config.pad_token_id,
            tie_embeddings=one_vocabulary and tied,
            tie_generator=tied,
        )
    )


def marian_weights(theirs):
    """The weights of a Marian under the names and in the shapes of our `Transformer`.

    Args:
        theirs: a `MarianMTModel` of the transformers library.

    Returns:
        {name: tensor}, for `load_state_dict`; each table has one more row, for bos, a copy of what Marian
        starts with. Its logit is −10⁹, never the largest.

    Raises:
        ValueError: as `rename`.
    """
    weights = dict(theirs.state_dict())
    weights.pop("model.shared.weight", None)  # is that of both embeddings
    weights["lm_head.bias"] = F.pad(weights.pop("final_logits_bias")[0], (0, 1), value=-1e9)
    table, start = weights["model.decoder.embed_tokens.weight"], theirs.config.decoder_start_token_id
    bos = table[start].unsqueeze(0)  # (1, d_model)
    for part in ("model.encoder.embed_tokens", "model.decoder.embed_tokens", "lm_head"):
        weights[f"{part}.weight"] = torch.cat([weights[f"{part}.weight"], bos])
    return rename(weights, MARIAN_NAMES, theirs.config.encoder_layers)


def from_marian(theirs):
    """Our `Transformer` with the weights of a Marian.

    Args:
        theirs: a `MarianMTModel` of the transformers library.

    Returns:
        A `Transformer`, set to evaluation, with the same logits and one more, of bos.

    Raises:
        ValueError: as `transformer_for` and `fill`.

    Source: Junczys-Dowmunt et al. 2018, https://arxiv.org/abs/1804.00344.
    """
    ours = transformer_for(theirs.config)
    fill(ours, marian_weights(theirs))
    return ours.eval()


class MarianTokenizer:
    """A Marian's own tokenizer with the methods of ours; one object serves both sides.

    Args:
        tokenizer: a `MarianTokenizer` of the transformers library.
        bos_id: what our `Transformer` starts a target with.
    """

    def __init__(self, tokenizer, bos_id):
        self.tokenizer, self.bos_id, self.eos_id = tokenizer, bos_id, tokenizer.eos_token_id

    def encode(self, text):
        """Text of the source to ids.

        Args:
            text: a string.

        Returns:
            List of ids, which ends in eos, as Marian has learned it.
        """
        return self.tokenizer(text, verbose=False).input_ids

    def decode(self, ids):
        """Ids of the target to text.

        Args:
            ids: list of integers.

        Returns:
            A string, without special tokens.
        """
        return self.tokenizer.decode(ids, skip_special_tokens=True)


def load_marian(name_or_folder):
    """A Marian translator as our `Transformer`, for instance "Helsinki-NLP/opus-mt-ko-en".

    Args:
        name_or_folder: a name on the Hugging Face hub, which needs a network the first time; or a folder that
            `save_pretrained` has written.

    Returns:
        model, src_tokenizer, tgt_tokenizer, as `open_translator` returns them.

    Raises:
        ValueError: it cannot be loaded, or as `from_marian`.
    """
    remedy = "check the name and the network, or name a folder"
    if Path(name_or_folder).is_dir():
        remedy = "name a folder where save_pretrained has written a Marian model and its tokenizer"
    reading = partial(one_line_errors, "the translator", remedy, packages="transformers sentencepiece")
    with naming("name_or_folder", name_or_folder):
        with reading():
            import transformers  # here, since it takes seconds

            transformers.logging.disable_progress_bar()
            config = transformers.AutoConfig.from_pretrained(name_or_folder)
        check_marian(config)
        with reading(), warnings.catch_warnings(action="ignore"):
            theirs, loaded = transformers.MarianMTModel.from_pretrained(
                name_or_folder, dtype=torch.float32, output_loading_info=True
            )
            pieces = transformers.MarianTokenizer.from_pretrained(name_or_folder)
        check_loaded(loaded)
        check_vocabulary(pieces, config)
        model = from_marian(theirs)
    tokenizer = MarianTokenizer(pieces, bos_id=model.generator.linear.out_features - 1)
    return model, tokenizer, tokenizer
