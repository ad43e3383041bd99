"""The tokenizers of chapter 01."""

import json
import random
import re
from collections import Counter

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

from helpers.corpus import make_pairs
from helpers.tokenization import BPETokenizer, WhitespaceTokenizer, learn_merges, merge_pair, split_words
from notebook_parts import CHAPTERS, read

TEXTS = ["나는 최근 파리 여행을 다녀왔다", "나는 파리에 갔다", "파리는 파리를 파리에서, 파리까지!"]
TOKENIZER = BPETokenizer(TEXTS, 300)

any_text = st.text(st.characters(codec=None, categories=None))  # lone surrogates included


def reference(texts, vocab_size):
    """The tokenizers library, set as ours is."""
    theirs = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>"))
    theirs.normalizer = normalizers.Prepend(" ")
    theirs.pre_tokenizer = pre_tokenizers.Split(Regex(r" ?\w{1,64}| ?[^\w\s]{1,64}|\s"), "isolated")
    special = TOKENIZER.tokens[:260]
    theirs.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=vocab_size, special_tokens=special, show_progress=False)
    )
    return theirs, [tuple(pair) for pair in json.loads(theirs.to_str())["model"]["merges"]]


def naive_merges(words, alphabet, n_pieces):
    """The specification: count everything anew for each merge."""
    ids = {char: id for id, char in enumerate(alphabet)}
    spelled, merges = {word: list(word) for word in words}, []
    while len(ids) < n_pieces:
        total = Counter()
        for word, pieces in spelled.items():
            for pair in zip(pieces, pieces[1:], strict=False):
                total[pair] += words[word]
        if not total:
            break
        best = min(total, key=lambda pair: (-total[pair], ids[pair[0]], ids[pair[1]]))
        merges.append(best)
        ids.setdefault("".join(best), len(ids))
        spelled = {word: merge_pair(pieces, best) for word, pieces in spelled.items()}
    return merges


def test_whitespace_ids_have_no_holes():
    tokenizer = WhitespaceTokenizer(["나는 나는 파리", "파리 <pad> 나는"])
    assert tokenizer.tokens == ["<pad>", "<unk>", "<bos>", "<eos>", "나는", "파리"]
    assert sorted(tokenizer.ids.values()) == list(range(len(tokenizer)))
    assert tokenizer.encode("파리 서울 나는") == [5, tokenizer.unk_id, 4]


@given(st.lists(st.sampled_from("나는 최근 파리 여행을 다녀왔다".split()), min_size=1))
def test_whitespace_round_trip_of_known_words(words):
    tokenizer = WhitespaceTokenizer(TEXTS)
    assert tokenizer.decode(tokenizer.encode(" ".join(words))) == " ".join(words)


@given(any_text)
def test_split_words_loses_nothing(text):
    assert "".join(split_words(text)) == (" " + text if text else "")


@given(any_text)
def test_bpe_round_trip_of_any_text(text):
    ids = TOKENIZER.encode(text)
    assert TOKENIZER.decode(ids) == text
    assert all(4 <= id < len(TOKENIZER) for id in ids)


@pytest.mark.parametrize("literal", TOKENIZER.tokens[:4] + ["<0x41>", "<unk>파리<pad>"])
def test_text_that_looks_like_a_special_token_stays_text(literal):
    tokenizer = BPETokenizer([literal] * 9, 400)
    assert tokenizer.decode(tokenizer.encode(literal)) == literal
    assert min(tokenizer.encode(literal)) >= 260


def test_bpe_decodes_any_ids_without_error():
    generator = random.Random(0)
    for _ in range(200):
        ids = [generator.randrange(len(TOKENIZER)) for _ in range(6)]
        assert isinstance(TOKENIZER.decode(ids), str)


@given(
    st.dictionaries(st.text("가나다", min_size=1, max_size=7), st.integers(1, 4), min_size=1),
    st.integers(3, 25),
)
def test_learn_merges_equals_counting_anew(words, n_pieces):
    assert learn_merges(words, list("가나다"), n_pieces) == naive_merges(words, list("가나다"), n_pieces)


@given(st.lists(st.text("가나다 .", min_size=1, max_size=20), min_size=1, max_size=8), st.integers(0, 40))
def test_bpe_equals_the_tokenizers_library(texts, extra):
    texts = [*texts, "가나다."]
    size = 4 + 256 + 5 + extra
    ours = BPETokenizer(texts, size)
    theirs, merges = reference(texts, size)
    assert ours.merges == merges
    for text in [*texts, "다나가 라"]:
        assert ours.encode(text) == theirs.encode(text).ids


def test_vocabulary_size_is_what_was_asked_for():
    assert len(TOKENIZER) == 300
    assert len(set(TOKENIZER.tokens)) == 300
    assert len(BPETokenizer(["가나"], 9999)) == 4 + 256 + 3 + 2  # " 가나": nothing left to join


def texts_of_the_course():
    """Made sentences, and the prose and code of the chapters: Korean, English, Markdown, formulas."""
    made = [text for pair in make_pairs("train", 500) for text in pair]
    cells = [cell.source for path in CHAPTERS for cell in read(path).cells]
    special = re.compile("<(pad|unk|bos|eos|0x..)>")  # the library takes these for the token, not for text
    return made + [text for text in cells if not special.search(text)]


def test_texts_of_the_course():
    """The library's merges and ids, and every text back unchanged."""
    texts = texts_of_the_course()
    ours = BPETokenizer(texts, 4000)
    theirs, merges = reference(texts, 4000)
    assert len(merges) > 2000 and ours.merges == merges
    for text in texts:
        assert ours.encode(text) == theirs.encode(text).ids
        assert ours.decode(ours.encode(text)) == text


def test_texts_come_from_any_iterable():
    assert BPETokenizer(iter(TEXTS), 300).tokens == TOKENIZER.tokens
    assert WhitespaceTokenizer(iter(TEXTS)).tokens == WhitespaceTokenizer(TEXTS).tokens


def test_a_long_word_is_encoded_in_pieces_of_bounded_length(monkeypatch):
    """The steps of encode_word grow with the square of the length, so the length has a bound."""
    tokenizer = BPETokenizer(TEXTS, 300)
    encoded = []
    encode_word = tokenizer.encode_word
    monkeypatch.setattr(tokenizer, "encode_word", lambda word: encoded.append(word) or encode_word(word))
    rng = random.Random(0)
    text = "".join(rng.choices("나는파리를", k=50_000)) + "".join(rng.choices("!?.", k=50_000))
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert len(encoded) > 1000 and max(map(len, encoded)) == 65  # 64 and the space in front


def test_the_cache_is_bounded(monkeypatch):
    monkeypatch.setattr("helpers.engine.remembering.CACHE_SIZE", 5)
    tokenizer = BPETokenizer(TEXTS, 300)
    for text in ["나 는 최 근 파 리", "가 나 다 라 마 바 사 아 자 차 카"]:
        assert tokenizer.encode(text) == TOKENIZER.encode(text)
        assert len(tokenizer.cache) <= 5
    assert tokenizer.encode(text) == TOKENIZER.encode(text)


def test_a_tokenizer_is_built_again_from_what_it_learned(tmp_path):
    torch.save({"alphabet": TOKENIZER.alphabet, "merges": TOKENIZER.merges}, tmp_path / "learned.pt")
    learned = torch.load(tmp_path / "learned.pt", weights_only=True)
    again = BPETokenizer.from_merges(learned["alphabet"], learned["merges"])
    assert again.tokens == TOKENIZER.tokens and (again.alphabet, again.merges) == tuple(learned.values())
    for text in [*TEXTS, "런던의 빵 ☕", "\ud800"]:
        assert again.encode(text) == TOKENIZER.encode(text)
        assert again.decode(again.encode(text)) == text
    lists = json.loads(json.dumps(learned))
    assert BPETokenizer.from_merges(**lists).encode(TEXTS[0]) == TOKENIZER.encode(TEXTS[0])
