"""The language of a notebook: of its prose, and of what helpers say."""

import json

from helpers.engine.project import readers_project

LANGUAGES = {"ko": ("ko",), "en": ("en",), "both": ("ko", "en")}
# Each rule holds for the notebook that has shown the mark of its choice, not for others in the same window.
STYLE = """\
.jp-Notebook:has(.course-ko) div[lang=en], .jp-Notebook:has(.course-en) div[lang=ko] { display: none }
.jp-Notebook:has([class^=course-]) div[lang=ko] { word-break: keep-all }
.jp-Notebook:has([class^=course-]) .highlight { overflow-x: auto }
[data-jp-theme-light=false] .jp-Notebook:has([class^=course-]) .jp-RenderedImage img[alt] {
  filter: invert(0.87) hue-rotate(180deg) brightness(1.15) }
.jp-Notebook:has(.course-both) div[lang] { border-left: 3px solid #0072B2; padding-left: 0.8em }
.jp-Notebook:has(.course-both) div[lang=en] { border-color: #E69F00 }
.jp-Notebook:has([class^=course-]) .takeaway { border-left: 5px solid #009E73; padding: 0.3em 0.8em;
  font-weight: 600 }"""
_shown = LANGUAGES["both"]


def language(choice):
    """Show the prose of this notebook, and all messages, in one language or in both.

    JupyterLab and Jupyter Notebook hide the other prose; where that is not possible (VS Code, Colab), the
    editions have one language.

    Args:
        choice: "ko", "en" or "both".

    Raises:
        ValueError: as `speak`.
    """
    speak(choice)
    from IPython.display import HTML, display

    display(HTML(f'<span class="course-{choice}"></span><style>{STYLE}</style>'))


def speak(choice):
    """Say all that follows in one language or in both.

    Args:
        choice: "ko", "en" or "both".

    Raises:
        ValueError: another choice.
    """
    global _shown
    if choice not in LANGUAGES:
        raise ValueError(f'choice: {choice!r}; use "ko", "en" or "both"')
    _shown = LANGUAGES[choice]


def remembered():
    """The language of the last `make lab`.

    Returns:
        "ko", "en" or "both"; "both" where it is not known.
    """
    try:
        choice = json.loads((readers_project() / "work" / ".copies.json").read_bytes())["language"]
        return choice if choice in LANGUAGES else "both"
    except (OSError, ValueError, TypeError, KeyError):
        return "both"


def chosen():
    """The languages that the reader chose.

    Returns:
        ("ko",), ("en",) or ("ko", "en").
    """
    return _shown


def words(ko, en=None):
    """A label in the languages that the reader chose: "키", "key" or "키 · key".

    Args:
        ko, en: the label in both; where one holds the other, as in "파리" and "파리 Paris", it is enough. Or
            ko alone: a pair of the two, or a text that is the same in both.

    Returns:
        A string of one line.
    """
    if en is None:
        ko, en = (ko, ko) if isinstance(ko, str) else ko
    return _joined(ko, en, " · ")


def lines(ko, en):
    """As `words`, with each language on lines of its own.

    Args:
        ko, en: as in `words`.

    Returns:
        A string.
    """
    return _joined(ko, en, "\n")


def _joined(ko, en, between):
    texts = [{"ko": ko, "en": en}[code] for code in chosen()]
    if len(texts) == 2 and (ko in en or en in ko):
        texts = [max(texts, key=len)]
    return between.join(texts)


def say(ko, en):
    """Print a message in the languages that the reader chose, a line for each.

    Args:
        ko, en: the message in both.
    """
    for code, text in (("ko", ko), ("en", en)):
        if code in chosen():
            print(text)
