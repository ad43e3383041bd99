"""Random clauses that make sense: who does what, when, where, with whom, and why."""

from helpers.corpus import words
from helpers.corpus.clause import NO_TIME, Clause, join
from helpers.corpus.english import english_noun, english_rest, english_verb, with_article
from helpers.corpus.korean import NIEUN, adnominal, before_the_verb, particle
from helpers.corpus.lexicon import NOUNS, PLACES, REASONS, SUBJECTS, VERBS, YOU

GO, TAKE_A_TRIP = "가", "다녀오"  # their object is where one goes
ASKED_OF = [subject for subject in SUBJECTS if subject[0] in ("민수", "유나", "아이들")]  # besides you


def choose_tense(rng):
    """Past as often as present and future together."""
    return rng.choice(["past", "past", "present", "future"])


def choose_time(rng, tense, at_the_end=False):
    """A time, or none where the tense can do without; at_the_end: none that stands before the verb."""
    if tense != "present" and rng.random() < 0.3:
        return NO_TIME
    return rng.choice([time for time in words.TIMES[tense] if not (at_the_end and time[2])])


def choose_noun_phrase(rng, noun, tense, count=True, describe=True, article=""):
    """책을, 재미있는 책을, 책 두 권을: in Korean with its particle, and in English.

    Args:
        rng: a `random.Random`.
        noun: a key of `NOUNS`.
        tense: of the verb; in the present, what one does again and again takes the plural.
        count, describe: whether a number, or an adjective, is allowed.
        article: "the"; the default is a or an.
    """
    singular, plural, unit, counter, adjectives = NOUNS[noun]
    kind = rng.random()
    if kind < 0.25 and count and counter:
        number = rng.choice(list(words.NUMBERS))
        return particle(f"{noun} {number} {counter}", "을/를"), join(words.NUMBERS[number], unit, plural)
    excluded = words.ADJECTIVES_NOT_IN_FUTURE if tense == "future" else []
    fitting = [adjective for adjective in adjectives.split() if adjective not in excluded]
    adjective = rng.choice(fitting) if kind > 0.7 and fitting and describe else ""
    korean = particle(join(adjective, noun), "을/를")
    described = words.ADJECTIVES.get(adjective, "")
    if tense == "present" or not singular:
        return korean, join(described, plural)
    phrase = join(described, singular)
    return korean, join(article, phrase) if article else with_article(phrase)


def fitting_objects(verb, tense, negation):
    """The objects of a verb that go with the tense and the negation."""
    excluded = words.OBJECTS_NOT_WITH.get(negation, []) + words.OBJECTS_NOT_WITH.get(tense, [])
    return [noun for noun in verb.objects if noun not in excluded]


def choose_object(rng, clause, count=True, describe=True):
    """Give a clause what its verb needs: an object, a destination or a city."""
    stem = clause.verb.stem
    if stem == GO:
        habit = clause.tense == "present"  # nobody goes to Paris every day
        clause.noun = rng.choice([place for place in PLACES if not (habit and place in words.CITIES)])
        clause.object = clause.noun + "에", PLACES[clause.noun][1]
    elif stem == TAKE_A_TRIP:
        near = clause.time[1] in ("yesterday", "tomorrow")  # nobody is in Rome and back in a day
        clause.noun = rng.choice(words.CITIES_IN_KOREA if near else words.CITIES)
        clause.object = clause.noun + " 여행을", PLACES[clause.noun][1].removeprefix("to ")
    elif clause.verb.objects:
        clause.noun = rng.choice(fitting_objects(clause.verb, clause.tense, clause.negation))
        count = count and not (clause.tense == "present" or clause.negation or stem in words.NOT_COUNTED)
        describe = describe and not clause.negation
        clause.object = choose_noun_phrase(rng, clause.noun, clause.tense, count, describe)


def choose_adjunct(rng, clause):
    """With whom, with what, or by what."""
    stem = clause.verb.stem
    if stem in words.WITH_INSTRUMENT:
        choices, pair = words.INSTRUMENTS, "으로/로"
    elif stem == GO and rng.random() < 0.5:
        choices, pair = words.TRANSPORT_IN_TOWN, "으로/로"
        if clause.noun in words.CITIES_ABROAD:
            choices = words.TRANSPORT_ABROAD
        elif clause.noun in words.CITIES_IN_KOREA:
            choices = words.TRANSPORT_IN_KOREA
    elif stem in words.WITH_COMPANION:
        companions = words.COMPANIONS.items()
        choices = {name: english for name, english in companions if name not in clause.subject[0]}
        pair = "과/와"
    else:
        return ("", "")
    choice = rng.choice(list(choices))
    return particle(choice, pair), choices[choice]


def not_negated(tense):
    """Stems of the verbs that never stand with “not” in a tense."""
    return words.NOT_NEGATED + (words.NOT_NEGATED_IN_PRESENT if tense == "present" else [])


def asked_with(kind):
    """Stems of the verbs with which one asks who, where or what."""
    with_objects = [stem for stem, verb in VERBS.items() if verb.objects and verb.places]
    ask_where = [stem for stem in with_objects if stem not in words.NOT_ASKED_WHERE]
    return words.ASKED_WHAT if kind == "what" else ask_where


def choose_verb(rng, stems, tense, negation, subject):
    """One of the verbs that go with the tense, the negation and the subject."""
    excluded = words.NOT_IN_TENSE.get(tense, []) + words.NOT_DONE_BY.get(subject[0], [])
    excluded = excluded + (not_negated(tense) if negation == "not" else [])
    verbs = [VERBS[stem] for stem in stems if stem not in excluded]
    return rng.choice([verb for verb in verbs if not verb.objects or fitting_objects(verb, tense, negation)])


def choose_clause(
    rng, tense, subject, stems=VERBS, negation="", time=None, with_place=0.5, with_adjunct=0.25, plain=False
):
    """A clause with everything in it.

    Args:
        rng: a `random.Random`.
        tense, subject, negation: of the clause.
        stems: of the verbs to choose from.
        time: a row of `words.TIMES`; None chooses one.
        with_place, with_adjunct: how often there is one, from 0 to 1.
        plain: as in a question, without an adjective.
    """
    clause = Clause(subject, choose_verb(rng, stems, tense, negation, subject), tense, negation=negation)
    stem = clause.verb.stem
    has_object = clause.verb.objects or stem in (GO, TAKE_A_TRIP)
    if time is None:  # nobody recently rested
        time = choose_time(rng, tense, at_the_end=plain or negation or not has_object)
    if stem in words.NOT_AT_VAGUE_TIMES and time[0] in words.VAGUE_TIMES:
        time = NO_TIME
    if negation and tense == "present":
        time = NO_TIME
    if stem in words.NOT_OFTEN and time[0] == "자주":
        time = words.TIMES["present"][0]
    clause.time = time
    choose_object(rng, clause, describe=not plain)
    if clause.verb.places and rng.random() < with_place:
        clause.place = rng.choice(clause.verb.places)
    if not negation and rng.random() < with_adjunct:
        clause.adjunct = choose_adjunct(rng, clause)
    return clause


def choose_subject_of_question(rng, polite):
    """Whom one asks about: the other in the plain style, somebody else in both."""
    return YOU if not polite and rng.random() < 0.6 else rng.choice(ASKED_OF)


def choose_actions(rng, tense, subject, count, time):
    """Clauses that one subject does one after the other: other verbs, other objects, rest at the end."""
    clauses = []
    while len(clauses) < count:
        clause_time = NO_TIME if clauses else time
        clause = choose_clause(rng, tense, subject, time=clause_time, with_place=0.0, with_adjunct=0.0)
        excluded = words.NOT_IN_LISTS + (words.LAST_IN_LISTS if len(clauses) < count - 1 else [])
        excluded += words.NOT_AT_VAGUE_TIMES if time[0] in words.VAGUE_TIMES else []
        if clause.verb.stem not in excluded and not any(
            clause.verb is other.verb or (clause.noun and clause.noun == other.noun) for other in clauses
        ):
            clauses.append(clause)
    return clauses


def choose_reason(rng, subject, stem=None):
    """A reason, 피곤해서.

    Args:
        rng: a `random.Random`.
        subject: of the sentence.
        stem: of a verb that the reason keeps one from; None chooses any reason.

    Returns:
        Korean; English up to the verb that follows, "because I was tired, I"; the stems of the verbs that
        follow; and their negation.
    """
    rows = [row for row in REASONS if stem is None or stem in row[3]]
    korean, english, follow, follow_negated = rng.choice(rows)
    negated = stem is not None or not follow or (bool(follow_negated) and rng.random() >= 0.5)
    if subject[3] in ("we", "they"):
        english = english.replace("{} was", "{} were")
    english = "because " + english.format(subject[2])
    again = subject[3] if subject[2] in english else subject[2]  # he, once he has been named
    english = f"{english}, {again}"
    return (korean, english, follow_negated, "could not") if negated else (korean, english, follow, "")


def give_relative_clause(rng, clause, polite):
    """Give a clause an object with a relative clause, 민수가 시장에서 산 사과를; return that clause."""
    nouns = set(clause.verb.objects)
    stems = [stem for stem in words.MAKES_AVAILABLE if nouns & set(VERBS[stem].objects)]
    stems = [stem for stem in stems if (clause.verb.stem, stem) not in words.NOT_USED_AFTER]
    others = [subject for subject in SUBJECTS if {subject[3], clause.subject[3]} != {"I", "we"}]
    relative = Clause(rng.choice([clause.subject, rng.choice(others)]), VERBS[rng.choice(stems)], "past")
    same_subject = relative.subject == clause.subject
    if same_subject and relative.verb.stem == "쓰":  # nobody reads the letter he wrote
        relative.verb = VERBS["사"]
    relative.noun = clause.noun = rng.choice([noun for noun in relative.verb.objects if noun in nouns])
    if rng.random() < 0.5:
        relative.time = rng.choice(words.TIMES["past"][:2])
    else:
        relative.place = rng.choice(relative.verb.places)
    who = "" if same_subject else particle(relative.subject[polite], "이/가")
    who = {"나가": "내가", "저가": "제가"}.get(who, who)
    verb, noun = adnominal(relative.verb, NIEUN), particle(clause.noun, "을/를")
    korean = join(who, before_the_verb(relative, polite, "TP"), verb, noun)
    who = relative.subject[3 if same_subject else 2]
    english = join(who, english_verb(relative), english_rest(relative))
    clause.object = korean, f"the {english_noun(clause.noun)} that {english}"
    return relative
