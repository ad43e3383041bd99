"""Figures in one style. matplotlib is imported when something is drawn."""

import io
from importlib.util import find_spec
from pathlib import Path

from helpers.engine.languages import chosen
from helpers.engine.languages import lines as lines  # for labels, as is the next
from helpers.engine.languages import words as words

BLUE, ORANGE, GREEN = "#0072B2", "#E69F00", "#009E73"  # color-blind-safe, as are these:
RED, PURPLE, GRAY = "#D55E00", "#CC79A7", "#999999"
HANGUL_FONTS = ("Course Hangul", "NanumGothic", "Malgun Gothic", "Apple SD Gothic Neo", "Noto Sans CJK KR")

# The map of the model, from the bottom up: the chapters that build a part, its name in Korean and English.
INPUT = [("01", "토큰", "tokens"), ("02", "임베딩", "embedding"), ("03", "위치", "positions")]
NORM = ("07", "잔차 + 정규화", "add & norm")
FEED_FORWARD = ("07", "피드포워드", "feed-forward")
ENCODER = [("04 05 06", "셀프 어텐션", "self-attention"), NORM, FEED_FORWARD, NORM]
DECODER = [
    ("04 05 06", "마스크 셀프 어텐션", "masked self-attention"),
    NORM,
    ("04 05 06 09", "크로스 어텐션", "cross-attention"),
    NORM,
    FEED_FORWARD,
    NORM,
]
OUTPUT = [("10", "선형 + 소프트맥스", "linear + softmax")]
LOGITS = [("10", "선형 층", "linear")]  # what the model itself computes; softmax belongs to who reads it
PARTS = ("#F6C667", "#FFF3D6", "#F2F2F2")  # colors of what is built now, of what is built, of the rest
FRAMES = ("#FFF7E4", "#FFFCF5", "#FAFAFA")
COLUMNS = [  # what goes in, the chapter and name of the frame, the parts below, inside and above it
    ("나는 최근 파리\n여행을 다녀왔다", "08", ("인코더", "encoder"), INPUT, ENCODER, []),
    ("<bos> I recently\ntook a trip to Paris.", "09", ("디코더", "decoder"), INPUT, DECODER, OUTPUT),
]


def use_style():
    """Set the course's style and a font that has Hangul.

    A string that mixes Hangul with `$math$`, or bold Hangul, does not render: write √d_k instead of math.
    """
    import matplotlib.pyplot as plt
    from matplotlib import font_manager

    files = [Path(__file__).parents[1] / "fonts" / "CourseHangul.ttf"]  # only in the one-file editions
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
            "axes.prop_cycle": plt.cycler(color=[BLUE, ORANGE, GREEN, RED, GRAY]),
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
    figure.set_label(" · ".join({"ko": ko, "en": en}[language] for language in chosen()))
    if not in_notebook():
        return plt.show()
    from IPython.display import Image, display

    picture = as_png(figure)
    smallest = {"smallest_label": smallest_label(figure)}
    plt.close(figure)
    display(Image(data=picture, format="png", alt=figure.get_label(), metadata=smallest))


def as_png(figure):
    """A figure on white in its 256 most frequent colors, which take a third of the space of all.

    Args:
        figure: of matplotlib.

    Returns:
        Bytes of a PNG file with a palette.
    """
    from PIL import Image

    drawn, file = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", facecolor="white", bbox_inches="tight")
    in_few_colors(Image.open(drawn)).save(file, format="png", optimize=True)
    return file.getvalue()


def in_few_colors(image):
    """A picture in its 256 most frequent colors.

    Args:
        image: of Pillow.

    Returns:
        An image of Pillow with a palette; its most frequent color is the first.
    """
    import numpy as np
    from PIL import Image

    pixels = np.asarray(image.convert("RGB")).astype(int)
    codes, place, counts = np.unique(
        pixels @ [1 << 16, 1 << 8, 1], return_inverse=True, return_counts=True
    )  # each color as one number
    colors = np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=1)
    palette = colors[np.argsort(-counts, kind="stable")[:256]]
    nearest = ((colors[:, None] - palette) ** 2).sum(axis=2).argmin(axis=1)
    few = Image.fromarray(nearest[place].reshape(pixels.shape[:2]).astype(np.uint8), "P")
    few.putpalette(palette.astype(np.uint8).tobytes())
    return few


def smallest_label(figure):
    """How high the smallest text of a figure is written.

    Args:
        figure: of matplotlib.

    Returns:
        Pixels of its picture; 0.0 without any text.
    """
    from matplotlib.text import Text

    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    return round(min((text.get_fontsize() for text in texts), default=0) * figure.dpi / 72, 1)


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
    ax.set(xlabel=words("키", "key"), ylabel=words("쿼리", "query"), title=title)
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


def model_map(done=(), now=(), shapes=None):
    """Draw the encoder-decoder: what is built now strong, what is built already pale, the rest gray.

    Args:
        done: chapters before, e.g. ["01", "02"]; their parts are pale.
        now: chapters whose parts stand out, e.g. ["03"]; without `done` and `now` everything does.
        shapes: two lists of shapes to write beside the arrows, from the ids up to the logits, of the
            encoder's column and the decoder's; None writes none, and the map ends with a sentence.

    Returns:
        The matplotlib figure.
    """
    import matplotlib.pyplot as plt
    from matplotlib.patches import FancyBboxPatch

    wide, high, step, gray = 2.1, 0.44, 0.64, "#666666"  # inches: of a box, and from one box to the next
    size = 9 if len(chosen()) == 2 else 10  # of letters: two languages need the room
    figure = plt.figure(figsize=(5.4, 7.9), layout="none")
    ax = figure.add_axes((0, 0, 1, 1), xlim=(-0.2, 5.2), ylim=(-0.6, 7.3))
    ax.axis("off")

    def look(chapters, colors):
        """The fill, the frame and the ink of what these chapters build."""
        if not (done or now) or set(chapters.split()) & set(now):
            return colors[0], {"edgecolor": RED, "linewidth": 1.8}, "black"
        if set(chapters.split()) & set(done):
            return colors[1], {"edgecolor": "#AA8844", "linewidth": 0.8}, "black"
        return colors[2], {"edgecolor": "#BBBBBB", "linewidth": 0.8}, gray

    def box(chapters, x, y, width, height, colors):
        fill, frame, ink = look(chapters, colors)
        shape = "round,pad=0,rounding_size=0.06"
        ax.add_patch(FancyBboxPatch((x, y), width, height, boxstyle=shape, facecolor=fill, **frame))
        return ink

    def number(chapters):
        return f"{chapters}장" if chosen() == ("ko",) else f"ch. {chapters}"

    def arrow(*points):
        ax.plot(*zip(*points[:-1], strict=True), color="#555555", linewidth=1)
        style = {"arrowstyle": "-|>", "color": "#555555", "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", points[-1], points[-2], arrowprops=style)

    for x, (source, built_in, name, below, inside, above) in zip((0, 2.75), COLUMNS, strict=True):
        above = LOGITS if above and shapes else above
        parts, middle, top = [*below, *inside, *above], x + wide / 2, 0
        bottoms = [step * i + 0.15 * (i >= 3) + 0.35 * (i >= 3 + len(inside)) for i in range(len(parts))]
        column = shapes[0 if x == 0 else 1] if shapes else [""] * len(parts)
        roof = bottoms[2 + len(inside)] + high + 0.3
        ink = box(built_in, x - 0.1, bottoms[3] - 0.1, wide + 0.35, roof - bottoms[3] + 0.1, FRAMES)
        ax.text(middle - 0.08, roof - 0.21, words(*name), ha="right", fontsize=size, color=ink)
        ax.text(middle + 0.08, roof - 0.21, f"× N  ({number(built_in)})", fontsize=size, color=ink)
        ax.text(middle, -0.22, source, ha="center", va="top", fontsize=size)
        for y, (chapters, korean, english), shape in zip(bottoms, parts, column, strict=True):
            arrow((middle, top - 0.18 if top == 0 else top), (middle, y))
            ink = box(chapters, x, y, wide, high, PARTS)
            ax.text(
                x + 0.08,
                y + (0.21 if len(chosen()) == 2 else 0.16),
                lines(korean, english),
                va="center",
                fontsize=size + 0.5,
                linespacing=1.25,
                color=ink,
            )
            if english == "add & norm":  # what went into the sublayer is added to what comes out
                side, fork = x + wide + 0.13, y - step - 0.06
                arrow((middle, fork), (side, fork), (side, y + high / 2), (x + wide, y + high / 2))
            ax.text(
                x + wide - 0.06,
                y + 0.33,
                number(chapters),
                ha="right",
                va="center",
                fontsize=size - 1.5,
                color=gray,
            )
            top = y + high
            last = y == bottoms[2 + len(inside)]  # under the name of the frame
            height = roof + 0.11 if last else top + 0.1
            ax.text(middle - 0.08, height, shape, ha="right", va="center", fontsize=9, color="#005580")
        if not above:
            crossing = 2.75, 5 * step + 0.15 + high / 2  # the left side of cross-attention
            arrow((middle, top), (middle, roof + 0.2), (2.5, roof + 0.2), (2.5, crossing[1]), crossing)
            ax.text(middle, roof + 0.28, words("메모리", "memory"), ha="center", fontsize=size)
        else:
            arrow((middle, top), (middle, top + 0.25))
            result = words("로짓", "logits") if shapes else "I recently took\na trip to Paris. <eos>"
            ax.text(middle, top + 0.3, result, ha="center", fontsize=size)
    return figure
