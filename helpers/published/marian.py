"""A translator that others trained: the weights of a Marian in our `Transformer`. Chapter 17."""

import warnings

import torch

from helpers.published.gpt2 import ACTIVATION_NAMES
from helpers.published.marian_checks import check_complete, check_marian, told_in_one_line
from helpers.transformer import Transformer, TransformerConfig

ENCODER_PARTS = {  # each part of our layer, and which of theirs it is; several are stacked
    "attention.w_qkv": ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"],
    "attention.w_o": ["self_attn.out_proj"],
    "residuals.0.norm": ["self_attn_layer_norm"],
    "feed_forward.linear1": ["fc1"],
    "feed_forward.linear2": ["fc2"],
    "residuals.1.norm": ["final_layer_norm"],
}
DECODER_PARTS = ENCODER_PARTS | {
    "cross_attention.w_qkv": ["encoder_attn.q_proj", "encoder_attn.k_proj", "encoder_attn.v_proj"],
    "cross_attention.w_o": ["encoder_attn.out_proj"],
    "residuals.1.norm": ["encoder_attn_layer_norm"],
    "residuals.2.norm": ["final_layer_norm"],
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
    check_marian(config, ACTIVATION_NAMES)
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
            activation=ACTIVATION_NAMES[config.activation_function],
            positions="learned",
            max_len=config.max_position_embeddings,
            src_pad_id=config.pad_token_id,
            tgt_pad_id=config.pad_token_id,
            tie_embeddings=one_vocabulary and tied,
            tie_generator=tied,
        )
    )


@torch.no_grad()
def copy_parts(ours, theirs, parts):
    """Copy the weights and biases of a layer into one of ours.

    Args:
        ours, theirs: modules.
        parts: {name of a part of ours: names of those of theirs, which are stacked}.
    """
    for name, sources in parts.items():
        for kind in ("weight", "bias"):
            stacked = torch.cat([theirs.get_parameter(f"{source}.{kind}") for source in sources])
            ours.get_parameter(f"{name}.{kind}").copy_(stacked)


@torch.no_grad()
def copy_tables(ours, theirs):
    """Copy the embeddings, the positions and the generator, each table with one more row for bos.

    Args:
        ours: a `Transformer`.
        theirs: a `MarianMTModel`.
    """
    encoder, decoder = theirs.get_encoder(), theirs.get_decoder()
    bos = decoder.embed_tokens.weight[theirs.config.decoder_start_token_id].unsqueeze(0)  # (1, d_model)
    tables = {
        ours.src_embed.tokens: encoder.embed_tokens,
        ours.tgt_embed.tokens: decoder.embed_tokens,
        ours.generator.linear: theirs.lm_head,
    }
    for mine, table in tables.items():
        mine.weight.copy_(torch.cat([table.weight, bos]))
    ours.src_embed.positions.weight.copy_(encoder.embed_positions.weight)
    ours.tgt_embed.positions.weight.copy_(decoder.embed_positions.weight)
    never = torch.tensor([-1e9])  # bos is never written
    ours.generator.linear.bias.copy_(torch.cat([theirs.final_logits_bias[0], never]))


def from_marian(theirs):
    """Our `Transformer` with the weights of a Marian.

    Args:
        theirs: a `MarianMTModel` of the transformers library.

    Returns:
        A `Transformer`, set to evaluation, with the same logits and one more, of bos.

    Raises:
        ValueError: as `transformer_for`.

    Source: Junczys-Dowmunt et al. 2018, https://arxiv.org/abs/1804.00344.
    """
    ours = transformer_for(theirs.config)
    copy_tables(ours, theirs)
    for mine, layer in zip(ours.encoder.layers, theirs.get_encoder().layers, strict=True):
        copy_parts(mine, layer, ENCODER_PARTS)
    for mine, layer in zip(ours.decoder.layers, theirs.get_decoder().layers, strict=True):
        copy_parts(mine, layer, DECODER_PARTS)
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
    with told_in_one_line(name_or_folder):
        import transformers  # here, since it takes seconds

        transformers.logging.disable_progress_bar()
        config = transformers.AutoConfig.from_pretrained(name_or_folder)
    check_marian(config, ACTIVATION_NAMES)
    with told_in_one_line(name_or_folder), warnings.catch_warnings(action="ignore"):
        theirs, loaded = transformers.MarianMTModel.from_pretrained(
            name_or_folder, dtype=torch.float32, output_loading_info=True
        )
        pieces = transformers.MarianTokenizer.from_pretrained(name_or_folder)
    check_complete(loaded["missing_keys"], name_or_folder)
    model = from_marian(theirs)
    tokenizer = MarianTokenizer(pieces, bos_id=model.generator.linear.out_features - 1)
    return model, tokenizer, tokenizer
