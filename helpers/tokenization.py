"""Text to token ids and back. Chapter 01."""

import heapq
import re
from collections import Counter, defaultdict

from helpers.guards import guard_ids, guard_text, guard_texts

SPECIAL_TOKENS = ["<pad>", "<unk>", "<bos>", "<eos>"]  # ids 0, 1, 2, 3 in both tokenizers
BYTE_TOKENS = [f"<0x{byte:02X}>" for byte in range(256)]  # ids 4 to 259 in BPETokenizer


class WhitespaceTokenizer:
    """One token per whitespace-separated word; a word not in the vocabulary becomes `<unk>`.

    Args:
        texts: list of strings, the training text.

    Raises:
        ValueError: `texts` is not a list of strings, or holds no word; `ids` are out of range.
    """

    pad_id, unk_id, bos_id, eos_id = range(4)

    def __init__(self, texts):
        guard_texts(texts)
        words = dict.fromkeys(word for text in texts for word in text.split())  # distinct, in order
        self.tokens = [*SPECIAL_TOKENS, *(word for word in words if word not in SPECIAL_TOKENS)]
        self.ids = {token: id for id, token in enumerate(self.tokens)}

    def __len__(self):
        return len(self.tokens)

    def encode(self, text):
        guard_text(text)
        return [self.ids.get(word, self.unk_id) for word in text.split()]

    def decode(self, ids):
        guard_ids(ids, len(self))
        return " ".join(self.tokens[id] for id in ids)


def split_words(text):
    """Words with the space in front of them, punctuation apart; joined, they are `" " + text`."""
    return re.findall(r" ?\w+| ?[^\w\s]+|\s", " " + text) if text else []


def merge_pair(pieces, pair):
    """Join each occurrence of `pair` in a list of pieces, from left to right."""
    merged, i = [], 0
    while i < len(pieces):
        if tuple(pieces[i : i + 2]) == pair:
            merged.append(pieces[i] + pieces[i + 1])
            i += 2
        else:
            merged.append(pieces[i])
            i += 1
    return merged


def learn_merges(words, alphabet, n_pieces):
    """Join the most frequent pair of neighbours, again and again, until there are `n_pieces` pieces.

    Args:
        words: {word: how often it occurs}.
        alphabet: the characters, sorted; of pairs equally frequent, the one made of older pieces wins.
        n_pieces: characters and joined pieces at the end.

    Returns:
        The joined pairs, in the order learned.
    """
    ids = {char: id for id, char in enumerate(alphabet)}  # piece -> age
    spelled = [list(word) for word in words]
    counts = list(words.values())
    total, where = Counter(), defaultdict(set)  # pair -> occurrences; pair -> indices of words

    def update(index, sign):  # add or take away the pairs of one word
        pairs = list(zip(spelled[index], spelled[index][1:], strict=False))
        for pair in pairs:
            total[pair] += sign * counts[index]
            where[pair].add(index)
        return pairs

    def entry(pair):
        return -total[pair], ids[pair[0]], ids[pair[1]], pair

    for index in range(len(spelled)):
        update(index, +1)
    queue = [entry(pair) for pair in total]
    heapq.heapify(queue)
    merges = []
    while queue and len(ids) < n_pieces:
        count, _, _, pair = heapq.heappop(queue)
        if -count != total[pair]:
            continue  # out of date; the queue holds a newer entry
        merges.append(pair)
        ids.setdefault("".join(pair), len(ids))
        changed = set()
        for index in where.pop(pair):
            changed.update(update(index, -1))
            spelled[index] = merge_pair(spelled[index], pair)
            changed.update(update(index, +1))
        for other in changed:
            if total[other] > 0:
                heapq.heappush(queue, entry(other))
    return merges


class BPETokenizer:
    """Subwords by byte-pair encoding, learned from raw text; any text survives encode and decode.

    A word keeps the space in front of it (`" 파리"`), so decoding is joining. A character that the training
    text did not have is spelled by its UTF-8 bytes.

    Args:
        texts: list of strings, the training text.
        vocab_size: at least 4 special tokens + 256 bytes + the characters of `texts`. Fewer tokens result
            where the text has no pair left to join.

    Raises:
        ValueError: `texts` is not a list of strings, or holds no word; `vocab_size` is smaller than the
            alphabet; `ids` are out of range.

    Source: Sennrich et al. 2016, https://arxiv.org/abs/1508.07909, section 3.2.
    """

    pad_id, unk_id, bos_id, eos_id = range(4)

    def __init__(self, texts, vocab_size):
        guard_texts(texts)
        words = Counter(word for text in texts for word in split_words(text))
        alphabet = sorted(set().union(*words))
        smallest = len(SPECIAL_TOKENS) + len(BYTE_TOKENS) + len(alphabet)
        if vocab_size < smallest:
            raise ValueError(f"vocab_size: {vocab_size} is too small; use at least {smallest}")
        self._build(alphabet, learn_merges(words, alphabet, vocab_size - len(SPECIAL_TOKENS + BYTE_TOKENS)))

    @classmethod
    def from_merges(cls, alphabet, merges):
        """A tokenizer as it was saved, from its `alphabet` and its `merges`."""
        tokenizer = cls.__new__(cls)
        tokenizer._build(alphabet, merges)
        return tokenizer

    def _build(self, alphabet, merges):
        self.alphabet, self.merges = list(alphabet), [tuple(pair) for pair in merges]
        self.tokens = [*SPECIAL_TOKENS, *BYTE_TOKENS, *alphabet]
        self.first_piece = len(self.tokens) - len(alphabet)  # id of the first token that is text
        self.tokens += dict.fromkeys(left + right for left, right in merges)
        self.ids = {piece: id for id, piece in enumerate(self.tokens) if id >= self.first_piece}
        self.ranks = {pair: rank for rank, pair in enumerate(self.merges)}
        self.cache = {}  # word -> ids

    def __len__(self):
        return len(self.tokens)

    def encode(self, text):
        guard_text(text)
        ids = []
        for word in split_words(text):
            if word not in self.cache:
                self.cache[word] = self.encode_word(word)
            ids += self.cache[word]
        return ids

    def encode_word(self, word):
        pieces = list(word)
        while pairs := [pair for pair in zip(pieces, pieces[1:], strict=False) if pair in self.ranks]:
            pieces = merge_pair(pieces, min(pairs, key=self.ranks.get))  # the earliest learned first
        ids = []
        for piece in pieces:
            if piece in self.ids:
                ids.append(self.ids[piece])
            else:  # a character never seen
                ids += [len(SPECIAL_TOKENS) + byte for byte in piece.encode("utf-8", "surrogatepass")]
        return ids

    def decode(self, ids):
        guard_ids(ids, len(self))
        data = b""
        for id in ids:
            if id >= self.first_piece:
                data += self.tokens[id].encode("utf-8", "surrogatepass")
            elif id >= len(SPECIAL_TOKENS):
                data += bytes([id - len(SPECIAL_TOKENS)])
        try:
            text = data.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:  # ids cut in the middle of a character
            text = data.decode("utf-8", "replace")
        return text.removeprefix(" ")
