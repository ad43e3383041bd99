"""Rules for the prose of a chapter. A rule takes a notebook and its path and returns a list of problems."""

import re
from collections import Counter

from markdown_it import MarkdownIt

from glossary import forbidden_terms, inconsistent_terms
from notebook_parts import HEADING, printed, prose_cells
from project import FENCE

DIV = re.compile(r'^<div lang="(ko|en)">\n(.*?)^</div>$', re.M | re.S)
SUMMARY = re.compile(r"<summary>(.*?)</summary>", re.S)
COMMENT = re.compile(r"<!--.*?-->", re.S)
TAG = re.compile(r"</?([a-zA-Z][\w-]*)[^>]*>")
HTML = {"a", "b", "br", "code", "details", "div", "em", "i", "img", "p", "strong", "sub", "summary", "sup"}
CODE_OR_FORMULA = re.compile(r"(```.*?```|`[^`]+`)|(\$\$.+?\$\$|(?<!\\)\$(?:[^$\n]|\n(?!\s*\n))+\$)", re.S)
SHARED = re.compile(r"^(?:Q\. |\d+(?:\.\d+)*\.? )")  # the part of a title that both languages use
NUMBER = re.compile(r"\d+(?:\.\d+)*")
HANGUL, LATIN = re.compile(r"[가-힣]"), re.compile(r"[A-Za-z]")
MARKS = re.compile(r"[*`$~]|(?<![^\W_])_|_(?![^\W_])")
LIGHTNESS = re.compile(
    r"\b(?:white|black|dark|darker|darkest|pale) (?:cells?|dots?|frames?|names?|lines?|bars?|ones)\b"
    r"|(?:흰|검은|검은색|진한|옅은|어두운|밝은) (?:칸|점|테두리|이름|선|막대)"
)
MARKDOWN = MarkdownIt("commonmark").enable("table")


def without_formulas(text):
    """As JupyterLab does before Markdown: each formula becomes a mark. The mark is punctuation, like `$`."""
    return CODE_OR_FORMULA.sub(lambda match: match[1] or "@@0@@", text)


def formulas(text):
    return sorted("".join(match[2].split()) for match in CODE_OR_FORMULA.finditer(text) if match[2])


def tokens(text):
    """The Markdown tokens of a text, inline ones included, in one list."""
    flat = []
    for token in MARKDOWN.parse(without_formulas(text)):
        flat += [token, *(token.children or [])]
    return flat


def targets(text):
    """Where the links and pictures of a text point."""
    found = []
    for token in tokens(text):
        found += [token.attrs[name] for name in ("href", "src") if name in token.attrs]
        if token.type.startswith("html"):
            found += re.findall(r'(?:href|src)="([^"]*)"', token.content)
    return found


def plain(text):
    """The words of a text: no code, formulas, tags, addresses."""
    text = CODE_OR_FORMULA.sub(" ", text)
    return re.sub(r"<[^>]+>|\]\([^)]*\)|https?://\S+", " ", text)


def titles(source):
    """Headings and the title of a folded part."""
    bare = FENCE.sub("", source)
    return HEADING.findall(bare) + SUMMARY.findall(bare)


def pairs(nb):
    """(index, Korean, English) of everything that is said twice: blocks and titles."""
    found = []
    for i, source in prose_cells(nb):
        blocks = [text for _, text in DIV.findall(source)]
        found += [(i, ko, en) for ko, en in zip(blocks[::2], blocks[1::2], strict=False)]
        for title in titles(source):
            ko, dot, en = SHARED.sub("", title).partition(" · ")
            found += [(i, ko, en)] if dot else []
    return found


def both_languages(nb, path):
    """Prose stands in a Korean block followed by an English one; outside stand only titles and code."""
    problems = []
    for i, source in prose_cells(nb):
        blocks = DIV.findall(FENCE.sub("", source))
        languages = [language for language, _ in blocks]
        if languages != ["ko", "en"] * (len(blocks) // 2):
            problems.append(f"cell {i}: blocks are {', '.join(languages)}; expected ko, en")
        for language, text in blocks:
            hangul, latin = (len(letters.findall(plain(text))) for letters in (HANGUL, LATIN))
            if not text.startswith("\n"):
                problems.append(f"cell {i}: no blank line after the opening tag of {language}")
            if HEADING.search(text):
                problems.append(f"cell {i}: a heading inside the block {language}")
            if (language == "ko" and not hangul) or (language == "en" and hangul > latin):
                problems.append(f"cell {i}: the block {language} is in the other language")
        outside = FENCE.sub("", source)
        for part in (DIV, HEADING, SUMMARY, COMMENT, TAG):
            outside = part.sub("", outside)
        if re.search(r"\w", outside):
            problems.append(f"cell {i}: prose outside the blocks: {outside.strip()[:40]!r}")
    return problems


def titles_in_both_languages(nb, path):
    """A title is Korean · English: Hangul on the left, unless all is code or formula, none on the right."""
    problems = []
    for i, source in prose_cells(nb):
        for title in titles(source):
            if title.count(" · ") != 1:
                problems.append(f"cell {i}: {title.count(' · ')} times ' · ' in the title {title!r}")
                continue
            ko, en = SHARED.sub("", title).split(" · ")
            if not HANGUL.search(ko) and re.search(r"[^\W\d_]", plain(ko)):
                problems.append(f"cell {i}: no Hangul on the left of the title {title!r}")
            if HANGUL.search(plain(en)):
                problems.append(f"cell {i}: Hangul on the right of the title {title!r}")
    return problems


def languages_equally_long(nb, path):
    """Korean has 0.5 to 0.95 times the words of the English, in blocks of more than 25 English words."""
    problems = []
    for i, *texts in pairs(nb):
        ko, en = (sum(bool(re.search(r"\w", word)) for word in plain(text).split()) for text in texts)
        if en > 25 and not 0.5 <= ko / en <= 0.95:
            problems.append(f"cell {i}: {ko} Korean words, {en} English: {ko / en:.2f}")
    return problems


def same_numbers(nb, path):
    """The two languages give the same numbers, in digits. A lone 0 is free: English says "zeros"."""
    problems = []
    for i, *texts in pairs(nb):
        ko, en = (Counter(NUMBER.findall(re.sub(r"(?<=\d),(?=\d)", "", plain(text)))) for text in texts)
        del ko["0"], en["0"]
        if ko != en:
            problems.append(f"cell {i}: numbers only in ko {[*(ko - en)]}, only in en {[*(en - ko)]}")
    return problems


def same_formulas(nb, path):
    """The two languages have the same formulas."""
    unequal = [(i, ko, en) for i, ko, en in pairs(nb) if formulas(ko) != formulas(en)]
    return [f"cell {i}: formulas {formulas(ko)} in ko, {formulas(en)} in en" for i, ko, en in unequal]


def same_links(nb, path):
    """The two languages link to the same places."""
    unequal = [(i, ko, en) for i, ko, en in pairs(nb) if sorted(targets(ko)) != sorted(targets(en))]
    return [f"cell {i}: links {targets(ko)} in ko, {targets(en)} in en" for i, ko, en in unequal]


def no_literal_markup(nb, path):
    """No mark of Markdown is left as it is, as in `**말(word)**은`; no word is lost as a tag, as `<pad>`."""
    problems = []
    for i, source in prose_cells(nb):
        for token in tokens(source):
            text = token.content
            if token.type == "text" and MARKS.search(text):
                problems.append(f"cell {i}: literal {MARKS.search(text)[0]} in {text!r}")
            if token.type in ("html_block", "html_inline"):
                unknown = [name for name in TAG.findall(text) if name not in HTML]
                problems += [f"cell {i}: <{name}> is taken for a tag; write `<{name}>`" for name in unknown]
                if re.search(r"[*`]|\]\(", COMMENT.sub("", text)):
                    problems.append(f"cell {i}: Markdown inside HTML is shown as it is: {text[:60]!r}")
    return problems


def words_of_the_glossary(nb, path):
    """One term per idea, in prose, in code, in what it prints."""
    texts = ["\n".join([cell.source, *printed(cell)]) for cell in nb.cells]
    problems = [f"cell {i}: {problem}" for i, text in enumerate(texts) for problem in forbidden_terms(text)]
    return problems + [f"all cells: {problem}" for problem in inconsistent_terms("\n".join(texts))]


def colors_without_lightness(nb, path):
    """Light and dark change places on a dark page: the text names a hue, or the strength of a color."""
    return [
        f"cell {i}: {found.group()!r} is no longer so on a dark page"
        for i, cell in enumerate(nb.cells)
        if cell.cell_type == "markdown"
        for found in LIGHTNESS.finditer(cell.source)
    ]


RULES = [
    both_languages,
    titles_in_both_languages,
    languages_equally_long,
    same_numbers,
    same_formulas,
    same_links,
    no_literal_markup,
    words_of_the_glossary,
    colors_without_lightness,
]
