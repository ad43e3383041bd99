"""The sentences of chapter 11, their splits, and files of pairs."""

import itertools
import random
import re
import sys
import unicodedata

import pytest

from helpers.corpus import RUNNING_EXAMPLE, SPLITS, load_pairs, make_pairs, read_pairs, reading, split_of
from helpers.corpus.clause import NO_TIME, Clause
from helpers.corpus.english import english_clause
from helpers.corpus.korean import NIEUN, adnominal, korean_verb, particle
from helpers.corpus.lexicon import NOUNS, PLACES, SUBJECTS, VERBS, parse_verbs
from helpers.corpus.reading import load_rows
from helpers.corpus.sentences import LONG_PATTERNS, PATTERNS, random_sentences


@pytest.fixture(scope="module")
def many():
    """Sentences of all patterns."""
    both = (random_sentences(random.Random(0), patterns) for patterns in (PATTERNS, LONG_PATTERNS))
    return [sentence for some in both for sentence in itertools.islice(some, 30000)]


@pytest.mark.parametrize(
    ("word", "pair", "right"),
    [
        ("책", "은/는", "책은"),
        ("친구", "은/는", "친구는"),
        ("형", "이/가", "형이"),
        ("커피", "을/를", "커피를"),
        ("펜", "으로/로", "펜으로"),
        ("연필", "으로/로", "연필로"),
        ("기차", "으로/로", "기차로"),
        ("형", "과/와", "형과"),
        ("유나", "과/와", "유나와"),
    ],
)
def test_particles(word, pair, right):
    assert particle(word, pair) == right


@pytest.mark.parametrize(
    ("stem", "past", "present", "future", "asked", "polite", "before_a_noun"),
    [
        ("읽", "읽었다", "읽는다", "읽을 것이다", "읽니?", "읽어요", "읽은"),
        ("사", "샀다", "산다", "살 것이다", "사니?", "사요", "산"),
        ("팔", "팔았다", "판다", "팔 것이다", "파니?", "팔아요", "판"),
        ("듣", "들었다", "듣는다", "들을 것이다", "듣니?", "들어요", "들은"),
        ("마시", "마셨다", "마신다", "마실 것이다", "마시니?", "마셔요", "마신"),
        ("공부하", "공부했다", "공부한다", "공부할 것이다", "공부하니?", "공부해요", "공부한"),
        ("다녀오", "다녀왔다", "다녀온다", "다녀올 것이다", "다녀오니?", "다녀와요", "다녀온"),
    ],
)
def test_verb_forms(stem, past, present, future, asked, polite, before_a_noun):
    clauses = {tense: Clause(SUBJECTS[0], VERBS[stem], tense) for tense in ("past", "present", "future")}
    said = [korean_verb(clause, polite=False) for clause in clauses.values()]
    assert said == [past, present, future]
    assert korean_verb(clauses["present"], polite=False, question=True) == asked
    assert korean_verb(clauses["present"], polite=True) == polite
    assert adnominal(VERBS[stem], NIEUN) == before_a_noun


@pytest.mark.parametrize(
    ("negation", "korean", "polite"),
    [("not", "사지 않았다", "사지 않았어요"), ("could not", "사지 못했다", "사지 못했어요")],
)
def test_negation(negation, korean, polite):
    clause = Clause(SUBJECTS[0], VERBS["사"], "past", negation=negation)
    assert [korean_verb(clause, polite=style) for style in (False, True)] == [korean, polite]


@pytest.mark.parametrize(
    ("stem", "tense", "time", "negation", "right"),
    [
        ("사", "past", NO_TIME, "", "Minsu bought"),
        ("사", "past", NO_TIME, "not", "Minsu did not buy"),
        ("사", "present", ("자주", "often", 1), "", "Minsu often buys"),
        ("사", "present", ("자주", "often", 1), "not", "Minsu does not often buy"),
        ("보", "present", ("매일", "every day", 0), "", "Minsu watches every day"),
        ("공부하", "present", ("매일", "every day", 0), "", "Minsu studies every day"),
        ("기다리", "present", ("매일", "every day", 0), "", "Minsu waits for every day"),
        ("사", "future", ("곧", "soon", 1), "", "Minsu will soon buy"),
    ],
)
def test_english_verbs(stem, tense, time, negation, right):
    assert english_clause(Clause(SUBJECTS[2], VERBS[stem], tense, time=time, negation=negation)) == right


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject[2])
def test_a_verb_agrees_with_its_subject(subject):
    said = english_clause(Clause(subject, VERBS["사"], "present", time=("매일", "every day", 0)))
    verb = "buy" if subject[3] in ("I", "we", "they") else "buys"
    assert said == f"{subject[2]} {verb} every day"


def test_every_korean_sentence_has_one_translation(many):
    english = {}
    for sentence in many:
        assert english.setdefault(sentence.korean, sentence.english) == sentence.english


def test_the_shape_of_sentences(many):
    for ours, theirs, *_ in many:
        assert re.fullmatch(r"[가-힣]+( [가-힣]+)+\??", ours), ours
        assert re.fullmatch(r"[A-Z][A-Za-z]*(,? [A-Za-z]+)+[.?]", theirs), theirs
        assert ours.endswith("?") == theirs.endswith("?")
        assert not re.search(r"\ba [aeiou]|\ban [^aeiou]|\b(\w+) \1\b", theirs), theirs


@pytest.mark.parametrize(
    "wrong",
    [
        r"trip to (Paris|London|Rome|Tokyo)( with .*)? (yesterday|tomorrow)",
        r"(lost|waited for|worked)( .*)?,? and ",  # not in a list of actions
        r"(every|often) .* to (Seoul|Busan|Paris|London|Rome|Tokyo)",
        r"(not|could not) meet ",
        r"(will|going to) .*(delicious|interesting|songs?|water)",
        r"Where .* an? (?!walk)",
        r"a song, but|music, but|lost .* but .* lost",
        r"^(What|Where|Who) .*often",
    ],
)
def test_what_readers_called_wrong_does_not_come_back(many, wrong):
    assert not [sentence.english for sentence in many if re.search(wrong, sentence.english)]


def test_the_vocabulary_is_small(many):
    for side in (0, 1):
        vocabulary = {word.strip(".,?").lower() for sentence in many for word in sentence[side].split()}
        assert 200 <= len(vocabulary) <= 600


def test_there_are_a_hundred_thousand_pairs():
    assert len(set(make_pairs("train", 100_000))) == 100_000


def test_the_same_seed_gives_the_same_pairs():
    assert make_pairs("train", 500, seed=3) == make_pairs("train", 500, seed=3)
    assert make_pairs("train", 500, seed=3) != make_pairs("train", 500, seed=4)


def test_splits_share_nothing(many):
    """By English sentence, so that no order of words and no politeness gives an answer away."""
    english = {split: set() for split in SPLITS}
    triples = {split: set() for split in SPLITS}
    for sentence in many:
        english[split_of(sentence)].add(sentence.english)
        triples[split_of(sentence)] |= sentence.triples
    for one, other in itertools.combinations(SPLITS, 2):
        assert english[one] and not english[one] & english[other], (one, other)
    seen = triples["train"] | triples["held_out"]
    unseen = {triple for triple in triples["unseen"] if triple not in seen}
    assert len(unseen) > 20
    for place in range(3):  # every word of an unseen triple is known from another
        assert {triple[place] for triple in unseen} <= {triple[place] for triple in triples["train"]}


def test_every_unseen_sentence_has_a_triple_that_training_never_shows(many):
    seen = {triple for sentence in many if split_of(sentence) == "train" for triple in sentence.triples}
    assert all(s.triples - seen for s in many if split_of(s) == "unseen")


def test_longer_sentences_have_more_clauses(many):
    clauses = {split: {s.clauses for s in many if split_of(s) == split} for split in SPLITS}
    assert max(clauses["train"] | clauses["held_out"] | clauses["unseen"]) < min(clauses["longer"])


def test_the_running_example_is_never_trained_on():
    made = itertools.islice(random_sentences(random.Random(0)), 200000)
    pairs = [s for s in made if s.english == RUNNING_EXAMPLE[1]]
    assert RUNNING_EXAMPLE in {(s.korean, s.english) for s in pairs}
    assert {split_of(s) for s in pairs} == {"held_out"}


def test_nobody_reads_a_train(many):
    for verb, noun, place in set().union(*(s.triples for s in many)):
        assert noun in VERBS[verb].objects and place in VERBS[verb].places


@pytest.mark.parametrize(
    ("split", "count", "named", "remedy"),
    [
        ("test", 3, "split", "held_out"),
        ("train", 0, "count", "at least 1"),
        ("train", 1.5, "count", "integer"),
    ],
)
def test_bad_arguments(split, count, named, remedy):
    with pytest.raises(ValueError, match=f"^{named}: .*{remedy}"):
        make_pairs(split, count)


def test_more_pairs_than_there_are(monkeypatch):
    monkeypatch.setattr(
        "helpers.corpus.splits.random_sentences",
        lambda rng, patterns: itertools.cycle([next(random_sentences(rng))]),
    )
    with pytest.raises(ValueError, match="^count: .*fewer"):
        make_pairs("train", 1000)


LINES = ["가.\tGo.\tby somebody", "한 칸뿐", "\tNo Korean.", "가.\tGo.", "안녕.\tHi."]


def test_reading_counts_what_it_leaves_out(tmp_path):
    file = tmp_path / "pairs.tsv"
    file.write_bytes("\n".join(LINES).encode() + b"\n\xff\xfe\tbroken\r\n" + "끝.\tEnd.\r\n".encode())
    pairs, problems = read_pairs(file)
    assert pairs == [("가.", "Go."), ("안녕.", "Hi."), ("끝.", "End.")]
    assert problems == {"too few columns": [2], "empty side": [3], "duplicate": [4], "not UTF-8": [6]}
    assert len(pairs) + sum(map(len, problems.values())) == 7
    assert read_pairs(file, columns=(1, 0)).pairs[0] == ("Go.", "가.")


def test_a_file_with_no_pair(tmp_path):
    (tmp_path / "empty.tsv").write_text("one\ntwo\n")
    with pytest.raises(ValueError, match="^path: .*too few columns 2.*UTF-8"):
        read_pairs(tmp_path / "empty.tsv")
    with pytest.raises(ValueError, match="^path: .*cannot be read"):
        read_pairs(tmp_path / "none.tsv")


def test_pairs_come_back_as_they_were_written(tmp_path):
    pairs = make_pairs("train", 2000)
    lines = [f"{english}\t{korean}\tCC-BY\n" for korean, english in pairs]
    (tmp_path / "pairs.tsv").write_text("".join(lines), "utf-8")
    found, problems = read_pairs(tmp_path / "pairs.tsv", columns=(1, 0))
    assert found == pairs and not any(problems.values())


def test_hangul_in_single_letters_is_read_as_syllables(tmp_path):
    letters = unicodedata.normalize("NFD", "파리에 갔다.")
    assert len(letters) > len("파리에 갔다.")
    (tmp_path / "pairs.tsv").write_text(f"{letters}\tCafe\u0301.\n파리에 갔다.\tCafé.\n", "utf-8")
    pairs, problems = read_pairs(tmp_path / "pairs.tsv")
    assert pairs == [("파리에 갔다.", "Café.")] and problems["duplicate"] == [2]


@pytest.mark.parametrize("character", "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
def test_no_character_inside_a_line_breaks_it(tmp_path, character):
    line = f"나는{character}갔다.\tI{character}went.{character}\r\n"
    (tmp_path / "pairs.tsv").write_bytes(line.encode())
    assert read_pairs(tmp_path / "pairs.tsv").pairs == [("나는 갔다.", "I went.")]


def test_byte_order_marks_are_no_text(tmp_path):
    one = "\ufeff가.\tGo.\n".encode()
    (tmp_path / "pairs.tsv").write_bytes(
        one + "\ufeff안녕.\tHi.\n".encode()
    )  # two files, one after the other
    assert read_pairs(tmp_path / "pairs.tsv").pairs == [("가.", "Go."), ("안녕.", "Hi.")]


@pytest.mark.parametrize("columns", [(-1, 0), (0, -1), (1, 1), (0, 1, 2), [0]])
def test_columns_are_two_different_ones(tmp_path, columns):
    (tmp_path / "pairs.tsv").write_text("가.\tGo.\tmore\n", "utf-8")
    with pytest.raises(ValueError, match="^columns: .*two different.*count from 0"):
        read_pairs(tmp_path / "pairs.tsv", columns)


def test_loading_by_name_says_what_is_missing(monkeypatch):
    load_rows.cache_clear()
    monkeypatch.setattr(reading, "_look_up", lambda name: None)
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(ValueError, match="^name: .*pip install datasets"):
        load_pairs("opus100,en-ko")

    def load_dataset(*name, split):
        if name != ("opus100", "en-ko"):
            raise ConnectionError("no network")
        texts = [("가", "go"), ("", "stay"), ("가", "go "), (None, "x"), ("나", "I\nwent")]
        return [{"translation": {"ko": korean, "en": english}} for korean, english in texts]

    monkeypatch.setitem(sys.modules, "datasets", type("datasets", (), {"load_dataset": load_dataset}))
    assert load_pairs("opus100,en-ko").pairs == [("가", "go"), ("나", "I went")]
    assert load_pairs("opus100,en-ko").problems == {"empty side": [2, 4], "duplicate": [3]}
    with pytest.raises(ValueError, match="^name: other cannot be loaded .ConnectionError.; check"):
        load_pairs("other")
    with pytest.raises(ValueError, match="^source, target: .*ko, en"):
        load_pairs("opus100,en-ko", source="de")


def test_words_of_the_tables_are_known():
    assert all(set(verb.objects) <= NOUNS.keys() for verb in VERBS.values())
    assert all(set(verb.places) <= PLACES.keys() for verb in VERBS.values())


NEW_VERBS = """
닦|닦아|wash|washed|모자 가방|집 학교
접|접어|fold|folded|편지 신문|집 학교
열|열어|open|opened|가방 우산|집 도시
싣|실어|carry|carried|의자 그림|시장 역
굽|구워|bake|baked|빵 케이크|집 호텔
짓|지어|build|built|의자 우산|집 공원
부르|불러|sing|sang|노래|공원 카페
"""
# stem: past, present, future, then asked, polite, before a noun, denied; and in English
NEW_FORMS = {
    "닦": "닦았다 닦는다 닦을 닦니? 닦아요 닦은 닦지 washed washes wash",
    "접": "접었다 접는다 접을 접니? 접어요 접은 접지 folded folds fold",
    "열": "열었다 연다 열 여니? 열어요 연 열지 opened opens open",
    "싣": "실었다 싣는다 실을 싣니? 실어요 실은 싣지 carried carries carry",
    "굽": "구웠다 굽는다 구울 굽니? 구워요 구운 굽지 baked bakes bake",
    "짓": "지었다 짓는다 지을 짓니? 지어요 지은 짓지 built builds build",
    "부르": "불렀다 부른다 부를 부르니? 불러요 부른 부르지 sang sings sing",
}


@pytest.fixture
def new_verbs(monkeypatch):
    """The table of verbs with new rows."""
    for stem, verb in parse_verbs(NEW_VERBS).items():
        monkeypatch.setitem(VERBS, stem, verb)


@pytest.mark.parametrize("stem", NEW_FORMS)
def test_a_new_verb_is_inflected(new_verbs, stem):
    forms = NEW_FORMS[stem].split()
    past, present, future, asked, polite, before_a_noun, denied = forms[:7]
    english_past, third_person, base = forms[7:]

    def said(tense, politely=False, negation="", **more):
        clause = Clause(SUBJECTS[2], VERBS[stem], tense, negation=negation)
        return korean_verb(clause, politely, **more), english_clause(clause).removeprefix("Minsu ")

    assert said("past") == (past, english_past)
    assert said("present") == (present, third_person)
    assert said("future") == (f"{future} 것이다", f"will {base}")
    assert said("past", True)[0] == past.removesuffix("다") + "어요"
    assert said("present", True)[0] == polite
    assert said("future", True)[0] == f"{future} 거예요"
    assert said("present", question=True)[0] == asked
    assert adnominal(VERBS[stem], NIEUN) == before_a_noun
    assert said("past", negation="not") == (f"{denied} 않았다", f"did not {base}")
    assert said("present", negation="not") == (f"{denied} 않는다", f"does not {base}")
    assert said("future", True, negation="not") == (f"{denied} 않을 거예요", f"will not {base}")
    assert said("past", negation="could not") == (f"{denied} 못했다", f"could not {base}")


def test_sentences_with_new_verbs_are_made(new_verbs):
    made = list(itertools.islice(random_sentences(random.Random(0)), 20000))
    for stem in NEW_FORMS:
        past, *korean, _, _, third_person, base = NEW_FORMS[stem].replace("?", "").split()
        korean += [past.removesuffix("다"), stem]  # 열었어요, 열고
        english = [VERBS[stem].english_past, third_person, base]
        found = [s for s in made if re.search(rf"\b({'|'.join(english)})\b", s.english)]
        assert len(found) > 100 and all(any(form in s.korean for form in korean) for s in found), stem
        assert {s.english.endswith("?") for s in found} == {False, True}
        assert "train" in {split_of(s) for s in found}
        assert any(s.clauses == 2 for s in found)
    test_the_shape_of_sentences(made)
    test_every_korean_sentence_has_one_translation(made)
