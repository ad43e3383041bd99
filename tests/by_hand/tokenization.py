import re
from collections import Counter
from itertools import pairwise


class BPETokenizer:
    pad_id, unk_id, bos_id, eos_id = 0, 1, 2, 3

    def __init__(self, texts, vocab_size):
        freq = Counter(w for t in texts for w in self.words(t))
        letters = sorted({c for w in freq for c in w})
        self.vocab = [None] * 4 + [bytes([b]) for b in range(256)] + [c.encode() for c in letters]
        self.number = {c: 260 + i for i, c in enumerate(letters)}
        split = {w: tuple(w) for w in freq}
        self.rules = {}
        while len(self.vocab) < vocab_size:
            pairs = Counter()
            for w, parts in split.items():
                for pair in pairwise(parts):
                    pairs[pair] += freq[w]
            if not pairs:
                break
            best = min(pairs, key=lambda p: (-pairs[p], self.number[p[0]], self.number[p[1]]))
            self.rules[best] = len(self.rules)
            self.number["".join(best)] = len(self.vocab)
            self.vocab.append("".join(best).encode())
            split = {w: self.join(parts, best) for w, parts in split.items()}

    def __len__(self):
        return len(self.vocab)

    @staticmethod
    def words(text):
        return re.findall(r" ?\w+| ?[^\w\s]+|\s", " " + text) if text else []

    @staticmethod
    def join(parts, pair):
        out = []
        for part in parts:
            if out and (out[-1], part) == pair:
                out[-1] += part
            else:
                out.append(part)
        return tuple(out)

    def encode(self, text):
        ids = []
        for w in self.words(text):
            parts = tuple(w)
            while known := [p for p in pairwise(parts) if p in self.rules]:
                parts = self.join(parts, min(known, key=self.rules.get))
            for part in parts:
                ids += [self.number[part]] if part in self.number else [4 + b for b in part.encode()]
        return ids

    def decode(self, ids):
        text = b"".join(self.vocab[i] or b"" for i in ids).decode("utf-8", "replace")
        return text[1:] if text.startswith(" ") else text
