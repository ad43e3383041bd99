"""Figures in one style. matplotlib is imported when something is drawn."""

import io
from importlib.util import find_spec
from pathlib import Path

BLUE, ORANGE, GREEN = "#0072B2", "#E69F00", "#009E73"  # color-blind-safe, as are these:
RED, PURPLE, GREY = "#D55E00", "#CC79A7", "#999999"
HANGUL_FONTS = ("Course Hangul", "NanumGothic", "Malgun Gothic", "Apple SD Gothic Neo", "Noto Sans CJK KR")

# The map of the model, from the bottom up: height, the chapters that build the part, its name.
INPUT = [(0.0, "01", "토큰 tokens"), (1.0, "02", "임베딩 embedding"), (2.0, "03", "위치 positions")]
ENCODER = [
    (3.5, "04 05 06", "셀프 어텐션 self-attention"),
    (4.5, "07", "잔차 + 층 정규화 add & norm"),
    (5.5, "07", "피드포워드 feed-forward"),
    (6.5, "07", "잔차 + 층 정규화 add & norm"),
]
DECODER = [
    (3.5, "04 05 06", "마스크 어텐션 masked attention"),
    (4.5, "07", "잔차 + 층 정규화 add & norm"),
    (5.5, "04 05 06 09", "크로스 어텐션 cross-attention"),
    (6.5, "07", "잔차 + 층 정규화 add & norm"),
    (7.5, "07", "피드포워드 feed-forward"),
    (8.5, "07", "잔차 + 층 정규화 add & norm"),
]
OUTPUT = [(10.0, "10", "선형 + 소프트맥스 linear + softmax")]


def use_style():
    """Set the course's style and a font that has Hangul.

    A string that mixes Hangul with `$math$`, or bold Hangul, does not render: write √d_k instead of math.
    """
    import matplotlib.pyplot as plt
    from matplotlib import font_manager

    files = [Path(__file__).parent / "fonts" / "CourseHangul.ttf"]  # only in the one-file editions
    if package := find_spec("koreanize_matplotlib"):
        files.append(Path(package.origin).parent / "fonts" / "NanumGothic.ttf")
    for file in filter(Path.exists, files):
        font_manager.fontManager.addfont(file)
    known = {font.name for font in font_manager.fontManager.ttflist}
    hangul = [name for name in HANGUL_FONTS if name in known][:1]
    if not hangul:
        print("한글 글꼴이 없습니다 · no Hangul font: pip install --no-deps koreanize-matplotlib")
    plt.rcParams.update(
        {
            "font.family": ["DejaVu Sans", *hangul],
            "font.size": 10,
            "figure.dpi": 100,
            "figure.figsize": (6.4, 3.6),
            "figure.constrained_layout.use": True,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.prop_cycle": plt.cycler(color=[BLUE, ORANGE, GREEN, RED, GREY]),
            "image.cmap": "Blues",
            "legend.frameon": False,
        }
    )


def show(ko, en):
    """Show the current figure with a description for those who do not see it, and close it.

    Args:
        ko: what the figure shows, in Korean.
        en: the same in English.
    """
    import matplotlib.pyplot as plt

    figure = plt.gcf()
    figure.set_label(f"{ko} · {en}")
    if not in_notebook():
        return plt.show()
    from IPython.display import Image, display

    data = io.BytesIO()
    figure.savefig(data, format="png", facecolor="white", bbox_inches="tight")
    plt.close(figure)
    display(Image(data=data.getvalue(), format="png", alt=figure.get_label()))


def in_notebook():
    """True where IPython runs the code and can display a picture."""
    if find_spec("IPython") is None:
        return False
    from IPython import get_ipython

    return get_ipython() is not None


def attention_heatmap(weights, queries, keys, ax=None, title=None):
    """Draw attention weights: one row per query, one column per key, numbers where there is room.

    Args:
        weights: (T_q, T_k), tensor or nested list.
        queries: T_q labels for the rows.
        keys: T_k labels for the columns.
        ax: matplotlib axes; a new figure if None.

    Returns:
        The axes.

    Raises:
        ValueError: the labels do not fit the weights.
    """
    import matplotlib.pyplot as plt
    import torch

    weights = torch.as_tensor(weights).detach().cpu()
    if weights.shape != (len(queries), len(keys)):
        raise ValueError(
            f"weights: shape {tuple(weights.shape)}; labels ask for ({len(queries)}, {len(keys)})"
        )
    if ax is None:
        _, ax = plt.subplots(figsize=(1.6 + 0.65 * len(keys), 1.2 + 0.5 * len(queries)))
    ax.imshow(weights.numpy(), vmin=0, vmax=1, aspect="auto")
    ax.set_xticks(range(len(keys)), keys, rotation=30 if len(keys) > 6 else 0, parse_math=False)
    ax.set_yticks(range(len(queries)), queries, parse_math=False)  # a $ is a $
    ax.set(xlabel="키 key", ylabel="쿼리 query", title=title)
    ax.spines[:].set_visible(False)
    if len(queries) * len(keys) <= 64:
        for row in range(len(queries)):
            for column in range(len(keys)):
                weight = weights[row, column].item()
                ax.text(
                    column,
                    row,
                    f"{weight:.2f}",
                    ha="center",
                    va="center",
                    color="white" if weight > 0.6 else "black",
                )
    return ax


def model_map(chapter=None, shapes=None):
    """Draw the encoder-decoder with the parts that a chapter builds lit; None lights everything.

    Args:
        chapter: number of a chapter, e.g. 4.
        shapes: two lists of shapes to write beside the arrows, from the ids up, of the encoder's column and
            the decoder's; None writes none.

    Returns:
        The matplotlib figure.
    """
    import matplotlib.pyplot as plt
    from matplotlib.patches import FancyBboxPatch

    figure, ax = plt.subplots(figsize=(9.0, 5.6))
    ax.set(xlim=(-0.35, 10.55), ylim=(-1.2, 11.8))
    ax.axis("off")

    def lit(chapters):
        return chapter is None or chapter >= 10 or f"{chapter:02d}" in chapters

    def box(x, y, width, height, colour, edge):
        shape = "round,pad=0,rounding_size=0.12"
        ax.add_patch(FancyBboxPatch((x, y), width, height, boxstyle=shape, facecolor=colour, edgecolor=edge))

    def arrow(*points):
        ax.plot(*zip(*points, strict=True), color="#555555", linewidth=1)
        style = {"arrowstyle": "-|>", "color": "#555555", "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", points[-1], points[-2], arrowprops=style)

    for column, (x, source, stack, chapters, name, end) in enumerate(
        (
            (0, "나는 최근 파리 여행을 다녀왔다", ENCODER, "08", "인코더 encoder × N", []),
            (6, "<bos> I recently took a trip to Paris.", DECODER, "09", "디코더 decoder × N", OUTPUT),
        )
    ):
        bottom, top = stack[0][0] - 0.2, stack[-1][0] + 0.9
        box(x - 0.2, bottom, 4.6, top - bottom, "#FFF3D6" if lit(chapters) else "#FAFAFA", "#BBBBBB")
        ax.text(x + 4.4, top + 0.1, f"{name} ({chapters})", ha="right", va="bottom", fontsize=8.5)
        ax.text(x + 2.1, -0.9, source, ha="center", fontsize=9)
        parts = [*INPUT, *stack, *end]
        for y, built_in, label in parts:
            box(x, y, 4.2, 0.7, "#F6C667" if lit(built_in) else "#EEEEEE", "#777777")
            ax.text(x + 0.15, y + 0.32, label, va="center", fontsize=8.5)
            ax.text(x + 4.1, y + 0.32, built_in, ha="right", va="center", fontsize=7, color="#555555")
        for below, above in zip(
            [-0.55, *(part[0] + 0.7 for part in parts)], [part[0] for part in parts], strict=False
        ):
            arrow((x + 2.1, below), (x + 2.1, above))
        for part, shape in zip(parts, shapes[column] if shapes else [], strict=False):
            left = part == stack[-1]  # where the name of the frame is on the right
            place = (
                {"x": x + 2.0, "y": part[0] + 1.03, "ha": "right"}
                if left
                else {"x": x + 2.2, "y": part[0] + 0.83}
            )
            ax.text(s=shape, va="center", fontsize=7, color="#005580", **place)
    memory = ENCODER[-1][0] + 0.7
    arrow((2.1, memory), (2.1, 8.2), (5.1, 8.2), (5.1, 5.85), (6.0, 5.85))
    ax.text(2.2, 8.3, "메모리 memory", fontsize=8.5)
    arrow((8.1, 10.7), (8.1, 11.2))
    ax.text(8.1, 11.3, "I recently took a trip to Paris. <eos>", ha="center", fontsize=9)
    return figure


def layer_diagram(sublayers, norm_first=False, ax=None):
    """Draw a layer from the bottom up: its sublayers, the norms, and the residual connections around them.

    Args:
        sublayers: their names; one that starts with "크로스" gets an arrow from memory.
        norm_first: False for post-LN, True for pre-LN.
        ax: matplotlib axes; a new figure if None.

    Returns:
        The axes.
    """
    import matplotlib.pyplot as plt

    if ax is None:
        _, ax = plt.subplots(figsize=(3.6, 1.0 + 1.6 * len(sublayers)))
    ax.set(xlim=(-2.2, 2.6), ylim=(-0.6, 3 * len(sublayers) + 0.8))
    ax.axis("off")
    arrow = {"arrowstyle": "-|>", "color": "#555555", "shrinkA": 0, "shrinkB": 0}
    box = {"boxstyle": "round,pad=0.35", "edgecolor": "#777777"}

    def place(y, name, colour):
        ax.text(0, y, name, ha="center", va="center", fontsize=8.5, bbox={**box, "facecolor": colour})

    ax.annotate("", (0, 3 * len(sublayers) + 0.4), (0, -0.3), arrowprops=arrow, zorder=0)
    ax.text(0, -0.35, "x", ha="center", va="top")
    for index, name in enumerate(sublayers):
        fork, plus = 3 * index + 0.1, 3 * index + (2.6 if norm_first else 1.7)
        y = 3 * index + (1.7 if norm_first else 0.9)
        place(y, name, "#F6C667")
        place(3 * index + (0.7 if norm_first else 2.45), "층 정규화 norm", "#DDEAF5")
        ax.text(
            0, plus, "+", ha="center", va="center", bbox={"boxstyle": "circle,pad=0.15", "facecolor": "white"}
        )
        ax.plot([0, 2.1, 2.1], [fork, fork, plus], color=GREEN, linewidth=2)
        ax.annotate("", (0.17, plus), (2.1, plus), arrowprops={**arrow, "color": GREEN, "linewidth": 2})
        if name.startswith("크로스"):
            ax.annotate("memory", (-0.75, y), (-2.1, y), fontsize=8.5, va="center", arrowprops=arrow)
    return ax
