"""Each rule passes a good notebook and fails the small broken one made for it."""

from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

import rules_code
import rules_hygiene
import rules_prose
from glossary import forbidden_terms
from project import FOLDED, checksum, code_up_to, pictures_of
from small_notebooks import PATH, PROSE, changed, code, not_run, prose, small, tagged

RULES = rules_prose.RULES + rules_code.RULES + rules_hygiene.RULES

error = new_output("error", ename="ValueError", evalue="no", traceback=["ValueError: no"])
widget = new_output("display_data", data={"application/vnd.jupyter.widget-view+json": {"model_id": "1"}})
timed = new_output("execute_result", data={"text/html": "<object at 0x7f3a5c01b2d0>"}, execution_count=3)
many = " ".join(["word"] * 40)


def within(*tags, output="≈ 0.31"):
    return code("1", output, metadata={"tags": list(tags)})


def pictured(metadata, source="1"):
    """A cell that shows a picture with these metadata."""
    picture = new_output("display_data", data={"image/png": ""}, metadata=metadata)
    return new_code_cell(source, outputs=[picture])


def drawn(above="1", source="1", **languages):
    """A notebook with a picture that the code "1" drew after the code "1", and what is stored of both now."""
    about = {"alt": "곡선 · a curve", "ko": "a2s=", "en": "ZW4=", "smallest_label": 9.0}
    cell = pictured({"image/png": about})
    cell.metadata = {"tags": ["drawing"]} | FOLDED
    nb = small(new_code_cell("1"), cell)
    about = cell.outputs[0].metadata["image/png"]
    about |= {"code": checksum(code_up_to(nb, 6)), "pictures": checksum(pictures_of(cell.outputs[0]))}
    nb.cells[5].source, cell.source = above, source
    about |= languages
    return nb


OTHER_CODE, OTHER_PICTURE = "the figure was drawn by other code", "a picture is not the one that was drawn"
BROKEN = [  # rule, a notebook that breaks it, what the rule says
    ("both_languages", small(new_markdown_cell("English alone.")), "prose outside the blocks"),
    ("both_languages", small(new_markdown_cell(PROSE + "\n\nAnd more.")), "prose outside the blocks"),
    (
        "both_languages",
        small(new_markdown_cell(PROSE.split("</div>")[0] + "</div>")),
        "blocks are ko; expected",
    ),
    ("both_languages", small(prose("English here.", "And here.")), "the block ko is in the other language"),
    (
        "both_languages",
        small(prose("한글입니다.", "여기도 한글입니다.")),
        "the block en is in the other language",
    ),
    (
        "both_languages",
        small(new_markdown_cell(PROSE.replace('"en">\n', '"en">'))),
        "no blank line after the opening",
    ),
    ("both_languages", small(prose("# 제목\n\n글", "text")), "a heading inside the block ko"),
    ("titles_in_both_languages", small(new_markdown_cell("## Why")), "0 times ' · '"),
    ("titles_in_both_languages", small(new_markdown_cell("## 왜 · Why · How")), "2 times ' · '"),
    ("titles_in_both_languages", small(new_markdown_cell("## 9.2 Why · Why")), "no Hangul on the left"),
    ("titles_in_both_languages", small(new_markdown_cell("## Why · 왜")), "Hangul on the right"),
    ("titles_in_both_languages", small(new_markdown_cell("<summary>Solution</summary>")), "0 times ' · '"),
    ("languages_equally_long", small(prose("짧은 글", many)), "2 Korean words, 40 English: 0.05"),
    ("languages_equally_long", small(prose("글 " * 40, many)), "1.00"),
    ("same_numbers", small(prose("층 6개", "5 layers")), "only in ko ['6'], only in en ['5']"),
    ("same_numbers", small(new_markdown_cell("# 3장. 위치 · Chapter 4. Positions")), "only in ko ['3']"),
    ("same_formulas", small(prose("식 $x^2$", "formula $x^3$")), "formulas ['$x^2$'] in ko"),
    ("same_formulas", small(prose("식 $$x^2$$", "formula")), "formulas ['$$x^2$$'] in ko"),
    ("same_links", small(prose("[글](a.md)", "[text](b.md)")), "links ['a.md'] in ko"),
    ("no_literal_markup", small(prose("**어텐션(attention)**은", "a")), "literal *"),
    ("colors_without_lightness", small(prose("가장 진한 칸은 0.9이다.", "a")), "on a dark page"),
    ("colors_without_lightness", small(prose("가", "The darkest cells are 0.9.")), "on a dark page"),
    ("no_literal_markup", small(prose("**`softmax`**는", "a")), "literal *"),
    ("no_literal_markup", small(prose("**$d_k$**로", "a")), "literal *"),
    ("no_literal_markup", small(prose("_어텐션(attention)_은", "a")), "literal _"),
    ("no_literal_markup", small(prose("토큰 <pad>는", "a")), "<pad> is taken for a tag"),
    ("no_literal_markup", small(prose("값은 $5입니다", "a")), "literal $"),
    ("no_literal_markup", small(prose("3~5개나 7~9개", "a")), "literal ~"),
    (
        "no_literal_markup",
        small(new_markdown_cell("<details>\n**굵게**\n</details>")),
        "Markdown inside HTML",
    ),
    ("words_of_the_glossary", small(prose("쿼리와 열쇠와 값", "a")), "cell 5: 열쇠: say 키"),
    ("words_of_the_glossary", small(code("1", "드랍아웃")), "드랍아웃: say 드롭아웃"),
    ("words_of_the_glossary", small(prose("스킵 연결, 스킵 연결", "a")), "스킵 연결: name it once"),
    ("words_of_the_glossary", small(prose("가", "a colour")), "colour: say the American spelling"),
    (
        "new_lines_are_marked",
        small(code("def f(self, x):\n    return self.g(x)  # new\n\n\nNorm.f = f")),
        "Norm.f: return self.g(x)  # new",
    ),
    ("plain_python", small(code("%matplotlib inline")), "not plain Python"),
    ("plain_python", small(code("!ls")), "not plain Python"),
    ("plain_python", small(code("await x")), "not plain Python"),
    ("plain_python", small(code('"\\d"')), "not plain Python"),
    ("plain_python", small(code("get_ipython().run_line_magic('time', '')")), "get_ipython"),
    ("rhythm", small(code(), code(), code(), code()), "cell 8: the fourth code cell in a row"),
    (
        "rhythm",
        small(prose("글", "a"), prose("글", "a"), prose("글", "a")),
        "cell 7: the fourth markdown cell",
    ),
    ("rhythm", small(code("x = 1\n" * 46)), "cell 5: 46 lines"),
    ("rhythm", small(code("class X:\n" + "    x = 1\n" * 60)), "cell 5: 61 lines"),
    ("rhythm", small(code("x = 1\n" * 16), code("x = 1\n" * 16), code("x = 1\n" * 16)), "the median"),
    ("run_in_order", not_run(None), "execution count None, expected 2"),
    ("run_in_order", not_run(7), "execution count 7, expected 2"),
    ("no_errors_or_warnings", small(new_code_cell("1", outputs=[error])), "stored error ValueError"),
    ("no_errors_or_warnings", small(code("1", "100%", name="stderr")), "stored stderr"),
    ("no_errors_or_warnings", small(code("1", "UserWarning: no")), "stored warning"),
    ("nothing_of_this_machine", small(code("1", "/home/ann/x.py")), "path '/home/'"),
    ("nothing_of_this_machine", small(code("open('/tmp/x')")), "path '/tmp/'"),
    ("nothing_of_this_machine", small(prose("C:\\Users", "C:\\Users")), "path 'C:"),
    (
        "nothing_of_this_machine",
        small(new_code_cell("1", outputs=[timed])),
        "memory address '0x7f3a5c01b2d0'",
    ),
    ("nothing_of_this_machine", small(code("1", "at 12:30:59")), "timestamp '12:30:59'"),
    ("nothing_of_this_machine", small(code("1", "2024-01-31")), "timestamp '2024-01-31'"),
    ("no_widgets", small(new_code_cell("1", outputs=[widget])), "widget-view"),
    ("no_widgets", changed(metadata={"widgets": {}}), "metadata: widgets"),
    ("no_semicolon_at_the_end", small(code("f(1);")), "cell 5: ends with a semicolon"),
    ("drawing_folded", small(tagged("1", "drawing")), "cell 5: tagged drawing, expected one picture"),
    ("drawing_folded", small(pictured({}, "Canvas(2, 1)")), "cell 5: draws a diagram, expected the tag"),
    ("figures_described", small(pictured({})), "cell 5: a figure without a description"),
    ("figures_of_their_code", drawn(source="2"), f"cell 6: {OTHER_CODE}"),
    ("figures_of_their_code", drawn(above="2"), f"cell 6: {OTHER_CODE}"),
    ("figures_of_their_code", drawn(ko="ZW4=", en="a2s="), f"cell 6: {OTHER_PICTURE}"),
    ("figures_of_their_code", drawn(en="eA=="), f"cell 6: {OTHER_PICTURE}"),
    ("clean_file", small(tagged("1", "drawing")), "expected {'tags': ['drawing'], 'jupyter'"),
    ("clean_file", changed(nbformat_minor=4), "format 4.4"),
    ("clean_file", changed(metadata={"papermill": {}}), "metadata {'papermill'"),
    ("clean_file", small(new_code_cell("1", metadata={"execution": {}})), "cell 5: metadata {'execution'"),
    ("clean_file", small(pictured({"image/png": {"alt": ""}})), "metadata of an output"),
    ("clean_file", small(pictured({"image/png": {"alt": "곡선 · a curve", "width": 9}})), "'width': 9"),
    ("clean_file", small(pictured({"image/png": {"alt": "곡선 · a curve"}, "x": {}})), "'x': {}"),
    ("clean_file", small(code("1", "x" * 1_000_000)), "bytes"),
    ("setup_comes_first", small(tagged("1", "setup")), "tagged setup: [1, 3]"),
    ("setup_comes_first", changed(cells=[code()]), "tagged setup: []"),
    ("setup_is_short", small(tagged("x = 1\n" * 7, "setup")), "cell 5: 7 lines of setup"),
    ("every_cell_is_compared", small(tagged("1", "nbval-ignore-output")), "cell 5: not compared"),
    ("every_cell_is_compared", small(tagged("1", "nbval-skip")), "cell 5: not compared"),
    ("every_cell_is_compared", small(code("# NBVAL_IGNORE_OUTPUT\n1")), "cell 5: not compared"),
    ("tolerances_are_used", small(within("within-10%")), "within-10%; say within-N%"),
    ("tolerances_are_used", small(within("within-101%")), "within-101%; say within-N%"),
    ("tolerances_are_used", small(within("within-a-tenth")), "within-a-tenth; say within-N%"),
    ("tolerances_are_used", small(within("within-0")), "within-0; say within-N%"),
    ("tolerances_are_used", small(within("within-0.05", "within-0.2")), "one is enough"),
    ("tolerances_are_used", small(within("within-30%", "within-50%")), "one is enough"),
    ("tolerances_are_used", small(within("within-30%", output="0.31")), "the cell prints no ≈"),
    ("links_lead_somewhere", small(prose("[글](none.md)", "[text](none.md)")), "dead link none.md"),
    ("links_lead_somewhere", small(prose("![그림](none.png)", "a")), "dead link none.png"),
    ("links_lead_somewhere", small(prose('<img src="none.png">', "a")), "dead link none.png"),
    ("links_lead_somewhere", small(prose("[글](#9.2)", "a")), "dead link #9.2"),
]


def test_each_figure_in_the_language_that_is_chosen_names_its_code():
    """One without the checksum is as wrong as one with that of other code; pairs are no fault."""
    path = PATH.with_name("02_embedding.ipynb")
    for label in ("'키 key'", "f'층 layer {1}'", "'softmax 뒤'"):
        found = said("labels_in_one_language", small(tagged(f"plot({label})", "drawing")), path)
        assert found.startswith("cell 5: label ") and found.endswith(" in two languages; use plots.words")
    nameless = small(tagged("1", "drawing"))
    nameless.cells[-1].outputs = pictured({"image/png": {"alt": "곡선 · a curve"}}).outputs
    assert f"cell 5: {OTHER_CODE}" in said("figures_of_their_code", nameless, path)
    assert said("figures_of_their_code", drawn(), path) == said("clean_file", drawn(), path) == ""
    pair = small(tagged("plot(plots.words('키', 'key'), '파리')\nplots.show('키 key', 'key 키')", "drawing"))
    assert said("labels_in_one_language", pair, path) == ""


def said(name, nb, path=PATH):
    return "\n".join(next(rule for rule in RULES if rule.__name__ == name)(nb, path))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_good_notebook_passes(rule):
    assert rule(small(within("within-11%"), pictured({"image/png": {"alt": "곡선 · a curve"}})), PATH) == []
    assert rule(small(within("within-100%", "within-0.05")), PATH) == []


@pytest.mark.parametrize(("name", "nb", "phrase"), BROKEN, ids=[f"{row[0]}: {row[2]}" for row in BROKEN])
def test_broken_notebook_fails(name, nb, phrase):
    assert phrase in said(name, nb)


def test_every_rule_is_shown_to_fail():
    shown_below = {"definitions_as_in_helpers", "labels_in_one_language", "traps_shown"}
    assert {name for name, _, _ in BROKEN} | shown_below == {rule.__name__ for rule in RULES}


def test_good_links_pass():
    target = "#9.1-왜-√d로-나누나-·-Why-divide-by-√d"
    assert not said("links_lead_somewhere", small(prose(f"[글]({target})", '<a id="x"></a>[text](#x)')))


def test_traps_shown():
    assert said("traps_shown", small(), Path("02_x.ipynb")) == "all cells: no code cell is tagged D03"
    assert said("traps_shown", small(tagged("1", "D03")), Path("02_x.ipynb")) == ""


def test_every_defect_is_shown_in_one_chapter():
    shown = [trap for traps in rules_code.TRAPS.values() for trap in traps]
    assert sorted(shown) == [f"D{number:02}" for number in range(1, 45)]


def test_definitions(tmp_path):
    (tmp_path / "norm.py").write_text(
        'class Norm:\n    """Doc."""\n\n    def forward(self, x):\n        return x\n'
    )
    equal = small(code("class Norm:\n    def forward(self, x):\n        '''Other.'''\n        return x"))
    other = small(code("class Norm:\n    def forward(self, x):\n        return -x"))
    rule, built = rules_code.definitions_as_in_helpers, rules_code.helpers_built
    assert rule(equal, PATH, tmp_path) == []
    assert rule(other, PATH, tmp_path) == ["cell 5: Norm is not the one in helpers"]
    assert built([small(), equal], tmp_path) == []
    assert built([small()], tmp_path) == ["helpers.norm: Norm is built in no chapter"]


LATE = """
class Norm:
    def forward(self, x, scale=1, cache=None):
        past, first = (0, 0) if cache is None else cache.begin(x)
        if cache is not None and self in cache.memory:
            y = cache.memory[self]
        else:
            y = self.make(x[past:], first)
            if cache is not None:
                y = cache.append(self, y)
        return self.end(y, scale, cache=cache)
"""
EARLY = """
class Norm:
    def forward(self, x, scale=1):
        y = self.make(x)
        return self.end(y, scale)
"""
GIVEN = LATE.replace("class Norm:", "").replace("\n    ", "\n").replace("forward", "norm_forward")


def test_a_class_stands_in_two_stages(tmp_path):
    (tmp_path / "norm.py").write_text(LATE)
    rule, early, late = rules_code.definitions_as_in_helpers, Path("05_x"), Path("12_x")
    assert rule(small(code(EARLY)), early, tmp_path) == rule(small(code(LATE)), late, tmp_path) == []
    wrong = ["cell 5: Norm is not the one in helpers"]
    assert rule(small(code(LATE)), early, tmp_path) == rule(small(code(EARLY)), late, tmp_path) == wrong
    assert rule(small(code(EARLY.replace("y, scale", "y, 2"))), early, tmp_path) == wrong


def test_what_is_engine_stands_on_no_page(tmp_path):
    """Checks of input, what is remembered, how it is loaded; what they do for the rest is not taken out."""
    helper = """
class Words:
    def __init__(self, texts):
        texts = check_texts(texts)
        self.words = " ".join(texts).split()

    @classmethod
    def from_merges(cls, words):
        return cls([words])

    @remembered
    def encode(self, text):
        check_text(text)
        return find(self.words, check_text(text))
"""
    page = """
class Words:
    def __init__(self, texts):
        self.words = " ".join(texts).split()

    def encode(self, text):
        return find(self.words, check_text(text))
"""
    (tmp_path / "words.py").write_text(helper)
    rule = rules_code.definitions_as_in_helpers
    assert rule(small(code(page)), Path("17_x"), tmp_path) == []
    other = [helper, page.replace("split()", "split(',')"), page.replace("check_text(text)", "text")]
    for source in other:
        assert rule(small(code(source)), Path("17_x"), tmp_path) == [
            "cell 5: Words is not the one in helpers"
        ]


def test_an_attribute_may_be_a_later_name_too(tmp_path):
    late = """
class Norm:
    def __init__(self, size, dropout=0.0):
        self.size = size
        self.dropout = dropout

    def forward(self, x, need_weights=False):
        if x.dtype != torch.bool:
            raise ValueError
        if not need_weights:
            return fused(x, p=self.dropout)
        return slow(x)
"""
    early = """
class Norm:
    def __init__(self, size):
        self.size = size

    def forward(self, x):
        return slow(x)
"""
    (tmp_path / "norm.py").write_text(late)
    rule = rules_code.definitions_as_in_helpers
    assert rule(small(code(early)), Path("05_x"), tmp_path) == []
    assert rule(small(code(late)), Path("07_x"), tmp_path) == []
    assert rule(small(code(early)), Path("07_x"), tmp_path) == ["cell 5: Norm is not the one in helpers"]


def test_what_an_earlier_chapter_knew_is_not_new():
    unmarked = small(code("def f(self, x, cache=None):\n    return self.g(x)\n\n\nNorm.f = f"))
    assert "Norm.f: def f(self, x, cache=None):" in said("new_lines_are_marked", unmarked, Path("12_x.ipynb"))
    given = "def f(self, dropout):\n    return dropout\n\n\nNorm.forward = f"
    assert said("new_lines_are_marked", small(code(given)), Path("12_x.ipynb")) == ""
    assert "Norm.forward: return dropout" in said(
        "new_lines_are_marked", small(code(given)), Path("07_x.ipynb")
    )


def test_a_method_that_a_chapter_gives_is_the_one_in_helpers(tmp_path):
    (tmp_path / "norm.py").write_text(LATE)
    rule, late, gives = (
        rules_code.definitions_as_in_helpers,
        Path("12_x"),
        "\nNorm.forward = norm_forward",
    )
    assert rule(small(code(GIVEN + gives)), late, tmp_path) == []
    wrong = GIVEN.replace("past:", "past + 1:")
    assert rule(small(code(wrong + gives)), late, tmp_path) == [
        "cell 5: Norm.forward is not the method in helpers"
    ]


def test_setup_is_the_same():
    other = small()
    other.cells[1].source += "  # changed"
    plotting = small()
    plotting.cells[1].source = "import matplotlib.pyplot as plt\n" + plotting.cells[1].source
    assert rules_hygiene.setup_is_the_same([small(), small()]) == []
    assert rules_hygiene.setup_is_the_same([small(), plotting]) == []
    assert rules_hygiene.setup_is_the_same([small(), other]) == ["2 different setup cells"]


def test_links_of_a_readme(tmp_path):
    page = tmp_path / "README.md"
    text = "# 제목 · Title\n\n[a](#제목--title) [b](#no) [c](no.py) [d](README.md#제목--title) [e](https://x.y/z)"
    page.write_text(text, "utf-8")
    assert rules_hygiene.dead_links(text, page) == ["#no", "no.py"]


@pytest.mark.parametrize(
    "text",
    ["주의하세요.", "머리말", "물질의 성질", "국내적", "직선의 기울기", "손실 값", "BLEU 점수", "컬라벨"],
)
def test_innocent_words_pass(text):
    assert forbidden_terms(text) == []
