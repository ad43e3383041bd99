"""Korean-English sentence pairs, as many as one likes, to train on offline. Chapter 11.

A frame is a kind of sentence: it takes clauses from `clauses`, whose words are in `words`, and lets
`grammar` inflect and order them.
"""

from dataclasses import replace
from itertools import pairwise

from helpers import words
from helpers.clauses import (
    NO_TIME,
    give_relative,
    pick_asked,
    pick_clause,
    pick_deeds,
    pick_object,
    pick_reason,
    pick_tense,
    pick_verb,
)
from helpers.grammar import (
    SS,
    SUBJECTS,
    VERBS,
    Clause,
    english,
    english_question,
    english_rest,
    english_verb,
    finished,
    join,
    korean_verb,
    noun_phrase,
    ordered,
    with_final,
)

REASON = Clause(SUBJECTS[0], VERBS["쉬"], "past")  # counts for the clause of a reason
ASKED_WHERE = [s for s, verb in VERBS.items() if verb.objects and verb.places and s not in words.NO_WHERE]
ALTERNATIVES = [s for s in VERBS if s not in ["잃어버리", *words.NOT_DONE_BY["아이들"]]]


def statement(rng, polite):
    """나는 어제 도서관에서 책을 읽었다."""
    negation = "not" if rng.random() < 0.2 else ""
    tense = pick_tense(rng)
    clause = pick_clause(rng, tense, rng.choice(SUBJECTS), negation=negation)
    orders = ["STPXO", "STPXO"]
    if tense != "present":
        orders.append("STPXO" if clause.time[2] else "TSPXO")
        orders.append("STPXO" if negation else "STPOX" if clause.extra[0] else "STOPX")
    order = rng.choice(orders)
    korean = join(ordered(clause, polite, order), korean_verb(clause, polite))
    return finished(korean, english(clause), clause)


def question(rng, polite):
    """너는 어제 책을 읽었니?"""
    tense = pick_tense(rng)
    clause = pick_clause(rng, tense, pick_asked(rng, polite), plain=True)
    korean = join(ordered(clause, polite), korean_verb(clause, polite, question=True))
    return finished(korean, english_question(clause), clause)


def open_question(rng, polite):
    """너는 어제 시장에서 무엇을 샀니? 어디에서 책을 읽었니? 누가 빵을 먹었니?"""
    kind, tense = rng.choice(["what", "where", "who"]), pick_tense(rng)
    verbs, place = (words.ASKED if kind == "what" else ASKED_WHERE), (0.0 if kind == "where" else 0.5)
    clause = pick_clause(rng, tense, pick_asked(rng, polite), verbs, place=place, extra=0.0, plain=True)
    verb = korean_verb(clause, polite, question=True)
    if kind == "what":
        english_side = english_question(clause, "what", with_object=False)
        return finished(
            join(ordered(clause, polite, O="무엇을"), verb), english_side, replace(clause, noun="")
        )
    if kind == "where":
        clause.object = noun_phrase(rng, clause.noun, tense, count=False, describe=False, article="the")
        korean = join(ordered(clause, polite, P="어디에서"), verb)
        return finished(korean, english_question(clause, "where"), clause)
    clause.subject = ("누가", "누가", "who", "he")
    return finished(join(ordered(clause, polite, S="누가"), verb), english(clause) + "?", clause)


def both(rng, polite, count=2):
    """나는 어제 책을 읽고 커피를 마셨다."""
    tense = pick_tense(rng)
    time = rng.choice([time for time in words.TIMES[tense] if not time[2]])
    deeds = pick_deeds(rng, tense, rng.choice(SUBJECTS), count, time)
    first, last = deeds[0], deeds[-1]
    korean = [ordered(first, polite)]
    korean += [join(deed.verb.stem + "고", after.object[0]) for deed, after in pairwise(deeds)]
    verbs = [english_verb(first), *(english_verb(deed).removeprefix("will ") for deed in deeds[1:])]
    phrases = [join(verb, deed.object[1]) for verb, deed in zip(verbs, deeds, strict=True)]
    listed = ", ".join(phrases[:-1]) + ("," if count > 2 else "") + " and " + phrases[-1]
    english_side = join(first.end and first.end + ",", first.subject[2], listed)
    return finished(join(*korean, korean_verb(last, polite)), english_side, *deeds)


def three_deeds(rng, polite):
    """나는 책을 읽고 커피를 마시고 쉬었다."""
    return both(rng, polite, count=3)


def contrast(rng, polite):
    """민수는 커피를 마셨지만 유나는 차를 마셨다."""
    nouns = rng.sample(rng.choice(words.KINDS).split(), 2)
    verb = VERBS[rng.choice([stem for stem in ALTERNATIVES if set(nouns) <= set(VERBS[stem].objects)])]
    first, second = (
        Clause(subject, verb, "past", noun, noun_phrase(rng, noun, "past", count=False))
        for subject, noun in zip(rng.sample(SUBJECTS, 2), nouns, strict=True)
    )
    korean = join(ordered(first, polite), with_final(verb.form, SS) + "지만", ordered(second, polite))
    english_side = f"{english(first)}, but {english(second)}"
    return finished(join(korean, korean_verb(second, polite)), english_side, first, second)


def outcome(rng, polite):
    """나는 책을 샀지만 읽지 않았다."""
    stem, then = rng.choice(words.OUTCOMES).split()
    first = pick_clause(rng, "past", rng.choice(SUBJECTS), [stem], extra=0.0)
    while first.noun not in VERBS[then].objects:
        pick_object(rng, first, count=False)
    first.object = noun_phrase(rng, first.noun, "past", count=False, describe=False)
    second = Clause(first.subject, VERBS[then], "past", negation="not")
    korean = join(
        ordered(first, polite), with_final(first.verb.form, SS) + "지만", korean_verb(second, polite)
    )
    return finished(korean, f"{english(first)} but {english_verb(second)} it", first, second)


def because(rng, polite):
    """나는 어제 배가 고파서 빵을 먹었다."""
    subject = rng.choice(SUBJECTS)
    korean, reason, verbs, negation = pick_reason(rng, subject)
    time = rng.choice([NO_TIME, words.TIMES["past"][0]])
    clause = pick_clause(rng, "past", subject, verbs, negation, time, extra=0.0)
    if korean.startswith("날씨") and clause.place not in words.OUTDOORS:
        clause.place = "공원"
    parts = ordered(clause, polite, "ST"), korean, ordered(clause, polite, "PXO"), korean_verb(clause, polite)
    return finished(join(*parts), join(reason, english_verb(clause), english_rest(clause)), clause, REASON)


def relative(rng, polite):
    """나는 민수가 시장에서 산 사과를 먹었다."""
    tense, negation = rng.choice([("past", ""), ("past", "not"), ("future", "")])
    subject = rng.choice(SUBJECTS)
    verb = pick_verb(rng, words.AFTERWARDS, tense, negation, subject)
    clause = Clause(subject, verb, tense, negation=negation)
    inner = give_relative(rng, clause, polite)
    korean = join(ordered(clause, polite), korean_verb(clause, polite))
    return finished(korean, english(clause), clause, inner)


def reason_and_relative(rng, polite):
    """나는 어제 산 책을 바빠서 읽지 못했다."""
    subject = rng.choice(SUBJECTS)
    korean, reason, _, negation = pick_reason(rng, subject, verb="읽")
    clause = Clause(subject, VERBS["읽"], "past", negation=negation)
    inner = give_relative(rng, clause, polite)
    parts = ordered(clause, polite, "SO"), korean, korean_verb(clause, polite)
    return finished(
        join(*parts), join(reason, english_verb(clause), english_rest(clause)), clause, inner, REASON
    )


FRAMES = {
    statement: 9,
    question: 3,
    open_question: 2,
    both: 3,
    contrast: 1,
    outcome: 1,
    because: 2,
    relative: 3,
}
LONG_FRAMES = {three_deeds: 2, reason_and_relative: 1}  # three clauses; the others have one or two


def sentences(rng, frames=FRAMES):
    """Sentences without end, half in the plain style and half in the polite one."""
    while True:
        (frame,) = rng.choices(list(frames), weights=frames.values())
        yield frame(rng, polite=rng.random() < 0.5)
