"""make editions: each notebook as one file, in one language, with helpers and a Hangul font inside."""

import ast
import base64
import functools
import importlib.util
import io
import re
import zipfile
from html import unescape
from pathlib import Path

import nbformat
from fontTools import subset
from fontTools.ttLib import TTFont

from helpers.lesson.tables import as_text
from helpers.lesson.takeaways import SENTENCE
from project import FOLDED, ROOT, chapters, depths, end_in_one_line, place, write

LANGUAGES = ("ko", "en", "both")
TITLE = re.compile(r"^(#{1,6} |<summary>)(.+?) · (.+?)(</summary>)?$")
SHARED = re.compile(r"^(?:\d+(?:\.\d+)*\.? )?(?:Q\. )?")  # what both languages of a title begin with
CARRIER = """\
#@title helpers: 이 셀을 먼저 실행하세요 · run this cell first
import base64, io, os, sys, tempfile, zipfile

helpers_folder = tempfile.TemporaryDirectory()
helpers_zip = "{data}"
zipfile.ZipFile(io.BytesIO(base64.b64decode(helpers_zip))).extractall(helpers_folder.name)
sys.path.insert(0, helpers_folder.name)
os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:1] + [os.environ.get("PYTHONPATH", "")])  # of !python"""
SACREBLEU = """

import subprocess
from importlib.util import find_spec

if find_spec("sacrebleu") is None:  # as in Colab, which has all else
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "sacrebleu"], check=True)"""
REMEDY = "  # not found? run what is folded above"  # the install cell, which an edition lacks
PAIR = re.compile(
    r'<span lang="ko">(.*?)</span><span class="dot"> · </span><span lang="en">(.*?)</span>'
)  # in a table
CHOICE, MARK = 'start_chapter("{}"', '"course-{}"'  # in the setup cell, and what it shows
NOTICE = """\
CourseHangul.ttf is a subset of NanumGothic, renamed as its licence asks.
SIL Open Font License 1.1, https://openfontlicense.org
{copyright}
"""


def build(paths, folder):
    """Write folder/{ko,en,both}/NN_name.ipynb for each chapter, …/deeper/NN_name.ipynb for each depth."""
    carrier = carrier_of_helpers()
    for language in LANGUAGES:
        for path in paths:
            (folder / language / place(path)).parent.mkdir(parents=True, exist_ok=True)
            notebook = edition(nbformat.read(path, as_version=4), language, carrier)
            write(with_one_picture(in_bold(notebook)), folder / language / place(path))


def carrier_of_helpers():
    """The code that brings helpers and the font along."""
    return CARRIER.format(data=base64.b64encode(helpers_zip()).decode())


def edition(notebook, language, carrier):
    """The notebook in one language, with a folded cell that brings helpers in place of the install cell."""
    notebook.cells = [cell for cell in notebook.cells if "install" not in cell.metadata.get("tags", [])]
    for cell in in_language(notebook, language).cells:
        cell.source = cell.source.replace(REMEDY, "")
        if cell.cell_type == "code" and "sacrebleu" in cell.source and SACREBLEU not in carrier:
            carrier += SACREBLEU
    notebook.cells.insert(0, nbformat.v4.new_code_cell(carrier, id="helpers", metadata=FOLDED))
    return notebook


def in_bold(notebook):
    """The notebook with its takeaways in bold: Colab has no style for them."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = SENTENCE.sub(r'<p class="takeaway"><b>\1</b></p>', cell.source)
    return notebook


def with_one_picture(notebook):
    """The notebook without what is stored beside its pictures, as a reader's own have it."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            about = output.get("metadata", {}).get("image/png", {})
            for name in set(about) - {"alt"}:
                del about[name]
    return notebook


def in_language(notebook, language):
    """The notebook in one language: its prose, its choice of a language, and what it shows."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = one_language(cell.source, language)
        elif language != "both":
            source = cell.source.replace(CHOICE.format("both"), CHOICE.format(language))
            cell.source = one_label(source, language, drawing="drawing" in cell.metadata.get("tags", []))
            for output in cell.outputs:
                one_language_output(output, language)
    return notebook


def one_language(source, language):
    """Markdown without the blocks of the other language, half of each title, and no badge; code stays."""
    kept, block, fenced = [], None, False
    for line in source.split("\n"):
        fence = line.startswith("```")
        fenced ^= fence
        if not (fenced or fence):
            if line.startswith("<!-- colab -->") or (not line and kept[-1:] in ([], [""])):
                continue
            if language != "both":
                if opening := re.fullmatch(r'<div lang="(ko|en)">', line):
                    block = opening[1]
                    continue
                if block and line == "</div>":
                    block = None
                    continue
                line = TITLE.sub(lambda match: one_title(match, language), line)
        if block in (None, language):
            kept.append(line)
    return "\n".join(kept).strip()


def one_label(source, language, drawing=False):
    """Code whose labels are in one language: plots.words("가", "a") and, where it is seen, ("가", "a")."""
    if not re.search("[가-힣]", source):
        return source
    chosen, swaps = LANGUAGES.index(language), []  # pairs of what stands there and what will
    text = functools.partial(ast.get_source_segment, source)
    tree = ast.parse(source)
    sentences = {node for statement in ast.walk(tree) if is_data(statement) for node in ast.walk(statement)}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name("plots"), attr="words"), args=[_, _]):
                swaps.append((text(node), text(node.args[chosen])))
            case ast.Tuple() if not drawing and is_pair(node) and node not in sentences:
                swaps.append((text(node), text(node.elts[chosen])))
    for before, after in swaps:
        source = source.replace(before, after)
    return source


def is_data(node):
    """Whether this statement names a sentence and its translation, which are no label: korean, english = …"""
    match node:
        case ast.Assign(targets=[ast.Tuple()], value=pair):
            return is_pair(pair)
        case ast.Assign(targets=[ast.Name(name)]) | ast.AugAssign(target=ast.Name(name)):
            return name in ("pairs", "messages")
    return False


def is_pair(node):
    """Whether this is a text in Korean and the same in English."""
    texts = node.elts if isinstance(node, ast.Tuple) else []
    if len(texts) != 2 or not all(isinstance(one, ast.Constant | ast.JoinedStr) for one in texts):
        return False
    return [bool(re.search("[가-힣]", ast.unparse(one))) for one in texts] == [True, False]


def one_title(match, language):
    opening, korean, english, closing = match.groups(default="")
    title = korean if language == "ko" else SHARED.match(korean)[0] + english
    return opening + title + closing


def one_language_output(output, language):
    """What a code cell shows in one language: its messages, and its figures."""
    chosen = LANGUAGES.index(language)
    if "text" in output:
        lines = messages(output.text)
        output.text = "".join(line if isinstance(line, str) else line[chosen] for line in lines)
    if page := output.get("data", {}).get("text/html"):
        page = page.replace(MARK.format("both"), MARK.format(language))
        output.data["text/html"] = PAIR.sub(lambda match: match[1 + chosen], page)
        if page.startswith('<table class="course-table">'):
            output.data["text/plain"] = table_text(output.data["text/html"])
    picture = output.get("metadata", {}).get("image/png", {})
    if "alt" in picture:
        picture.alt = picture.alt.split(" · ")[chosen]
    if language in picture:
        output.data["image/png"] = picture[language]


def table_text(page):
    """The text of a table out of its HTML."""
    rows = re.findall("<tr>(.*?)</tr>", page, re.S)
    return as_text(
        [[unescape(cell) for cell in re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in rows]
    )


def messages(text):
    """The lines of what a cell printed; a message is a pair of them, in Korean and in English."""
    lines = []
    for line in text.splitlines(keepends=True):
        if lines and re.match("[✓✗…] ", line) and lines[-1][:2] == line[:2]:
            lines[-1] = lines[-1], line
        else:
            lines.append(line)
    return lines


def helpers_zip():
    """helpers/ and the font as a zip file; the same bytes each time."""
    font, copyright = hangul_font()
    kinds = ("*.py", "*.tsv", "*.txt", "*.js", "*.css", "*.html")
    parts = [path for kind in kinds for path in (ROOT / "helpers").rglob(kind)]
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in parts}
    files["helpers/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files["helpers/fonts/CourseHangul.ttf"] = font
    files["helpers/fonts/NOTICE.txt"] = NOTICE.format(copyright=copyright).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name), files[name], zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def hangul_font():
    """Nanum Gothic with Latin, symbols, jamo and the 2,350 syllables of KS X 1001; and its copyright line."""
    package = Path(importlib.util.find_spec("koreanize_matplotlib").origin).parent
    font = TTFont(package / "fonts" / "NanumGothic.ttf", recalcTimestamp=False)
    syllables = [code for code in range(0xAC00, 0xD7A4) if in_ks_x_1001(chr(code))]
    others = subset.parse_unicodes("20-7E,A0-FF,2000-206F,2190-22FF,3000-301F,3131-318E")
    options = subset.Options(hinting=False, name_IDs=["*"], name_languages=["*"])
    options.drop_tables += ["TSI0", "TSI1", "TSI2", "TSI3", "TSI5"]  # the sources of the hinting
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=others + syllables)
    subsetter.subset(font)
    for record in font["name"].names:  # the licence reserves the name for the whole font
        if record.nameID in (1, 3, 4, 6, 16):
            record.string = "CourseHangul" if record.nameID == 6 else "Course Hangul"
    buffer = io.BytesIO()
    font.save(buffer)
    return buffer.getvalue(), font["name"].getDebugName(0)


def in_ks_x_1001(character):
    try:
        return len(character.encode("euc-kr")) == 2
    except UnicodeEncodeError:
        return False


if __name__ == "__main__":
    folder, paths = ROOT / "build" / "editions", chapters() + depths()
    with end_in_one_line():
        build(paths, folder)
    print(f"{len(paths)} notebooks in {', '.join(LANGUAGES)}: {folder.relative_to(ROOT)}/")
