"""Text to token ids and back. Chapter 01.

A tokenizer takes text as it is. Hangul comes composed into syllables (NFC) or in single letters (NFD), which
look alike and get different ids: callers pass NFC, as `helpers.corpus.read_pairs` does.
"""

import heapq
import re
from collections import Counter, defaultdict
from itertools import pairwise

from helpers.engine.checks import check_ids, check_text, check_texts, check_vocab_size
from helpers.engine.remembering import remembered
from helpers.engine.utf8 import to_bytes, to_text

SPECIAL_TOKENS = ["<pad>", "<unk>", "<bos>", "<eos>"]  # ids 0, 1, 2, 3 in both tokenizers
BYTE_TOKENS = [f"<0x{byte:02X}>" for byte in range(256)]  # ids 4 to 259 in BPETokenizer


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
    total, where = Counter(), defaultdict(set)  # pair -> how often it occurs; pair -> words that have held it
    queue, merges = [], []  # the queue hands out the smallest first
    spelled, new = {}, {word: list(word) for word in words}  # word -> pieces; of new words, or after a merge
    while True:
        change = Counter()  # pair -> how much more often it occurs
        for word, pieces in new.items():
            for pair in pairwise(spelled.get(word, [])):
                change[pair] -= words[word]
            for pair in pairwise(pieces):
                change[pair] += words[word]
                where[pair].add(word)
        spelled |= new
        total.update(change)
        for pair in change:
            if total[pair] > 0:
                heapq.heappush(queue, (-total[pair], ids[pair[0]], ids[pair[1]], pair))
        while queue and -queue[0][0] != total[queue[0][-1]]:
            heapq.heappop(queue)  # an old entry: the pair has been counted anew since
        if not queue or len(ids) >= n_pieces:
            return merges
        best = heapq.heappop(queue)[-1]
        merges.append(best)
        ids.setdefault("".join(best), len(ids))
        new = {word: merge_pair(spelled[word], best) for word in where.pop(best)}


def cut_word(word, ranks):
    """Split a word into characters, and join its pairs in the order learned.

    Args:
        word: a string, as `split_words` returns them.
        ranks: {pair: its place in the order learned}.

    Returns:
        The pieces, a list of strings.
    """
    pieces = list(word)
    while pairs := [pair for pair in pairwise(pieces) if pair in ranks]:
        pieces = merge_pair(pieces, min(pairs, key=ranks.get))  # the one learned first
    return pieces


class BPETokenizer:
    """Subwords by byte-pair encoding, learned from raw text; any text survives encode and decode.

    A text gets a space in front, and each word keeps the one before it (`" 파리"`); punctuation is apart. So
    decoding is joining, without that first space; of "" there are no ids. A character that the training text
    did not have is spelled by its UTF-8 bytes. The ids: special tokens (pad_id, unk_id, bos_id, eos_id: 0 to
    3), bytes, sorted characters, joined pieces in the order learned; len() counts them. Of pairs equally
    frequent, the one with the smaller ids is joined first, the left piece compared before the right.
    `BPETokenizer.from_merges(tokenizer.alphabet, tokenizer.merges)` builds an equal tokenizer again, without
    the text.

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
        check_vocab_size(vocab_size, self.first_piece + len(alphabet))
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
        self.bytes = [*[b""] * 4, *(bytes([n]) for n in range(256)), *map(to_bytes, pieces)]

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
        return [id for word in split_words(text) for id in self.encode_word(word)]

    @remembered
    def encode_word(self, word):
        """The ids of one word, its pairs joined in the order learned.

        Args:
            word: a string, as `split_words` returns them.

        Returns:
            List of ids.
        """
        ids = []
        for piece in cut_word(word, self.ranks):
            if piece in self.ids:
                ids.append(self.ids[piece])
            else:  # a character never seen
                ids += [len(SPECIAL_TOKENS) + byte for byte in to_bytes(piece)]
        return ids

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
        return to_text(b"".join(self.bytes[id] for id in ids)).removeprefix(" ")
