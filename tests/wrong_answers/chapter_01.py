"""Answers to the exercises of chapter 01."""

from wrong_answers import also, right, wrong


@right
def apply_merges(word, merges):
    pieces = list(word)
    for a, b in merges:
        out = []
        for p in pieces:
            if out and (out[-1], p) == (a, b):
                out[-1] = a + b
            else:
                out.append(p)
        pieces = out
    return pieces


right_merges = apply_merges
also(
    "apply_merges",
    ("as if merges were empty", lambda word, merges: [c for c in word]),
    ("as if merges were reversed", lambda word, merges: right_merges(word, merges[::-1])),
    ("as if merges were sorted", lambda word, merges: right_merges(word, sorted(merges))),
    ("as if word were reversed", lambda word, merges: right_merges(word[::-1], merges)),
)


def cut(word, vocabulary, unknown=lambda char: ["<unk>"]):
    out = []
    while word:
        end = next((j for j in range(len(word), 0, -1) if word[:j] in vocabulary), 0)
        out += [word[:end]] if end else unknown(word[0])
        word = word[end or 1 :]
    return out


@wrong("is there a loop that never ends")
def longest_match(word, vocabulary):
    out, i = [], 0
    while i < len(word):
        for j in range(len(word), i, -1):
            if word[i:j] in vocabulary:
                out.append(word[i:j])
                i = j
                break
    return out


also(
    "longest_match",
    (None, cut),
    ("Every '<unk>' is missing", lambda word, vocabulary: cut(word, vocabulary, lambda char: [])),
    ("else stands where '<unk>' should", lambda word, vocabulary: cut(word, vocabulary, lambda char: [char])),
    ("Elements are missing at the start", lambda word, vocabulary: cut(word, vocabulary)[1:]),
    ("The order is reversed", lambda word, vocabulary: cut(word, vocabulary)[::-1]),
    ("joined into one text", lambda word, vocabulary: " ".join(cut(word, vocabulary))),
)


@wrong("lements are missing")
def longest_match(word, vocabulary):  # stops at an unknown character
    pieces = cut(word, vocabulary)
    return pieces[: pieces.index("<unk>") + 1] if "<unk>" in pieces else pieces
