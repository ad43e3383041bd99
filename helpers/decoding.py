"""Decoding: from a trained model to a translation, token by token. Chapter 12."""

import math

import torch

from helpers.engine.checks import check_beam, check_search


class FullDecoding:
    """Gives the logits of the next token, computing the whole target anew at every step.

    Args:
        model: a `Transformer`; it is set to evaluation.
        src: (B, T_src), the sentences to translate.
        width: number of rows, one below the other, that translate the same sentence.

    Call: ids (B · width, T), the targets so far → logits (B · width, tgt_vocab_size) of the next token; that
        of padding is −∞.
    """

    def __init__(self, model, src, width=1):
        self.model = model.eval()
        self.memory, self.memory_mask = (x.repeat_interleave(width, dim=0) for x in model.encode(src))

    def __call__(self, ids):
        hidden = self.model.decode(ids, self.memory, self.memory_mask)[:, -1]  # (B · width, d_model)
        return block_padding(self.model.generator(hidden), self.model)

    def reorder(self, beam_index):
        """Nothing to do: the targets come whole, and the rows of a sentence share its memory."""


def block_padding(logits, model):
    """Make padding impossible: its logit in (…, tgt_vocab_size) becomes −∞, in place."""
    logits[..., model.tgt_pad_id] = -torch.inf
    return logits


class KVCache:
    """The keys and values that one self-attention has made so far, each (B · width, n_heads, T, d_head)."""

    def __init__(self, keys=None, values=None):
        self.keys, self.values = keys, values

    def append(self, key, value):
        """Take in those of the newest token, each (B · width, n_heads, 1, d_head); return all."""
        if self.keys is not None:
            key = torch.cat([self.keys, key], dim=2)
            value = torch.cat([self.values, value], dim=2)
        self.keys, self.values = key, value
        return key, value

    def reorder(self, beam_index):
        """Row i continues from row beam_index[i]."""
        self.keys = self.keys.index_select(0, beam_index)
        self.values = self.values.index_select(0, beam_index)


class IncrementalDecoding:
    """Gives the logits of the next token, computing only what the newest token adds: it keeps a KV cache.

    Args and call: as `FullDecoding`, with the same logits; ids grow by one token at each call.

    Raises:
        ValueError: ids are not one token longer than at the call before.
    """

    def __init__(self, model, src, width=1):
        self.model = model.eval()
        memory, self.memory_mask = model.encode(src)
        self.memory = [memory_keys_and_values(layer, memory) for layer in model.decoder.layers]
        self.caches = [KVCache() for _ in model.decoder.layers]
        self.length = 0

    def __call__(self, ids):
        if ids.size(1) != self.length + 1:
            expected = f"{self.length} are in the cache; pass {self.length + 1}"
            raise ValueError(f"ids: {ids.size(1)} tokens, but {expected}")
        hidden = decode_step(self.model, ids[:, -1:], self.length, self.caches, self.memory, self.memory_mask)
        self.length += 1
        return block_padding(self.model.generator(hidden), self.model)

    def reorder(self, beam_index):
        """Row i continues from row beam_index[i], a row of the same sentence."""
        for cache in self.caches:
            cache.reorder(beam_index)


def memory_keys_and_values(layer, memory):
    """What the cross-attention of a layer looks up in memory (B, T_src, d_model); the same at every step."""
    return [x.contiguous() for x in layer.cross_attention.project(memory, "kv")]


def decode_step(model, ids, position, caches, memory, memory_mask):
    """Pass one token a row through the decoder.

    Args:
        model: a `Transformer`.
        ids: (B · width, 1), the newest token of each row.
        position: of this token, from 0.
        caches: a `KVCache` for each layer; the token is added to them.
        memory: for each layer `memory_keys_and_values`, (B, n_heads, T_src, d_head).
        memory_mask: (B, 1, 1, T_src).

    Returns:
        (B · width, d_model), for the generator.
    """
    x = model.tgt_embed(ids, position)  # (B · width, 1, d_model)
    for layer, cache, keys_and_values in zip(model.decoder.layers, caches, memory, strict=True):
        x = step_through(layer, x, cache, keys_and_values, memory_mask)
    return model.decoder.norm(x)[:, 0]


def step_through(layer, x, cache, keys_and_values, memory_mask):
    """Pass the newest token of each row, x (B · width, 1, d_model), through a decoder layer."""

    def attend(x):  # to all tokens so far: none is in the future, so there is nothing to mask
        q, k, v = layer.attention.project(x)
        heads, _ = layer.attention.attend(q, *cache.append(k, v))
        return layer.attention.merge(heads)

    def attend_memory(x):  # the rows of a sentence become queries of one memory, (B, width, d_model)
        (q,) = layer.cross_attention.project(x.view(memory_mask.size(0), -1, x.size(-1)), "q")
        heads, _ = layer.cross_attention.attend(q, *keys_and_values, memory_mask)
        return layer.cross_attention.merge(heads).view(x.shape)

    return layer.run_sublayers(x, attend, attend_memory)


def greedy(logits):
    """logits (B, vocab_size) → the likeliest id of each row, (B)."""
    return logits.max(dim=-1).indices


class Sampler:
    """Draws the next token at random, by its probability.

    Args:
        temperature: divides the logits; below 1 likely tokens become likelier, above 1 chances even out.
        top_k: only this many of the likeliest tokens are left; None: all.
        top_p: only the likeliest tokens that together reach this probability are left.
        seed: of the draws.

    Call: logits (B, vocab_size) → ids (B).

    Raises:
        ValueError: temperature is not above 0, top_k not at least 1, or top_p not in (0, 1].

    Source: Holtzman et al. 2020, https://arxiv.org/abs/1904.09751, section 3.
    """

    def __init__(self, temperature=1.0, top_k=None, top_p=1.0, seed=0):
        if not 0 < temperature < math.inf:
            raise ValueError(f"temperature: {temperature} is not above 0; for the likeliest token use greedy")
        if top_k is not None and top_k < 1:
            raise ValueError(f"top_k: {top_k} leaves no token; use at least 1, or None for all")
        if not 0 < top_p <= 1:
            raise ValueError(f"top_p: {top_p} is not a probability; use a number above 0, up to 1")
        self.temperature, self.top_k, self.top_p = temperature, top_k, top_p
        self.generator = torch.Generator().manual_seed(seed)

    def __call__(self, logits):
        probabilities, ids = (logits.cpu() / self.temperature).softmax(dim=-1).sort(descending=True)
        before = probabilities.cumsum(dim=-1) - probabilities  # what the likelier ones hold
        probabilities = probabilities.masked_fill(before >= self.top_p, 0.0)[:, : self.top_k]
        drawn = torch.multinomial(probabilities, 1, generator=self.generator)  # (B, 1), a rank
        return ids.gather(1, drawn).squeeze(1).to(logits.device)


@torch.no_grad()
def generate(model, src, bos_id, eos_id, max_len, choose=greedy, decoding=IncrementalDecoding):
    """Write each translation token by token, until its own eos.

    Args:
        model: a `Transformer`; it is set to evaluation.
        src: (B, T_src), the sentences to translate.
        bos_id, eos_id: what a target begins and ends with.
        max_len: at most this many tokens, eos included.
        choose: from logits (B, vocab_size) to ids (B), e.g. `greedy` or a `Sampler`.
        decoding: `IncrementalDecoding` or `FullDecoding`.

    Returns:
        B lists of ids, without bos and eos.

    Raises:
        ValueError: as `check_search` and `Transformer`.
    """
    check_search(model, bos_id, eos_id, max_len)
    next_logits = decoding(model, src)
    ids = torch.full((src.size(0), 1), bos_id, device=src.device)
    finished = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
    while ids.size(1) <= max_len and not finished.all():
        token = choose(next_logits(ids)).masked_fill(finished, model.tgt_pad_id)  # (B)
        finished = finished | (token == eos_id)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return [strip(row, eos_id, model.tgt_pad_id) for row in ids[:, 1:].tolist()]


def strip(ids, eos_id, pad_id):
    """The list of ids without eos and padding."""
    return [id for id in ids if id not in (eos_id, pad_id)]


def length_penalty(length, alpha):
    """What a log-probability is divided by: ((5 + length) / 6)^alpha, length in tokens, eos included."""
    return ((5 + length) / 6) ** alpha


@torch.no_grad()
def beam_search(
    model,
    src,
    bos_id,
    eos_id,
    max_len,
    width=4,
    alpha=0.6,
    penalty=length_penalty,
    decoding=IncrementalDecoding,
):
    """Keep the `width` best partial hypotheses of each sentence; apart from them, the best finished ones.

    A sentence is done when no partial hypothesis can overtake its finished ones any more: log-probabilities
    only fall, so its score is at most its log-probability now, divided by the largest penalty.

    Args:
        model, src, bos_id, eos_id, max_len, decoding: as in `generate`.
        width: number of partial hypotheses (beams); also of hypotheses returned.
        alpha: of the penalty, 0 to 10; with 0 short translations win, the larger the more long ones do.
        penalty: from a number of tokens and alpha to what the log-probability is divided by; does not fall.

    Returns:
        For each sentence a list of (score, ids), best first, ids without bos and eos. What reaches max_len
        without eos counts as finished there.

    Raises:
        ValueError: as `check_beam` and `generate`.

    Source: Wu et al. 2016, https://arxiv.org/abs/1609.08144, section 7.
    """
    check_search(model, bos_id, eos_id, max_len)
    check_beam(width, alpha)
    batch, pad_id = src.size(0), model.tgt_pad_id
    next_logits = decoding(model, src, width)
    rows = width * torch.arange(batch, device=src.device).unsqueeze(1)  # (B, 1), the first of each sentence
    beams = torch.full((batch, width, max_len + 1), pad_id, device=src.device)
    beams[:, :, 0] = bos_id
    log_probs = torch.full((batch, width), -torch.inf, device=src.device)  # of each beam
    log_probs[:, 0] = 0.0  # all beams are still the same: only the first counts
    finished, scores = beams, torch.full_like(log_probs, -torch.inf)  # none yet
    for length in range(1, max_len + 1):
        next_log_probs = next_logits(beams[:, :, :length].flatten(0, 1)).log_softmax(dim=-1)
        best, tokens = next_log_probs.topk(min(2 * width, next_log_probs.size(1)))  # (B · width, 2 · width)
        candidates = (log_probs.flatten().unsqueeze(1) + best).view(batch, -1)  # (B, width · 2 · width)
        candidates, place = candidates.topk(2 * width)  # (B, 2 · width): at most `width` of them end in eos
        beam_index, token = place // best.size(1), tokens.view(batch, -1).gather(1, place)
        longer = pick(beams, beam_index)
        longer[:, :, length] = token
        ends = (token == eos_id) | (length == max_len)

        new = (candidates / penalty(length, alpha)).masked_fill(~ends, -torch.inf)[:, :width]
        scores, best_finished = torch.cat([scores, new], dim=1).topk(width)
        finished = pick(torch.cat([finished, longer[:, :width]], dim=1), best_finished)

        log_probs, going_on = candidates.masked_fill(ends, -torch.inf).topk(width)
        beams, beam_index = pick(longer, going_on), beam_index.gather(1, going_on)
        if (log_probs[:, 0] / penalty(max_len, alpha) <= scores[:, -1]).all():
            break
        next_logits.reorder((rows + beam_index).flatten())
    ranked = zip(scores.tolist(), finished[:, :, 1:].tolist(), strict=True)
    return [
        [(score, strip(ids, eos_id, pad_id)) for score, ids in zip(*found, strict=True) if score > -torch.inf]
        for found in ranked
    ]


def pick(sequences, index):
    """sequences (B, N, T), index (B, K) of rows → those rows of each sentence, (B, K, T)."""
    return sequences.gather(1, index.unsqueeze(2).expand(-1, -1, sequences.size(2)))
