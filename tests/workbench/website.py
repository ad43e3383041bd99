"""make site: the chapters with their stored outputs as a website that asks the network for nothing."""

import importlib.util
import io
import json
import re
import shutil
import time
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import jinja2
import matplotlib
import nbformat
from fontTools import subset
from fontTools.ttLib import TTFont
from markupsafe import Markup
from nbformat.v4 import new_markdown_cell, new_notebook

import editions
import links
from helpers.figures import plots
from helpers.lesson.translator import open_translator
from helpers.live import live_parts, text_of
from project import ROOT, chapters, depths, place, write_text
from refresh import git
from web_map import model_map
from web_markup import (
    IN_PLAN,
    MARKDOWN,
    REFERENCE,
    Page,
    Title,
    notebook_link,
    says,
    two,
    with_particles,
    with_references,
)

WEB = Path(__file__).parent / "web"
TERMS = WEB / "terms.tsv"  # a section or page, then what readers call it; after ~, what is only near it
COURSE = "course.zip"
TEXTS = ("ko", "en", "code", "ko_point", "en_point")  # of a section, for the search
NAME = Title("", "트랜스포머, 한 조각씩", "The Transformer, Piece by Piece")
DESCRIPTION = (
    "트랜스포머를 한 조각씩 만드는 강의. 번역기가 페이지 안에서 돕니다. · "
    "A course that builds the Transformer piece by piece, with a translator alive in the page."
)
BRANCH = "gh-pages"  # where the workflow puts the site; Colab opens its editions there: it opens only GitHub
MACHINE = "GPU 없는 2코어 서버", "a server with 2 cores and no GPU"  # that the stored results are from
ROW = re.compile(r"^\| \[(\d\d) (.+?)\]\(notebooks/(\S+)\.ipynb\) \| ", re.M)
CLONE = re.compile(r"^git clone https://github\.com/(\S+)", re.M)
MATH = re.compile(r"<math.*?</math>", re.S)


def build(folder, paths, checkpoint, repository):
    """Write the website.

    Args:
        folder: Path; what is in it goes.
        paths: of the chapters, then of the depths.
        checkpoint: of the translator that is alive in the first page.
        repository: "OWNER/NAME" on GitHub; None before `make links`: then nothing leads there.
    """
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "figures").mkdir(parents=True)
    rows = {row.name: row for row in rows_of_readme()}
    pages = {path: Page(path.stem, bilingual(path)) for path in paths}
    found = {path: entry(page, rows.get(page.name)) for path, page in pages.items()}
    of_chapters = {path.name[:2]: found[path] for path in paths if path.stem in rows}
    for path in paths:
        if path.stem not in rows:
            of_chapters[path.name[:2]].deeper.append(found[path])
    others = [
        Page(path.stem, new_notebook(cells=[new_markdown_cell(path.read_text("utf-8"))]))
        for path in (ROOT / "docs" / "install.md", WEB / "teachers.md")
    ]
    in_order = list(of_chapters.values())
    site = Site(folder, repository, [*in_order, *(entry(page) for page in others)])
    write_first_page(site, in_order, checkpoint)
    near = {
        here.file: pair
        for here, *pair in zip(in_order, [None, *in_order], [*in_order[1:], None], strict=False)
    }
    places, front = places_of(pages.values(), rows), dict(read_front())
    for page in pages.values():
        page.html = with_references(page.html, places, f"{page.name}.html")
    for path, page in pages.items():
        chapter = of_chapters[path.name[:2]]
        row = found[path].row
        live = front.get(row and row.number)
        write_chapter(site, page, path, row, near.get(found[path].file, (chapter, None)), live)
    for page in others:
        pattern = IN_PLAN if page.name == "teachers" else REFERENCE  # Python 3.11 is no section
        page.html = with_references(page.html, places, f"{page.name}.html", pattern)
        site.write("page.html", f"{page.name}.html", page.headings[0][2], body=Markup(page.html))
    for page in pages.values():
        for file, picture in page.pictures.items():
            (folder / file).write_bytes(picture)
    for file in ("site.css", "site.js"):
        shutil.copy(WEB / file, folder)
    everything = [*pages.values(), *others]
    write_search(folder, everything, {path.stem for path in paths if path.stem not in rows}, places)
    (folder / "math.woff").write_bytes(math_font("".join(page.html for page in everything)))
    (folder / "preview.png").write_bytes(preview())
    (folder / ".nojekyll").touch()  # GitHub shows the files as they are
    if repository:
        write_sitemap(site)
    editions.build(paths, folder / "editions")


class Site:
    """What all pages share: where they go, how they are written, and their contents.

    Args:
        folder, repository: as in `build`.
        contents: the entries of the pages besides the first.
    """

    def __init__(self, folder, repository, contents):
        self.folder, self.repository, self.contents = folder, repository, contents
        self.files = []
        self.templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader(WEB), autoescape=True, undefined=jinja2.StrictUndefined
        )
        self.templates.globals |= {
            "two": lambda ko, en: Markup(two(ko, en)),
            "says": lambda *words: Markup(says(*words)),
            "notebook_link": lambda *names: Markup(notebook_link(*names)),
            "head_script": Markup(text_of("head.js")),
            "description": DESCRIPTION,
            "address": repository and links.site(repository),
            "repository": repository,
            "course": None if repository else write_course(folder),
            "contents": contents,
        }

    def write(self, template, file, title, **values):
        """Write one page."""
        self.files.append(file)
        text = self.templates.get_template(template).render(file=file, title=title, **values)
        write_text(with_particles(text) + "\n", self.folder / file)


def bilingual(path):
    """A chapter in both languages, without what installs helpers."""
    notebook = editions.edition(nbformat.read(path, as_version=4), "both", carrier="")
    notebook.cells = notebook.cells[1:]
    return notebook


def rows_of_readme():
    """The table of chapters as the README has it, a row a chapter, each with the question that it answers."""
    lines = (WEB / "questions.tsv").read_text("utf-8").splitlines()
    questions = {number: two(ko, en) for number, ko, en in (line.split("\t") for line in lines)}
    for number, title, name in ROW.findall((ROOT / "README.md").read_text("utf-8")):
        title = Title.of(f"{number} {title}")
        yield SimpleNamespace(
            number=number,
            name=name,
            file=f"{name}.html",
            title=Markup(title.html()),
            plain=f"{title.shared}{title.ko} · {title.en}",
            names=Title("", f"{int(number)}장 {title.ko}", f"Chapter {int(number)}: {title.en}"),
            question=Markup(questions[number]),
        )


def entry(page, row=None):
    """A page in the contents: its file, its title, its sections, its depths; of a chapter its row."""
    sections = [
        (anchor, Markup(title.html(MARKDOWN.renderInline)))
        for level, anchor, title in page.headings
        if level == 2
    ]
    title = row.title if row else Markup(page.headings[0][2].html(MARKDOWN.renderInline))
    return SimpleNamespace(file=f"{page.name}.html", title=title, sections=sections, deeper=[], row=row)


def places_of(pages, rows):
    """Where chapters and their sections stand: {"4": "04_attention.html", "4.7": "04_attention.html#4-7"}."""
    found = {}
    for page in pages:
        if page.name in rows:
            found[str(int(page.name[:2]))] = f"{page.name}.html"
            for level, anchor, title in page.headings:
                if level == 2:
                    found[title.shared.strip()] = f"{page.name}.html#{anchor}"
    return found


def write_first_page(site, of_chapters, checkpoint):
    """The translator, the map, the chapters with their depths."""
    rows = [found.row for found in of_chapters]
    live = live_parts(*open_translator(checkpoint))
    data = "".join(live["data"])
    for file, text in (("live.css", live["css"]), ("live.js", live["script"]), ("translator-data.js", data)):
        write_text(text, site.folder / file)
    leads = {row.number: (row.file, row.plain) for row in rows}
    parts = {"live": Markup(live["html"]), "map": Markup(model_map(leads))}
    names = {int(row.number): {"file": row.file, "ko": row.names.ko, "en": row.names.en} for row in rows}
    site.write("index.html", "index.html", NAME, of_chapters=of_chapters, names=names, **parts)


def write_chapter(site, page, path, row, near, live):
    """A chapter, or a depth without a row, with the ways to run it and when its results were stored.

    live: the part of the first page that it leads to, or None.
    """
    heading, end, body = map(Markup, page.html.partition("</h1>"))
    site.write(
        "chapter.html",
        f"{page.name}.html",
        page.headings[0][2],
        heading=heading + end,
        body=body,
        row=row,
        notebook=place(path),
        colab=f"https://colab.research.google.com/github/{site.repository}/blob/{BRANCH}/editions",
        source=f"https://github.com/{site.repository}/blob/main/notebooks/{place(path)}",
        date=git(path.parent, "log", "-1", "--format=%cs", "--", path.name),
        machine=MACHINE,
        before=near[0],
        after=near[1],
        live=live,
        takeaways=[(anchor, Markup(ko), Markup(en)) for anchor, ko, en in page.takeaways],
    )


def write_course(folder):
    """All that is committed as a zip file, as long as it cannot be cloned; its name, or None without git."""
    archive = ("archive", "--prefix=transformer-piece-by-piece/", "-o", str(folder / COURSE), "HEAD")
    return None if git(ROOT, *archive) is None else COURSE


def write_search(folder, pages, deep, places):
    """The text of all sections, and what readers call them, as a script: a file may not read another.

    Args:
        folder: of the website.
        pages: list of `Page`.
        deep: names of those that are depths.
        places: of `places_of`.
    """
    sections = [
        {"page": page.name, "anchor": found["anchor"], "deep": int(page.name in deep)}
        | {f"{language}_title": found["title"].in_one(language) for language in ("ko", "en")}
        | {name: found[name].strip() for name in TEXTS if name in found}
        for page in pages
        for found in page.entries
    ]
    sections += (part for _, part in read_front())
    text = json.dumps(sections, ensure_ascii=False, separators=(",", ":")).replace("},{", "},\n{")
    terms = json.dumps([*read_terms(sections, places)], ensure_ascii=False)
    write_text(f"window.SEARCH = {text};\nwindow.TERMS = {terms};\n", folder / "search.js")


def read_front():
    """(number of the chapter that leads there, or "", a part of the first page as the search has it)."""
    for line in (WEB / "front.tsv").read_text("utf-8").splitlines()[1:]:
        names = ("anchor", "ko_title", "en_title", "ko", "en")
        *texts, chapter = line.split("\t")
        yield chapter, {"page": "index", "deep": 1, "code": ""} | dict(zip(names, texts, strict=True))


def read_terms(sections, places):
    """(number of a section, what readers call it, whether it is only near that), of all in `TERMS`."""
    anchors = [(section["page"], section["anchor"]) for section in sections]
    pages = [page for page, _ in anchors]
    for row, *phrases in (line.split("\t") for line in TERMS.read_text("utf-8").splitlines()[1:]):
        name, is_near = row.removeprefix("~"), row.startswith("~")
        file, _, anchor = places.get(name, name).partition("#")
        page = file.removesuffix(".html")
        number = anchors.index((page, anchor)) if anchor else pages.index(page)  # of a page, its first
        yield from ((number, phrase, is_near) for phrase in filter(None, ", ".join(phrases).split(", ")))


def math_font(html):
    """What the formulas need of STIX Two Math, whose brackets and roots grow, as a WOFF file."""
    package = Path(importlib.util.find_spec("ziamath").origin).parent
    font = TTFont(package / "fonts" / "STIXTwoMath-Regular.ttf", recalcTimestamp=False)
    formulas = unescape(re.sub("<[^>]*>", "", "".join(MATH.findall(html))))
    drawn = {*range(0x1D434, 0x1D468), 0x210E, *range(0x1D6FC, 0x1D71C), 0x221A}  # for letters and roots
    subsetter = subset.Subsetter(subset.Options(layout_features=["ssty", "dtls"], name_IDs=["*"]))
    subsetter.populate(text=formulas, unicodes=drawn)
    subsetter.subset(font)
    of_one_height(font, "√")
    font.flavor = "woff"
    buffer = io.BytesIO()
    font.save(buffer)
    return buffer.getvalue()


def of_one_height(font, sign):
    """Take the taller forms of a sign away: Chromium leaves room for the widest, whichever is drawn."""
    glyph, variants = font.getBestCmap()[ord(sign)], font["MATH"].table.MathVariants
    tall = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(glyph)]
    tall.MathGlyphVariantRecord, tall.GlyphAssembly = tall.MathGlyphVariantRecord[:1], None


def preview():
    """The picture that others show beside a link to the site: its name, and the map of the model."""
    import matplotlib.pyplot as plt

    matplotlib.use("Agg")
    plots.use_style()
    figure = plt.figure(figsize=(12, 6.3), layout="none")
    figure.text(0.05, 0.66, NAME.ko, size=40)
    figure.text(0.05, 0.54, NAME.en, size=26)
    figure.text(0.05, 0.36, "나는 최근 파리 여행을 다녀왔다", size=22, color=plots.BLUE)
    figure.text(0.05, 0.28, "I recently took a trip to Paris.", size=22, color=plots.RED)
    axes = figure.add_axes((0.62, 0.02, 0.36, 0.96))
    axes.imshow(plt.imread(ROOT / "notebooks" / "images" / "model_map.png"))
    axes.axis("off")
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=100, facecolor="white")
    plt.close(figure)
    return buffer.getvalue()


def write_sitemap(site):
    """All pages, each with its addresses in both languages."""
    template = site.templates.get_template("sitemap.xml")
    write_text(template.render(files=site.files) + "\n", site.folder / "sitemap.xml")


def repository():
    """The address on GitHub: of the remote, or else as `make links` wrote it into the README; else None."""
    try:
        return links.repository(ROOT)
    except ValueError:
        found = CLONE.search((ROOT / "README.md").read_text("utf-8"))[1]
        return None if found.startswith("OWNER/") else found


if __name__ == "__main__":
    started = time.time()
    folder, paths = ROOT / "build" / "site", chapters() + depths()
    build(folder, paths, ROOT / "build" / "translator.pt", repository())
    print(f"{len(paths)} notebooks in {time.time() - started:.0f} s: {folder.relative_to(ROOT)}/index.html")
