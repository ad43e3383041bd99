"""Pieces of text for a reader without Hangul."""

import pytest

from helpers.lesson.pieces import readable, sound


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("파리", "pa·ri"),
        ("여행을 다녀왔다", "yeo·haeng·eul·da·nyeo·wat·da"),
        ("값", "gap"),
        ("힣", "hit"),  # the last syllable of all
        ("\u1112\u1161\u11ab", "han"),  # the same letters, spelled apart
        ("Paris ☕", ""),
        ("", ""),
    ],
)
def test_sound(text, heard):
    assert sound(text) == heard


def test_readable():
    assert readable([" 파리", "에", " ", "<0xE2>"]) == "▁파리 (pa·ri) | 에 (e) | ▁ | <0xE2>"
