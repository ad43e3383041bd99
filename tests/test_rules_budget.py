"""Each rule for a chapter that is a way, or a depth, passes a good notebook and fails a broken one."""

import pytest
from nbformat.v4 import new_markdown_cell

import budget
import rules_budget
from small_notebooks import PATH, code, prose, small, tagged
from summary import write_summary

ENDING = "\n\n더 깊이: [왜?](a.md)", "\n\nDeeper: [Why?](a.md)"


def section(number, ending=("", "")):
    """A section with one takeaway in each language."""
    cell = prose(
        f'글.\n\n<p class="takeaway">요점 {number}.</p>{ending[0]}',
        f'Text.\n\n<p class="takeaway">Point {number}.</p>{ending[1]}',
    )
    cell.source = f"## 9.{number} 절 · Section\n\n{cell.source}"
    return cell


def way(*cells, sections=8, exercises=4):
    """A good short chapter, then the cells given, before its exercises and its summary."""
    nb = small(
        *(section(number, ENDING) for number in range(2, sections + 1)),
        *cells,
        new_markdown_cell("## 9.10 연습 · Exercises"),
        *(tagged("check(1)", "exercise") for _ in range(exercises)),
        new_markdown_cell("## 9.11 정리 · Summary", metadata={"tags": ["summary"]}),
        prose("다음 장으로.", "On to the next."),
    )
    first = nb.cells[2]
    for end, point in (("가 있습니다.", "요점 1."), ("has `<pad>`.", "Point 1.")):
        first.source = first.source.replace(end, f'{end}\n\n<p class="takeaway">{point}</p>')
    write_summary(nb)
    return nb


def depth(*cells, title="# 왜 나누나요? · Why divide?", answer="**No. It is so.** It is. It is.", sections=4):
    nb = way(*cells, sections=sections)
    nb.cells[0] = prose("그래서입니다.", answer)
    nb.cells[0].source = f"{title}\n\n<!-- colab -->\n\n{nb.cells[0].source}"
    return nb


def without_summary():
    nb = way()
    nb.cells[-2].metadata = {}
    return nb


def old_summary():
    nb = way()
    nb.cells[-2].source = nb.cells[-2].source.replace("- 요점 3.", "- 요점 셋.")
    return nb


twice = section(9)
twice.source += "\n\n" + section(9).source.partition("\n\n")[2]
early = section(9, ("\n\n그리고 더.", "\n\nAnd more."))
silent = new_markdown_cell("## 9.9 절 · Section\n\n" + prose("글.", "Text.").source)
many = prose("글 " * 1500, "word " * 1990)
BROKEN = [  # rule, a notebook that breaks it, what the rule says
    ("few_words", way(many), "English words, at most 2,000"),
    ("few_lines", way(*[code("x = 1\n" * 30)] * 8), "visible lines of code, at most 230"),
    ("few_lines", way(new_markdown_cell("```\n" + "x\n" * 240 + "```")), "at most 230"),
    ("sections_of_a_way", way(sections=6), "6 sections, expected 7 to 9"),
    ("sections_of_a_way", way(sections=10), "10 sections"),
    ("sections_of_a_way", way(exercises=3), "3 exercises, expected 4 or 5"),
    ("short_cells", way(code("x = 1\n" * 31)), "31 visible lines, at most 30"),
    ("a_takeaway_a_section", way(silent), "9.9 절 · Section: 0 takeaways"),
    ("a_takeaway_a_section", way(twice), "9.9 절 · Section: 2 takeaways"),
    ("a_takeaway_a_section", way(early), "9.9 절 · Section: the takeaway is not the last line"),
    ("summary_is_the_takeaways", without_summary(), "0 cells tagged summary"),
    ("summary_is_the_takeaways", old_summary(), "summary: is not the takeaways"),
    ("tables_by_one_call", way(code('print(f"{name:10} {x:.2f}")')), ":10 lays out a column"),
    ("tables_by_one_call", way(code('f"{x:>8}"')), ":>8 lays out"),
    ("tables_by_one_call", way(code('f"{x:6.2f}"')), ":6.2f lays out"),
    ("tables_by_one_call", way(code('f"{x:{width}}"')), ":{width} lays out"),
    ("tables_by_one_call", way(code('print("loss    seed")')), "spaces lay out 'loss    seed'"),
    ("size_of_a_depth", depth(many), "English words, at most 1,000"),
    ("size_of_a_depth", depth(*[code("x = 1\n" * 30)] * 4), "at most 110"),
    ("size_of_a_depth", depth(sections=8), "8 sections, expected 3 to 7"),
    ("title_asks", depth(title="# 나누기 · Dividing"), "asks no question"),
    (
        "title_asks",
        depth(answer="Is one. Is two. Is three. Is four."),
        "the answer in en has more than three sentences",
    ),
]
ALL = {rule.__name__: rule for rule in rules_budget.RULES + rules_budget.RULES_OF_DEPTHS}


@pytest.mark.parametrize("rule", rules_budget.RULES, ids=lambda rule: rule.__name__)
def test_a_good_way_passes(rule):
    fine = code('print(f"{x:.2f} {n:,} {n:02} {s:.0%} {x:+.1f}")')
    assert rule(way(fine, code("class X:\n" + "    x = 1\n" * 40)), PATH) == []


@pytest.mark.parametrize("rule", rules_budget.RULES_OF_DEPTHS, ids=lambda rule: rule.__name__)
def test_a_good_depth_passes(rule):
    assert rule(depth(), PATH) == []


@pytest.mark.parametrize(("name", "nb", "phrase"), BROKEN, ids=[f"{row[0]}: {row[2]}" for row in BROKEN])
def test_a_broken_one_fails(name, nb, phrase):
    assert phrase in "\n".join(ALL[name](nb, PATH))


def test_every_rule_is_shown_to_fail():
    assert {name for name, _, _ in BROKEN} == ALL.keys()


def test_what_is_counted():
    folded = new_markdown_cell("<details>\n<summary>풀이 · Solution</summary>\n\n```\nx\n```\n\n</details>")
    picture = tagged("x = 1\n" * 5, "drawing")
    nb = small(
        prose("두 단어", 'three <b class="c">more</b> `a b` $a + b$ - [x y](https://z)'), folded, picture
    )
    assert budget.words(nb) - budget.words(small()) == 6
    assert budget.words(nb, "ko") - budget.words(small(), "ko") == 2
    assert budget.lines(nb) == budget.lines(small()) == 2


def test_the_table_of_counts(tmp_path, capsys):
    import nbformat

    nbformat.write(way(), tmp_path / "99_small.ipynb")
    budget.show([tmp_path / "99_small.ipynb"])
    header, row = capsys.readouterr().out.splitlines()
    assert header.split()[0] == "notebook" and row.split()[3:] == ["6", "8", "1", "4", "8"]
