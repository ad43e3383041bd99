"""Typical faults of a KV cache."""

from functools import partial

import torch

from helpers.decoding import KVCache
from helpers.mine.fault import Fault


class Cache(KVCache):
    """A cache with something changed.

    Args:
        join: from what it has and what is new, each (B, n_heads, T, d_head), to what it has then.
        keeps: whether what it has taken in stays.
        keeps_memory: whether the keys and values of memory are kept.
        place: from ids that were read, (B, T), and pad_id to the position of the next token, (B, 1).
        moves: whether rows are reordered.
        hasty: whether new tokens count as read before they are.
    """

    def __init__(self, join=None, keeps=True, keeps_memory=True, place=None, moves=True, hasty=False):
        super().__init__()
        self.join, self.keeps, self.keeps_memory = join, keeps, keeps_memory
        self.place, self.moves, self.hasty, self.read = place, moves, hasty, 0

    @property
    def length(self):
        return self.read if self.hasty else super().length

    def begin_pass(self, ids, pad_id):
        past, offset = super().begin_pass(ids, pad_id)
        self.read = ids.size(1)
        return past, self.place(ids[:, :past], pad_id) if self.place else offset

    def append(self, attention, keys, values, grows=True):
        if not grows and not self.keeps_memory:
            return keys, values
        before = self.tokens.get(attention)
        both = super().append(attention, keys, values, grows)
        if grows and self.join and before:
            both = tuple(self.join(*pair) for pair in zip(before, (keys, values), strict=True))
            self.tokens[attention] = both
        if not self.keeps:
            self.tokens.clear()
        return both

    def reorder(self, beam_index):
        if self.moves:
            super().reorder(beam_index)


CACHE = [
    Fault(
        partial(Cache, join=lambda old, new: new),
        "12.7",
        "캐시에 있던 키와 밸류를 버렸습니다. 새 것을 그 뒤에 붙이세요.",
        "The keys and values that were in the cache are lost; put the new ones behind them.",
    ),
    Fault(
        partial(Cache, join=lambda old, new: torch.cat([new, old], dim=2)),
        "12.7",
        "새 키와 밸류를 앞에 붙였습니다. 있던 것의 뒤에 붙이세요.",
        "New keys and values are put in front; they come behind those that are there.",
    ),
    Fault(
        partial(Cache, join=lambda old, new: old),
        "12.7",
        "새 키와 밸류를 붙이지 않았습니다.",
        "New keys and values are not taken in.",
    ),
    Fault(
        partial(Cache, keeps=False),
        "12.7",
        "append가 돌려주기만 하고 남겨 두지 않습니다. self.tokens에도 두세요.",
        "append returns keys and values but does not keep them; put them into self.tokens, too.",
    ),
    Fault(
        partial(Cache, keeps_memory=False),
        "12.7",
        "로짓은 맞지만 memory의 키와 밸류를 매번 다시 만듭니다. grows가 False이면 self.memory에 두세요.",
        "The logits are right, but keys and values of memory are made at every pass: keep them in "
        "self.memory where grows is False.",
    ),
    Fault(
        partial(Cache, place=lambda ids, pad_id: torch.zeros(len(ids), 1, dtype=torch.long)),
        "12.7",
        "새 토큰의 위치가 늘 0에서 시작합니다. 이미 읽은 토큰의 수에서 시작해야 합니다.",
        "The positions of new tokens begin at 0 in every pass; they go on after those that were read.",
    ),
    Fault(
        partial(Cache, place=lambda ids, pad_id: torch.full((len(ids), 1), ids.size(1))),
        "12.7",
        "패딩도 위치로 셌습니다. 행마다 패딩이 아닌 토큰만 세세요.",
        "Padding counts as positions; in each row count only the tokens that are no padding.",
    ),
    Fault(
        partial(Cache, moves=False),
        "12.7",
        "reorder가 하는 일이 없습니다. 빔 서치에서 행 i는 행 beam_index[i]를 이어받습니다.",
        "reorder does nothing; in beam search row i continues from row beam_index[i].",
    ),
    Fault(
        partial(Cache, hasty=True),
        "12.7",
        "begin_pass가 새 토큰을 벌써 읽은 것으로 셉니다. 캐시의 길이는 append가 받은 만큼입니다.",
        "begin_pass already counts new tokens as read; the cache is as long as what append has taken in.",
    ),
]
