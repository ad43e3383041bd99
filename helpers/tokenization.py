"""Text to token ids and back. Chapter 01.

A tokenizer takes text as it is. Hangul comes composed into syllables (NFC) or in single letters (NFD), which
look alike and get different ids: callers pass NFC, as `helpers.corpus.read_pairs` does.
"""

import heapq
import re
from collections import Counter, defaultdict
from itertools import pairwise

SPECIAL_TOKENS = ["<pad>", "<unk>", "<bos>", "<eos>"]  # ids 0, 1, 2, 3 in both tokenizers
BYTE_TOKENS = [f"<0x{byte:02X}>" for byte in range(256)]  # ids 4 to 259 in BPETokenizer
CACHE_SIZE = 2**18  # words whose ids BPETokenizer remembers


def check_text(text):
    """Raise a ValueError unless the text is a string."""
    if not isinstance(text, str):
        raise ValueError(f"text: {text!r} is of type {type(text).__name__}; pass a string")


def check_texts(texts):
    """Training texts as a list; raise a ValueError unless they are strings with a word in them."""
    if isinstance(texts, str):
        raise ValueError("texts: got one string; pass a list of strings, e.g. [text]")
    texts = list(texts)
    for text in texts:
        check_text(text)
    if not any(text.split() for text in texts):
        raise ValueError("texts: no word in it; pass at least one sentence")
    return texts


def check_ids(ids, vocab_size):
    """The ids, a list or a tensor, as a list; a ValueError unless they run from 0 to vocab_size - 1."""
    ids = ids.tolist() if hasattr(ids, "tolist") else list(ids)
    for id in ids:
        if not isinstance(id, int) or not 0 <= id < vocab_size:
            raise ValueError(f"ids: {id!r} is not an id; use integers from 0 to {vocab_size - 1}")
    return ids


class WhitespaceTokenizer:
    """One token per whitespace-separated word; a word not in the vocabulary becomes `<unk>`.

    Args:
        texts: strings, the training text, in NFC.

    Raises:
        ValueError: `texts` is one string, holds something else than strings, or no word.
    """

    pad_id, unk_id, bos_id, eos_id = range(4)

    def __init__(self, texts):
        texts = check_texts(texts)
        words = dict.fromkeys(word for text in texts for word in text.split())  # distinct, in order
        self.tokens = [*SPECIAL_TOKENS, *(word for word in words if word not in SPECIAL_TOKENS)]
        self.ids = {token: id for id, token in enumerate(self.tokens)}

    def __len__(self):
        """The size of the vocabulary."""
        return len(self.tokens)

    def encode(self, text):
        """Text to ids.

        Args:
            text: a string.

        Returns:
            List of ids, one a word.

        Raises:
            ValueError: `text` is not a string.
        """
        check_text(text)
        return [self.ids.get(word, self.unk_id) for word in text.split()]

    def decode(self, ids):
        """Ids to text.

        Args:
            ids: list of integers.

        Returns:
            The words, with one space between them.

        Raises:
            ValueError: an id is not an integer, or out of range.
        """
        ids = check_ids(ids, len(self))
        return " ".join(self.tokens[id] for id in ids)


def split_words(text):
    """Words with the space in front of them, punctuation apart; joined, they are `" " + text`.

    Args:
        text: a string.

    Returns:
        List of strings. A longer word is cut after 64 characters, so that no text takes long to encode.
    """
    return re.findall(r" ?\w{1,64}| ?[^\w\s]{1,64}|\s", " " + text) if text else []


def merge_pair(pieces, pair):
    """Join each occurrence of `pair` in a list of pieces, from left to right.

    Args:
        pieces: list of strings.
        pair: two strings, as a tuple.

    Returns:
        A new list of strings.
    """
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
    """Join the most frequent pair of neighbors, again and again, until there are `n_pieces` pieces.

    Args:
        words: {word: how often it occurs}.
        alphabet: the characters, sorted. A piece has its place in `alphabet` as its id, a joined one the next
            id; of pairs equally frequent, the one with the smaller ids wins, the left piece first.
        n_pieces: characters and joined pieces at the end.

    Returns:
        The joined pairs, in the order learned; fewer where no pair is left.
    """
    ids = {piece: id for id, piece in enumerate(alphabet)}
    spelled = {word: list(word) for word in words}
    total, where = Counter(), defaultdict(set)  # pair -> how often it occurs; pair -> words that have held it
    for word, pieces in spelled.items():
        for pair in pairwise(pieces):
            total[pair] += words[word]
            where[pair].add(word)

    def entry(pair):  # the queue hands out the smallest first
        return -total[pair], ids[pair[0]], ids[pair[1]], pair

    queue = [entry(pair) for pair in total]
    heapq.heapify(queue)
    merges = []
    while queue and len(ids) < n_pieces:
        count, _, _, pair = heapq.heappop(queue)
        if -count != total[pair]:
            continue  # an old entry: the pair has been counted anew since
        merges.append(pair)
        ids.setdefault("".join(pair), len(ids))
        change = Counter()  # pair -> how much more often it occurs
        for word in where.pop(pair):
            before, after = spelled[word], merge_pair(spelled[word], pair)
            for old in pairwise(before):
                change[old] -= words[word]
            for new in pairwise(after):
                change[new] += words[word]
                where[new].add(word)
            spelled[word] = after
        total.update(change)
        for changed in change:
            if total[changed] > 0:
                heapq.heappush(queue, entry(changed))
    return merges


class BPETokenizer:
    """Subwords by byte-pair encoding, learned from raw text; any text survives encode and decode.

    A word keeps the space in front of it (`" 파리"`), so decoding is joining. A character that the training
    text did not have is spelled by its UTF-8 bytes. `BPETokenizer.from_merges(tokenizer.alphabet,
    tokenizer.merges)` builds an equal tokenizer again, without the text.

    Args:
        texts: strings, the training text, in NFC.
        vocab_size: at least 4 special tokens + 256 bytes + the characters of `texts`. Fewer tokens result
            where the text has no pair left to join.

    Raises:
        ValueError: `texts` is one string, holds something else than strings, or no word; `vocab_size` is
            smaller than the alphabet.

    Source: Sennrich et al. 2016, https://arxiv.org/abs/1508.07909, section 3.2.
    """

    pad_id, unk_id, bos_id, eos_id = range(4)
    first_piece = len(SPECIAL_TOKENS) + len(BYTE_TOKENS)  # id of the first token that is text

    def __init__(self, texts, vocab_size):
        texts = check_texts(texts)
        words = Counter(word for text in texts for word in split_words(text))
        alphabet = sorted(set().union(*words))
        if vocab_size < (smallest := self.first_piece + len(alphabet)):
            raise ValueError(f"vocab_size: {vocab_size} is too small; use at least {smallest}")
        self.set_merges(alphabet, learn_merges(words, alphabet, vocab_size - self.first_piece))

    @classmethod
    def from_merges(cls, alphabet, merges):
        """A tokenizer with what another has learned.

        Args:
            alphabet: list of characters.
            merges: list of pairs of pieces, in the order learned.
        """
        tokenizer = cls.__new__(cls)  # __init__ would learn from texts
        tokenizer.set_merges(alphabet, merges)
        return tokenizer

    def set_merges(self, alphabet, merges):
        """Build the vocabulary: special tokens, bytes, characters, joined pieces.

        Args:
            alphabet, merges: as for `from_merges`.
        """
        self.alphabet, self.merges = list(alphabet), [tuple(pair) for pair in merges]
        self.ranks = {pair: rank for rank, pair in enumerate(self.merges)}
        pieces = [*self.alphabet, *dict.fromkeys(left + right for left, right in self.merges)]
        self.tokens = [*SPECIAL_TOKENS, *BYTE_TOKENS, *pieces]
        self.ids = {piece: id for id, piece in enumerate(pieces, self.first_piece)}
        self.cache = {}  # word -> ids

    def __len__(self):
        """The size of the vocabulary."""
        return len(self.tokens)

    def encode(self, text):
        """Text to ids, without bos and eos.

        Args:
            text: a string.

        Returns:
            List of ids.

        Raises:
            ValueError: `text` is not a string.
        """
        check_text(text)
        ids = []
        for word in split_words(text):
            if word not in self.cache:
                if len(self.cache) == CACHE_SIZE:
                    self.cache.clear()
                self.cache[word] = self.encode_word(word)
            ids += self.cache[word]
        return ids

    def encode_word(self, word):
        """The ids of one word, its pairs joined in the order learned.

        Args:
            word: a string, as `split_words` returns them.

        Returns:
            List of ids.
        """
        pieces = list(word)
        while pairs := [pair for pair in pairwise(pieces) if pair in self.ranks]:
            pieces = merge_pair(pieces, min(pairs, key=self.ranks.get))  # the earliest learned first
        ids = []
        for piece in pieces:
            if piece in self.ids:
                ids.append(self.ids[piece])
            else:  # a character never seen
                ids += [len(SPECIAL_TOKENS) + byte for byte in piece.encode("utf-8", "surrogatepass")]
        return ids

    def token_bytes(self, id):
        """The UTF-8 bytes that a token stands for; a special token stands for none."""
        if id < len(SPECIAL_TOKENS):
            return b""
        if id < self.first_piece:
            return bytes([id - len(SPECIAL_TOKENS)])
        return self.tokens[id].encode("utf-8", "surrogatepass")

    def decode(self, ids):
        """Ids to text, without special tokens.

        Args:
            ids: list of integers.

        Returns:
            A string; "�" stands for bytes that are no character.

        Raises:
            ValueError: an id is not an integer, or out of range.
        """
        ids = check_ids(ids, len(self))
        data = b"".join(map(self.token_bytes, ids))
        try:
            return data.decode("utf-8", "surrogatepass").removeprefix(" ")
        except UnicodeDecodeError:  # ids cut in the middle of a character
            return data.decode("utf-8", "replace").removeprefix(" ")
