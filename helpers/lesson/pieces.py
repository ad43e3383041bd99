"""Pieces of text as a reader without Hangul can read them."""

import unicodedata

INITIALS = "g kk n d tt r m b pp s ss  j jj ch k t p h".split(" ")
VOWELS = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i".split(" ")
FINALS = " k k k n n n t l l l l l l l l m p p t t ng t t k t p t".split(" ")


def sound(text):
    """Hangul in Latin letters, syllable by syllable; the sounds that meet do not change each other.

    Args:
        text: a string.

    Returns:
        The syllables with a dot between them, as pa·ri; "" for a text without Hangul.
    """
    syllables = []
    for letter in unicodedata.normalize("NFC", text):
        place = ord(letter) - ord("가")
        if 0 <= place < 11172:
            initial, rest = divmod(place, 21 * 28)
            syllables.append(INITIALS[initial] + VOWELS[rest // 28] + FINALS[rest % 28])
    return "·".join(syllables)


def readable(pieces):
    """Pieces in one line: ▁ for a space, the sound of Hangul in brackets.

    Args:
        pieces: strings.

    Returns:
        A string, as ▁파리 (pa·ri) | 에 (e).
    """
    shown = [(piece.replace(" ", "▁"), sound(piece)) for piece in pieces]
    return " | ".join(f"{piece} ({spoken})" if spoken else piece for piece, spoken in shown)
