"""The exercises of chapter 12."""

import itertools
import random
from functools import partial

import torch

from helpers.exercises.kinds import Exercise, Exploration, Prediction

sharper = Prediction(
    answer=16 / 17,
    near=0.02,
    why=(
        "제곱하면 0.64와 0.04이고, 합 0.68로 나누어야 확률이 됩니다. 0.64 / 0.68 = 0.94입니다.",
        "Squared they are 0.64 and 0.04; divided by their sum, 0.68, they are probabilities again: "
        "0.64 / 0.68 = 0.94.",
    ),
    hints=[
        "온도 0.5는 확률을 제곱합니다.",
        "A temperature of 0.5 squares the probabilities.",
        "제곱한 0.64와 0.04는 더해서 1이 아닙니다. 합으로 나누세요.",
        "The squares, 0.64 and 0.04, don't sum to 1; divide by their sum.",
    ],
    slips=[
        0.8,
        "온도 1일 때의 확률입니다.",
        "That's the probability at a temperature of 1.",
        0.64,
        "제곱한 다음, 합이 1이 되게 나누어야 합니다.",
        "After squaring, divide so that they sum to 1.",
        0.667,
        "온도 2일 때의 값입니다. 온도가 낮으면 더 쏠립니다.",
        "That is for a temperature of 2; a lower one sharpens.",
    ],
)


def _go_on(text, chance, token, p):
    return text + token, chance * p


def _beam(
    chances,
    width,
    max_len,
    go_on=_go_on,
    candidates=lambda text, chance: [(text, chance)],
    rank=lambda beam: -beam[1],
    stop=lambda ended: False,
):
    """`candidates`: what a text that has ended gives, or None where it goes on."""
    beams = [("", 1.0)]
    for _ in range(max_len):
        longer = []
        for text, chance in beams:
            if text.endswith(".") and candidates:
                longer += candidates(text, chance)
            else:
                longer += [go_on(text, chance, *choice) for choice in chances(text).items()]
        beams = sorted(longer, key=rank)[:width]
        if stop([text.endswith(".") for text, _ in beams]):
            break
    return [text for text, _ in beams]


def _apart(chances, width, max_len, cut_ended, cut_open, rest, keeps_places):
    """Ended texts are set apart; the options are ways to do so."""
    beams, ended = [("", 1.0)], []
    for _ in range(max_len):
        longer = [_go_on(*beam, *choice) for beam in beams for choice in chances(beam[0]).items()]
        longer.sort(key=lambda beam: -beam[1])
        places = width - keeps_places * len(ended)
        best_ended, best_open = (longer[:places] if cut else longer for cut in (cut_ended, cut_open))
        ended += [beam for beam in best_ended if beam[0].endswith(".")]
        beams = [beam for beam in best_open if not beam[0].endswith(".")][:places]
    found = sorted(ended + beams * rest, key=lambda beam: -beam[1])
    return [text for text, _ in found[:width]]


def pushed_out(text):
    """An ended text that two others push out of the beam."""
    table = {"": {"X": 0.6, ".": 0.25, "Y": 0.15}, "X": {"A": 0.55, "B": 0.45}}
    return table.get(text, {".": 0.5, "C": 0.3, "D": 0.2})


def garden_path(text):
    """The likelier prefix has only unlikely continuations."""
    table = {"": {"A": 0.6, "B": 0.4}, "A": {"C": 0.4, "D": 0.35, ".": 0.25}, "B": {"C": 0.9, ".": 0.1}}
    return table.get(text, {".": 1.0})


def short_or_long(text):
    """A short sentence that is likelier than the long one."""
    table = {"": {"A": 0.7, "B": 0.3}, "A": {".": 0.55, "C": 0.45}, "AC": {".": 0.8, "D": 0.2}}
    return table.get(text, {".": 0.9, "E": 0.1})


def _random_tree(draw):
    """Chances that differ at every text, the same in every run, with a width and a max_len."""
    seed = draw.random()

    def random_tree(text):
        shares = {letter: random.Random(f"{seed} {text} {letter}").random() for letter in "AB."}
        return {letter: share / sum(shares.values()) for letter, share in shares.items()}

    return random_tree, draw.randint(2, 4), draw.randint(3, 4)


beam = Exercise(
    spec=_beam,
    cases=[
        (garden_path, 1, 3),
        (garden_path, 2, 3),
        (short_or_long, 2, 3),
        (short_or_long, 3, 4),
        (garden_path, 4, 3),
        (short_or_long, 20, 3),
        (pushed_out, 2, 2),
        (pushed_out, 2, 3),
    ],
    by_hand=2,
    draw=_random_tree,
    mistakes=[
        partial(_beam, candidates=lambda text, chance: []),
        "끝난 문장이 사라집니다. 마침표로 끝난 것도 확률 그대로 다음 단계의 후보입니다.",
        "Sentences that have ended are lost; they are candidates of the next step, as they are.",
        partial(_beam, candidates=None),
        "마침표로 끝난 글도 계속 늘어납니다. 끝난 글은 그대로 두세요.",
        'A text goes on after it has ended; leave those that end in "." as they are.',
        partial(_beam, go_on=lambda text, chance, token, p: (text + token, p)),
        "마지막 토큰의 확률만 비교했습니다. 지금까지의 확률에 곱하세요.",
        "Only the newest token's probability is compared; multiply it by the probability so far.",
        partial(_beam, go_on=lambda text, chance, token, p: (text + token, chance + p)),
        "확률을 더했습니다. 글의 확률은 곱한 것입니다.",
        "The probabilities are added; that of a text is their product.",
        *(
            part
            for how in itertools.product((True, False), repeat=4)
            for part in (
                partial(_apart, cut_ended=how[0], cut_open=how[1], rest=how[2], keeps_places=how[3]),
                "끝난 글을 따로 두었습니다. 이 연습에서는 끝난 글도 같은 자리를 놓고 겨루다 밀려납니다.",
                "Ended texts are set apart; in this exercise they compete for the same places, and may be "
                "pushed out.",
            )
        ),
        partial(_beam, rank=lambda beam: beam[1]),
        "확률이 가장 작은 것을 남겼습니다. sorted는 작은 것부터 늘어놓습니다.",
        "The least likely texts are kept; sorted puts the smallest first.",
        *(
            part
            for stop in (any, lambda ended: ended[0])
            for part in (
                partial(_beam, stop=stop),
                "글 하나가 끝나자 멈췄습니다. 다른 글은 계속 늘려 max_len단계를 모두 가세요.",
                "This stops when a text has ended; the others go on for all max_len steps.",
            )
        ),
        *(
            part
            for kept in (1, 10**6)
            for part in (
                lambda chances, width, max_len, kept=kept: _beam(chances, kept + width, max_len)[:width],
                "width개보다 많은 글을 남겼다가 마지막에 골랐습니다. 단계마다 width개만 남기세요.",
                "More than `width` texts are kept until the end; keep only `width` at each step.",
            )
        ),
    ],
    hints=[
        "12.3절의 simple_beam에서 시작하세요. 끝난 글은 어디에 두어야 하나요?",
        "Start from simple_beam of section 12.3. Where does a text that has ended belong?",
        "끝난 글은 자기 자신 하나만 후보로 내놓고, 다른 글은 글자마다 후보를 하나씩 내놓습니다.",
        "A text that has ended gives one candidate, itself; any other gives one per letter.",
        "후보를 확률이 큰 순서로 세워 width개만 남기는 일을 max_len번 되풀이하세요.",
        "Sort the candidates by probability and keep `width`; do this max_len times.",
    ],
)


def _kept_by_top_p(probabilities, p, keep=lambda values, sums, p: sums - values < p):
    values, ids = probabilities.sort(descending=True)
    return ids[keep(values, values.cumsum(dim=0), p)].tolist()


def _random_shares(draw):
    shares = torch.tensor([draw.random() for _ in range(draw.randint(2, 6))])
    return shares / shares.sum(), draw.uniform(0.05, 0.95)


kept_by_top_p = Exercise(
    spec=_kept_by_top_p,
    start=partial(_kept_by_top_p, keep=lambda values, sums, p: sums < p),
    cases=[
        (torch.tensor([0.125, 0.75, 0.125]), 0.5),
        (torch.tensor([0.0625, 0.25, 0.5, 0.125, 0.0625]), 0.75),
        (torch.tensor([0.25, 0.625, 0.125]), 0.8),
        (torch.tensor([0.3, 0.05, 0.4, 0.25]), 0.98),
        (torch.tensor([0.25, 0.5, 0.25]), 1.0),
    ],
    by_hand=1,
    draw=_random_shares,
    mistakes=[
        partial(_kept_by_top_p, keep=lambda values, sums, p: sums <= p),
        "합이 p를 넘게 하는 토큰이 아직 빠집니다. 자신 앞의 합을 p와 비교하세요.",
        "The token that takes the sum beyond p is still left out; compare the sum before it with p.",
        partial(_kept_by_top_p, keep=lambda values, sums, p: (sums < p) | (sums == values)),
        "리스트가 비는 일만 막았습니다. 다른 때에도 마지막 토큰이 하나 모자랍니다.",
        "This only keeps the list from being empty; elsewhere the last token is still missing.",
        partial(_kept_by_top_p, keep=lambda values, sums, p: sums - values <= p),
        "합이 정확히 p에 이르면 멈춰야 하는데 하나를 더 담았습니다.",
        "When the sum is exactly p, it is enough; this takes one more.",
        partial(_kept_by_top_p, keep=lambda values, sums, p: values >= p),
        "토큰 하나하나의 확률을 p와 비교했습니다. 합을 비교하세요.",
        "Each probability is compared with p by itself; compare the sum.",
    ],
    hints=[
        "확률이 0.75인 토큰이 하나 있고 p가 0.5라고 해 보세요. 무엇이 남아야 하나요?",
        "Say one token has 0.75 and p is 0.5. What should stay?",
        "cumsum은 자신까지 더한 합입니다. 어떤 합이 p에 이르면 그만 담나요?",
        "cumsum includes the token itself. Which sum must have reached p for a token to be left out?",
        "values.cumsum(dim=0)에서 values를 빼면 자신 앞의 합입니다. 12.8절의 before입니다.",
        "values.cumsum(dim=0) minus values is the sum before the token: `before` of section 12.8.",
    ],
)

longer_by_alpha = Exploration(
    look_for=(
        "우리 번역기에서는 alpha가 0, 1, 2이면 평균 13, 14, 16토큰으로 정답의 17.6보다 짧고, 3이면 30, 5면 "
        "거의 max_len인 60입니다. 맞은 번역은 100개 가운데 3, 5, 6, 1, 0개입니다. 길어져도 "
        "빠진 내용을 되찾은 것은 몇 개뿐입니다.",
        "With our translator there are 13, 14 and 16 tokens with an alpha of 0, 1 and 2, below the 17.6 of "
        "the references, 30 with 3, and nearly max_len, 60, with 5. Of 100 translations, 3, 5, 6, 1 and 0 "
        "are right: in only a few does the longer translation bring back what was missing.",
    ),
    hints=[
        "beam_search(model, longer_src[:100], *ends, 60, alpha=alpha)에서 문장마다 첫 가설을 쓰세요.",
        "From beam_search(model, longer_src[:100], *ends, 60, alpha=alpha) take each first hypothesis.",
        "정답의 토큰 수는 len(english.encode(target))이고, 번역문은 english.decode(ids)입니다.",
        "A reference has len(english.encode(target)) tokens; a translation is english.decode(ids).",
    ],
)
