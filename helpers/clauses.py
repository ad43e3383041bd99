"""Clauses that make sense: who does what, when, where, with whom, and why. Chapter 11."""

from helpers import words
from helpers.grammar import (
    PLACES,
    REASONS,
    SUBJECTS,
    VERBS,
    YOU,
    Clause,
    N,
    english_rest,
    english_verb,
    join,
    noun_in_english,
    noun_phrase,
    ordered,
    particle,
    soften,
)

NO_TIME = ("", "", 0)


def pick_tense(rng):
    """Past as often as present and future together."""
    return rng.choice(["past", "past", "present", "future"])


def pick_time(rng, tense, plain=False):
    """A time, or none where the tense can do without; plain: not one that stands before the verb."""
    if tense != "present" and rng.random() < 0.3:
        return NO_TIME
    return rng.choice([time for time in words.TIMES[tense] if not (plain and time[2])])


def pick_object(rng, clause, count=True, describe=True):
    """Give a clause what its verb needs: an object, a destination or a city."""
    stem = clause.verb.stem
    if stem == "가":
        habit = clause.tense == "present"  # nobody goes to Paris every day
        clause.noun = rng.choice([place for place in PLACES if not (habit and place in words.CITIES)])
        clause.object = clause.noun + "에", PLACES[clause.noun][1]
    elif stem == "다녀오":
        near = clause.time[1] in ("yesterday", "tomorrow")  # nobody is in Rome and back in a day
        clause.noun = rng.choice(words.HOME if near else words.CITIES)
        clause.object = clause.noun + " 여행을", PLACES[clause.noun][1].removeprefix("to ")
    elif clause.verb.objects:
        unfit = words.UNFIT.get(clause.negation, []) + words.UNFIT.get(clause.tense, [])
        clause.noun = rng.choice([noun for noun in clause.verb.objects if noun not in unfit])
        count = count and not (clause.tense == "present" or clause.negation or stem == "잃어버리")
        clause.object = noun_phrase(rng, clause.noun, clause.tense, count, describe and not clause.negation)


def pick_extra(rng, clause):
    """With whom, with what, or by what."""
    stem = clause.verb.stem
    friends = {name: who for name, who in words.COMPANIONS.items() if name not in clause.subject[0]}
    if stem in ("쓰", "그리"):
        choices, form = words.TOOLS, "으로/로"
    elif stem == "가" and rng.random() < 0.5:
        means = {**dict.fromkeys(words.ABROAD, words.BY_AIR), **dict.fromkeys(words.HOME, words.BY_LAND)}
        choices, form = means.get(clause.noun, words.IN_TOWN), "으로/로"
    elif stem in words.SOCIAL:
        choices, form = friends, "과/와"
    else:
        return ("", "")
    choice = rng.choice(list(choices))
    return particle(choice, form), choices[choice]


def pick_verb(rng, stems, tense, negation, subject):
    """One of the verbs that go with the tense, the negation and the subject."""
    unfit = [stem for stem, tenses in words.TENSES.items() if tense not in tenses]
    unfit += words.NOT_DONE_BY.get(subject[0], [])
    if negation == "not":
        unfit += words.NEVER_DENIED + (words.NO_RULE if tense == "present" else [])
    return VERBS[rng.choice([stem for stem in stems if stem not in unfit])]


def pick_clause(rng, tense, subject, verbs=VERBS, negation="", time=None, place=0.5, extra=0.25, plain=False):
    """A clause with everything in it; time None picks one; plain: as in a question, without an adjective."""
    clause = Clause(subject, pick_verb(rng, verbs, tense, negation, subject), tense, negation=negation)
    idle = not clause.verb.objects and clause.verb.stem not in ("가", "다녀오")  # nobody recently rested
    clause.time = time if time is not None else pick_time(rng, tense, plain or negation or idle)
    if (clause.verb.stem in words.BRIEF and clause.time[0] in words.VAGUE) or (
        negation and tense == "present"
    ):
        clause.time = NO_TIME
    if clause.verb.stem in words.STEADY and clause.time[0] == "자주":
        clause.time = words.TIMES["present"][0]
    pick_object(rng, clause, describe=not plain)
    if clause.verb.places and rng.random() < place:
        clause.place = rng.choice(clause.verb.places)
    if not negation and rng.random() < extra:
        clause.extra = pick_extra(rng, clause)
    return clause


def pick_asked(rng, polite):
    """Whom one asks about: the other in the plain style, somebody else in both."""
    others = [subject for subject in SUBJECTS if subject[0] in ("민수", "유나", "아이들")]
    return YOU if not polite and rng.random() < 0.6 else rng.choice(others)


def pick_deeds(rng, tense, subject, count, time):
    """Clauses that one subject does one after the other: other verbs, other objects, rest at the end."""
    clauses = []
    while len(clauses) < count:
        clause = pick_clause(rng, tense, subject, time=NO_TIME if clauses else time, place=0.0, extra=0.0)
        unfit = words.UNLISTED + (words.LAST if len(clauses) < count - 1 else [])
        unfit += words.BRIEF if time[0] in words.VAGUE else []
        if clause.verb.stem not in unfit and not any(
            clause.verb is other.verb or (clause.noun and clause.noun == other.noun) for other in clauses
        ):
            clauses.append(clause)
    return clauses


def pick_reason(rng, subject, verb=None):
    """피곤해서, because I was tired; the verbs that follow it; and the negation they need."""
    korean, reason, does, cannot = rng.choice([row for row in REASONS if verb is None or verb in row[3]])
    able = verb is None and bool(does) and (not cannot or rng.random() < 0.5)
    if subject[3] in ("we", "they"):
        reason = reason.replace("{} was", "{} were")
    reason = "because " + reason.format(subject[2])
    who = subject[3] if subject[2] in reason else subject[2]  # he, once he has been named
    return korean, f"{reason}, {who}", does if able else cannot, "" if able else "could not"


def give_relative(rng, clause, polite):
    """Give a clause an object with a relative clause, 민수가 시장에서 산 사과를; return that clause."""
    nouns = set(clause.verb.objects)
    made = [stem for stem in words.RELATIVES if nouns & set(VERBS[stem].objects)]
    made = [stem for stem in made if (clause.verb.stem, stem) != ("팔", "빌리")]  # nor sells a borrowed book
    others = [subject for subject in SUBJECTS if {subject[3], clause.subject[3]} != {"I", "we"}]
    inner = Clause(rng.choice([clause.subject, rng.choice(others)]), VERBS[rng.choice(made)], "past")
    if inner.subject == clause.subject and inner.verb.stem == "쓰":  # nobody reads the letter he wrote
        inner.verb = VERBS["사"]
    inner.noun = clause.noun = rng.choice([noun for noun in inner.verb.objects if noun in nouns])
    if rng.random() < 0.5:
        inner.time = rng.choice(words.TIMES["past"][:2])
    else:
        inner.place = rng.choice(inner.verb.places)
    same = inner.subject == clause.subject
    who = "" if same else particle(inner.subject[polite], "이/가")
    who = {"나가": "내가", "저가": "제가"}.get(who, who)
    korean = join(
        who, ordered(inner, polite, "TP"), soften(inner.verb, N, "은"), particle(clause.noun, "을/를")
    )
    name = join(inner.subject[3 if same else 2], english_verb(inner), english_rest(inner))
    clause.object = korean, f"the {noun_in_english(clause.noun)} that {name}"
    return inner
