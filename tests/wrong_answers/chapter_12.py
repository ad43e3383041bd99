"""Wrong answers to the exercises of chapter 12."""

import torch

from wrong_answers import wrong


@wrong("beyond p is still left out")
def kept_by_top_p(probabilities, p):
    values, ids = probabilities.sort(descending=True)
    return ids[values.cumsum(0) <= p].tolist()


@wrong("by itself; compare the sum")
def kept_by_top_p(probabilities, p):
    values, ids = probabilities.sort(descending=True)
    return ids[values >= p].tolist()


@wrong("wrong order")
def kept_by_top_p(probabilities, p):
    values, ids = probabilities.sort(descending=True)
    return sorted(ids[values.cumsum(0) - values < p].tolist())


@wrong("It returns Tensor; return list")
def kept_by_top_p(probabilities, p):
    values, ids = probabilities.sort(descending=True)
    return ids[values.cumsum(0) - values < p]


@wrong("from being empty")
def kept_by_top_p(probabilities, p):
    values, ids = probabilities.sort(descending=True)
    kept = values.cumsum(0) < p
    kept[0] = True
    return ids[kept].tolist()


@wrong("takes one more")
def kept_by_top_p(probabilities, p):
    values, ids = probabilities.sort(descending=True)
    return ids[values.cumsum(0) - values <= p].tolist()


@wrong("These are ranks")
def kept_by_top_p(probabilities, p):
    values, _ = probabilities.sort(descending=True)
    return list(range(int((values.cumsum(0) - values < p).sum())))


@wrong("divides by d; divide by √d")
def attend_with_cache(keys, values, query, key, value):
    keys = torch.cat([keys, key[None]])
    values = torch.cat([values, value[None]])
    return (keys @ query / len(query)).softmax(0) @ values, keys, values


@wrong("does not see itself")
def attend_with_cache(keys, values, query, key, value):
    output = value
    if len(keys):
        output = (keys @ query / len(query) ** 0.5).softmax(0) @ values
    return output, torch.cat([keys, key[None]]), torch.cat([values, value[None]])


@wrong("The key is appended to the values")
def attend_with_cache(keys, values, query, key, value):
    keys = torch.cat([keys, key[None]])
    values = torch.cat([values, key[None]])
    return (keys @ query / len(query) ** 0.5).softmax(0) @ values, keys, values


@wrong("not divided by √d")
def attend_with_cache(keys, values, query, key, value):
    keys = torch.cat([keys, key[None]])
    values = torch.cat([values, value[None]])
    return (keys @ query).softmax(0) @ values, keys, values


@wrong("are not kept")
def attend_with_cache(keys, values, query, key, value):
    k = torch.cat([keys, key[None]])
    v = torch.cat([values, value[None]])
    return (k @ query / len(query) ** 0.5).softmax(0) @ v, keys, values


@wrong("come first in the cache")
def attend_with_cache(keys, values, query, key, value):
    keys = torch.cat([key[None], keys])
    values = torch.cat([value[None], values])
    return (keys @ query / len(query) ** 0.5).softmax(0) @ values, keys, values


@wrong("It returns Tensor; return tuple")
def attend_with_cache(keys, values, query, key, value):
    keys = torch.cat([keys, key[None]])
    values = torch.cat([values, value[None]])
    return (keys @ query / len(query) ** 0.5).softmax(0) @ values


@wrong("Only one hypothesis is kept")
def beam(chances, width, max_len):
    text = ""
    for _ in range(max_len):
        if not text.endswith("."):
            text += max(chances(text), key=chances(text).get)
    return [text]


@wrong("that have ended are lost")
def beam(chances, width, max_len):
    beams = [("", 1.0)]
    for _ in range(max_len):
        more = [(t + c, p * q) for t, p in beams if not t.endswith(".") for c, q in chances(t).items()]
        beams = sorted(more, key=lambda b: -b[1])[:width]
    return [t for t, _ in beams]


@wrong("Only the newest token's probability")
def beam(chances, width, max_len):
    beams = [("", 1.0)]
    for _ in range(max_len):
        more = []
        for t, p in beams:
            if t.endswith("."):
                more.append((t, p))
            else:
                more += [(t + c, q) for c, q in chances(t).items()]
        beams = sorted(more, key=lambda b: -b[1])[:width]
    return [t for t, _ in beams]


@wrong("goes on after it has ended")
def beam(chances, width, max_len):
    beams = [("", 1.0)]
    for _ in range(max_len):
        more = [(t + c, p * q) for t, p in beams for c, q in chances(t).items()]
        beams = sorted(more, key=lambda b: -b[1])[:width]
    return [t for t, _ in beams]


@wrong("probabilities are added")
def beam(chances, width, max_len):
    beams = [("", 0.0)]
    for _ in range(max_len):
        more = []
        for t, p in beams:
            more += [(t, p)] if t.endswith(".") else [(t + c, p + q) for c, q in chances(t).items()]
        beams = sorted(more, key=lambda b: -b[1])[:width]
    return [t for t, _ in beams]


@wrong("one step too few")
def beam(chances, width, max_len):
    beams = [("", 1.0)]
    for _ in range(max_len - 1):
        more = []
        for t, p in beams:
            more += [(t, p)] if t.endswith(".") else [(t + c, p * q) for c, q in chances(t).items()]
        beams = sorted(more, key=lambda b: -b[1])[:width]
    return [t for t, _ in beams]


@wrong("set apart")
def beam(chances, width, max_len):
    beams, ended = [("", 1.0)], []
    for _ in range(max_len):
        more = [(t + c, p * q) for t, p in beams for c, q in chances(t).items()]
        ended += [b for b in more if b[0].endswith(".")]
        beams = sorted([b for b in more if not b[0].endswith(".")], key=lambda b: -b[1])[:width]
    return [t for t, _ in sorted(ended + beams, key=lambda b: -b[1])[:width]]


@wrong("kept until the end")
def beam(chances, width, max_len):
    beams = [("", 1.0)]
    for _ in range(max_len):
        more = []
        for t, p in beams:
            more += [(t, p)] if t.endswith(".") else [(t + c, p * q) for c, q in chances(t).items()]
        beams = more
    return [t for t, _ in sorted(beams, key=lambda b: -b[1])[:width]]


@wrong("collected apart and only they come back")
def beam(chances, width, max_len):
    beams, finished = [(1.0, "")], []
    for _ in range(max_len):
        candidates = [(p * q, t + c) for p, t in beams for c, q in chances(t).items()]
        candidates.sort(reverse=True)
        finished += [found for found in candidates[:width] if found[1].endswith(".")]
        beams = [found for found in candidates if not found[1].endswith(".")][:width]
    return [t for _, t in sorted(finished, reverse=True)[:width]]


@wrong("pairs of a text and its probability")
def beam(chances, width, max_len):
    beams = [("", 1.0)]
    for _ in range(max_len):
        more = []
        for t, p in beams:
            more += [(t, p)] if t.endswith(".") else [(t + c, p * q) for c, q in chances(t).items()]
        beams = sorted(more, key=lambda b: -b[1])[:width]
    return beams


@wrong("root of the number of tokens")
def attend_with_cache(keys, values, query, key, value):
    keys = torch.cat([keys, key[None]])
    values = torch.cat([values, value[None]])
    return (keys @ query / len(keys) ** 0.5).softmax(0) @ values, keys, values


@wrong("The softmax is missing")
def attend_with_cache(keys, values, query, key, value):
    keys = torch.cat([keys, key[None]])
    values = torch.cat([values, value[None]])
    return (keys @ query / len(query) ** 0.5) @ values, keys, values


@wrong("divide the scores before it")
def attend_with_cache(keys, values, query, key, value):
    keys = torch.cat([keys, key[None]])
    values = torch.cat([values, value[None]])
    return (keys @ query).softmax(0) / len(query) ** 0.5 @ values, keys, values


@wrong("do not sum to 1")
def attend_with_cache(keys, values, query, key, value):
    keys = torch.cat([keys, key[None]])
    values = torch.cat([values, value[None]])
    return (keys @ query / len(query) ** 0.5).exp() @ values, keys, values


@wrong("in each other's place")
def attend_with_cache(keys, values, query, key, value):
    keys = torch.cat([keys, key[None]])
    values = torch.cat([values, value[None]])
    return (keys @ query / len(query) ** 0.5).softmax(0) @ values, values, keys


def beam_by(key, chances, width, max_len, stop=lambda beams: False):
    beams = [("", 1.0)]
    for _ in range(max_len):
        more = []
        for t, p in beams:
            more += [(t, p)] if t.endswith(".") else [(t + c, p * q) for c, q in chances(t).items()]
        beams = sorted(more, key=key)[:width]
        if stop(beams):
            break
    return [t for t, _ in beams]


@wrong("least likely texts are kept")
def beam(chances, width, max_len):
    return beam_by(lambda b: b[1], chances, width, max_len)


@wrong("sorted by their letters")
def beam(chances, width, max_len):
    beams = [("", 1.0)]
    for _ in range(max_len):
        more = []
        for t, p in beams:
            more += [(t, p)] if t.endswith(".") else [(t + c, p * q) for c, q in chances(t).items()]
        beams = sorted(more, reverse=True)[:width]
    return [t for t, _ in beams]


@wrong("when one text has ended")
def beam(chances, width, max_len):
    return beam_by(lambda b: -b[1], chances, width, max_len, lambda beams: "." in [t[-1] for t, _ in beams])


@wrong("when the best text has ended")
def beam(chances, width, max_len):
    return beam_by(lambda b: -b[1], chances, width, max_len, lambda beams: beams[0][0][-1] == ".")


@wrong("keeps its place for ever")
def beam(chances, width, max_len):
    beams = [("", 1.0)]
    for _ in range(max_len):
        ended = [b for b in beams if b[0].endswith(".")]
        more = [(t + c, p * q) for t, p in beams if (t, p) not in ended for c, q in chances(t).items()]
        beams = ended + sorted(more, key=lambda b: -b[1])[: width - len(ended)]
    return [t for t, _ in sorted(beams, key=lambda b: -b[1])]


@wrong("final period is taken off")
def beam(chances, width, max_len):
    return [t.removesuffix(".") for t in beam_by(lambda b: -b[1], chances, width, max_len)]


@wrong("One text too many")
def beam(chances, width, max_len):
    return beam_by(lambda b: -b[1], chances, width + 1, max_len)[:width]


@wrong("The tail is kept")
def kept_by_top_p(probabilities, p):
    values, ids = probabilities.sort(descending=True)
    return ids[values.cumsum(0) >= p].tolist()


@wrong("least likely first")
def kept_by_top_p(probabilities, p):
    values, ids = probabilities.sort()
    return ids[values.cumsum(0) - values < p].tolist()


@wrong("in the order of the ids")
def kept_by_top_p(probabilities, p):
    return torch.arange(len(probabilities))[probabilities.cumsum(0) - probabilities < p].tolist()


@wrong("compared with 1 − p")
def kept_by_top_p(probabilities, p):
    values, ids = probabilities.sort(descending=True)
    return ids[values.cumsum(0) - values < 1 - p].tolist()


@wrong("An empty list becomes all ids")
def kept_by_top_p(probabilities, p):
    values, ids = probabilities.sort(descending=True)
    kept = ids[values.cumsum(0) < p].tolist()
    return kept or ids.tolist()
