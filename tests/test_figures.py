"""Figures in the language that is chosen, small, and dark; chapters store them in each."""

import base64
import io

import nbformat
import numpy as np
import pytest
from matplotlib import pyplot as plt
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image

import editions
import lab
import refresh
from dark import PAPER, dark, darkened, oklab
from halve import halves
from helpers.engine.languages import STYLE, lines, speak, words
from helpers.figures import plots
from helpers.figures.diagrams import Canvas
from notebook_parts import code_cells, tags
from project import ROOT, chapters, depths
from trim import MARGIN, trimmed

HUES = (plots.BLUE, plots.ORANGE, plots.GREEN, plots.RED, plots.PURPLE)
SETUP = """from matplotlib import pyplot as plt
from helpers.figures import plots
from helpers.engine.languages import speak
import torch
plots.use_style()
torch.manual_seed(0)
speak("both")"""
DRAWING = """plt.plot(torch.rand(3))
plt.xlabel(plots.words("키", "key"), fontsize=9)
plots.show("직선", "a line")"""
AFTER = "torch.rand(1)"


@pytest.mark.parametrize(
    "choice, label, two", [("ko", "키", "키"), ("en", "key", "key"), ("both", "키 · key", "키\nkey")]
)
def test_a_label_is_in_the_chosen_language(choice, label, two):
    speak(choice)
    assert (words("키", "key"), lines("키", "key")) == (label, two)


def test_a_pair_or_a_text_without_a_language_is_a_label_too():
    speak("both")
    assert (words(("키", "key")), words("θ")) == ("키 · key", "θ")


def test_a_gloss_is_enough_for_both_languages():
    assert words("파리", "파리 Paris") == lines("파리", "파리 Paris") == "파리 Paris"


@pytest.mark.parametrize("choice, other", [("ko", r"[a-z]{3}"), ("en", "[가-힣]")])
def test_the_figures_of_helpers_speak_one_language(choice, other, hangul_or_latin):
    speak(choice)
    plots.attention_heatmap([[1.0]], ["1"], ["1"])
    axes = plt.gca()
    assert not hangul_or_latin(other, [axes.get_xlabel(), axes.get_ylabel()])
    for shapes in (None, [["(5)"] * 7, ["(5)"] * 10]):
        figure = plots.model_map(["01"], ["02"], shapes)
        labels = [text.get_text() for text in figure.axes[0].texts]
        assert len(labels) > 30 and not hangul_or_latin(other, labels)


@pytest.fixture
def hangul_or_latin():
    """Whether a label, other than the sentences of the example, holds what it should not."""
    import re

    example = re.compile("Paris|trip|최근")
    yield lambda pattern, labels: [
        label for label in labels if re.search(pattern, label) and not example.search(label)
    ]
    plt.close("all")


@pytest.fixture(scope="module")
def chapter(tmp_path_factory):
    """A small chapter as `make notebooks` stores it."""
    path = tmp_path_factory.mktemp("notebooks") / "01_small.ipynb"
    cells = [new_code_cell(source) for source in (SETUP, DRAWING, AFTER)]
    cells[1].metadata["tags"] = ["drawing"]
    nbformat.write(new_notebook(cells=cells), path)
    assert refresh.refresh(path) is None
    return path


@pytest.fixture(scope="module")
def executed():
    """What the chapter shows where a reader executes it, by language."""
    sources = [SETUP.replace("both", choice) for choice in editions.LANGUAGES]
    cells = [new_code_cell(code) for setup in sources for code in (setup, DRAWING, AFTER)]
    NotebookClient(new_notebook(cells=cells), timeout=120).execute()
    return {choice: cells[3 * i + 1 : 3 * i + 3] for i, choice in enumerate(editions.LANGUAGES)}


@pytest.mark.parametrize("choice", editions.LANGUAGES)
def test_an_edition_has_the_very_picture_that_its_language_draws(choice, chapter, executed):
    stored = editions.in_language(nbformat.read(chapter, as_version=4), choice)
    [picture], [after] = (cell.outputs for cell in editions.with_one_picture(stored).cells[1:])
    [wanted], [number] = (cell.outputs for cell in executed[choice])
    assert picture.data["image/png"] == wanted.data["image/png"]
    assert after.data == number.data  # to draw three times takes no random number more
    assert set(picture.metadata["image/png"]) == {"alt"}
    assert set(wanted.metadata["image/png"]) == {"alt", "smallest_label"}  # a reader stores one picture


def test_the_cells_of_a_chapter_are_numbered_in_order(chapter):
    assert [cell.execution_count for cell in nbformat.read(chapter, as_version=4).cells] == [1, 2, 3]


def test_a_stored_figure_has_three_pictures_and_the_size_of_its_smallest_label(chapter):
    picture = nbformat.read(chapter, as_version=4).cells[1].outputs[0]
    about = picture.metadata["image/png"]
    assert len({picture.data["image/png"], about["ko"], about["en"]}) == 3
    assert about["smallest_label"] == 12.5  # 9 points at 100 dpi


def test_a_copy_of_the_lab_has_the_pictures_of_its_language(chapter):
    about = nbformat.read(chapter, as_version=4).cells[1].outputs[0].metadata["image/png"]
    copy = nbformat.reads(lab.copied(chapter, "ko").decode(), as_version=4)
    assert copy.cells[1].outputs[0].data["image/png"] == about["ko"]


@pytest.mark.parametrize("code, kept", [("of other code", False), (None, True)])
def test_refresh_draws_anew_what_other_code_drew(code, kept, chapter, monkeypatch):
    """Though git knows the picture with this code: somebody has committed both without drawing it anew."""
    monkeypatch.setattr(refresh, "drawn_by", lambda *_: True)
    stored, now = (nbformat.read(chapter, as_version=4) for _ in range(2))
    stored.cells[1].outputs[0].data["image/png"] = "b2xk"
    about = stored.cells[1].outputs[0].metadata["image/png"]
    about["code"] = code or about["code"]
    refresh.keep_what_holds(stored, now, chapter)
    assert (now.cells[1].outputs[0].data["image/png"] == "b2xk") == kept


def test_a_picture_keeps_its_most_frequent_colors():
    canvas = Canvas(4, 4)
    canvas.axes.imshow(np.random.default_rng(0).random((60, 60)), extent=(0, 4, 0, 4), cmap="twilight")
    canvas.axes.plot([0, 4], [0, 4], color="#123456", linewidth=20)
    picture = Image.open(io.BytesIO(plots.as_png(canvas.figure)))
    plt.close(canvas.figure)
    assert picture.mode == "P"
    found = {color for _, color in picture.convert("RGB").getcolors(99_999)}
    assert (0x12, 0x34, 0x56) in found and (255, 255, 255) in found


def rgb(*colors):
    return np.array([[int(color[i : i + 2], 16) for i in (1, 3, 5)] for color in colors])


def luminance(colors):
    linear = np.where(colors / 255 <= 0.04045, colors / 255 / 12.92, ((colors / 255 + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    lighter, darker = np.maximum(one, other), np.minimum(one, other)
    return (lighter + 0.05) / (darker + 0.05)


def test_white_becomes_the_paper_of_the_dark_page():
    assert (dark(rgb("#FFFFFF")) == PAPER).all()
    assert "--paper: #16181c" in (ROOT / "tests" / "workbench" / "web" / "site.css").read_text("utf-8")


def test_a_named_color_stays_what_it_is_called():
    before, after = oklab(rgb(*HUES)), oklab(dark(rgb(*HUES)))
    hues = [np.degrees(np.arctan2(lab[:, 2], lab[:, 1])) for lab in (before, after)]
    assert np.abs((hues[1] - hues[0] + 180) % 360 - 180).max() < 12
    assert (np.hypot(after[:, 1], after[:, 2]) > 0.08).all()  # and is no gray
    apart = np.linalg.norm(after[:, None] - after, axis=2) + np.eye(len(HUES))
    assert apart.min() > 0.08
    assert (contrast(luminance(dark(rgb(*HUES))), luminance(PAPER[None])) > 3.5).all()


@pytest.mark.parametrize(
    "inks, paper", [(("#000000", "#333333", "#555555"), "#FFFFFF"), (["#FFFFFF"], "#08306B")]
)
def test_text_stands_out_from_what_it_stands_on(inks, paper):
    assert (contrast(luminance(dark(rgb(*inks))), luminance(dark(rgb(paper)))) > 7).all()


@pytest.mark.parametrize("fill", ["#F6C667", "#FFF3D6", "#F2F2F2", "#E9F1F7", "#6BAED6"])
def test_black_text_can_be_read_on_what_was_light(fill):
    assert contrast(luminance(dark(rgb("#000000"))), luminance(dark(rgb(fill)))) > 4


def test_more_of_a_weight_stays_more():
    """In the dark a heat map goes from the paper to a light blue, without a step back."""
    ramp = np.round(plt.get_cmap("Blues")(np.linspace(0, 1, 40))[:, :3] * 255)
    lightness = oklab(dark(ramp))[:, 0]
    assert (np.diff(lightness) > -0.004).all() and lightness[-1] - lightness[0] > 0.5


def test_a_dark_picture_differs_in_its_palette_alone():
    figure = plt.figure(figsize=(2, 1))
    figure.text(0.1, 0.5, "x", color=plots.RED)
    picture = plots.as_png(figure)
    plt.close(figure)
    one, other = (Image.open(io.BytesIO(data)) for data in (picture, darkened(picture)))
    assert (np.asarray(one) == np.asarray(other)).all() and one.getpalette() != other.getpalette()
    full = io.BytesIO()
    one.convert("RGB").save(full, format="png")  # as chapters had them
    again = Image.open(io.BytesIO(darkened(full.getvalue())))
    assert (np.asarray(again.convert("RGB")) == np.asarray(other.convert("RGB"))).all()


@pytest.mark.parametrize("path", chapters() + depths(), ids=lambda path: path.stem)
def test_no_figure_is_in_two_languages(path):
    """Where a figure has a label in words, its pictures in the two languages differ."""
    for i, cell in code_cells(nbformat.read(path, as_version=4)):
        if "drawing" in tags(cell):
            [output] = cell.outputs
            about = output.metadata["image/png"]
            assert about["smallest_label"] > 8.5, i
            spoken = any(
                name in cell.source for name in ("plots.words", "plots.lines", "model_map", "heatmap")
            )
            assert spoken == bool({"ko", "en"} & set(about)), i  # one of them may be that in both
            for language in {"ko", "en"} & set(about):
                assert base64.b64decode(about[language]).startswith(b"\x89PNG")


@pytest.mark.parametrize("light", ["true", "false"])
def test_in_the_dark_theme_of_jupyterlab_a_figure_is_dark_and_its_hues_stay(page, light):
    picture = Image.fromarray(rgb("#FFFFFF", *HUES[:4]).astype(np.uint8)[None].repeat(8, 0).repeat(8, 1))
    file = io.BytesIO()
    picture.save(file, format="png")
    shown = f'<img alt="a" src="data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}">'
    page.set_content(
        f'<style>{STYLE}</style><body data-jp-theme-light={light}><div class="jp-Notebook">'
        f'<span class="course-en"></span><div class="jp-RenderedImage">{shown}</div></div>'
    )
    drawn = Image.open(io.BytesIO(page.locator("img").screenshot())).convert("RGB")
    paper, *hues = [np.array(drawn.getpixel((8 * i + 4, 4))) for i in range(5)]
    assert (paper.max() < 60) == (light == "false") and (paper.min() > 250) == (light == "true")
    before, after = oklab(rgb(*HUES[:4])), oklab(np.array(hues))
    angles = [np.degrees(np.arctan2(lab[:, 2], lab[:, 1])) for lab in (before, after)]
    assert np.abs((angles[1] - angles[0] + 180) % 360 - 180).max() < 35


@pytest.mark.parametrize("mode", ["RGB", "P"])
def test_only_a_margin_stays_empty_around_a_picture(mode):
    image = Image.new("RGB", (200, 100), "white")
    image.paste("black", (60, 2, 150, 37))
    for one, size in ((image, (90 + 2 * MARGIN, 35 + 2 + MARGIN)), (Image.new("RGB", (9, 9)), (9, 9))):
        file = io.BytesIO()
        one.convert(mode).save(file, format="png")
        found = Image.open(io.BytesIO(trimmed(file.getvalue())))
        assert (found.size, found.mode) == (size, mode)
    assert found.convert("RGB").getpixel((0, 0)) == (0, 0, 0)


def panels(*edges, height=40):
    """A picture of boxes from the first to the second edge, from the third to the fourth, and so on."""
    image = Image.new("RGB", (edges[-1] + 5, height), "white")
    for left, right in zip(edges[::2], edges[1::2], strict=True):
        image.paste("black", (left, 5, right, height - 5))
    file = io.BytesIO()
    image.save(file, format="png")
    return file.getvalue()


@pytest.mark.parametrize(
    ("edges", "found"),
    [
        ((5, 100, 120, 215), [(0, 110), (110, 110)]),
        ((5, 90, 98, 108, 128, 215), [(0, 118), (118, 102)]),  # a label, and the gap after it is wider
        ((5, 60, 72, 130, 142, 200), [(0, 136), (136, 69)]),  # of two the nearer to the middle
        ((5, 100, 103, 200), []),  # too near
        ((5, 200), []),
    ],
)
def test_a_picture_is_cut_where_nothing_is(edges, found):
    assert halves(panels(*edges)) == found
