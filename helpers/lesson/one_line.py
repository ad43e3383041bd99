"""Translations written in one line, for a language model: the Korean, an arrow, the English. Chapter 16."""

import random

import torch

from helpers.tokenization import WhitespaceTokenizer

PEOPLE = {"엄마": "Mom", "아빠": "Dad", "이모": "Auntie", "할머니": "Grandma"}
PEOPLE |= {"민수": "Minsu", "지우": "Jiwoo", "유나": "Yuna", "하나": "Hana"}
VERBS = {"만났다": "met", "도왔다": "helped", "불렀다": "called", "보았다": "saw", "찾았다": "found"}
PLACES = {"": "", "파리 에서": "in Paris", "서울 에서": "in Seoul"}
PLACES |= {"부산 에서": "in Busan", "제주 에서": "in Jeju"}
WORDS = [*PEOPLE, *VERBS, *PLACES, *PEOPLE.values(), *VERBS.values(), *PLACES.values()]
tokenizer = WhitespaceTokenizer([" ".join(WORDS), "가 를 그리고 and → <eos>"])


def make_line(rng):
    """A sentence of one clause or two, in Korean and then in English; particles are words of their own.

    Args:
        rng: a `random.Random`.

    Returns:
        A string, `민수 가 엄마 를 만났다 → Minsu met Mom <eos>`.
    """
    korean, english = [], []
    for _ in range(rng.choice([1, 2])):
        (who, whom), verb, place = rng.sample([*PEOPLE], 2), rng.choice([*VERBS]), rng.choice([*PLACES])
        korean.append(f"{who} 가 {place} {whom} 를 {verb}")
        english.append(f"{PEOPLE[who]} {VERBS[verb]} {PEOPLE[whom]} {PLACES[place]}")
    return " ".join(f"{' 그리고 '.join(korean)} → {' and '.join(english)} <eos>".split())


def make_texts(n, length, seed):
    """Random sentences one after the other, cut off at a length.

    Args:
        n: number of texts.
        length: tokens of a text.
        seed: int.

    Returns:
        inputs and labels, each (n, length); a label is padding where the next token is not English: the
        Korean is random, the English is determined by it.
    """
    rng, rows = random.Random(seed), []
    for _ in range(n):
        row = []
        while len(row) <= length:
            row += tokenizer.encode(make_line(rng))
        rows.append(row[: length + 1])
    ids = torch.tensor(rows)
    arrows, ends = (ids == tokenizer.ids["→"]).cumsum(dim=1), (ids == tokenizer.eos_id).cumsum(dim=1)
    english = (arrows > ends)[:, :-1]  # from an arrow on, up to the end
    return ids[:, :-1], torch.where(english, ids[:, 1:], tokenizer.pad_id)
