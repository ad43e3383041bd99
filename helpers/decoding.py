"""Decoding: from a trained model to a translation, token by token. Chapter 12."""

import torch
from torch.nn import functional as F

from helpers.attention import merge_heads, split_heads
from helpers.guards import guard_next, guard_sampling, guard_sizes
from helpers.masking import padding_mask


class FullSteps:
    """Gives the logits of the next token, computing the whole target anew at every step.

    Args:
        model: a `Transformer`; it is set to evaluation.
        src: (B, T_src), the sentences to translate.

    Call: ids (B, T), the target so far → logits (B, tgt_vocab_size) of the next token; that of padding is −∞.
    """

    def __init__(self, model, src):
        self.model, self.src, self.memory = model.eval(), src, model.encode(src)

    def __call__(self, ids):
        hidden = self.model.decode(ids, self.memory, self.src)[:, -1]  # (B, d_model)
        return block_padding(self.model.generator(hidden), self.model)

    def select(self, rows):
        """Go on with these sentences only, in this order."""
        self.src, self.memory = self.src[rows], self.memory[rows]


def block_padding(logits, model):
    """Padding is no answer: its logit becomes −∞, in place."""
    logits[..., model.tgt_pad_id] = -torch.inf
    return logits


def project(attention, x, first, last):
    """x (B, T, d_model) → its queries (0), keys (1), values (2), `first` to before `last`, side by side."""
    rows = slice(first * x.size(-1), last * x.size(-1))
    return F.linear(x, attention.w_qkv.weight[rows], attention.w_qkv.bias[rows])


def attend_to(attention, query, keys_and_values, mask=None):
    """`MultiHeadAttention` from projections: query (B, T_q, d_model), keys_and_values (B, T, 2 · d_model)."""
    projected = query, *keys_and_values.chunk(2, dim=-1)
    q, k, v = (split_heads(x, attention.n_heads) for x in projected)  # (B, n_heads, T_q or T, d_head)
    return attention.w_o(merge_heads(F.scaled_dot_product_attention(q, k, v, attn_mask=mask)))


class CachedSteps:
    """Gives the logits of the next token, keeping the keys and values of every token seen: the KV cache.

    Args, call and `select` as in `FullSteps`, with the same logits; each call must bring one token more.

    Raises:
        ValueError: ids do not have exactly one token more than at the call before.
    """

    def __init__(self, model, src):
        self.model, self.mask, self.length = model.eval(), padding_mask(src, model.src_pad_id), 0
        memory, layers = model.encode(src), model.decoder.layers
        self.cross = [project(layer.cross_attention, memory, 1, 3) for layer in layers]
        self.past = [torch.empty_like(x[:, :1]) for x in self.cross]  # room for one token, empty

    def __call__(self, ids):
        guard_next(ids, self.length)
        if self.length == self.past[0].size(1):  # full: twice the room, to be overwritten
            self.past = [torch.cat([x, x], dim=1) for x in self.past]
        self.length += 1
        embedding, positions, _ = self.model.tgt_embed
        x = embedding(ids[:, -1:])  # (B, 1, d_model): only the newest token
        nothing = x.new_zeros(1, self.length, x.size(-1))
        x = x + positions(nothing)[:, -1:]  # what is added to nothing is the position
        for layer, past, cross in zip(self.model.decoder.layers, self.past, self.cross, strict=True):
            x = self.pass_through(layer, x, past[:, : self.length], cross)
        return block_padding(self.model.generator(self.model.decoder.norm(x)[:, 0]), self.model)

    def pass_through(self, layer, x, past, cross):
        def look_back(x):  # the newest token's key and value take the last place
            query, past[:, -1:] = project(layer.attention, x, 0, 3).tensor_split([x.size(-1)], dim=-1)
            return attend_to(layer.attention, query, past)

        def look_across(x):  # the source's keys and values never change
            query = project(layer.cross_attention, x, 0, 1)
            return attend_to(layer.cross_attention, query, cross, self.mask)

        x = layer.residuals[0](x, look_back)
        x = layer.residuals[1](x, look_across)
        return layer.residuals[2](x, layer.feed_forward)

    def select(self, rows):
        """Go on with these sentences only, in this order."""
        self.mask = self.mask[rows]
        self.cross, self.past = ([x[rows] for x in kept] for kept in (self.cross, self.past))


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
        ValueError: temperature is not above 0, top_k not a positive integer, or top_p not in (0, 1].

    Source: Holtzman et al. 2020, https://arxiv.org/abs/1904.09751, section 3.
    """

    def __init__(self, temperature=1.0, top_k=None, top_p=1.0, seed=0):
        guard_sampling(temperature, top_k, top_p)
        self.temperature, self.top_k, self.top_p = temperature, top_k, top_p
        self.generator = torch.Generator().manual_seed(seed)

    def __call__(self, logits):
        probabilities, ids = (logits.cpu() / self.temperature).softmax(dim=-1).sort(descending=True)
        before = probabilities.cumsum(dim=-1) - probabilities  # what the likelier ones hold
        probabilities = probabilities.masked_fill(before >= self.top_p, 0.0)[:, : self.top_k]
        drawn = torch.multinomial(probabilities, 1, generator=self.generator)  # (B, 1), a rank
        return ids.gather(1, drawn).squeeze(1).to(logits.device)


@torch.no_grad()
def generate(model, src, bos_id, eos_id, max_len, choose=greedy, steps=CachedSteps):
    """Write each translation token by token, until its own eos.

    Args:
        model: a `Transformer`; it is set to evaluation.
        src: (B, T_src), the sentences to translate.
        bos_id, eos_id: what a target begins and ends with.
        max_len: at most this many tokens, eos included.
        choose: from logits (B, vocab_size) to ids (B), e.g. `greedy` or a `Sampler`.
        steps: `CachedSteps` or `FullSteps`.

    Returns:
        B lists of ids, without bos and eos.

    Raises:
        ValueError: max_len is not a positive integer; as `Transformer`.
    """
    guard_sizes(max_len=max_len)
    next_logits = steps(model, src)
    ids = torch.full((len(src), 1), bos_id, device=src.device)
    ended = torch.zeros(len(src), dtype=torch.bool, device=src.device)
    while ids.size(1) <= max_len and not ended.all():
        new = choose(next_logits(ids)).masked_fill(ended, model.tgt_pad_id)  # (B)
        ended = ended | (new == eos_id)
        ids = torch.cat([ids, new.unsqueeze(1)], dim=1)
    return [strip(row, eos_id, model.tgt_pad_id) for row in ids[:, 1:].tolist()]


def strip(ids, eos_id, pad_id):
    """The ids without eos and padding."""
    return [id for id in ids if id not in (eos_id, pad_id)]


@torch.no_grad()
def beam_search(model, src, bos_id, eos_id, max_len, width=4, alpha=0.6, steps=CachedSteps):
    """Keep the `width` best beginnings of each translation; width 1 is greedy.

    Args:
        model, src, bos_id, eos_id, max_len, steps: as in `generate`.
        width: number of beginnings kept; one that has ended competes on with its score.
        alpha: length penalty; a translation of n tokens, eos included, has the score
            log-probability / ((5 + n) / 6)^alpha. With 0 short ones win, the larger the more long ones do.

    Returns:
        For each sentence a list of (score, ids), best first, ids without bos and eos.

    Raises:
        ValueError: max_len or width is not a positive integer; as `Transformer`.

    Source: Wu et al. 2016, https://arxiv.org/abs/1609.08144, section 7.
    """
    guard_sizes(max_len=max_len, width=width)
    next_logits, first = steps(model, src), torch.arange(len(src), device=src.device).unsqueeze(1) * width
    next_logits.select(torch.arange(len(src), device=src.device).repeat_interleave(width))
    ids = torch.full((len(src) * width, 1), bos_id, device=src.device)
    total = torch.full((len(src), width), -torch.inf, device=src.device)  # log-probabilities
    total[:, 0] = 0.0  # all beginnings are the same as yet: only the first counts
    length = torch.zeros_like(total)
    ended = torch.zeros_like(total, dtype=torch.bool)
    while ids.size(1) <= max_len and not ended.all():
        more = next_logits(ids).log_softmax(dim=-1).view(len(src), width, -1)  # (B, width, V)
        more = more.masked_fill(ended.unsqueeze(2), -torch.inf)
        # What has ended goes on with padding, at no cost.
        more[..., model.tgt_pad_id].masked_fill_(ended, 0.0)
        totals, length = total.unsqueeze(2) + more, length + ~ended
        scores = totals / length_penalty(length, alpha).unsqueeze(2)
        place = scores.flatten(1).topk(width).indices  # (B, width), out of width · V
        parent, token = place // more.size(2), place % more.size(2)
        total = totals.flatten(1).gather(1, place)
        length, ended = length.gather(1, parent), ended.gather(1, parent) | (token == eos_id)
        rows = (first + parent).flatten()
        next_logits.select(rows)
        ids = torch.cat([ids[rows], token.view(-1, 1)], dim=1)
    scores = (total / length_penalty(length, alpha)).tolist()
    texts = ids[:, 1:].view(len(src), width, -1).tolist()
    ranked = (sorted(zip(*found, strict=True), reverse=True) for found in zip(scores, texts, strict=True))
    pad_id = model.tgt_pad_id
    return [
        [(score, strip(row, eos_id, pad_id)) for score, row in rows if score > -torch.inf] for rows in ranked
    ]


def length_penalty(length, alpha):
    """((5 + length) / 6)^alpha, which log-probabilities are divided by."""
    return ((5 + length) / 6) ** alpha
