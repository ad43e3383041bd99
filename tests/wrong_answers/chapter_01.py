"""Wrong answers to the exercises of chapter 01."""

from wrong_answers import wrong


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


@wrong("searches the text")
def apply_merges(word, merges):
    spaced = " ".join(word)
    for pair in merges:
        spaced = spaced.replace(" ".join(pair), "".join(pair))
    return spaced.split(" ") if spaced else []


@wrong("from the right")
def apply_merges(word, merges):
    pieces = list(word)
    for a, b in merges:
        i = len(pieces) - 2
        while i >= 0:
            if pieces[i : i + 2] == [a, b]:
                pieces[i : i + 2] = [a + b]
                i -= 1
            i -= 1
    return pieces


@wrong("order (right, left)")
def apply_merges(word, merges):
    pieces = list(word)
    for a, b in merges:
        i = 0
        while i < len(pieces) - 1:
            if pieces[i : i + 2] in ([a, b], [b, a]):
                pieces[i : i + 2] = [pieces[i] + pieces[i + 1]]
            i += 1
    return pieces


@wrong("shortest")
def longest_match(word, vocabulary):
    out, i = [], 0
    while i < len(word):
        for j in range(i + 1, len(word) + 1):
            if word[i:j] in vocabulary:
                out.append(word[i:j])
                i = j
                break
        else:
            out.append("<unk>")
            i += 1
    return out


@wrong("from the end")
def longest_match(word, vocabulary):
    out, j = [], len(word)
    while j > 0:
        for i in range(j):
            if word[i:j] in vocabulary:
                out.append(word[i:j])
                j = i
                break
        else:
            out.append("<unk>")
            j -= 1
    return out[::-1]


@wrong("the longest piece anywhere")
def longest_match(word, vocabulary):
    def cut(part):
        inside = [p for p in vocabulary if p in part]
        if not inside:
            return ["<unk>" for _ in part]
        best = min(inside, key=lambda p: (-len(p), part.index(p)))
        left, right = part.split(best, 1)
        return cut(left) + [best] + cut(right)

    return cut(word)


@wrong("fewest pieces")
def longest_match(word, vocabulary):
    def cut(part):
        if not part:
            return []
        ways = [[part[:j], *cut(part[j:])] for j in range(1, len(part) + 1) if part[:j] in vocabulary]
        return min([*ways, ["<unk>", *cut(part[1:])]], key=lambda way: (way.count("<unk>"), len(way)))

    return cut(word)


@wrong("whole word <unk>")
def longest_match(word, vocabulary):
    out = []
    while word:
        ends = [j for j in range(len(word), 0, -1) if word[:j] in vocabulary]
        if not ends:
            return ["<unk>"]
        out.append(word[: ends[0]])
        word = word[ends[0] :]
    return out


@wrong("are dropped")
def longest_match(word, vocabulary):
    out = []
    while word:
        ends = [j for j in range(len(word), 0, -1) if word[:j] in vocabulary]
        if ends:
            out.append(word[: ends[0]])
        word = word[ends[0] if ends else 1 :]
    return out


@wrong("kept as they are")
def longest_match(word, vocabulary):
    out = []
    while word:
        end = next((j for j in range(len(word), 0, -1) if word[:j] in vocabulary), 1)
        out.append(word[:end])
        word = word[end:]
    return out


@wrong("a single <unk>")
def longest_match(word, vocabulary):
    out = []
    while word:
        ends = [j for j in range(len(word), 0, -1) if word[:j] in vocabulary]
        if ends:
            out.append(word[: ends[0]])
        elif not out or out[-1] != "<unk>":
            out.append("<unk>")
        word = word[ends[0] if ends else 1 :]
    return out


@wrong("stops at an unknown")
def longest_match(word, vocabulary):
    out = []
    while word:
        ends = [j for j in range(len(word), 0, -1) if word[:j] in vocabulary]
        if not ends:
            out.append("<unk>")
            break
        out.append(word[: ends[0]])
        word = word[ends[0] :]
    return out


@wrong("Only pieces of one character")
def longest_match(word, vocabulary):
    return [c if c in vocabulary else "<unk>" for c in word]


@wrong("are dropped")
def join_tokens(tokens):
    data = b"".join(bytes.fromhex(t[3:5]) if t.startswith("<0x") else t.encode() for t in tokens)
    return data.decode("utf-8", errors="ignore")


@wrong("All byte tokens are dropped")
def join_tokens(tokens):
    return "".join(t for t in tokens if not t.startswith("<"))


@wrong("keep the order")
def join_tokens(tokens):
    text, data = "", b""
    for t in tokens:
        if t.startswith("<0x"):
            data += bytes([int(t[3:5], 16)])
        else:
            text += t
    return text + data.decode("utf-8", "replace")


@wrong("character of its own")
def join_tokens(tokens):
    return "".join(chr(int(t[1:-1], 16)) if t.startswith("<0x") else t for t in tokens)


@wrong("as they are written")
def join_tokens(tokens):
    return "".join(tokens)


@wrong("Spaces are put between")
def join_tokens(tokens):
    decoded = []
    for t in tokens:
        data = bytes([int(t[3:5], 16)]) if t.startswith("<0x") else t.encode()
        decoded.append(data.decode("utf-8", "replace"))
    return " ".join(decoded)


@wrong("raises an error")
def join_tokens(tokens):
    data = b"".join(bytes.fromhex(t[3:5]) if t.startswith("<0x") else t.encode() for t in tokens)
    return data.decode("utf-8")
