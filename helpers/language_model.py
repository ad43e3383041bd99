"""A language model: the decoder alone, that continues a text token by token. Chapter 15."""

import torch
from torch import nn
from torch.nn import functional as F

from helpers.decoder import Decoder
from helpers.decoding import IncrementalDecoding, KVCache
from helpers.engine.checks import check_id, check_tokens
from helpers.masking import causal_mask
from helpers.transformer import Embedding, Generator


class LanguageModel(nn.Module):
    """Embedding, a decoder without cross-attention, generator; its parts are named as in `Transformer`.

    Args:
        vocab_size: number of tokens.
        d_model, n_heads, d_ff, n_layers, dropout, activation, norm_first: as in `Decoder`; dropout also acts
            on the sum of embeddings and positions.
        positions: "sinusoidal" or "learned".
        max_len: the longest sequence that can be handled.
        pad_id: the id that fills up short sequences, on their right: there the causal mask hides it.
        tie_generator: the generator's weights are the table of the embedding.

    Forward: ids (B, T) → logits (B, T, vocab_size). Those at position i know the ids up to i, and are
        about the next one.

    Raises:
        ValueError: a size or id does not fit; the message names the argument.

    Source: Liu et al. 2018, https://arxiv.org/abs/1801.10198, section 4.2.3.
    """

    def __init__(
        self,
        vocab_size,
        d_model,
        n_heads,
        d_ff,
        n_layers,
        dropout=0.1,
        activation="gelu",
        norm_first=True,
        positions="learned",
        max_len=256,
        pad_id=0,
        tie_generator=True,
    ):
        super().__init__()
        check_id("pad_id", pad_id, vocab_size)
        self.max_len, self.tgt_pad_id = max_len, pad_id
        options = (d_model, n_heads, d_ff, n_layers, dropout, activation, norm_first)
        self.tgt_embed = Embedding(vocab_size, d_model, positions, max_len, dropout)
        self.decoder = Decoder(*options, cross_attention=False)
        self.generator = Generator(d_model, vocab_size)
        if tie_generator:
            self.generator.linear.weight = self.tgt_embed.tokens.weight

    def forward(self, ids):
        check_tokens("ids", ids, self.tgt_embed.tokens.weight.size(0), self.max_len)
        x = self.tgt_embed(ids)  # (B, T, d_model)
        return self.generator(self.decoder(x, mask=causal_mask(ids.size(1), ids.device)))


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
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=model.tgt_pad_id)


class Continuation(IncrementalDecoding):
    """Gives the logits of the next token after a prompt; for `generate` and `beam_search` of chapter 12.

    Args:
        model: a `LanguageModel`; it is set to evaluation.
        prompt: (B, T), what each row begins with; no padding; T may be 0.
        width: number of rows, one below the other, that continue the same prompt.

    Call: ids (B · width, T), what follows the prompts → logits (B · width, vocab_size) of the next token;
        that of padding is −∞. Ids grow by one token at each call.

    Raises:
        ValueError: ids are not one token longer than at the call before.
    """

    def __init__(self, model, prompt, width=1):
        self.model = model.eval()
        self.caches = [KVCache() for _ in model.decoder.layers]
        self.memory, self.memory_mask = [None for _ in model.decoder.layers], None  # there is no source
        self.length = 0
        self.prompt = prompt.repeat_interleave(width, dim=0)
        for end in range(1, prompt.size(1) + 1):
            super().__call__(self.prompt[:, :end])  # fills the caches

    def __call__(self, ids):
        return super().__call__(torch.cat([self.prompt, ids], dim=1))
