"""The cells of a chapter as HTML: prose in two languages, formulas as MathML, code in colors, outputs."""

import base64
import json
import re
import struct
from html import escape, unescape
from typing import NamedTuple
from xml.etree import ElementTree

import markdown_it
from latex2mathml.converter import convert
from pygments.lexers import PythonLexer
from pygments.token import Token

from dark import darkened
from editions import LANGUAGES, SHARED, TITLE, messages, one_label
from halve import halves
from helpers.exercises.checking import SAID, diagnose
from helpers.exercises.comparing import plain as as_plain
from helpers.exercises.comparing import show
from helpers.exercises.kinds import Exploration, Prediction
from helpers.exercises.progress import exercises_of
from helpers.grading.inside import asked_in
from helpers.lesson.takeaways import SENTENCE, takeaways
from trim import trimmed
from web_by_hand import asked, call_of, flat, form_of, words_of

MATH = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", re.S)
LETTERS = re.compile(r'(?:<mi mathvariant="normal">\w</mi>){2,}')
FUNCTION = r"<mi>(?:sin|cos|log|ln|exp)</mi>"
BEFORE_FUNCTION = re.compile(rf"(?<=</mi>){FUNCTION}")  # a cos α
AFTER_FUNCTION = re.compile(rf"{FUNCTION}(?=<m(?:i|n|sub|sup|frac|sqrt))")
THIN = '<mspace width="0.167em"/>'
KINDS = {  # of the blocks that begin with a heading: what the heading begins or ends with
    "question": r"Q\. ",
    "trap": r"함정: ",
    "exercise": r"연습 \d+\. ",
    "parity": r".*비교하기$",
}
READABLE = 9  # pixels: no label is shown smaller on a phone …
SMALL, PHONE = 7.2, 390  # … than this where the whole figure is seen, which a tap enlarges
COLORS = {  # the only tokens of Python that are colored, and their classes
    Token.Comment: "c",
    Token.Keyword: "k",
    Token.Operator.Word: "k",
    Token.Literal.String: "s",
    Token.Literal.Number: "n",
    Token.Name.Function: "f",
    Token.Name.Class: "f",
    Token.Name.Decorator: "f",
}
NOTEBOOK = re.compile(r"^(?:\.\./|deeper/)?([^/:]+)[.]ipynb(?=#|$)")  # all pages lie in one folder
PARTICLE = re.compile(r"<math (?:(?!</math>).)*</math>(?:[가-힣]+|[.,:;?)])")  # in one line
END = r"(?:<code>[^<]*</code>|[^\w\s<>(\[{‘“·,.…–;]|&(?:gt|quot|#\d+);)(?:</\w+>)*"  # what may end a line …
ENDS = re.compile(rf"(?P<end>{END})(?=[가-힣])|<(pre|script|style|svg|title|code)\b.*?</\2>|<[^>]*>", re.S)
JOINER = "&#8288;"  # … but not here
NUMBER = r"(\d{1,2}(?:\.\d{1,2})?)"  # of a chapter or a section
PAPER = (  # and its own section
    r'<a href="http[^>]*>[^<]*</a>, (?:section )?\d[\d.]*절?'
    r"|논문의? \d[\d.]*절|its section \d[\d.]*\d|section \d[\d.]* of the paper"
)
WITHOUT = rf"{PAPER}|<(a|code|pre|math|svg|h[1-6]|summary)\b.*?</\1>|<[^>]*>"  # where nothing is made a link
NAMED = rf"(?<![\d.]){NUMBER}[절장](?! ?\d)|(?:[Ss]ection|[Cc]hapter) {NUMBER}\b"
REFERENCE = re.compile(rf"{WITHOUT}|{NAMED}", re.S)
BARE = r"(?<![\d.])(\d{1,2}\.\d{1,2})(?![\d.]| or| 이상)"  # as teachers are told of sections
IN_PLAN = re.compile(rf"{WITHOUT}|{BARE}", re.S)
HINT = re.compile(r"(?:Stuck\? )?[^.?!\n]*`hint\(exercises\.[\w가-힣]+\)`[^.]*\.(?: 실행할 때마다[^.]*\.)?")
IMPORT = re.compile(r"^(?:from \S+ )?import (?:\([^)]*\)|.*)$", re.M)  # nobody looks for one
README = re.compile(r"README의 설치 명령|README's install commands")  # which the website has on a page
HINTS_ON_THE_PAGE = (
    "막히면 연습 아래의 힌트를 하나씩 펼치세요.",
    "Stuck? Open the hints below the exercise, one at a time.",
)
LONG = 40  # characters of a formula, from which on it is read only as a formula
SHAPE = r"\((?:\w+, )*\w+,?\)"
LONG_CELL = re.compile(r"(<td[^>]*)>(?=[^<]{30})")  # a sentence in a table
QUOTE = '<span class="s">&quot;</span>'
TOGETHER = re.compile(
    rf'\*\[|{QUOTE}<span class="s"> +</span>{QUOTE}|(?<=[ (>])-[a-zA-Z][\w.]*'
)  # *[…], " ", -math.inf, -m
WHOLE = re.compile(rf"^# (?:{SHAPE}|\S+)|{SHAPE}")  # what of a comment stays in one line
BREAKS = re.compile(r"(?<=\()")  # of code, on a phone
APOSTROPHE = re.compile(r"(?<=[a-z0-9])'(?=[a-z\s])|^'(?=s\b)", re.I)  # `view`'s, too
JUDGED = re.compile(r"^ {4}(?:(?:expected|got|again|guess|answer): |\w+\()")  # by `check`, under what it says
FLAT = re.compile(r"^tensor\(\[[^\[\]]*\]|“[^”]{20,}”$")  # a tensor with one axis; what ends with a sentence
TAKEN = r'<p class="takeaway">(?:(?!<div lang).)*</div>'
LAST = re.compile(rf'(<div lang="\w+">)((?:(?!<div lang).)*?)({TAKEN})', re.S)
SUMMARY = re.compile(r"(?<=<summary>).+?(?=</summary>)")


class Title(NamedTuple):
    """A heading: what both languages begin with (a number, “Q.”), the Korean, the English."""

    shared: str
    ko: str
    en: str

    @classmethod
    def of(cls, text):
        """The parts of “4.1 묻는다 · Ask”; a heading in one language has no other."""
        found = TITLE.match(f"# {text}")
        if not found:
            return cls(text, "", "")
        shared = SHARED.match(found[2])[0]
        return cls(shared, found[2][len(shared) :], found[3])

    def in_one(self, language):
        """The heading in "ko" or "en" alone, as text."""
        return self.shared + getattr(self, language)

    def html(self, render=escape):
        """The heading as HTML of which CSS shows one language or both."""
        return escape(self.shared) + (two(render(self.ko), render(self.en)) if self.ko else "")


def two(ko, en):
    """HTML in both languages, side by side."""
    return f'<span lang="ko">{ko}</span><span class="dot"> · </span><span lang="en">{en}</span>'


def says(attribute, ko, en):
    """An attribute in both languages; site.js leaves one where one is chosen."""
    return f'{attribute}="{ko} · {en}" data-says="{attribute}" data-ko="{ko}" data-en="{en}"'


def folded(name, summary, body):
    return f'<details class="{name}"><summary>{summary}</summary>{body}</details>\n'


class Page:
    """A page made of the cells of a notebook: its HTML, its headings, its pictures, and what can be searched.

    Args:
        name: of the page, without .html; of a chapter, as its notebook.
        notebook: in both languages, without what installs helpers.
    """

    def __init__(self, name, notebook):
        self.name = name
        self.headings = []  # (level, anchor, Title)
        self.pictures, self.n_figures = {}, 0  # file name: bytes
        self.entries = []  # of the search, one a heading
        cells = "".join(map(self.cell, notebook.cells))
        self.html = "".join(map(block, re.split(r"(?=<h[1-3] )", cells)))
        anchors = {title: anchor for level, anchor, title in self.headings if level == 2}
        self.takeaways = [  # (anchor of the section, Korean, English)
            (anchors[Title.of(section)], *map(MARKDOWN.renderInline, sentences))
            for section, *sentences in takeaways(notebook)
        ]

    def cell(self, cell):
        """One cell as HTML."""
        if cell.cell_type == "markdown":
            return self.prose(cell.source)
        tags = cell.metadata.get("tags", [])
        code = code_of(cell.source, is_drawing="drawing" in tags)
        if "setup" in tags:
            return folded("setup", two("준비 코드", "Setup code"), code)
        exercise = exercise_in(cell.source, self.name) if "exercise" in tags else None
        outputs = "".join(self.output(output, bool(exercise), "halved" in tags) for output in cell.outputs)
        if "drawing" in tags:
            return outputs + folded("drawing", two("그림을 그리는 코드", "Code for this figure"), code)
        self.remember(IMPORT.sub("", cell.source), ["code"])
        if "preparing" in tags:
            return folded("preparing", two("준비하는 코드", "Code that prepares this"), code) + outputs
        if not exercise:
            return code + outputs
        if isinstance(exercise, Prediction):
            code = folded("setup cell", two("노트북의 코드", "The notebook cell"), code)
            return guess(exercise) + hints_html(exercise.hints) + code
        if isinstance(exercise, Exploration):
            return code + outputs + finding(exercise) + hints_html(exercise.hints)
        [name] = asked_in(cell.source)
        return code + outputs + by_hand(name, exercise) + hints_html(exercise.hints) + self.to_write()

    def to_write(self):
        """Where code is judged: in the notebook, in the language that is read."""
        links = (
            f'<span data-when="{choice}">{notebook_link(choice, f"{self.name}.ipynb")}</span>'
            for choice in ("ko", "en", "both")
        )
        return TO_WRITE.format("".join(links))

    def prose(self, source):
        """Markdown as HTML."""
        source = README.sub(r"[\g<0>](install.html)", HINT.sub(hints_on_the_page, source))
        tokens, languages, is_solution = MARKDOWN.parse(source), ["ko", "en"], False
        for before, token in zip([None, *tokens], tokens, strict=False):
            if token.type == "html_block":
                if re.search(r"</?div\b", token.content):
                    opened = re.findall(r'<div lang="(ko|en)"', token.content)
                    languages = opened[-1:] or ["ko", "en"]
                content = token.content.replace(' markdown="1"', "")
                content = content.replace("<details>", '<details class="solution">')
                if "details" in content:
                    is_solution = content.rfind("<summary>풀이") > content.rfind("</details>")
                for sentence in SENTENCE.findall(content):
                    said = unescape(re.sub("<[^>]*>", "", sentence))
                    self.remember(said, languages)
                    self.entries[-1] |= {f"{language}_point": said.replace("`", "") for language in languages}
                content = SENTENCE.sub(lambda match: takeaway(match[1]), content)
                token.content = SUMMARY.sub(lambda match: Title.of(match[0]).html(), content)
            elif token.type == "fence":
                self.remember(token.content, ["code"] * (not is_solution))
            elif token.type == "inline" and before.type == "heading_open":
                self.heading(before, token)
            elif token.type == "inline":
                words = (plain(child) for child in token.children)
                self.remember("".join(words), [] if is_solution else languages)  # a hit tells no answer
                for link in (child for child in token.children if child.type == "link_open"):
                    link.attrs["href"] = NOTEBOOK.sub(r"\1.html", link.attrs["href"])
        html = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
        return PARTICLE.sub(r'<span class="whole">\g<0></span>', html)

    def heading(self, opening, inline):
        """Give a heading an id, a class if it is of one of the kinds, and a link to itself."""
        title = Title.of(inline.content)
        words = re.sub(r"\W+", "-", f"{title.shared}{title.en}".lower()).strip("-")
        taken = {anchor for _, anchor, _ in self.headings}
        names = [words, *(f"{words}-{number}" for number in range(2, 100))]
        anchor = next(name for name in names if name not in taken)
        self.headings.append((int(opening.tag[1]), anchor, title))
        self.entries.append({"anchor": anchor, "title": title, "ko": "", "en": "", "code": ""})
        opening.attrSet("id", anchor)
        kinds = [kind for kind, words in KINDS.items() if re.match(words, title.shared + title.ko)]
        if kinds:
            opening.attrSet("data-kind", kinds[0])
        mark = f'<a class="anchor" href="#{anchor}" aria-hidden="true" tabindex="-1">#</a>'
        html = title.html(MARKDOWN.renderInline) + mark
        inline.children = [markdown_it.token.Token("html_inline", "", 0, content=html)]

    def remember(self, text, languages):
        """Keep text for the search, under the last heading."""
        for language in languages:
            self.entries[-1][language] += " ".join([" ", *text.split()])

    def output(self, output, is_asked=False, is_halved=False):
        """One output as HTML; a picture becomes a file of its own. What is asked was not yet answered."""
        if "text" in output:
            lines = messages(output.text)
            return printed([line for line in lines if not is_asked or line[0][:2] != "… "])
        data = output.data
        if "image/png" not in data:
            page = data.get("text/html")
            if page and page.startswith("<table"):
                page = LONG_CELL.sub(
                    r"\1 data-long>",
                    MEASURED_CELL.sub(r">\1<", SEED.sub(r'<span class="seed">\g<0></span>', page)),
                )
                together = re.sub("≈ (?!<span)", "≈&nbsp;", page)  # of a header, it may stand above the words
                return f'<div class="wide">{together}</div>\n'
            return page or printed(data["text/plain"].splitlines(keepends=True))
        return f"<figure>{self.figure(output, is_halved)}</figure>\n"

    def figure(self, output, is_halved):
        """The pictures of a figure, of which CSS shows one: in each language, light and dark.

        A phone shows one that `is_halved` in two, the left half above the right one.
        """
        about, number = output.metadata["image/png"], 1 + self.n_figures
        self.n_figures = number
        alt = dict(zip(("ko", "en"), about["alt"].split(" · "), strict=True)) | {"both": about["alt"]}
        html = ""
        for language, words in alt.items():
            data = trimmed(base64.b64decode(about.get(language, output.data["image/png"])))
            width, height = struct.unpack(">II", data[16:24])
            least = least_width(width, about.get("smallest_label", READABLE))
            style = f"--width: {width}px; --least: {least}px"
            same = "" if language in about else "-both"
            parts = halves(data) if is_halved else []
            for theme, picture in (("light", data), ("dark", darkened(data))):
                file = f"figures/{self.name}-{number:02}{same or f'-{language}'}-{theme}.png"
                self.pictures[file] = picture
                size = f'width="{width}" height="{height}" loading="lazy"'
                image = f'<img src="{file}" {size} alt="{escape(words)}">'
                link = f'<a href="{file}" class="{theme}" data-when="{language}" style="{style}">'
                html += f"{link}{image}{halves_html(image, width, parts)}</a>"
        return html


def halves_html(image, width, parts):
    """The parts of a picture, each (first column, width), for a phone: on one scale, one read aloud."""
    most = max((across for _, across in parts), default=0)
    hidden = 'aria-hidden="true" '
    return "".join(
        f'<span class="half" {hidden * (start > 0)}style="--from: {start}; --size: {across}; --most: {most}; '
        f'--of: {width}">{image}</span>'
        for start, across in parts
    )


def least_width(width, label):
    """How narrow a figure may be on a phone; it is panned where that is wider than the phone.

    Args:
        width: of the figure, in pixels.
        label: how high its smallest label is.
    """
    whole = round(width * SMALL / label)
    return whole if whole <= PHONE else round(width * READABLE / label)


def hints_on_the_page(match):
    """The sentence that stands for one about hints in a notebook, a match of `HINT`."""
    return " " * match[0].startswith(" ") + HINTS_ON_THE_PAGE[not re.search("[가-힣]", match[0])]


def exercise_in(source, page):
    """The exercise of a cell."""
    [name] = asked_in(source)
    return exercises_of(page[:2])[name]


def hints_html(hints):
    """Hints, folded."""
    return "".join(
        folded(
            "hint",
            two(f"힌트 {i}/{len(hints)}", f"Hint {i} of {len(hints)}"),
            '<p><span lang="ko">{}</span> <span lang="en">{}</span></p>'.format(*map(code_in, hint)),
        )
        for i, hint in enumerate(hints, start=1)
    )


MEASURED_CELL = re.compile(r">“([-−\d.e…% ]+)”<")  # in a column marked ≈
SEED = re.compile(r"≈ <span[^>]*>시드 \d</span>.*?</span><span[^>]*>seed \d</span>")  # the head of a column
MEASURED = re.compile(r"≈ “([-−\d.e…% ]+)”")  # a number in the marks of what no check compares
ZEROS = re.compile(r"(?:(\.\d*[1-9])|\.)0+(?!\d)")  # 8.0000 is 8, and 0.4500 is 0.45
TO_WRITE = '<p class="where">{} {{}}</p>\n'.format(
    two(
        "코드는 노트북이 채점합니다:",
        "The notebook checks your code:",
    )
)


def notebook_link(choice, notebook):
    """A link that downloads a notebook in "ko", "en" or "both"."""
    said = two("노트북 내려받기", "Download the notebook")
    return f'<a href="editions/{choice}/{notebook}" download>{said}</a>'


def guess(exercise):
    """A field for a prediction; what site.js needs to judge it stands there unreadable to the eye."""
    answer = as_plain(exercise.answer() if callable(exercise.answer) else exercise.answer)
    is_large = isinstance(answer, float) and answer > 1000  # its decimals tell nothing
    said = {
        "right": SAID[True],
        "wrong": SAID[False],
        "why": exercise.why,
        "shown": ZEROS.sub(r"\1", show(round(answer) if is_large else answer)),
    }
    slips = [{"parts": flat(as_plain(slip)), "said": texts} for slip, *texts in exercise.slips]
    asked = {"answer": answer, "near": exercise.near, "slips": slips, "choices": exercise.choices} | said
    several = two("쉼표로 나누어 적으세요", "separated by commas") if isinstance(answer, list) else ""
    choices = buttons(exercise.choices)
    return form("guess", asked, two("예측", "Your prediction"), two("확인", "Check"), choices, several)


def buttons(words):
    """What may be tapped instead of typed, in a line; nothing without words."""
    line = " ".join(f'<button type="button">{escape(word)}</button>' for word in words)
    return line and f"<p>{line}</p>"


def by_hand(name, exercise):
    """What is asked of an exercise in code: its result where one can tell it by hand."""
    question = two(
        "손으로 먼저 풀어 봅시다. 이 값을 넣으면 무엇을 돌려주어야 하나요?",
        "By hand first: what should it return for these?",
    )
    label, wanted = two("돌려주는 값", "It returns"), asked(exercise)
    words, after = buttons(words_of(wanted)), two(*form_of(exercise))
    answer = form("guess by-hand", wanted, label, two("확인", "Check"), words, after)
    return f"<p>{question}</p>\n{code_html(call_of(name, exercise))}{answer}"


def finding(exercise):
    """A field for what one expects or has found; then what to look for is shown."""
    noted = diagnose("…?", exercise)
    label = two("예상하거나 찾은 것(채점하지 않습니다)", "What you expect or find (not graded)")
    return form("guess finding", {"noted": [noted.ko, noted.en]}, label, two("비교하기", "Compare"))


def form(kind, asked, label, button, before="", after=""):
    """A field, and where site.js says what it makes of what is entered."""
    coded = base64.b64encode(json.dumps(asked).encode()).decode()
    return (
        f'<form class="{kind}" data-asked="{coded}">'
        f'{before}<label>{label} <input autocomplete="off" spellcheck="false"></label> '
        f'<button>{button}</button> <small>{after}</small><p role="status"></p></form>\n'
    )


def with_particles(html):
    """HTML in which no line begins with the particle of what stands before it, as after “shape(형태)”."""
    return ENDS.sub(lambda match: match[0] + JOINER if match["end"] else match[0], html)


def with_references(html, places, file, pattern=REFERENCE):
    """HTML in which “4.7절”, “section 4.7”, “4장” and “chapter 4” lead there.

    Args:
        html: of a page.
        places: addresses, by "4.7" and "4".
        file: of the page; it does not lead to itself.
        pattern: of what leads somewhere; `IN_PLAN` of bare numbers.
    """

    def link(match):
        place = places.get(match[match.lastindex or 0], file)
        return match[0] if place == file else f'<a class="ref" href="{place}">{match[0]}</a>'

    return pattern.sub(link, html)


def takeaway(sentence):
    """What a section comes to, as HTML; its formulas are drawn, too."""
    return f'<p class="takeaway">{MARKDOWN.renderInline(sentence)}</p>'


def plain(token):
    """A part of a line as text for the search: no tags, no LaTeX."""
    if token.type != "math":
        return {"softbreak": " ", "hardbreak": " ", "html_inline": ""}.get(token.type, token.content)
    text = " ".join(in_a_line(ElementTree.fromstring(convert(token.content))).split())
    return text if len(text) < LONG else "…"


def in_a_line(element):
    """A formula, or a part of one, of MathML in a line: √d_k, 1/2."""
    parts = [in_a_line(part) for part in element]
    name = element.tag.rpartition("}")[2]
    joints = {"mfrac": "/", "msub": "_", "msup": "^", "munder": "_", "mover": "^"}
    if name in joints:  # e^(log p/0.5)
        parts = [f"({part})" if re.search(r"[\s+\-−·/=,|]", part) else part for part in parts]
    text = (element.text or "").strip()
    if name == "msqrt":
        text = "√"
    elif text in {*"=≈≤≥<>+−→"} or name == "mi" and len(text) > 1:  # a function
        text = f" {text} "
    return text + joints.get(name, "").join(parts)


def code_in(text):
    """A line of text as HTML, with `code` in it."""
    return re.sub("`(.+?)`", r"<code>\1</code>", escape(text))


def block(part):
    """What one heading begins, as a section if it is a question, a trap, an exercise or a comparison."""
    heading = re.match(r'<h[1-3] [^>]*data-kind="(\w+)"', part)
    if not heading:
        return part
    inside = LAST.sub(r"\1\2</div>", part)
    after = "".join(opening + end for opening, _, end in LAST.findall(part))  # of the section around the box
    return f'<section class="{heading[1]}">{inside}</section>\n{after}'


def read_math(state, silent):
    """The rule of markdown-it for formulas: $…$ in a line, $$…$$ on a line of its own."""
    found = MATH.match(state.src, state.pos)
    if found and not silent:
        token = state.push("math", "", 0)
        token.content, token.meta = found[1] or found[2], {"display": bool(found[1])}
    if found:
        state.pos = found.end()
    return bool(found)


def curl(state):
    """The rule of markdown-it for apostrophes in text: don’t; in code they stay."""
    for token in state.tokens:
        for child in token.children or []:
            if child.type == "text":
                child.content = APOSTROPHE.sub("’", child.content)


def math_html(formula, display):
    """A formula as MathML, which browsers draw without a script."""
    text = convert(formula, display="block" if display else "inline")
    text = text.replace('<mspace width="negativethinmathspace" />', "")  # MathML Core has no such names
    text = text.replace("<mo>&#x02016;", '<mo stretchy="false">&#x02016;')  # the bars of a norm
    text = text.replace("<mo>&#x0221E;</mo>", "<mi>&#x0221E;</mi>")  # a number, with no space after it
    text = LETTERS.sub(lambda match: f"<mi>{re.sub('<[^>]*>', '', match[0])}</mi>", text)  # one word
    text = AFTER_FUNCTION.sub(rf"\g<0>{THIN}", text)
    text = BEFORE_FUNCTION.sub(rf"{THIN}\g<0>", text)
    text = text.replace("<math ", f'<math alttext="{escape(" ".join(formula.split()))}" ', 1)
    return f'<span class="wide">{text}</span>' if display else text  # Firefox scrolls no formula itself


def code_of(source, is_drawing=False):
    """A cell's code as HTML; where it has labels in two languages, each reader sees one, as in an edition."""
    texts = {language: one_label(source, language, is_drawing) for language in LANGUAGES[:2]}
    if set(texts.values()) == {source}:
        return code_html(source)
    texts["both"] = source
    return "".join(f'<div data-when="{name}">{code_html(text)}</div>\n' for name, text in texts.items())


def code_html(source, python=True):
    """Code as HTML, its tokens in colors."""
    tokens = PythonLexer(stripnl=False).get_tokens(source) if python else [(Token.Text, source)]
    text = "".join(colored(kind, value) for kind, value in tokens).rstrip("\n").replace("(<wbr>)", "()")
    text = together(text)
    lines = [f'<span class="line" style="--in: {indent(line)}">{line}\n</span>' for line in text.split("\n")]
    return f'<div class="code"><pre><code>{"".join(lines)}</code></pre></div>\n'


def together(text):
    """HTML of code in which the parts of a sign stay in one line."""
    return TOGETHER.sub(r'<span class="whole">\g<0></span>', text)


def indent(line):
    """The spaces that a line of HTML begins with; a wrapped line goes on two to the right of them."""
    return len(re.match(r"(?:<[^>]*>)*( *)", line)[1])


def colored(kind, value):
    while kind and kind not in COLORS:
        kind = kind.parent
    if not kind:
        return BREAKS.sub("<wbr>", escape(value))
    spans = (WHOLE.sub(r'<span class="whole">\g<0></span>', escape(line)) for line in value.split("\n"))
    return "\n".join(f'<span class="{COLORS[kind]}">{span}</span>' for span in spans)


def printed(lines):
    """What a cell printed, as HTML; it may be wrapped where it is no table and no matrix."""
    texts = [text for line in lines for text in ([line] if isinstance(line, str) else line)]
    shaped = [text for text in texts if not FLAT.search(text) and not JUDGED.search(text)]
    in_columns = sum(bool(re.search(r"\S {2,}", text)) for text in shaped) > 1  # a line alone has none
    loose = "" if in_columns or any(text.startswith(" ") for text in shaped) else " loose"
    source = " source" if any(re.match(r"class \w|def \w", text) for text in texts) else ""
    return f'<pre class="out{loose}{source}">{"".join(map(line_html, lines))}</pre>\n' if lines else ""


def line_html(line):
    """A line that a cell printed, or a message in both languages, as HTML."""
    if isinstance(line, str):
        return escape(MEASURED.sub(r"≈ \1", line))
    ko, en = (escape(MEASURED.sub(r"≈ \1", text)) for text in line)
    return f'<span lang="ko">{ko}</span><span lang="en">{en}</span>'


def markdown():
    """The Markdown of the chapters: tables, raw HTML, formulas, code in colors."""
    md = markdown_it.MarkdownIt("commonmark", {"html": True}).enable("table")
    md.inline.ruler.before("escape", "math", read_math)
    md.core.ruler.push("apostrophes", curl)
    md.renderer.rules |= {
        "math": lambda tokens, i, *_: math_html(tokens[i].content, tokens[i].meta["display"]),
        "fence": lambda tokens, i, *_: code_html(tokens[i].content, tokens[i].info in ("", "python")),
        "code_inline": lambda tokens, i, *_: f"<code>{together(escape(tokens[i].content))}</code>",
        "table_open": lambda *_: '<div class="wide"><table>\n',
        "table_close": lambda *_: "</table></div>\n",
    }
    return md


MARKDOWN = markdown()
