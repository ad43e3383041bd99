"""Typical faults of a tokenizer by byte-pair encoding."""

import re
from collections import Counter
from functools import partial
from itertools import pairwise

from helpers.mine.fault import Fault
from helpers.tokenization import BPETokenizer, cut_word, merge_pair, split_words


def counted(words):
    """How often each pair of neighbors occurs.

    Args:
        words: list of (pieces, how often the word occurs).

    Returns:
        `Counter`, the pairs in the order in which they are met.
    """
    pairs = Counter()
    for pieces, count in words:
        for pair in pairwise(pieces):
            pairs[pair] += count
    return pairs


def learn(words, alphabet, n_pieces, best):
    """As `learn_merges`, plainly written.

    Args:
        words, alphabet, n_pieces: as there.
        best: from {pair: how often} and {piece: id} to the pair to be joined.
    """
    spelled, merges = [(list(word), count) for word, count in words.items()], []
    ids = {piece: id for id, piece in enumerate(alphabet)}
    while len(ids) < n_pieces and (pairs := counted(spelled)):
        merges.append(best(pairs, ids))
        ids.setdefault("".join(merges[-1]), len(ids))
        spelled = [(merge_pair(word, merges[-1]), count) for word, count in spelled]
    return merges


def most_frequent(pairs, ids):
    """The pair that occurs most often; of several, the one with the smaller ids."""
    return min(pairs, key=lambda pair: (-pairs[pair], ids[pair[0]], ids[pair[1]]))


def leftmost(word, ranks):
    """As `cut_word`, but joins the first pair from the left that was learned at all."""
    pieces = list(word)
    while place := [i for i, pair in enumerate(pairwise(pieces)) if pair in ranks]:
        pieces[place[0] : place[0] + 2] = ["".join(pieces[place[0] : place[0] + 2])]
    return pieces


def longest(word, ranks):
    """As `cut_word`, but takes the longest piece that fits, again and again."""
    known, pieces = {"".join(pair) for pair in ranks}, []
    while word:
        end = next((end for end in range(len(word), 1, -1) if word[:end] in known), 1)
        pieces, word = [*pieces, word[:end]], word[end:]
    return pieces


def whole(text):
    """A text as one word."""
    return [" " + text] if text else []


def without_punctuation(text):
    """As `split_words`, but punctuation stays with its word."""
    return re.findall(r" ?\S+|\s", " " + text) if text else []


class Spelled(BPETokenizer):
    """A tokenizer with something changed.

    Args:
        texts, vocab_size: as in `BPETokenizer`.
        split: from a text to its words.
        cut: from a word and {pair: rank} to its pieces.
        count: from words to {word: how often}.
        best: as in `learn`.
        unknown: whether a character never seen becomes `<unk>`.
        ends: whether `encode` writes bos and eos.
        at_once: whether `decode` joins all bytes before it makes text of them.
        tidy: what `decode` does at the end.
    """

    def __init__(
        self,
        texts,
        vocab_size,
        split=split_words,
        cut=cut_word,
        count=Counter,
        best=most_frequent,
        unknown=False,
        ends=False,
        at_once=True,
        tidy=None,
    ):
        self.split, self.cut, self.unknown, self.ends = split, cut, unknown, ends
        self.at_once, self.tidy = at_once, tidy
        words = count(word for text in texts for word in split(text))
        alphabet = sorted(set().union(*words))
        self.set_merges(alphabet, learn(words, alphabet, vocab_size - self.first_piece, best))

    def encode(self, text):
        """As there."""
        ids = [id for word in self.split(text) for id in self.encode_word(word)]
        return [self.bos_id, *ids, self.eos_id] if self.ends else ids

    def encode_word(self, word):
        """As there."""
        ids = []
        for piece in self.cut(word, self.ranks):
            if piece in self.ids:
                ids.append(self.ids[piece])
            else:
                ids += [self.unk_id] if self.unknown else [4 + byte for byte in piece.encode()]
        return ids

    def decode(self, ids):
        """As there."""
        if self.at_once:
            text = b"".join(self.bytes[id] for id in ids).decode("utf-8", "replace")
        else:
            text = "".join(self.bytes[id].decode("utf-8", "replace") for id in ids)
        return self.tidy(text) if self.tidy else text.removeprefix(" ")


TIES = (
    "횟수가 같은 쌍 가운데 다른 것을 골랐습니다. 번호가 작은 쌍이 먼저입니다(왼쪽 조각부터 비교).",
    "Of pairs equally frequent another was joined: the one with the smaller ids comes first, the left piece "
    "compared before the right.",
)
TOKENIZER = [
    Fault(
        partial(Spelled, cut=leftmost),
        "1.7",
        "encode가 왼쪽에 있는 쌍부터 붙입니다. 먼저 배운 쌍부터 붙이세요.",
        "encode joins the leftmost pair first; join the pair that was learned first.",
    ),
    Fault(
        partial(Spelled, cut=longest),
        "1.7",
        "encode가 가장 긴 조각부터 찾습니다. 글자에서 시작해 배운 순서대로 붙이세요.",
        "encode looks for the longest piece; begin with characters, and join in the order learned.",
    ),
    Fault(
        partial(Spelled, count=lambda words: dict.fromkeys(words, 1)),
        "1.6",
        "단어를 한 번씩만 셌습니다. 쌍의 횟수는 단어가 나온 횟수만큼 셉니다.",
        "Each word is counted once; a pair counts as often as its word occurs.",
    ),
    Fault(
        partial(Spelled, split=without_punctuation),
        "1.8",
        "문장 부호를 단어에서 떼지 않았습니다. 빵!은 빵과 !의 두 단어입니다.",
        "Punctuation stays with its word; “bread!” is two words, “bread” and “!”.",
    ),
    Fault(
        partial(Spelled, split=whole),
        "1.8",
        "단어를 넘어서 붙입니다. 먼저 단어로 나누고, 단어 안에서만 붙이세요.",
        "Pairs are joined across words; split into words first, and join inside them only.",
    ),
    *(
        Fault(partial(Spelled, best=best), "1.6", *TIES)
        for best in (
            lambda pairs, ids: max(pairs, key=pairs.get),
            lambda pairs, ids: max(pairs, key=lambda pair: (pairs[pair], pair)),
            lambda pairs, ids: min(pairs, key=lambda pair: (-pairs[pair], pair)),
        )
    ),
    Fault(
        partial(Spelled, unknown=True),
        "1.8",
        "처음 보는 글자를 <unk>로 바꿉니다. 그 글자의 UTF-8 바이트로 적으세요.",
        "A character never seen becomes <unk>; spell it by its UTF-8 bytes.",
    ),
    Fault(
        partial(Spelled, ends=True),
        "1.8",
        "encode가 bos와 eos를 붙입니다. 여기서는 붙이지 않습니다.",
        "encode adds bos and eos; here it does not.",
    ),
    Fault(
        partial(Spelled, at_once=False),
        "1.8",
        "토큰마다 글로 바꾸면 바이트 하나는 글자가 되지 못합니다. 바이트를 모두 이은 다음 한 번에 바꾸세요.",
        "A single byte is no character: join the bytes of all tokens, and make text of them at once.",
    ),
    Fault(
        partial(Spelled, tidy=str.strip),
        "1.8",
        "decode가 공백을 모두 지웁니다. 맨 앞의 공백 하나만 지우세요.",
        "decode removes all space at the ends; remove one at the very front only.",
    ),
    Fault(
        partial(Spelled, tidy=str),
        "1.8",
        "decode가 맨 앞의 공백을 남깁니다. 하나를 지우세요.",
        "decode leaves the space at the very front; remove it.",
    ),
]
