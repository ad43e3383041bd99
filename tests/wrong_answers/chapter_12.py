"""Answers to the exercises of chapter 12, right ones and wrong ones that no exercise lists."""

import torch

from wrong_answers import also, right, wrong


@right
def beam(chances, width, max_len):
    beams = {"": 0.0}
    for _ in range(max_len):
        longer = {text: score for text, score in beams.items() if text.endswith(".")}
        for text in beams.keys() - longer.keys():
            longer |= {text + c: beams[text] + torch.tensor(p).log() for c, p in chances(text).items()}
        beams = dict(sorted(longer.items(), key=lambda item: item[1], reverse=True)[:width])
    return list(beams)


@wrong("width were always 1")
def beam(chances, width, max_len):
    text = ""
    for _ in range(max_len):
        if not text.endswith("."):
            text += max(chances(text), key=chances(text).get)
    return [text]


def searched(chances, width, max_len):
    beams = [("", 1.0)]
    for _ in range(max_len):
        more = []
        for t, p in beams:
            more += [(t, p)] if t.endswith(".") else [(t + c, p * q) for c, q in chances(t).items()]
        beams = sorted(more, key=lambda beam: -beam[1])[:width]
    return [text for text, _ in beams]


also(
    "beam",
    ("max_len were smaller by 1", lambda chances, width, max_len: searched(chances, width, max_len - 1)),
    ("max_len were larger by 1", lambda chances, width, max_len: searched(chances, width, max_len + 1)),
    ("The order is reversed", lambda *given: searched(*given)[::-1]),
    ("It returns str; return list. This is one element", lambda *given: searched(*given)[0]),
)


@right
def kept_by_top_p(probabilities, p):
    ids, total = [], 0.0
    for i in sorted(range(len(probabilities)), key=lambda i: -probabilities[i].item()):
        ids.append(i)
        total += probabilities[i].item()
        if total >= p:
            break
    return ids


def kept(probabilities, p):
    values, ids = probabilities.sort(descending=True)
    return ids[values.cumsum(0) - values < p]


also(
    "kept_by_top_p",
    ("It is sorted; the order should be kept", lambda *given: kept(*given).sort().values.tolist()),
    ("It returns Tensor; return list", kept),
    ("p were 1 - p", lambda probabilities, p: kept(probabilities, 1 - p).tolist()),
    ("not the places", lambda probabilities, p: probabilities[kept(probabilities, p)].tolist()),
)

also("sharper", ("divided by their sum", 0.64))
