"""A language model: the decoder alone, that continues a text token by token. Chapter 15."""

from dataclasses import KW_ONLY, dataclass

from torch import nn
from torch.nn import functional as F

from helpers.decoder import Decoder
from helpers.encoder import StackConfig
from helpers.engine.checks import check_id, check_tokens
from helpers.masking import causal_mask, combine_masks, padding_mask
from helpers.transformer import Embedding, Generator


@dataclass(frozen=True)
class LanguageModelConfig(StackConfig):
    """Sizes and options of a language model; the defaults that differ from `StackConfig` are GPT-2's.

    Args:
        vocab_size: number of tokens.
        dropout: as in `StackConfig`; also on the sum of embeddings and positions.
        positions: "sinusoidal" or "learned".
        max_len: the longest sequence that can be handled.
        pad_id: the id that fills up short sequences, on their right.
        tie_generator: the generator's weights are the table of the embedding.

    The other arguments are those of `StackConfig`.

    Raises:
        ValueError: a size or id does not fit; the message names the argument.

    Source: Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2.3.
    """

    vocab_size: int
    _: KW_ONLY
    dropout: float = 0.1
    activation: str = "gelu"
    norm_first: bool = True
    positions: str = "learned"
    max_len: int = 256
    pad_id: int = 0
    tie_generator: bool = True

    def __post_init__(self):
        super().__post_init__()
        check_id("pad_id", self.pad_id, self.vocab_size)


class LanguageModel(nn.Module):
    """Embedding (vectors · √d_model, plus positions), a decoder without cross-attention, generator.

    Args:
        config: a `LanguageModelConfig`.

    Forward: ids (B, T) → logits (B, T, vocab_size). Those at position i know the ids up to i, and are
        about the next one.

    Raises:
        ValueError: as the parts.

    Source: Liu et al. 2018, https://arxiv.org/abs/1801.10198, section 4.2.3.
    """

    def __init__(self, config):
        super().__init__()
        self.max_len, self.pad_id = config.max_len, config.pad_id
        sizes = config.d_model, config.positions, config.max_len, config.dropout
        self.embed = Embedding(config.vocab_size, *sizes)
        self.decoder = Decoder(config, cross_attention=False)
        self.generator = Generator(config.d_model, config.vocab_size)
        if config.tie_generator:
            self.generator.linear.weight = self.embed.tokens.weight

    def decode(self, ids, cache=None):
        """Read a text.

        Args:
            ids: token ids (B, T).
            cache: a `KVCache` (chapter 12); of ids, only the tokens that it has not read yet are computed.

        Returns:
            (B, T, d_model), for the generator; with a cache, of the new tokens alone.

        Raises:
            ValueError: as `check_tokens`.
        """
        check_tokens("ids", ids, self.embed.tokens.weight.size(0), self.max_len)
        past, first = (0, 0) if cache is None else cache.begin_pass(ids, self.pad_id)
        causal = causal_mask(ids.size(1), ids.device)[past:]
        mask = combine_masks(padding_mask(ids, self.pad_id), causal)
        return self.decoder(self.embed(ids[:, past:], first), mask=mask, cache=cache)

    def forward(self, ids):
        return self.generator(self.decode(ids))


def next_token_loss(model, inputs, labels):
    """Cross-entropy of the next token, averaged over the labels that are not padding.

    Args:
        model: a `LanguageModel`.
        inputs: (B, T), a text without its last token.
        labels: (B, T), the same text without its first; those set to padding are left out.

    Returns:
        The mean loss, a scalar tensor. Its exponential is the perplexity.

    Raises:
        ValueError: as `LanguageModel`.
    """
    logits = model(inputs)  # (B, T, vocab_size)
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=model.pad_id)
