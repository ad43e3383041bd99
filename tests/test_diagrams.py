"""Diagrams and figures: where arrows meet a thing, what does not fit, and the description of a picture."""

import logging

import matplotlib
import matplotlib.pyplot as plt
import pytest
import torch
from nbclient import NotebookClient

from helpers import lesson
from helpers.figures import plots
from helpers.figures.diagrams import Canvas
from helpers.figures.plots import BLUE, ORANGE
from small_notebooks import code, small

WORDS = "나는 최근 파리 여행을 다녀왔다".split()


@pytest.fixture
def canvas():
    matplotlib.use("Agg")
    with matplotlib.rc_context():
        plots.use_style()
        yield Canvas(20, 12)
        plt.close("all")


def extents(canvas):
    """{text: (left, bottom, right, top) in cells} of what is written."""
    return {text.get_text(): canvas._extent(text) for text in canvas.axes.texts if text.get_text()}


def test_a_box_meets_arrows_in_the_middle_of_its_sides(canvas):
    box = canvas.box("softmax", 3, 4, 6, 2)
    assert box == ((3, 5), (9, 5), (6, 6), (6, 4), (6, 5))


def test_a_bare_tensor_meets_arrows_at_its_cells(canvas):
    box = canvas.tensor((5, 4), 3, 2, shape="", cell=0.5)
    assert box == ((3, 3.25), (5, 3.25), (4, 4.5), (4, 2), (4, 3.25))


def test_arrows_keep_clear_of_the_labels_of_a_tensor(canvas):
    keys = [f"{word} key" for word in WORDS]
    box = canvas.tensor(torch.rand(5, 5), 5, 3, "가중치 weights", rows=WORDS, columns=keys)
    written = extents(canvas)
    assert box.left[0] == min(left for left, *_ in written.values()) < 5 - 0.5
    assert box.top[1] == written["가중치 weights"][3] > 8 + 0.5
    assert box.bottom[1] == written["(5, 5)"][1] < 3
    assert written["가중치 weights"][1] > max(written[key][3] for key in keys)
    assert box.right == (10, 5.5) and box.left[1] == 5.5 and box.top[0] == 7.5


def test_an_arrow_that_is_almost_level_is_level(canvas):
    for end in ((9, 3.1), (2.1, 9), (9, 3.5)):
        canvas.arrow((2, 3), end)
    ends = [arrow.xy for arrow in canvas.axes.texts if hasattr(arrow, "xy")]
    assert ends == [(9, 3), (2, 9), (9, 3.5)]


def test_a_cell_shows_size_and_sign(canvas):
    canvas.tensor([[0.0, 1.0, -2.0, -torch.inf]], 3, 3, color=(BLUE, ORANGE), numbers=True)
    white, pale, dark, masked = [patch.get_facecolor() for patch in canvas.axes.patches]
    assert white[:3] == (1, 1, 1) and len(set(masked[:3])) == 1
    assert pale[0] < pale[2] and dark[0] > dark[2]  # blue, orange
    assert min(dark) < min(pale)
    assert [text.get_text() for text in canvas.axes.texts][:4] == ["0.0", "1.0", "-2.0", "-∞"]


def test_whole_numbers_have_no_point_and_no_number_is_minus_zero(canvas):
    canvas.tensor(torch.tensor([[True, False]]), 3, 3, numbers=True)
    canvas.tensor([[-0.04, 0.06]], 3, 6, numbers=True)
    texts = [text.get_text() for text in canvas.axes.texts]
    assert texts[:2] == ["1", "0"] and {"0.0", "0.1"} < set(texts)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda c: c.tensor(torch.ones(1, 2, 3), 0, 0), r"values: shape is \(1, 2, 3\); give one matrix"),
        (lambda c: c.tensor((2, 3), 0, 0, rows=WORDS), "rows: 5 labels; values has 2 rows"),
        (lambda c: c.tensor((2, 3), 0, 0, columns=WORDS), "columns: 5 labels; values has 3 columns"),
        (lambda c: c.tensor([[0.5]], 0, 0, cell=0.5, numbers=True), r"cell: 0.5 is too small .*'0.5'"),
        (lambda c: c.tensor((5, 2), 0, 0, cell=0.2, rows=WORDS), r"cell: 0.2 is too small .*'나는'"),
        (lambda c: c.box("attention", 0, 0, 1.5, 1), r"width, height: 1.5, 1 is too small .*'attention'"),
    ],
)
def test_what_does_not_fit_is_refused(canvas, draw, message):
    with pytest.raises(ValueError, match=f"^{message}") as error:
        draw(canvas)
    assert "\n" not in str(error.value)


def test_text_shrinks_into_its_box(canvas):
    canvas.box("멀티 헤드 어텐션", 2, 2, 4.5, 1)
    left, bottom, right, top = extents(canvas)["멀티 헤드 어텐션"]
    assert 2 < left < right < 6.5 and 2 < bottom < top < 3


@pytest.mark.filterwarnings("error")
def test_every_glyph_is_there(canvas, caplog):
    values = torch.randn(5, 5).masked_fill(torch.ones(5, 5).triu(1).bool(), -torch.inf)
    title = "스코어 scores = q·kᵀ / √d_k → softmax"
    canvas.tensor(values, 4, 3, title, rows=WORDS, columns=WORDS, numbers=True)
    canvas.arrow((10, 5), (14, 5), "W_O: 16 → 16", bend=0.2)
    canvas.arrow((14, 5), (18, 9), "$×$ α β ∞ ≈ −", corners=[(18, 5)])
    with caplog.at_level(logging.WARNING):
        canvas.figure.canvas.draw()
    assert not caplog.records


@pytest.mark.parametrize(
    ("choice", "description"), [("ko", "한 상자"), ("en", "a box"), ("both", "한 상자 · a box")]
)
def test_the_description_is_in_the_chosen_language(choice, description, canvas, monkeypatch):
    monkeypatch.setattr("IPython.display.display", lambda _: None)
    monkeypatch.setattr(plt, "show", lambda: None)
    lesson.language(choice)
    plt.figure()  # not the canvas
    canvas.show("한 상자", "a box")
    assert canvas.figure.get_label() == description


def test_a_picture_in_a_notebook_has_its_description():
    nb = small(code(DRAWING, ""))
    NotebookClient(nb, timeout=120).execute()
    (picture,) = nb.cells[-1].outputs
    assert picture.output_type == "display_data"
    assert picture.metadata["image/png"]["alt"] == "직선 · a line"
    assert picture.data["image/png"].startswith("iVBORw0KGgo")  # a PNG


DRAWING = """import matplotlib.pyplot as plt
from helpers.figures import plots
plt.plot([1, 2])
plots.show("직선", "a line")
assert not plt.get_fignums()"""
