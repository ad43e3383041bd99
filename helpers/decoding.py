"""Decoding: from a trained model to a translation, token by token. Chapter 12."""

import torch

from helpers.engine.checks import check_beam, check_no_gaps, check_sampler, check_search
from helpers.engine.protocol import in_parts


class FullDecoding:
    """Gives the logits of the next token, computing the whole target anew at every step.

    Args:
        model: a `Transformer`, a `LanguageModel` (chapter 15), or one of your own, see
            `helpers.engine.protocol`; it is set to evaluation.
        src: (B, T_src), the sentences to translate; None for a language model.
        num_beams: number of rows, one below the other, that belong to the same sentence.

    Call: ids (B · num_beams, T), the targets so far → logits (B · num_beams, vocab_size) of the token after
        the last one of each row that is not padding; that of padding is −∞.

    Raises:
        ValueError: as `in_parts` and `check_no_gaps`.
    """

    @torch.no_grad()
    def __init__(self, model, src=None, num_beams=1):
        model = in_parts(model, src)  # of your own, a forward is enough
        self.model = model.eval()
        self.pad_id = model.pad_id if src is None else model.tgt_pad_id
        memory = () if src is None else model.encode(src)  # and its mask
        self.memory = [x.repeat_interleave(num_beams, dim=0) for x in memory]  # (B · num_beams, …)

    @torch.no_grad()
    def __call__(self, ids):
        check_no_gaps(ids, self.pad_id)
        return self.last_logits(ids, self.model.decode(ids, *self.memory))

    def last_logits(self, ids, hidden):
        """The logits after the last token of each row.

        Args:
            ids: (B, T), all tokens so far.
            hidden: (B, T_new, d_model), what the decoder made of the last T_new of them.

        Returns:
            (B, vocab_size).
        """
        real = ids[:, -hidden.size(1) :] != self.pad_id  # (B, T_new)
        last = real.cumsum(dim=1).argmax(dim=1)  # (B), where the last real token stands
        logits = self.model.generator(hidden[torch.arange(len(ids), device=ids.device), last])
        logits[:, self.pad_id] = -torch.inf
        return logits

    def reorder(self, beam_index):
        """Nothing to do: the targets come whole, and the rows of a sentence share its memory."""


class KVCache:
    """The keys and values that the attentions of a decoder have made so far, so that none is made twice.

    `tokens` has those of each self-attention, and grows; `memory` those of each cross-attention, which stay
    the same. Both: {attention: (keys, values)}, each (B, n_heads, T, d_head).
    """

    def __init__(self):
        self.tokens, self.memory = {}, {}
        self.offset = 0  # position of the first token of this pass

    @property
    def length(self):
        """How many tokens a row has in the cache, padding included."""
        return next(iter(self.tokens.values()))[0].size(2) if self.tokens else 0

    def begin_pass(self, ids, pad_id):
        """Find out which tokens are new, before they pass through the decoder.

        Args:
            ids: (B, T), all tokens so far.
            pad_id: padding, which has no position.

        Returns:
            How many columns of ids were read before; and the position of the first new token of each row,
            (B, 1).
        """
        past = self.length
        self.offset = (ids[:, :past] != pad_id).sum(dim=1, keepdim=True)
        return past, self.offset

    def append(self, attention, keys, values, grows=True):
        """Take in keys and values, each (B, n_heads, T_new, d_head).

        Args:
            attention: whose they are.
            keys, values: of the new tokens; or of memory.
            grows: whether they come behind those that are there, or are those of memory.

        Returns:
            All keys and values of this attention, each (B, n_heads, T, d_head).
        """
        if not grows:  # read at every step: in one piece, that is faster
            self.memory[attention] = keys.contiguous(), values.contiguous()
            return self.memory[attention]
        if attention in self.tokens:
            pairs = zip(self.tokens[attention], (keys, values), strict=True)
            keys, values = (torch.cat(pair, dim=2) for pair in pairs)
        self.tokens[attention] = keys, values
        return keys, values

    def reorder(self, beam_index):
        """Row i continues from row beam_index[i], a row of the same sentence, with the same memory."""
        for attention, kept in self.tokens.items():
            self.tokens[attention] = tuple(x.index_select(0, beam_index) for x in kept)


class IncrementalDecoding(FullDecoding):
    """Gives the logits of the next token, computing only what the new tokens add: it keeps a KV cache.

    Args and call: as `FullDecoding`, with the same logits. At each call ids begin with those of the call
        before; what is new, a whole prompt or a single token, is read in one pass.

    Raises:
        ValueError: ids bring nothing new.
    """

    def __init__(self, model, src=None, num_beams=1):
        super().__init__(model, src, num_beams)
        self.cache = KVCache()

    @torch.no_grad()
    def __call__(self, ids):
        if ids.size(1) <= self.cache.length:
            known = f"{self.cache.length} are in the cache"
            raise ValueError(f"ids: {ids.size(1)} tokens, but {known}; pass more")
        return self.last_logits(ids, self.model.decode(ids, *self.memory, cache=self.cache))

    def reorder(self, beam_index):
        """Row i continues from row beam_index[i], a row of the same sentence."""
        self.cache.reorder(beam_index)


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
        ValueError: as `check_sampler`.

    Source: Holtzman et al. 2020, https://arxiv.org/abs/1904.09751, section 3.
    """

    def __init__(self, temperature=1.0, top_k=None, top_p=1.0, seed=0):
        check_sampler(temperature, top_k, top_p, seed)
        self.temperature, self.top_k, self.top_p = temperature, top_k, top_p
        self.rng = torch.Generator().manual_seed(seed)

    def __call__(self, logits):
        probabilities, ids = (logits.cpu().float() / self.temperature).softmax(dim=-1).sort(descending=True)
        before = probabilities.cumsum(dim=-1) - probabilities  # what the likelier ones hold
        probabilities = probabilities.masked_fill(before >= self.top_p, 0.0)[:, : self.top_k]
        drawn = torch.multinomial(probabilities, 1, generator=self.rng)  # (B, 1), a rank
        return ids.gather(1, drawn).squeeze(1).to(logits.device)


@torch.no_grad()
def generate(model, src, start, eos_id, max_len, choose=greedy, decoding=IncrementalDecoding):
    """Write token by token, each row until its own eos.

    Args:
        model: a `Transformer`, a `LanguageModel` (chapter 15), or one of your own, see
            `helpers.engine.protocol`; it is set to evaluation, and never writes its tgt_pad_id (of a language
            model, pad_id).
        src: (B, T_src), the sentences to translate; None for a language model.
        start: the id of bos, with which every target begins; or what each row begins with, (B, T), filled up
            with padding on the right, such as the prompts of a language model.
        eos_id: what a target ends with.
        max_len: at most this many tokens are written, eos included.
        choose: from logits (B, vocab_size) to ids (B), e.g. `greedy` or a `Sampler`.
        decoding: `IncrementalDecoding` or `FullDecoding`.

    Returns:
        B lists of the ids that were written, without eos.

    Raises:
        ValueError: as `check_search` and the model.
    """
    next_logits = decoding(model, src)
    ids = starts(start, src)
    check_search(next_logits, ids, eos_id, max_len)
    finished = torch.zeros(len(ids), dtype=torch.bool, device=ids.device)
    length = ids.size(1)
    while ids.size(1) < length + max_len and not finished.all():
        token = choose(next_logits(ids)).masked_fill(finished, next_logits.pad_id)  # (B)
        finished = finished | (token == eos_id)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return [strip(row, eos_id, next_logits.pad_id) for row in ids[:, length:].tolist()]


def starts(start, src):
    """What each row begins with, (B, T): start itself, or a column of it where it is a single id."""
    if isinstance(start, torch.Tensor):
        return start
    return torch.full((len(src), 1), start, device=src.device)


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
    start,
    eos_id,
    max_len,
    num_beams=4,
    alpha=0.6,
    penalty=length_penalty,
    decoding=IncrementalDecoding,
):
    """Keep the `num_beams` best partial hypotheses of each sentence and, apart, the best finished ones.

    At each step, what ends in eos is finished if it is among the `num_beams` best continuations. A sentence
    is done when no partial hypothesis can overtake its finished ones any more: log-probabilities only fall,
    so its score is at most its log-probability now, divided by the largest penalty.

    Args:
        model, src, start, eos_id, max_len, decoding: as in `generate`.
        num_beams: number of partial hypotheses; also of hypotheses returned.
        alpha: of the penalty, ((5 + length) / 6)^alpha, by which a log-probability is divided (length in
            tokens, eos included); 0 to 10: with 0 short translations win, the larger the more long ones do.
        penalty: from a number of tokens and alpha to what the log-probability is divided by; does not fall.

    Returns:
        For each sentence a list of (score, ids), best first, ids as from `generate`. What reaches max_len
        without eos counts as finished there.

    Raises:
        ValueError: as `check_beam` and `generate`.

    Source: Wu et al. 2016, https://arxiv.org/abs/1609.08144, section 7.
    """
    check_beam(num_beams, alpha)
    next_logits = decoding(model, src, num_beams)
    first, pad_id = starts(start, src), next_logits.pad_id
    check_search(next_logits, first, eos_id, max_len)
    (batch, begun), device = first.shape, first.device
    rows = num_beams * torch.arange(batch, device=device).unsqueeze(1)  # (B, 1), the first of each sentence
    beams = torch.full((batch, num_beams, begun + max_len), pad_id, device=device)
    beams[:, :, :begun] = first.unsqueeze(1)
    log_probs = torch.tensor([0.0] + [-torch.inf] * (num_beams - 1), device=device).repeat(batch, 1)
    finished, scores = beams, torch.full_like(log_probs, -torch.inf)  # none yet
    for length in range(1, max_len + 1):
        next_log_probs = next_logits(beams[:, :, : begun + length - 1].flatten(0, 1)).log_softmax(dim=-1)
        candidates, beam_index, token = best_continuations(log_probs, next_log_probs)
        longer = pick(beams, beam_index)
        longer[:, :, begun + length - 1] = token
        ends = (token == eos_id) | (length == max_len)

        new = (candidates / penalty(length, alpha)).masked_fill(~ends, -torch.inf)[:, :num_beams]
        scores, best_finished = torch.cat([scores, new], dim=1).topk(num_beams)
        finished = pick(torch.cat([finished, longer[:, :num_beams]], dim=1), best_finished)

        log_probs, going_on = candidates.masked_fill(ends, -torch.inf).topk(num_beams)
        beams, beam_index = pick(longer, going_on), beam_index.gather(1, going_on)
        if (log_probs[:, 0] / penalty(max_len, alpha) <= scores[:, -1]).all():
            break
        next_logits.reorder((rows + beam_index).flatten())
    ranked = zip(scores.tolist(), finished[:, :, begun:].tolist(), strict=True)
    return [
        [(score, strip(ids, eos_id, pad_id)) for score, ids in zip(*found, strict=True) if score > -torch.inf]
        for found in ranked
    ]


def pick(sequences, index):
    """sequences (B, N, T), index (B, K) of rows → those rows of each sentence, (B, K, T)."""
    return sequences.gather(1, index.unsqueeze(2).expand(-1, -1, sequences.size(2)))


def best_continuations(log_probs, next_log_probs):
    """The best 2 · num_beams continuations of each sentence, so that as many as num_beams do not end in eos.

    Args:
        log_probs: (B, num_beams), of the partial hypotheses.
        next_log_probs: (B · num_beams, vocab_size), of the token after each of them.

    Returns:
        Their log-probabilities, which hypothesis each continues, and its token, each (B, 2 · num_beams).
    """
    batch, num_beams = log_probs.shape
    best, tokens = next_log_probs.topk(min(2 * num_beams, next_log_probs.size(1)))
    candidates = (log_probs.flatten().unsqueeze(1) + best).view(batch, -1)
    candidates, place = candidates.topk(2 * num_beams)
    return candidates, place // best.size(1), tokens.view(batch, -1).gather(1, place)
