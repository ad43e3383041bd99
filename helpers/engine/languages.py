"""The language of a notebook: of its prose, and of what helpers say."""

import json

from helpers.engine.project import readers_project

LANGUAGES = {"ko": ("ko",), "en": ("en",), "both": ("ko", "en")}
# Each rule holds for the notebook that has shown the mark of its choice, not for others in the same window.
STYLE = """\
.jp-Notebook:has(.course-ko) div[lang=en], .jp-Notebook:has(.course-en) div[lang=ko] { display: none }
.jp-Notebook:has([class^=course-]) div[lang=ko] { word-break: keep-all }
.jp-Notebook:has([class^=course-]) .highlight { overflow-x: auto }
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


def say(ko, en):
    """Print a message in the languages that the reader chose, a line for each.

    Args:
        ko, en: the message in both.
    """
    for code, text in (("ko", ko), ("en", en)):
        if code in chosen():
            print(text)
