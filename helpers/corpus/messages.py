"""What a program shows, as plain sentences: without the marks of its menus and without tags."""

import html
import re
import unicodedata

FORMAT = re.compile(
    r"%(?:\(\w+\))?[-+#0]*(?:\d+\$|\d+|\*)?(?:\.\d+)?(?:hh?|ll?|[zjtL])?[a-zA-Z%](?![a-zA-Z])"
    r"|%\d+|\$?\{[^{}\s]*\}|%\([^()]*\)"
)
TAG = re.compile(r"<(?P<closing>/?)(?P<name>[a-zA-Z][\w-]*)(?P<rest>\s[^<>]*?)?(?P<alone>/?)>")
LETTER = r"[^\W\d_]"


def clean_pair(source, target):
    """A message and its translation as two plain lines.

    Format marks as %s, %(name)s and {0} stay as they are, as does what is to be filled in (<file>). Taken out
    are the marks of keys (_File, 파일(_F), &File, ~File), tags, line breaks. Characters are composed (NFC).

    Args:
        source, target: texts.

    Returns:
        (source, target); None if a side has no letters, or both are the same.
    """
    marks = [[], []]
    sides = [hide_formats(text, kept) for text, kept in zip((source, target), marks, strict=True)]
    for mark in "_&~":
        sides = without_keys(sides, mark)
    sides = [plain(text) for text in sides]
    if not all(re.search(LETTER, text) for text in sides) or sides[0] == sides[1]:
        return None
    return tuple(show_formats(text, kept) for text, kept in zip(sides, marks, strict=True))


def hide_formats(text, kept):
    """Put a private character in the place of each format mark.

    Args:
        text: any.
        kept: list that gets the marks.

    Returns:
        A string.
    """

    def hide(match):
        kept.append(match[0])
        return chr(0xE000 + len(kept) - 1)

    return FORMAT.sub(hide, text)


def show_formats(text, kept):
    """Undo `hide_formats`.

    Args:
        text, kept: as from it.

    Returns:
        A string.
    """
    return "".join(kept[ord(c) - 0xE000] if 0 <= ord(c) - 0xE000 < len(kept) else c for c in text)


def without_keys(sides, mark):
    """Take out the mark of a key, _File or 파일(_F); inside a word, E_xit, only if the other side has one.

    Args:
        sides: two texts.
        mark: "_", "&" or "~".

    Returns:
        Two texts.
    """
    outside = re.compile(rf"\s?\({mark}\w\)|(?<![\w{mark}]){mark}(?={LETTER}(?!\w*;))")
    inside = re.compile(rf"(?<={LETTER}){mark}(?={LETTER})")
    has_one = [len(outside.findall(text)) == 1 for text in sides]
    changed = []
    for text, found in zip(sides, has_one, strict=True):
        if found:
            text = outside.sub("", text)
        elif any(has_one) and len(inside.findall(text)) == 1:
            text = inside.sub("", text)
        changed.append(text)
    return changed


def plain(text):
    """One line without tags and entities, in Unicode's composed form.

    Args:
        text: any.

    Returns:
        A string.
    """
    return " ".join(unicodedata.normalize("NFC", html.unescape(without_tags(text))).split())


def without_tags(text):
    """Put a space in the place of each tag: <b>…</b>, <br>, <x/>, <a href="…">.

    What is to be filled in, as <file>, stays.

    Args:
        text: any.

    Returns:
        A string.
    """
    names = {tag["name"].lower() for tag in TAG.finditer(text) if tag["closing"]} | {"br", "hr", "li", "p"}

    def blank(tag):
        is_tag = tag["closing"] or tag["alone"] or tag["name"].lower() in names or '="' in (tag["rest"] or "")
        return " " if is_tag else tag[0]

    return TAG.sub(blank, text)
