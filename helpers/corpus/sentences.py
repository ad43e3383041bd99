"""The patterns of sentences: each chooses clauses and puts them together in both languages."""

from dataclasses import replace
from itertools import pairwise

from helpers.corpus import words
from helpers.corpus.choosing import (
    asked_with,
    choose_actions,
    choose_clause,
    choose_noun_phrase,
    choose_object,
    choose_reason,
    choose_subject_of_question,
    choose_tense,
    choose_verb,
    give_relative_clause,
)
from helpers.corpus.clause import NO_TIME, Clause, join, make_sentence
from helpers.corpus.english import (
    english_clause,
    english_question,
    english_rest,
    english_verb,
    time_at_the_end,
)
from helpers.corpus.korean import before_the_verb, korean_verb, past_stem
from helpers.corpus.lexicon import SUBJECTS, VERBS

REASON = Clause(SUBJECTS[0], VERBS["쉬"], "past")  # stands for the clause of a reason, to be counted


def statement(rng, polite):
    """나는 어제 도서관에서 책을 읽었다."""
    negation = "not" if rng.random() < 0.2 else ""
    tense = choose_tense(rng)
    clause = choose_clause(rng, tense, rng.choice(SUBJECTS), negation=negation)
    orders = ["STPAO", "STPAO"]
    if tense != "present":
        orders.append("STPAO" if clause.time[2] else "TSPAO")
        orders.append("STPAO" if negation else "STPOA" if clause.adjunct[0] else "STOPA")
    order = rng.choice(orders)
    korean = join(before_the_verb(clause, polite, order), korean_verb(clause, polite))
    return make_sentence(korean, english_clause(clause), clause)


def question(rng, polite):
    """너는 어제 책을 읽었니?"""
    tense = choose_tense(rng)
    clause = choose_clause(rng, tense, choose_subject_of_question(rng, polite), plain=True)
    korean = join(before_the_verb(clause, polite), korean_verb(clause, polite, question=True))
    return make_sentence(korean, english_question(clause), clause)


def open_question(rng, polite):
    """너는 어제 시장에서 무엇을 샀니? 어디에서 책을 읽었니? 누가 빵을 먹었니?"""
    kind, tense = rng.choice(["what", "where", "who"]), choose_tense(rng)
    stems, with_place = asked_with(kind), (0.0 if kind == "where" else 0.5)
    subject = choose_subject_of_question(rng, polite)
    clause = choose_clause(rng, tense, subject, stems, with_place=with_place, with_adjunct=0.0, plain=True)
    verb = korean_verb(clause, polite, question=True)
    if kind == "what":
        korean = join(before_the_verb(clause, polite, O="무엇을"), verb)
        english = english_question(clause, "what", with_object=False)
        clause = replace(clause, noun="")
    elif kind == "where":
        clause.object = choose_noun_phrase(
            rng, clause.noun, tense, count=False, describe=False, article="the"
        )
        korean = join(before_the_verb(clause, polite, P="어디에서"), verb)
        english = english_question(clause, "where")
    else:
        clause.subject = ("누가", "누가", "who", "he")
        korean = join(before_the_verb(clause, polite, S="누가"), verb)
        english = english_clause(clause) + "?"
    return make_sentence(korean, english, clause)


def two_actions(rng, polite, count=2):
    """나는 어제 책을 읽고 커피를 마셨다."""
    tense = choose_tense(rng)
    time = rng.choice([time for time in words.TIMES[tense] if not time[2]])
    actions = choose_actions(rng, tense, rng.choice(SUBJECTS), count, time)
    first, last = actions[0], actions[-1]
    korean = [before_the_verb(first, polite)]
    korean += [join(action.verb.stem + "고", following.object[0]) for action, following in pairwise(actions)]
    verbs = [english_verb(first), *(english_verb(action).removeprefix("will ") for action in actions[1:])]
    phrases = [join(verb, action.object[1]) for verb, action in zip(verbs, actions, strict=True)]
    listed = ", ".join(phrases[:-1]) + ("," if count > 2 else "") + " and " + phrases[-1]
    time = time_at_the_end(first)  # in a list, at the beginning
    english = join(time and time + ",", first.subject[2], listed)
    return make_sentence(join(*korean, korean_verb(last, polite)), english, *actions)


def three_actions(rng, polite):
    """나는 책을 읽고 커피를 마시고 쉬었다."""
    return two_actions(rng, polite, count=3)


def contrast(rng, polite):
    """민수는 커피를 마셨지만 유나는 차를 마셨다."""
    nouns = rng.sample(rng.choice(words.INTERCHANGEABLE_OBJECTS).split(), 2)
    stems = [stem for stem in VERBS if stem not in words.NOT_CONTRASTED]
    verb = VERBS[rng.choice([stem for stem in stems if set(nouns) <= set(VERBS[stem].objects)])]
    first, second = (
        Clause(subject, verb, "past", noun, choose_noun_phrase(rng, noun, "past", count=False))
        for subject, noun in zip(rng.sample(SUBJECTS, 2), nouns, strict=True)
    )
    but = past_stem(verb) + "지만"
    korean = join(before_the_verb(first, polite), but, before_the_verb(second, polite))
    english = f"{english_clause(first)}, but {english_clause(second)}"
    return make_sentence(join(korean, korean_verb(second, polite)), english, first, second)


def action_not_used(rng, polite):
    """나는 책을 샀지만 읽지 않았다."""
    stem, use = rng.choice(words.ACTION_THEN_USE).split()
    first = choose_clause(rng, "past", rng.choice(SUBJECTS), [stem], with_adjunct=0.0)
    while first.noun not in VERBS[use].objects:
        choose_object(rng, first, count=False)
    first.object = choose_noun_phrase(rng, first.noun, "past", count=False, describe=False)
    second = Clause(first.subject, VERBS[use], "past", negation="not")
    but = past_stem(first.verb) + "지만"
    korean = join(before_the_verb(first, polite), but, korean_verb(second, polite))
    return make_sentence(korean, f"{english_clause(first)} but {english_verb(second)} it", first, second)


def with_reason(rng, polite):
    """나는 어제 배가 고파서 빵을 먹었다."""
    subject = rng.choice(SUBJECTS)
    korean, english, stems, negation = choose_reason(rng, subject)
    time = rng.choice([NO_TIME, words.TIMES["past"][0]])
    clause = choose_clause(rng, "past", subject, stems, negation, time, with_adjunct=0.0)
    if korean.startswith("날씨") and clause.place not in words.OUTDOOR_PLACES:
        clause.place = "공원"
    before, after = before_the_verb(clause, polite, "ST"), before_the_verb(clause, polite, "PAO")
    korean = join(before, korean, after, korean_verb(clause, polite))
    english = join(english, english_verb(clause), english_rest(clause))
    return make_sentence(korean, english, clause, REASON)


def with_relative_clause(rng, polite):
    """나는 민수가 시장에서 산 사과를 먹었다."""
    tense, negation = rng.choice([("past", ""), ("past", "not"), ("future", "")])
    subject = rng.choice(SUBJECTS)
    verb = choose_verb(rng, words.USES, tense, negation, subject)
    clause = Clause(subject, verb, tense, negation=negation)
    relative = give_relative_clause(rng, clause, polite)
    korean = join(before_the_verb(clause, polite), korean_verb(clause, polite))
    return make_sentence(korean, english_clause(clause), clause, relative)


def with_reason_and_relative_clause(rng, polite):
    """나는 어제 산 책을 바빠서 읽지 못했다."""
    subject = rng.choice(SUBJECTS)
    korean, english, _, negation = choose_reason(rng, subject, stem="읽")
    clause = Clause(subject, VERBS["읽"], "past", negation=negation)
    relative = give_relative_clause(rng, clause, polite)
    korean = join(before_the_verb(clause, polite, "SO"), korean, korean_verb(clause, polite))
    english = join(english, english_verb(clause), english_rest(clause))
    return make_sentence(korean, english, clause, relative, REASON)


PATTERNS = {  # and how often each is chosen, relative to the others
    statement: 9,
    question: 3,
    open_question: 2,
    two_actions: 3,
    contrast: 1,
    action_not_used: 1,
    with_reason: 2,
    with_relative_clause: 3,
}
LONG_PATTERNS = {three_actions: 2, with_reason_and_relative_clause: 1}  # three clauses; the others have fewer


def random_sentences(rng, patterns=PATTERNS):
    """Sentences without end, half in the plain style and half in the polite one."""
    while True:
        (pattern,) = rng.choices(list(patterns), weights=patterns.values())
        yield pattern(rng, polite=rng.random() < 0.5)
