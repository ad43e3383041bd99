"""Wrong answers to the exercises of chapter 01."""

from wrong_answers import wrong


@wrong("numbers every token")
def build_vocabulary(texts):
    tokens = " ".join(texts).split()
    return {tokens[i]: i for i in range(len(tokens))}


@wrong("alphabetical order")
def build_vocabulary(texts):
    words = sorted({w for t in texts for w in t.split()})
    return dict(zip(words, range(len(words))))


@wrong("start at 1")
def build_vocabulary(texts):
    ids = {}
    for w in " ".join(texts).split():
        ids.setdefault(w, len(ids) + 1)
    return ids


@wrong("Only the first text")
def build_vocabulary(texts):
    for text in texts:
        return {w: i for i, w in enumerate(dict.fromkeys(text.split()))}


@wrong("It returns list; return dict")
def build_vocabulary(texts):
    return list(dict.fromkeys(texts[0].split()))


@wrong("counts are ignored")
def most_frequent_pair(words):
    total = {}
    for w in words:
        for i in range(len(w) - 1):
            p = (w[i], w[i + 1])
            total[p] = total.get(p, 0) + 1
    return max(total, key=total.get)


@wrong("last in alphabetical order")
def most_frequent_pair(words):
    total = {}
    for w, n in words.items():
        for p in zip(w, w[1:]):
            total[p] = total.get(p, 0) + n
    return sorted(total.items(), key=lambda x: (-x[1], [-ord(c) for c in x[0]]))[0][0]


@wrong("joined string")
def most_frequent_pair(words):
    total = {}
    for w, n in words.items():
        for p in zip(w, w[1:]):
            total[p] = total.get(p, 0) + n
    return "".join(max(total, key=total.get))


@wrong("only once")
def most_frequent_pair(words):
    total = {}
    for w, n in words.items():
        for p in dict.fromkeys(zip(w, w[1:])):
            total[p] = total.get(p, 0) + n
    return max(total, key=total.get)


@wrong("nothing is merged")
def apply_merges(word, merges):
    return [c for c in word]


@wrong("last learned first")
def apply_merges(word, merges):
    pieces = list(word)
    for a, b in reversed(merges):
        out = []
        for p in pieces:
            if out and (out[-1], p) == (a, b):
                out[-1] = a + b
            else:
                out.append(p)
        pieces = out
    return pieces


@wrong("first occurrence")
def apply_merges(word, merges):
    pieces = list(word)
    for a, b in merges:
        for i in range(len(pieces) - 1):
            if pieces[i] == a and pieces[i + 1] == b:
                pieces = pieces[:i] + [a + b] + pieces[i + 2 :]
                break
    return pieces


@wrong("leftmost")
def apply_merges(word, merges):
    pieces = list(word)
    while True:
        hits = [i for i in range(len(pieces) - 1) if tuple(pieces[i : i + 2]) in merges]
        if not hits:
            return pieces
        pieces[hits[0] : hits[0] + 2] = [pieces[hits[0]] + pieces[hits[0] + 1]]
