"""The website: its files, and in a real browser what a visitor does."""

import gzip
import html
import io
import os
import re
import socket
import subprocess
import sys
import zipfile

import nbformat
import pytest
from fontTools.ttLib import TTFont
from PIL import Image

import web_by_hand as by_hand
import website
from browser import PHONE, absent, serious, served, watched_page
from helpers.exercises.checking import diagnose
from helpers.exercises.comparing import plain
from helpers.exercises.kinds import Exercise, Prediction
from helpers.exercises.progress import exercises_of
from helpers.lesson.takeaways import takeaways
from project import ROOT, chapters, depths
from small_translator import write_checkpoint
from web_markup import WITHOUT

CHAPTERS = [path.stem for path in chapters()]
DEPTHS = [path.stem for path in depths()]
NAMES = ["index", *CHAPTERS, *DEPTHS, "install", *sorted(path.stem for path in website.WEB.glob("*.md"))]
LONGEST = max(chapters(), key=lambda path: path.stat().st_size).stem


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the website, built with the network closed."""
    folder = tmp_path_factory.mktemp("built")
    checkpoint = write_checkpoint(folder / "translator.pt")
    with pytest.MonkeyPatch.context() as closed:
        closed.setattr(socket, "socket", None)
        website.build(folder / "site", chapters() + depths(), checkpoint, "Owner/course")
    return folder / "site"


@pytest.fixture(scope="module", params=["file", "http"])
def address(request, site):
    """Where the website is read: as files, and over http."""
    if request.param == "file":
        yield site.as_uri()
    else:
        with served(site) as found:
            yield found


def text(site, name):
    return (site / f"{name}.html").read_text("utf-8")


# The files


def test_the_same_sources_give_the_same_bytes(site, tmp_path):
    """In another process, which orders its sets in another way."""
    script = (
        "import sys, pathlib, website\n"
        "paths = website.chapters() + website.depths()\n"
        "website.build(pathlib.Path(sys.argv[1]), paths, sys.argv[2], 'Owner/course')"
    )
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "workbench")])
    environment = os.environ | {"PYTHONHASHSEED": "1", "PYTHONPATH": path}
    command = [sys.executable, "-c", script, tmp_path / "again", site.parent / "translator.pt"]
    subprocess.run(command, env=environment, check=True)
    files, again = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (site, tmp_path / "again")
    )
    assert files.keys() == again.keys()
    assert [path for path in files if files[path] != again[path]] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_page_asks_for_nothing_from_elsewhere(site, name):
    page = text(site, name)
    assert not re.search(r"""<(?:script|img|iframe|source|video)[^>]* src=["']?(?:https?:)?//""", page)
    assert not re.search(
        r"""<link[^>]* rel="?(?:stylesheet|preload|icon)[^>]*href=["']?(?:https?:)?//""", page
    )
    assert "@import" not in page and "url(http" not in page


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_light(site, name):
    page = text(site, name).encode()
    assert len(page) < 1_500_000 and len(gzip.compress(page)) < 200_000


@pytest.mark.parametrize("name", NAMES)
def test_local_links_lead_somewhere(site, name):
    page = text(site, name)
    for target, anchor in re.findall(r' (?:href|src)="([^":#?]*)(?:\?[^"#]*)?(#[^"]+)?"', page):
        file = site / (target or f"{name}.html")
        assert file.is_file(), target
        assert not anchor or f'id="{anchor[1:]}"' in file.read_text("utf-8"), target + anchor
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("path", chapters() + depths(), ids=lambda path: path.stem)
def test_a_page_shows_all_that_its_notebook_has(site, path):
    notebook = website.bilingual(path)
    page = text(site, path.stem)
    assert page.count("<figure>") == sum(
        "image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])
    )
    assert page.count('<details class="setup">') == 1
    tags = [tag for cell in notebook.cells for tag in cell.metadata.get("tags", [])]
    for tag in ("drawing", "preparing"):
        assert page.count(f'<details class="{tag}">') == tags.count(tag)
    sources = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert page.count('<summary><span lang="ko">풀이</span>') == sources.count(
        "<summary>풀이 · Solution</summary>"
    )
    assert page.count('<section class="question">') == len(re.findall("^#+ Q[.] ", sources, re.M))
    assert page.count('<section class="trap">') == len(re.findall("^#+ 함정: ", sources, re.M))
    assert page.count('<section class="exercise">') == len(re.findall(r"^#+ 연습 \d+[.] ", sources, re.M))
    for opened in ("section", "details", "div", "span", "table", "math", "pre"):
        assert page.count(f"<{opened}") == page.count(f"</{opened}>"), opened
    prose = re.sub(r"<(pre|code|script)\b.*?</\1>", "", page, flags=re.S)
    assert not re.search(
        r"\$[^<]*\$|\*\*(?!\d)|^#+ |\\[a-z]{3,}", re.sub(r'alttext="[^"]*"', "", prose), re.M
    )


def test_all_formulas_are_mathml_that_browsers_know(site):
    formulas = [
        found
        for name in CHAPTERS + DEPTHS
        for found in re.findall(r"<math.*?</math>", text(site, name), re.S)
    ]
    assert len(formulas) > 500
    assert not [
        formula
        for formula in formulas
        if re.search(r"\\|merror|mathspace|mfenced", re.sub('alttext="[^"]*"', "", formula))
    ]
    characters = TTFont(site / "math.woff").getBestCmap()
    assert all(ord(character) in characters for character in "√(‖·ωα∑1") and len(characters) < 400


def test_every_chapter_is_on_the_map_and_in_the_table(site):
    page = text(site, "index")
    drawn = re.search(r'<svg class="map".*?</svg>', page, re.S)[0]
    table = re.search(r'<ol class="chapters">.*?</ol>', page, re.S)[0]
    assert {f"{name}.html" for name in CHAPTERS if "01" <= name[:2] <= "10"} == set(
        re.findall(r'href="([^"]+)"', drawn)
    )
    assert [f"{name}.html" for name in sorted(CHAPTERS + DEPTHS)] == sorted(
        re.findall(r'href="([^"]+)"', table)
    )


@pytest.mark.parametrize("name", DEPTHS)
def test_a_depth_stands_under_its_chapter(site, name):
    [chapter] = [chapter for chapter in CHAPTERS if chapter[:2] == name[:2]]
    for page in (text(site, "index"), text(site, chapter), text(site, name)):
        contents = re.search(r'<nav id="contents".*?</nav>', page, re.S)[0]
        entries = re.split(r"\n<li>", contents)
        [entry] = [entry for entry in entries if f'href="{chapter}.html"' in entry]
        assert f'href="{name}.html"' in entry
    page = text(site, name)
    assert 'rel="prev">' in page and f'class="before" href="{chapter}.html"' in page
    assert f"/editions/ko/deeper/{name}.ipynb" in page and f"/notebooks/deeper/{name}.ipynb" in page
    assert (site / "editions" / "ko" / "deeper" / f"{name}.ipynb").exists()


@pytest.mark.parametrize("path", chapters() + depths(), ids=lambda path: path.stem)
def test_a_page_lists_its_takeaways(site, path):
    found = takeaways(nbformat.read(path, as_version=4))
    lists = re.findall(r'<details class="takeaways">.*?</details>', text(site, path.stem), re.S)
    assert len(lists) == bool(found)
    for listed in lists:
        assert len(re.findall("<li>", listed)) == len(found)


def test_a_chapter_opens_in_colab_in_the_language_that_is_read(site):
    page = text(site, "04_attention")
    for language in ("ko", "en", "both"):
        links = re.search(rf'<span data-when="{language}">.*?</span></a></span>', page, re.S)[0]
        assert (
            f"colab.research.google.com/github/Owner/course/blob/{website.BRANCH}/editions/{language}/04_attention.ipynb"
            in links
        )
        assert f'href="editions/{language}/04_attention.ipynb" download' in links
    workflow = (ROOT / ".github" / "workflows" / "site.yml").read_text("utf-8")
    assert f"HEAD:{website.BRANCH}" in workflow


def test_without_an_address_nothing_leads_to_github(tmp_path, site, monkeypatch):
    """Before `make links`: a chapter is a file to download, and no link is dead."""
    monkeypatch.setattr(website.editions, "build", lambda paths, folder: None)
    website.build(tmp_path / "site", chapters() + depths(), site.parent / "translator.pt", None)
    for name in NAMES:
        page = text(tmp_path / "site", name)
        assert "OWNER" not in page and "None" not in re.sub(r"<main.*</main>", "", page, flags=re.S)
        assert not re.search(
            r"github\.com/(?:None|OWNER)|colab[^\"]*/github/|rel=\"canonical\"|pip install git", page
        )
    assert 'href="editions/ko/04_attention.ipynb" download' in text(tmp_path / "site", "04_attention")
    for name in ("index", "install", "teachers"):  # who hands chapters out needs the Makefile, too
        assert 'href="course.zip" download' in text(tmp_path / "site", name)
        assert "course.zip" not in text(site, name)
    with zipfile.ZipFile(tmp_path / "site" / "course.zip") as course:
        assert {f"transformer-piece-by-piece/{name}" for name in ("Makefile", "LICENSE")} <= {
            *course.namelist()
        }
    assert "git clone" in text(site, "index")


@pytest.mark.parametrize("clone, expected", [("OWNER/course", None), ("someone/course", "someone/course")])
def test_an_address_is_known_once_links_has_written_it(tmp_path, monkeypatch, clone, expected):
    (tmp_path / "README.md").write_text(f"git clone https://github.com/{clone} course\n", "utf-8")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    monkeypatch.setattr(website, "ROOT", tmp_path)
    assert website.repository() == expected


def test_the_workflow_installs_as_the_tests_do():
    test, deploy = (
        (ROOT / ".github" / "workflows" / name).read_text("utf-8") for name in ("test.yml", "site.yml")
    )
    [torch_line] = re.findall(r"^ *\S+ -m pip install .*/whl/cpu$", test, re.M)
    assert torch_line in deploy and 'REQUIRE_BROWSER: "1"' in deploy


def test_search_engines_are_told_of_both_languages(site):
    sitemap = (site / "sitemap.xml").read_text("utf-8")
    for name in NAMES:
        for query in ("?lang=ko", "?lang=en", ""):
            found = f'href="https://owner.github.io/course/{name}.html{query}"'
            assert found in sitemap and found in text(site, name)
    assert 'property="og:image" content="https://owner.github.io/course/preview.png"' in text(site, "index")
    assert (site / "preview.png").read_bytes()[16:24] == bytes.fromhex("000004b000000276")  # 1200 × 630


# In a browser


def test_without_a_browser_tests_skip_or_fail(monkeypatch):
    monkeypatch.delenv("REQUIRE_BROWSER", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no browser: there is none"):
        absent("there is none")
    monkeypatch.setenv("REQUIRE_BROWSER", "1")
    with pytest.raises(pytest.fail.Exception, match="there is none"):
        absent("there is none")


@pytest.mark.parametrize(
    "fault", ["<script>console.error(1)</script>", "<img src='http://localhost:1/a.png'>"]
)
def test_an_error_and_a_request_elsewhere_are_caught(browser, fault):
    with pytest.raises(AssertionError), watched_page(browser) as page:
        page.set_content(fault)


def visible(page, selector="main"):
    return page.locator(selector).inner_text()


@pytest.mark.parametrize("name", NAMES)
def test_a_page_works_on_a_phone(page, site, name):
    """No error, nothing from elsewhere, nothing wider than the window, nothing serious for axe."""
    page.goto(f"{site.as_uri()}/{name}.html?lang=both&theme=light")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.evaluate("[...document.images].every(image => image.alt)")
    page.locator(".languages [data-lang=ko]").click()
    assert serious(page, exclude=["pre"]) == []  # the colors of code are seen below
    if name in CHAPTERS + DEPTHS:
        assert_labels_can_be_read(page, name)


def assert_labels_can_be_read(page, name):
    """One is 9 pixels high at least, and a figure that is too wide then is panned; or 7, and all is seen."""
    notebook = website.bilingual(next(path for path in chapters() + depths() if path.stem == name))
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    about = [output.metadata["image/png"] for output in outputs if "image/png" in output.get("data", {})]
    page.evaluate("document.querySelectorAll('details').forEach(folded => folded.open = true)")
    for language in ("ko", "en", "both"):
        page.locator(f".languages [data-lang={language}]").click()
        scales = page.evaluate(
            "[...document.querySelectorAll('figure')].map(figure => [...figure.querySelectorAll('img')]"
            ".filter(image => image.offsetWidth)"
            ".map(image => [image.offsetWidth / image.attributes.width.value"
            ", (image.closest('.half') ?? image).offsetWidth <= innerWidth]))"
        )
        assert len(scales) == len(about) and all(len({scale for scale, _ in shown}) == 1 for shown in scales)
        for picture, ((scale, is_whole), *_) in zip(about, scales, strict=True):
            assert picture.get("smallest_label", 9) * scale >= (7.15 if is_whole else 8.95)  # rounded
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_figure_of_panels_stands_in_two_halves_on_a_phone_alone(page, site):
    page.goto(f"{site.as_uri()}/13_looking_inside.html?lang=en")
    widths = """[...document.querySelectorAll('figure a:has(.half)')].filter((link) => link.offsetWidth)
        .map((link) => [...link.querySelectorAll('.half')].map((half) => half.offsetWidth))"""
    shown = page.evaluate(widths)
    assert len(shown) == 3 and all(
        len(halves) == 2 and 200 < min(halves) and max(halves) <= 390 for halves in shown
    )
    page.locator("figure a:visible .half").nth(1).click()  # and a tap shows the picture larger, at this half
    assert page.evaluate("document.querySelector('#larger').scrollLeft") > 0
    assert page.locator("#larger img").count() == 1
    assert page.evaluate("document.querySelector('#larger img').naturalWidth") > 500
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate(widths) == [[0, 0]] * 3


@pytest.mark.parametrize("name", ["index", "04_attention"])
def test_axe_finds_nothing_serious_in_the_dark(page, site, name):
    page.goto(f"{site.as_uri()}/{name}.html?lang=en&theme=dark")
    page.evaluate("document.querySelectorAll('details').forEach(folded => folded.open = true)")
    assert serious(page) == []


def test_the_language_is_chosen_once(page, address):
    page.goto(f"{address}/04_attention.html")
    assert page.title() == "4장. 어텐션"  # the browser speaks Korean
    page.get_by_role("button", name="English").click()
    assert page.title() == "Chapter 4. Attention" and "lang=en" in page.url
    assert page.evaluate("document.documentElement.lang") == "en"
    assert not re.search("[가-힣]", visible(page, "h1") + "".join(page.locator("h2").all_inner_texts()))
    page.get_by_role("button", name="Contents").click()
    assert not re.search("[가-힣]", visible(page, "#contents"))
    page.get_by_role("link", name="06 Masking").click()
    page.wait_for_url("**/06_masking.html*")
    assert page.title() == "Chapter 6. Masking"
    page.get_by_role("button", name="Both").click()
    assert page.title() == "6장. 마스크 · Chapter 6. Masking"
    page.goto(f"{address}/05_multi_head_attention.html?lang=ko")
    assert page.title() == "5장. 멀티 헤드 어텐션"
    assert not page.locator("div[lang=en]").first.is_visible()
    shown = page.locator("figure a:visible img").first
    assert shown.get_attribute("alt").startswith("모델의 지도") and " · " not in shown.get_attribute("alt")


def test_the_language_is_there_before_the_first_paint(page, site):
    """Without site.js, as while it is still on its way."""
    page.route("**/site.js", lambda route: route.fulfill(body=""))
    page.goto(f"{site.as_uri()}/04_attention.html?lang=en&theme=dark")
    assert (
        not page.locator("div[lang=ko]").first.is_visible()
        and page.locator("div[lang=en]").first.is_visible()
    )
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 28)"


def test_a_page_can_be_read_without_scripts(browser, site):
    with watched_page(browser, java_script_enabled=False) as page:
        page.goto(f"{site.as_uri()}/04_attention.html")
        assert all(page.locator(f"div[lang={language}]").first.is_visible() for language in ("ko", "en"))
        assert page.locator("math").first.is_visible() and not page.locator("#query").is_visible()
        page.locator("#contents").get_by_role("link", name="05").click()
        assert page.url.endswith("/05_multi_head_attention.html")


def test_the_place_is_kept(page, site):
    page.goto(f"{site.as_uri()}/04_attention.html?lang=ko")
    heading = "document.getElementById('4-6-three-matrices')"
    page.evaluate(f"{heading}.scrollIntoView()")
    place = f"{heading}.getBoundingClientRect().top"
    before = page.evaluate(place)
    for language in ("en", "both", "ko"):
        page.locator(f".languages [data-lang={language}]").click()
        assert page.evaluate(place) == pytest.approx(before, abs=3)


def test_the_place_in_a_paragraph_is_kept(page, site):
    """Halfway through the Korean, one goes on halfway through the English."""
    page.goto(f"{site.as_uri()}/04_attention.html?lang=ko")
    share = """language => {
        const korean = document.querySelectorAll("div[lang=ko]")[9];
        const block = language === "ko" ? korean : korean.nextElementSibling;
        const {top, height} = block.getBoundingClientRect();
        return (document.querySelector("header").offsetHeight - top) / height;
    }"""
    page.evaluate(f"""const share = {share};
        const korean = document.querySelectorAll("div[lang=ko]")[9];
        korean.scrollIntoView();
        scrollBy(0, (0.5 - share("ko")) * korean.offsetHeight);""")
    assert page.evaluate(share, "ko") == pytest.approx(0.5, abs=0.05)
    page.locator(".languages [data-lang=en]").click()
    assert page.evaluate(share, "en") == pytest.approx(0.5, abs=0.1)


def test_colors(page, address):
    page.emulate_media(color_scheme="dark")
    page.goto(f"{address}/04_attention.html")
    color = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(color) == "rgb(22, 24, 28)"
    page.locator("#theme").click()
    assert page.evaluate(color) == "rgb(255, 255, 255)"
    assert page.evaluate("localStorage.getItem('theme')") == "light"


def test_stored_colors_are_shown(page, address):
    page.emulate_media(color_scheme="dark")
    page.add_init_script("localStorage.setItem('theme', 'light')")
    page.goto(f"{address}/04_attention.html")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize("language", ["ko", "en", "both"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_figure_is_that_of_the_language_and_the_theme(page, site, language, theme):
    page.goto(f"{site.as_uri()}/02_embedding.html?lang={language}&theme={theme}")
    shown = page.locator("figure a:visible img").first
    shown.scroll_into_view_if_needed()
    page.wait_for_function("image => image.complete && image.naturalWidth", arg=shown.element_handle())
    assert shown.get_attribute("src") == f"figures/02_embedding-01-{language}-{theme}.png"
    loaded = page.evaluate(
        "performance.getEntriesByType('resource').map(one => one.name).filter(name => name.endsWith('png'))"
    )
    assert all(language in name or "-both-" in name for name in loaded)  # the others stay where they are
    if theme == "dark":
        figure = Image.open(site / shown.get_attribute("src")).convert("RGB")
        assert figure.getpixel((0, 0)) == (22, 24, 28)


def test_a_wide_figure_is_panned_and_a_tap_shows_it_whole_and_the_next_larger_than_the_window(page, site):
    page.goto(f"{site.as_uri()}/12_decoding.html?lang=en&theme=light")
    wide = "[...document.querySelectorAll('figure')].filter(one => one.scrollWidth > one.clientWidth + 40)"
    figure = page.evaluate_handle(f"{wide}[0]").as_element()
    assert figure.get_attribute("tabindex") == "0"  # the keyboard pans it, too
    figure.scroll_into_view_if_needed()
    shade = page.evaluate("figure => getComputedStyle(figure).backgroundImage", figure)
    assert shade.count("gradient") == 4
    figure.evaluate("figure => [...figure.querySelectorAll('a')].find(link => link.offsetWidth).click()")
    larger = page.locator("dialog[open] img")
    box = larger.bounding_box()
    assert box["width"] <= PHONE["width"] and box["height"] <= PHONE["height"] and larger.get_attribute("alt")
    assert larger.evaluate("one => getComputedStyle(one).objectFit") == "contain"  # the whole of it
    natural = larger.evaluate("one => one.naturalWidth / one.naturalHeight")
    assert natural > 1.2 and box["height"] > box["width"]  # it lies on its side, and may be larger so
    page.set_viewport_size({"width": PHONE["height"], "height": PHONE["width"]})  # the phone is turned
    assert larger.bounding_box()["width"] > larger.bounding_box()["height"]
    larger.click()
    assert larger.bounding_box()["width"] > 1.4 * PHONE["width"]
    page.set_viewport_size(PHONE)
    assert serious(page) == []
    page.keyboard.press("Escape")
    assert page.locator("dialog img").count() == 0
    figure.evaluate("figure => [...figure.querySelectorAll('a')].find(link => link.offsetWidth).click()")
    page.locator("dialog button").click()
    assert page.locator("dialog[open]").count() == 0
    figure.evaluate("figure => [...figure.querySelectorAll('a')].find(link => link.offsetWidth).click()")
    larger.wait_for()
    page.go_back()  # closes it, and leaves the page where it is
    assert page.locator("dialog[open]").count() == 0 and "12_decoding.html" in page.url


def test_formulas_and_tables_become_smaller_where_that_is_enough_to_show_them_whole(browser, site):
    with watched_page(browser, viewport=PHONE) as page:
        for name, n_cut in (("05_multi_head_attention", 0), ("14_bug_clinic", 1)):
            page.goto(f"{site.as_uri()}/{name}.html?lang=en")
            shown = page.locator("main .wide > :is(table, math):visible")
            sizes = shown.evaluate_all("all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))")
            assert min(sizes) > 11
            assert page.locator("main .wide.cut > :is(table, math)").count() == n_cut


def test_figures_are_whole_on_a_desktop(browser, site):
    with watched_page(browser, viewport={"width": 1280, "height": 800}) as page:
        cut = "[...document.querySelectorAll('figure')].filter(x => x.scrollWidth > x.clientWidth + 1).length"
        for name in ("04_attention", "12_decoding"):
            page.goto(f"{site.as_uri()}/{name}.html?lang=ko")
            assert page.evaluate(cut) == 0
            assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_a_shade_shows_at_the_edge_of_a_figure(page, site):
    """The picture lets it through: the last pixels differ from its paper."""
    page.goto(f"{site.as_uri()}/02_embedding.html?lang=en&theme=light")
    for theme, paper in (("light", (255, 255, 255)), ("dark", (22, 24, 28))):
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        wide = "[...document.querySelectorAll('figure')].find(one => one.scrollWidth > one.clientWidth + 40)"
        figure = page.evaluate_handle(wide).as_element()
        figure.scroll_into_view_if_needed()
        page.wait_for_timeout(300)
        shot = Image.open(io.BytesIO(figure.screenshot())).convert("RGB")
        edge = [shot.getpixel((shot.width - 1, y)) for y in range(5, shot.height - 5, 5)]
        assert paper not in edge, theme


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_wide_in_the_translator_is_panned_with_a_shade(page, site, theme):
    """The table of attention and the tree of the beam; no letter in them is below 11 pixels."""
    page.goto(f"{site.as_uri()}/index.html?lang=en&theme={theme}")
    page.check("[value=beam]")
    page.wait_for_selector(".live[aria-busy=false]")
    page.evaluate("document.querySelectorAll('.live details').forEach(folded => folded.open = true)")
    page.wait_for_selector("#live-weights tbody td")
    page.add_style_tag(
        content="#live-weights td {--weight: 0 !important; color: transparent}"
    )  # all cells alike
    for name, place in (("weights", "tbody tr:nth-child(2)"), ("tree", "svg")):
        wide = page.locator(f"#live-{name}")
        assert wide.evaluate("wide => wide.scrollWidth > wide.clientWidth + 40")
        box, part = wide.bounding_box(), page.locator(f"#live-{name} {place}").bounding_box()
        shot = Image.open(io.BytesIO(wide.screenshot())).convert("RGB")
        y = part["y"] - box["y"] + (part["height"] / 2 if name == "weights" else part["height"] - 3)
        edge, inner = (sum(shot.getpixel((shot.width - x, round(y)))) for x in (3, 20))
        assert edge < inner - 20 if theme == "light" else edge > inner + 20, name
    small = "[...document.querySelectorAll('.live :is(th, td, small, text, bdi, button)')]"
    size = "one => one.getClientRects().length && parseFloat(getComputedStyle(one).fontSize) < 11"
    assert page.evaluate(f"{small}.filter({size}).length") == 0


QUERIES = [  # and on how many pages there is a hit at least
    ("어텐션", 12),
    ("어텐션을", 6),
    ("어텐션에게", 3),
    ("빔서치", 2),
    ("크로스어텐션", 3),
    ("멀티헤드어텐션", 3),
    ("학습", 16),
    ("내적", 3),
    ("attention", 16),
    ("causal_mask", 3),
    ("어탠션", 12),
    ("어탠션을", 6),
    ("트렌스포머", 6),
    ("softmaxx", 6),
    ("atention", 16),
    ("embeding", 6),
    ("beem search", 2),
    ("softmaks", 6),
    ("빔써치", 2),
    ("챗GPT", 1),
    ("tempreture", 3),
    ("attention xqzjxqzj", 16),  # what is there of it
    ("뷁쀍", 0),
    ("NTEX", 0),  # no part of “context”
    ("xqzjxqzj", 0),
]


def searching(page, site, language="ko"):
    """A page on which a query can be typed."""
    page.goto(f"{site.as_uri()}/04_attention.html?lang={language}")
    page.locator("#query").fill("a")
    page.locator("#found > *").first.wait_for()
    return page


def test_search(page, site):
    searching(page, site)
    for query, least in QUERIES:
        found = set(page.evaluate("query => siteSearch(query).map(section => section.page)", query))
        assert len(found) >= least and bool(found) == bool(least), query


SAID = [  # language, query, and what is said of it
    ("ko", "어탠션", "혹시 이 말인가요? ‘어텐션’"),
    ("ko", "트렌스포머", "혹시 이 말인가요? ‘트랜스포머’"),
    ("ko", "퀘리", "혹시 이 말인가요? ‘쿼리’"),
    ("ko", "라벨", "관련된 말로 찾았습니다: ‘레이블’"),
    ("ko", "미세조정", "관련된 말로 찾았습니다: ‘lora’"),
    ("en", "backpropagation", "Found by a related word: ‘gradient’"),
    ("en", "softmaxx", "Did you mean ‘softmax’?"),
    ("en", "embeding size", "Did you mean ‘embedding size’?"),
    ("en", "gradient clippping", "Did you mean ‘gradient clipping’?"),
    ("en", "attnetion weigths", "Did you mean ‘attention weights’?"),
    ("ko", "어텐숀", "혹시 이 말인가요? ‘어텐션’"),
    ("en", "beem search", "Did you mean ‘beam search’?"),
    ("ko", "djxpstus", "혹시 이 말인가요? ‘어텐션’"),  # with the keyboard of the other language
    ("en", "ㅁㅅㅅ두샤ㅐㅜ", "Did you mean ‘attention’?"),
    ("ko", "잔차가 왜 필요해", None),
    ("en", "attention", None),
    ("en", "divide by square root", None),
    ("ko", "어텐션에서", None),
    ("ko", "왜 루트 d로 나누나", None),
    ("en", "attention zebra", "No section has all the words; these have some."),
]


@pytest.mark.parametrize("language", ["ko", "en"])
def test_a_letter_is_forgiven_and_said(page, site, language):
    searching(page, site, language)
    for query, meant in (case for among, *case in SAID if among == language):
        page.locator("#query").fill(query)
        said = page.locator("#found > small").all_inner_texts()
        assert said == ([meant] if meant else []) and page.locator("#found a").count(), query


def test_the_contents_ask_what_each_chapter_answers(page, site):
    """In the language of the page, and by a question of its own."""
    for language, end in (("ko", "?"), ("en", "?")):
        page.goto(f"{site.as_uri()}/index.html?lang={language}")
        asked = page.locator(".chapters .asks").all_inner_texts()
        assert len(set(asked)) == len(CHAPTERS) and all(text.endswith(end) for text in asked)
        assert all(bool(re.search("[가-힣]", text)) == (language == "ko") for text in asked)


def test_what_names_a_section_leads_there(page, site):
    page.goto(f"{site.as_uri()}/07_norm_residual_feedforward.html?lang=ko")
    page.locator("a.ref:visible").filter(has_text="4.7절").first.click()
    page.wait_for_url("**/04_attention.html*#4-7-*")
    html = "<p>4.7절, 99.9절, 4장 <code>4.7절</code> 20장, section 4.7, chapters 4, 1.4.7절</p>"
    places = {"4": "04.html", "4.7": "04.html#4-7"}
    assert website.with_references(html, places, "05.html") == (
        '<p><a class="ref" href="04.html#4-7">4.7절</a>, 99.9절, <a class="ref" href="04.html">4장</a> '
        '<code>4.7절</code> 20장, <a class="ref" href="04.html#4-7">section 4.7</a>, chapters 4, 1.4.7절</p>'
    )
    assert website.with_references("4장", places, "04.html") == "4장"
    link = '<a href="https://a.org/b">A</a>, '
    for of_a_paper in (
        f"{link}4.7절",
        f"{link}section 4.7.",
        "논문의 4.7절",
        "논문 4.7절",
        "its section 4.7).",
        "section 4.7 of the paper",
    ):
        assert website.with_references(of_a_paper, places, "05.html") == of_a_paper


def test_the_plan_of_teachers_leads_to_sections_and_chapters(site):
    page = text(site, "teachers")
    assert '<a class="ref" href="07_norm_residual_feedforward.html#7-1-' in page
    assert "0.8 or" in page and "python:3.12" in page
    assert "Python 3.11–3.14" in text(site, "install")


@pytest.mark.parametrize("name", CHAPTERS + DEPTHS)
def test_every_section_that_is_named_is_there_and_a_box_ends_before_what_it_comes_to(site, name):
    html = (site / f"{name}.html").read_text("utf-8")
    words = re.sub(WITHOUT, "", html, flags=re.S)
    assert not re.findall(r"(?<![\d.])\d{1,2}\.\d{1,2}절|[Ss]ection \d", words)
    boxes = re.findall(r'<section class="\w+">.*?</section>', html, re.S)
    assert not any("takeaway" in box for box in boxes)


def test_a_phone_says_which_section_is_read(browser, site):
    for size, is_shown in ((PHONE, True), ({"width": 1280, "height": 800}, False)):
        with watched_page(browser, viewport=size) as page:
            page.goto(f"{site.as_uri()}/04_attention.html?lang=ko")
            assert not page.locator("#here").is_visible()
            page.evaluate("document.querySelector('h2[id^=\"4-5\"]').scrollIntoView()")
            page.wait_for_function("document.querySelector('#here').textContent.includes('4.5')")
            assert page.locator("#here").is_visible() == is_shown
            if is_shown:
                assert page.inner_text("#here").split() == ["4.5", "밸류를", "섞기", "5/12"]
                below = page.locator("#here").bounding_box()
                assert page.locator("h2[id^='4-5']").bounding_box()["y"] >= below["y"] + below["height"]


def test_both_bars_of_a_norm_are_equally_high(page, site):
    page.goto(f"{site.as_uri()}/04_attention.html?lang=en")
    bars = page.locator("math:visible mo").filter(has_text="‖")
    heights = bars.evaluate_all("all => all.map((one) => Math.round(one.getBoundingClientRect().height))")
    assert len(heights) >= 6 and max(heights) <= 1.2 * min(heights)


def test_a_root_is_as_wide_as_what_is_under_it(page, site):
    """Chromium leaves room for the tallest root of the font, and a particle would stand apart."""
    page.goto(f"{site.as_uri()}/04_attention.html?lang=ko")
    page.evaluate("document.fonts.ready")
    roots = page.locator("math:visible > mrow > msqrt")
    right = "(one) => one.getBoundingClientRect().right"
    gaps = roots.evaluate_all(f"all => all.map((one) => ({right})(one) - ({right})(one.firstElementChild))")
    assert len(gaps) >= 3 and max(gaps) < 1


def test_who_comes_back_from_a_result_finds_the_query(page, site):
    page.goto(f"{site.as_uri()}/04_attention.html")
    page.locator("#query").fill("빔 서치")
    page.locator("#found a").first.click()
    page.wait_for_url("**/12_decoding.html*")
    page.go_back()
    page.wait_for_url("**/04_attention.html*")
    assert page.input_value("#query") == "빔 서치"
    page.locator("#query").focus()
    page.locator("#found a").first.wait_for()


ANSWERS = [  # language, query, the page of the section that answers, and a part of its title
    ("en", "tokenizer", "01_tokenization", ""),
    ("en", "What is beam search?", "12_decoding", "beam search"),
    ("en", "why divide by sqrt d", "04_attention", "√"),
    ("en", "why divide by square root", "04_attention", "√"),
    ("en", "beem search", "12_decoding", "beam search"),
    ("en", "ReLU", "07_norm_residual_feedforward", "feed-forward"),
    ("en", "Chapter 4 attention", "04_attention", ""),
    ("ko", "마스크", "06_masking", ""),
    ("ko", "왜 루트 d로 나누나", "04_attention", "√"),
    ("ko", "멀티헤드", "05_multi_head_attention", ""),
    ("ko", "트랜스포머가 뭐야?", "00_start_here", "어디를 보나"),
    ("ko", "포지셔널 인코딩", "03_positional_encoding", ""),
    ("ko", "마스킹", "06_masking", ""),
    ("ko", "기울기 소실", "07_norm_residual_feedforward", "더하기"),
    ("ko", "티처 포싱", "06_masking", ""),
    ("ko", "positional encodng", "03_positional_encoding", ""),
    ("ko", "쿼리 키 밸류", "04_attention", "평균과 딕셔너리"),
    ("en", "query key value", "04_attention", "an average and a dict"),
    ("en", "Q K V", "04_attention", "an average and a dict"),
    ("ko", "역전파", "00_start_here", "그래디언트"),
    ("ko", "설치", "install", "설치"),
    ("en", "install", "install", "install"),
    ("en", "colab", "install", "colab"),
    ("en", "fine-tuning", "18_a_model_that_speaks", "lora"),
    ("en", "multihead", "05_multi_head_attention", ""),
    ("en", "layernorm", "07_norm_residual_feedforward", ""),
    ("en", "hallucination", "18_a_model_that_speaks", "answer"),
    ("ko", "chatgpt 원리", "00_start_here", "번역기"),
    ("ko", "KV캐시", "12_decoding", "kv 캐시"),
    ("ko", "경사하강법이 뭐야", "00_start_here", "그래디언트"),
    ("en", "is it free?", "install", "license"),
    ("en", "prerequisites", "00_start_here", ""),
    ("ko", "왜 내적을 쓰나요", "04_attention", "내적"),
    ("ko", "토큰이 뭐야", "01_tokenization", "파리"),
    ("en", "positonal encodng", "03_positional_encoding", ""),
    ("en", "cross entropy", "00_start_here", "training"),
]


@pytest.mark.parametrize("language", ["ko", "en"])
def test_a_question_leads_to_the_section_that_answers_it(page, site, language):
    """Words as “what” and “is” tell nothing; a title that has the word comes before an exercise with it."""
    searching(page, site, language)
    for query, *answer in (case for among, *case in ANSWERS if among == language):
        page.locator("#query").fill(query)
        first = page.evaluate("query => siteSearch(query)[0]", query)
        assert (first["page"], answer[1] in first[f"{language}_title"].lower()) == (answer[0], True), query
        assert not {*"abcdefghijklmnopqrstuvwxyz"} & {*page.locator("#found mark").all_inner_texts()}, query


def test_what_readers_call_a_section_leads_there(page, site):
    """Every word of terms.tsv, unless it is part of a longer one, and no guess beside it."""
    page.goto(f"{site.as_uri()}/04_attention.html?lang=ko")
    page.locator("#query").fill("무료")
    page.locator("#found a").first.wait_for()
    assert page.locator("#found b").all_inner_texts() == ["라이선스"]
    assert page.locator("#found > small").count() == 0
    lost = page.evaluate("TERMS.filter(([i, name]) => siteSearch(name)[0].anchor !== SEARCH[i].anchor)")
    assert lost == []
    texts = page.evaluate("siteSearch('overfitting').map((section) => section.page)")
    assert texts[0] == "11_training"
    page.goto(f"{site.as_uri()}/04_attention.html?lang=en")
    page.locator("#query").fill("overfitting")
    page.locator("#found a").first.wait_for()
    assert not re.search("[가-힣]", page.inner_text("#found"))
    page.locator("#query").fill("oov")  # no section has it; what the one to read comes to is shown
    [chapter] = [path for path in chapters() if path.stem == "01_tokenization"]
    told = takeaways(nbformat.read(chapter, as_version=4))
    told = {html.unescape(re.sub("<[^>]*>|`", "", english)) for *_, english in told}
    assert page.locator("#found a small").first.inner_text() in told


@pytest.mark.parametrize(
    ("language", "query", "place"),
    [
        ("ko", "softmax가 뭐야", "4-4-"),  # a particle after Latin letters
        ("ko", "셀프어텐션이란", "4-9-"),
        ("ko", "torch.tril", "6-5-"),
        ("ko", "왜 sqrt(d)로 나눠", "4-7-"),
        ("en", "mutli head attention", "chapter-5-"),  # a slip in what a section is called
        ("en", "embeddings", "chapter-2-"),
        ("en", "what does bos mean", "1-3-"),
        ("en", "label smoothing", "11-6-"),
        ("en", "tranformer vs RNN", "10_why_not_an_rnn"),  # a slip, and a word that tells nothing alone
    ],
)
def test_a_query_as_people_type_it_leads_to_the_section(page, site, language, query, place):
    searching(page, site, language)
    page.locator("#query").fill(query)
    found = page.evaluate("query => siteSearch(query)[0]", query)
    assert place in (found["page"], found["anchor"][: len(place)])


def test_what_the_course_does_not_have_is_not_found(page, site):
    searching(page, site, "en")
    page.locator("#query").fill("certificate")
    assert page.locator("#found a").count() == 0 and "may not cover" in page.inner_text("#found")
    page.locator("#query").fill("mixture of experts")
    assert "doesn't cover" in page.inner_text("#found")
    assert page.locator("#found a").get_attribute("href").startswith("16_modern_parts.html")


def test_no_line_that_imports_is_found(page, site):
    page.goto(f"{site.as_uri()}/11_training.html?lang=en")
    page.locator("#query").fill("flop_counter")
    page.locator("#found small").first.wait_for()
    assert page.locator("#found a").count() == 0  # FlopCounterMode comes from there
    assert page.evaluate("siteSearch('FlopCounterMode').length") > 0


def test_a_hit_says_where_it_is_and_shows_the_words_together(page, site):
    page.goto(f"{site.as_uri()}/04_attention.html?lang=en")
    page.locator("#query").fill("softmx weights")
    page.locator("#found a").first.wait_for()
    hits = page.locator("#found a")
    for hit in hits.all():
        place, title = hit.locator("i").inner_text(), hit.locator("b").inner_text()
        assert place or title.startswith(("Chapter", "For")) or not re.match(r"[\dT]", title)
        assert not place.startswith(title) and "`" not in place + title
    marked = [{mark.lower() for mark in hit.locator("mark").all_inner_texts()} for hit in hits.all()]
    assert marked[0] == {"softmax", "weights"}
    shown = page.evaluate("SEARCH.find((one) => one.anchor.startsWith('4-7')).en")
    assert "Dividing by √d_k prevents" in shown


@pytest.mark.parametrize("start", ["04_attention", "index"])
def test_the_search_leads_to_a_tab_of_the_first_page(page, address, start):
    page.goto(f"{address}/{start}.html?lang=ko")
    page.locator("#query").fill("한 스텝을 숫자로")
    page.locator("#found a").first.click()
    page.wait_for_function(
        "document.querySelector('.live[aria-busy=false] .tabs')?.getBoundingClientRect().top < 150"
    )
    assert page.locator("#live-step").is_visible() and page.locator("#live-text").input_value() != ""


@pytest.mark.parametrize(
    ("chapter", "part"), [("09", "attention"), ("10", "picture"), ("12", "writing"), ("13", "removal")]
)
def test_a_chapter_leads_to_its_part_of_the_translator(page, address, chapter, part):
    [name] = [one for one in CHAPTERS if one.startswith(chapter)]
    page.goto(f"{address}/{name}.html?lang=en")
    page.get_by_role("link", name="Try it live").click()
    page.wait_for_function(
        """(part) => document.querySelector('.live[aria-busy=false]')
            && Math.abs(document.querySelector('#live-' + part).getBoundingClientRect().top - 65) < 40""",
        arg=part,
    )
    shown = page.locator(f"#live-{part}")
    assert shown.get_attribute("open") is not None or part == "picture"


@pytest.mark.parametrize(("language", "query"), [("ko", "softmax"), ("en", "softmax"), ("ko", "batch")])
def test_search_finds_the_language_of_the_page_first(page, site, language, query):
    page.goto(f"{site.as_uri()}/04_attention.html?lang={language}")
    page.locator("#query").fill(query)
    page.locator("#found a").first.wait_for()
    own = page.evaluate(
        """([query, language]) => siteSearch(query)
            .map((section) => section[language] + section[language + "_title"] + section.code)
            .map((text) => text.toLowerCase().includes(query))""",
        [query, language],
    )
    assert True in own and own == sorted(own, reverse=True)


def test_search_leads_to_the_place_by_keyboard(page, address):
    page.goto(f"{address}/index.html?lang=en")
    page.keyboard.press("/")
    page.keyboard.type("why divide by √d")
    page.locator("#found a").first.wait_for()
    assert not re.search("[가-힣]", page.locator("#found a b").first.inner_text())
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/04_attention.html*#*")
    assert (
        "divide"
        in page.evaluate(
            "document.getElementById(decodeURIComponent(location.hash.slice(1))).innerText"
        ).lower()
    )


def test_the_keyboard_reaches_everything(page, site):
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{site.as_uri()}/06_masking.html?lang=en")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")
    page.locator("details.solution summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("details.solution").first.get_attribute("open") is not None
    page.set_viewport_size(PHONE)
    wide = page.locator("pre").evaluate_all(
        "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.tabIndex)"
    )
    assert set(wide) == {0}  # what is wider than the page: a matrix
    page.locator("#menu").press("Enter")
    page.locator("#contents a").first.focus()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "menu"
    assert not page.locator("#contents").is_visible()


def test_code_is_copied(browser, site):
    with (
        served(site) as address,
        watched_page(browser, permissions=["clipboard-read", "clipboard-write"]) as page,
    ):
        page.goto(f"{address}/index.html")
        page.locator(".code").last.get_by_role("button").click()
        page.get_by_role("button", name="복사됨").wait_for()
        assert page.evaluate("navigator.clipboard.readText()").endswith("\nmake lab")


def test_the_viewer_of_chapter_13(page, site):
    page.goto(f"{site.as_uri()}/13_looking_inside.html")
    viewer = page.locator(".attention-viewer").first
    said = viewer.locator("[aria-live]").inner_text()
    viewer.locator("button").nth(2).click()
    assert viewer.locator("[aria-live]").inner_text() != said


def test_the_first_page_has_the_translator_then_the_map_then_the_chapters(page, address):
    page.goto(f"{address}/index.html")
    tops = [page.locator(found).first.bounding_box()["y"] for found in (".live", ".map", "ol.chapters")]
    assert tops == sorted(tops) and tops[0] < PHONE["height"] / 2
    assert page.evaluate("typeof TRANSLATOR") == "object"
    for chapter in (
        "01_tokenization",
        "12_decoding",
        "04_attention",
        "13_looking_inside",
    ):  # of what it shows
        assert page.locator(f".live .chapters:not(.picture *) a[href='{chapter}.html']").count() == 1
    page.locator(".map a").first.click()
    page.wait_for_url("**/01_tokenization.html*")


def test_each_part_of_the_picture_leads_to_its_chapter(page, site):
    page.goto(f"{site.as_uri()}/index.html?lang=en")
    page.wait_for_selector(".live[aria-busy=false]")
    links = page.locator(".picture :is(svg, .legend) a").evaluate_all(
        "all => all.map((one) => one.getAttribute('href'))"
    )
    assert {link[:2] for link in links} == {f"{number:02}" for number in (*range(1, 11), 12)}
    assert all((site / link).is_file() for link in links)
    told = set()
    for scene in range(int(page.get_attribute(".picture input", "max")) + 1):
        page.fill(".picture input", str(scene))
        told |= {link.inner_text() for link in page.locator(".picture .told a").all()}
    assert len(told) >= 10


@pytest.mark.parametrize("size", [PHONE, {"width": 1280, "height": 800}])
@pytest.mark.parametrize("language", ["ko", "en"])
def test_promise_sentence_and_picture_are_the_first_screen(browser, site, size, language):
    with watched_page(browser, viewport=size) as page:
        page.goto(f"{site.as_uri()}/index.html?lang={language}")
        page.wait_for_selector(".live[aria-busy=false]")
        places = (".lead:visible", "#live-text", "#live-translation", ".picture svg .frame")
        tops = [min(one.bounding_box()["y"] for one in page.locator(place).all()) for place in places]
        warned = page.locator("#live-notes").bounding_box()["height"]  # of a right translation: 0
        assert tops == sorted(tops) and tops[-1] - warned < 0.7 * size["height"]
        play = page.locator(".picture .play").bounding_box()
        assert play["y"] + play["height"] <= size["height"]


def test_what_was_chosen_stays_under_the_finger(page, site):
    page.goto(f"{site.as_uri()}/index.html?lang=ko")
    page.wait_for_selector(".live[aria-busy=false]")
    page.click("#live-removal summary")
    head = page.locator("#live-switches [aria-pressed]").nth(4)
    head.evaluate("(one) => one.scrollIntoView({block: 'center'})")
    before = head.bounding_box()["y"]
    head.click()
    page.wait_for_selector("#live-noted button:visible")  # above it something has come
    page.wait_for_function("document.querySelector('.pair').getAttribute('aria-busy') === 'false'")
    assert head.bounding_box()["y"] == pytest.approx(before, abs=2)


def test_an_anchor_leaves_the_sentence_in_the_address(page, site):
    page.goto(f"{site.as_uri()}/index.html?lang=ko")
    page.fill("#live-text", "나는 어제 책을 샀다")
    page.keyboard.press("Enter")
    page.wait_for_function("location.hash.startsWith('#text=')")
    before = page.url
    page.click(".actions a[href='#chapters']")
    page.wait_for_function("scrollY > 500")
    assert page.url == before


def test_a_word_is_not_offered_in_its_own_place(page, site):
    """만났습니다 is glossed, but no token of the model: what it can read is offered."""
    page.goto(f"{site.as_uri()}/index.html?lang=ko")
    page.fill("#live-text", "나는 친구를 만났습니다")
    page.keyboard.press("Enter")
    offered = page.locator("#live-notes > :not(.lacking) button")
    offered.wait_for()
    assert offered.locator("bdi").first.inner_text().strip() == "나는 친구를 만났어요"
    assert offered.locator("b").inner_text() == "만났어요"  # what is new in it
    assert "모델이 배운 형태" in page.inner_text("#live-notes")
    offered.click()
    page.wait_for_selector(".live[aria-busy=false]")
    assert page.input_value("#live-text") == "나는 친구를 만났어요" and not offered.count()


def test_while_the_translator_is_on_its_way_the_page_says_so(page, site):
    held = []
    page.route("**/translator-data.js", lambda route: held.append(route))
    page.goto(f"{site.as_uri()}/index.html?lang=en", wait_until="commit")
    page.get_by_text("Loading the translator (2 MB) …").wait_for()
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()
    page.wait_for_function("document.querySelector('#live-translation').textContent")
    assert "Loading" not in page.inner_text(".live")


def test_other_engines_show_the_site(other_engine, site):
    with served(site) as address, watched_page(other_engine, viewport=PHONE) as page:
        for name in ("index", LONGEST, "13_looking_inside"):
            page.goto(f"{address}/{name}.html?lang=en")
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
            assert not page.locator("div[lang=ko]:visible").count()


CUT = "all => [...document.querySelectorAll(all)].filter(pre => pre.scrollWidth > pre.clientWidth + 1).length"


@pytest.mark.parametrize("language", ["ko", "en", "both"])
def test_paper_is_light_and_nothing_is_cut(page, site, language):
    page.goto(f"{site.as_uri()}/{LONGEST}.html?lang={language}")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)" != dark
    shown = page.locator("figure a:visible")
    assert shown.count() == page.locator("figure").count()
    assert all("light" in link.get_attribute("class") for link in shown.all())
    assert page.evaluate(CUT, "main pre") == 0
    assert page.locator("header, #contents, .actions").locator("visible=true").count() == 0


def test_the_first_page_is_whole_on_paper(page, site):
    page.goto(f"{site.as_uri()}/index.html?lang=ko")
    page.wait_for_selector(".live[aria-busy=false]")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1047})  # A4 with margins of 10 mm
    assert page.evaluate("document.querySelector('.map').getBoundingClientRect().height") < 1047
    assert page.evaluate("one => one.scrollWidth - one.clientWidth", page.query_selector(".examples")) <= 1


def test_the_translator_is_light_on_paper(page, site):
    """What its own styles color in the dark, too; a word in a cell can be read on it."""
    page.goto(f"{site.as_uri()}/index.html?lang=ko&theme=dark")
    page.wait_for_selector(".live[aria-busy=false]")
    page.evaluate("document.querySelector('#live-attention').open = true")
    page.wait_for_selector("#live-weights tbody td")
    looks = """() => ["--heat", "--odd", "--reach"].map((name) =>
        getComputedStyle(document.querySelector(".live")).getPropertyValue(name))
        .concat(getComputedStyle(document.querySelector("#live-weights tbody td")).mixBlendMode)"""
    dark = page.evaluate(looks)
    page.emulate_media(media="print")
    printed = page.evaluate(looks)
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    assert printed == page.evaluate(looks) and not set(printed) & set(dark)


def test_from_a_file_a_page_says_where_its_notebook_lies(page, site):
    page.goto(f"{site.as_uri()}/04_attention.html?lang=en")
    assert page.locator(".place:visible").inner_text() == "in this folder: editions/en/04_attention.ipynb"
    assert (site / "editions" / "en" / "04_attention.ipynb").exists()
    with served(site) as address:
        page.goto(f"{address}/04_attention.html?lang=en")
        assert not page.locator(".place").count()


def test_the_contents_show_the_depths_of_the_chapter_that_is_read(browser, site):
    with watched_page(browser, viewport={"width": 1280, "height": 800}) as page:
        shown = page.locator("#contents .deeper a:visible")
        page.goto(f"{site.as_uri()}/index.html?lang=en")
        assert shown.count() == 0
        page.goto(f"{site.as_uri()}/04_attention.html?lang=en")
        assert {"04_"} == {link.get_attribute("href")[:3] for link in shown.all()}
        page.goto(f"{site.as_uri()}/{shown.first.get_attribute('href')}?lang=en")
        assert {"04_"} == {link.get_attribute("href")[:3] for link in shown.all()}


def test_the_section_that_is_read_is_marked_in_the_contents(browser, site):
    with watched_page(browser, viewport={"width": 1280, "height": 800}) as page:
        page.goto(f"{site.as_uri()}/04_attention.html?lang=en")
        marked = page.locator("#contents [aria-current=location]")
        assert marked.count() == 0
        for number in (7, 3):
            page.locator(f"main h2 >> text=/^4[.]{number} /").evaluate("one => one.scrollIntoView()")
            page.wait_for_function("document.querySelector('#contents [aria-current=location]')")
            page.wait_for_timeout(100)
            assert marked.count() == 1 and marked.inner_text().startswith(f"4.{number} ")


def test_what_is_not_yet_done_is_not_called_a_failure(site):
    for name in CHAPTERS:
        page = text(site, name)
        assert "Not yet:" not in page and "Not fixed yet" not in page
        in_code = [one for one in exercises_of(name[:2]).values() if isinstance(one, Exercise)]
        assert page.count('<p class="where">') == page.count('class="guess by-hand"') == len(in_code) > 0
        assert page.count('<form class="guess') == page.count('<section class="exercise">')


def test_a_hit_tells_no_answer(site):
    found = (site / "search.js").read_text("utf-8")
    told = 0
    for path in chapters():
        prose = "\n".join(
            cell.source for cell in website.bilingual(path).cells if cell.cell_type == "markdown"
        )
        for solution in re.findall(r"<summary>풀이.*?</summary>(.*?)</details>", prose, re.S):
            sentences = re.findall(r"^[^<>`$*\[\n\"\\]{40,}[.]$", solution, re.M)
            told += len(sentences)
            assert [sentence for sentence in sentences if sentence.strip() in found] == []
    assert told > 10


@pytest.mark.parametrize("width", [390, 1280])
def test_what_is_printed_in_sentences_is_wrapped_and_a_table_is_not(page, site, width):
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{site.as_uri()}/12_decoding.html?lang=en")
    cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth).length"
    assert page.locator("pre.loose").count() > 0 and page.locator("pre.loose").evaluate_all(cut) == 0
    spaces = page.locator("pre.out:not(.loose)").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).whiteSpace)"
    )
    assert set(spaces) <= {"pre"}
    shapes = page.locator(".code .whole")
    assert shapes.count() > 3
    lines = "one => new Set([...one.getClientRects()].map(({top}) => Math.round(top))).size"
    assert shapes.evaluate_all(f"all => Math.max(...all.map({lines}))") == 1


def test_code_is_wrapped_on_a_phone(page, site):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{site.as_uri()}/{LONGEST}.html")
    assert page.evaluate(CUT, ".code pre") == 0


def test_code_that_only_prepares_is_folded_and_its_output_is_not(page, site):
    page.goto(f"{site.as_uri()}/09_decoder.html?lang=en")
    code = page.get_by_text("def trips(n):")
    assert not code.is_visible() and page.get_by_text("Cairo Paris Seoul Busan").first.is_visible()
    page.get_by_text("Code that prepares this").first.click()
    assert code.is_visible()


def said_of(page, form, guess):
    form.locator("input").fill(guess)
    form.locator("button:not([type])").click()
    return form.locator("[role=status]").inner_text(), form.locator("[role=status]").get_attribute(
        "data-right"
    )


def said_of_all(form, guesses):
    return form.evaluate(
        """(form, guesses) => guesses.map((guess) => {
            form.querySelector("input").value = guess;
            form.requestSubmit();
            const status = form.querySelector("[role=status]");
            return [status.innerText, status.dataset.right];
        })""",
        list(guesses),
    )


def as_entered(slip):
    lists = re.sub(r"(?<=[\].])(?=[\[.])", ", ", slip["groups"]).replace(".", "{}").format(*slip["parts"])
    return lists or ", ".join(map(str, slip["parts"]))


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_a_prediction_is_judged_on_the_page_as_in_the_notebook(page, site, path):
    page.goto(f"{site.as_uri()}/{path.stem}.html?lang=en")
    predictions = {
        name: exercise
        for name, exercise in exercises_of(path.stem[:2]).items()
        if isinstance(exercise, Prediction)
    }
    forms = page.locator("form.guess:not(.finding, .by-hand)")
    assert forms.count() == len(predictions) >= 1
    for form, exercise in zip(forms.all(), predictions.values(), strict=True):
        answer = plain(exercise.answer() if callable(exercise.answer) else exercise.answer)
        parts = answer if isinstance(answer, list) else [answer]
        said, right = said_of(page, form, ", ".join(map(str, parts)))
        assert right == "true" and said == diagnose(answer, exercise).en
        other = dict(zip(exercise.choices, [*exercise.choices[1:], *exercise.choices[:1]], strict=True))
        far = [other.get(part, part * 3 + (7 if isinstance(part, int | float) else "x")) for part in parts]
        assert diagnose(far if isinstance(answer, list) else far[0], exercise).passed is False
        first, right = said_of(page, form, ", ".join(map(str, far)))  # a hint may do: the answer comes later
        assert right == "false" and first.startswith("Not quite. Open a hint")
        assert exercise.why[1] not in first
        said, right = said_of(page, form, ", ".join(map(str, far)))
        assert right == "false" and said.startswith("Not quite.") and exercise.why[1] in said
        for slip, _, why in exercise.slips:
            told = diagnose(slip, exercise)
            assert told.passed is False and told.en.startswith(f"Not quite. {why} ")
            parts = plain(slip) if isinstance(answer, list) else [slip]
            said, right = said_of(page, form, ", ".join(map(str, parts)))
            assert right == "false" and said.startswith(f"Not quite. {why} ")
        assert said_of(page, form, " ") == ("Enter an answer first.", "")


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_what_a_function_returns_by_hand_is_judged_as_check_does(page, site, path):
    page.goto(f"{site.as_uri()}/{path.stem}.html?lang=en")
    exercises = [one for one in exercises_of(path.stem[:2]).values() if isinstance(one, Exercise)]
    forms = page.locator("form.by-hand")
    for form, exercise in zip(forms.all(), exercises, strict=True):
        wanted = by_hand.result(exercise, exercise.spec)
        then = by_hand.THEN[bool(exercise.start)][1]
        assert said_of(page, form, by_hand.written(wanted)) == (f"You got it. {then}", "true")
        slips = by_hand.asked(exercise)["slips"]
        if exercise.start:  # the chapter prints what is expected in this case
            shown = exercise.cases[diagnose(exercise.start, exercise).case]
            assert by_hand.written(shown) != by_hand.written(exercise.by_hand)
        assert slips and (by_hand.AS_IT_IS in [slip["said"] for slip in slips]) == bool(exercise.start)
        for slip, (said, right) in zip(slips, said_of_all(form, map(as_entered, slips)), strict=True):
            assert right == "false" and said.startswith(f"Not quite. {slip['said'][1]} ")
        assert said_of(page, form, by_hand.written(wanted))[1] == "true"


def test_lists_of_different_lengths_are_told_apart(page, site):
    page.goto(f"{site.as_uri()}/11_training.html?lang=en")
    form = page.locator("form.by-hand").first
    assert said_of(page, form, "1, 2, 0") == ("Write the brackets of each list, as in [[4], [5, 6]].", "")
    assert said_of(page, form, "[[1], [2, 0]]")[1] == "false"
    assert "grouped differently" in form.locator("[role=status]").inner_text()
    assert said_of(page, form, "[1, 2], [0]")[1] == said_of(page, form, "((1, 2), (0,))")[1] == "true"


@pytest.mark.parametrize(
    "guess",
    [
        "True, True, False, True, True, True",
        "[[1 1 0] [1 1 1]]",
        "1,1,0,1,1,1",
        "TTF TTT",
        "110111",
        "110 111",
        "참 참 거짓 참 참 참",
    ],
)
def test_a_mask_may_be_entered_in_ones_and_zeros(page, site, guess):
    page.goto(f"{site.as_uri()}/06_masking.html?lang=en")
    assert said_of(page, page.locator("form.by-hand").last, guess)[1] == "true"


@pytest.mark.parametrize(
    "guess, right",
    [
        ("[[0, 0, 0], [1, 1, 0]]", "true"),
        ("[[[[0, 0, 0]]], [[[1, 1, 0]]]]", "true"),
        ("[[0, 0], [0, 1], [1, 0]]", "false"),
    ],
)
def test_values_in_another_shape_are_told(page, site, guess, right):
    page.goto(f"{site.as_uri()}/06_masking.html?lang=en")
    said, found = said_of(page, page.locator("form.by-hand").first, guess)
    assert found == right and ("grouped differently" in said) == (right == "false")


def test_right_values_in_another_order_are_told(page, site):
    page.goto(f"{site.as_uri()}/19_into_the_world.html?lang=en")
    said, right = said_of(page, page.locator("form.by-hand").first, "tensor([67, 15])")
    assert right == "false" and said.startswith("Not quite. These are the right values, in another order. ")
    assert said_of(page, page.locator("form.by-hand").first, "tensor([15, 67])")[1] == "true"


@pytest.mark.parametrize("guess, said", [("29, 6", "You have 1 of 2 right."), ("29, 7", "Open a hint")])
def test_how_many_values_are_right_is_told(page, site, guess, said):
    page.goto(f"{site.as_uri()}/14_bug_clinic.html?lang=en")
    found, right = said_of(page, page.locator("form.by-hand").first, guess)
    assert right == "false" and found.startswith(f"Not quite. {said}")


def test_a_list_may_be_empty_and_korean_words_are_tapped(page, site):
    page.goto(f"{site.as_uri()}/17_human_sentences.html?lang=en")
    form = page.locator("form.by-hand").first
    assert said_of(page, form, "[]")[1] == "false" and said_of(page, form, "")[1] == ""
    for word in ("열기", "Open"):
        form.get_by_role("button", name=word, exact=True).click()
    assert said_of(page, form, form.locator("input").input_value())[1] == "true"


@pytest.mark.parametrize(
    "guess, right",
    [
        ("16/17", "true"),
        ("2 · 8 / 17", "true"),
        ("√256/17", "true"),
        ("94%", "true"),
        ("94", "true"),
        ("0.5", "false"),
        ("9.4", "false"),
    ],
)
def test_a_number_may_be_guessed_as_a_fraction_or_a_share(page, site, guess, right):
    page.goto(f"{site.as_uri()}/12_decoding.html?lang=ko")
    said, found = said_of(page, page.locator("form.guess").first, guess)
    assert found == right and said.startswith(
        "예측이 맞았습니다." if right == "true" else "아쉽지만 아닙니다."
    )


def test_what_one_expects_is_compared_with_what_to_look_for(page, site):
    page.goto(f"{site.as_uri()}/16_modern_parts.html?lang=en")
    form = page.locator("form.finding")
    assert said_of(page, form, " ") == ("Enter what you expect first.", None)
    exploration = exercises_of("16")["more_steps"]
    told = diagnose("RoPE is nearly always right", exploration).en
    assert said_of(page, form, "RoPE is nearly always right") == (told, None)
    assert exploration.look_for[1] in told


@pytest.mark.parametrize("language", ["ko", "en", "both"])
def test_the_notebook_that_judges_code_is_linked_beside_it(page, site, language):
    page.goto(f"{site.as_uri()}/16_modern_parts.html?lang={language}")
    links = page.locator(".where a:visible").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    assert links == [f"editions/{language}/16_modern_parts.ipynb"] * 2


@pytest.mark.parametrize("guess", ["es, est, lo", "es est lo", "e·s, es·t, l·o", '["es", "est", "lo"]'])
def test_pieces_may_be_guessed_as_the_chapter_writes_them(page, site, guess):
    page.goto(f"{site.as_uri()}/01_tokenization.html?lang=ko")
    assert said_of(page, page.locator("form.guess").first, guess)[1] == "true"


@pytest.mark.parametrize(
    ("guess", "is_right"), [("4-7", "true"), ("4–7", "true"), ("4, 5-7", "true"), ("4-8", "")]
)
def test_a_range_of_numbers_may_be_guessed(page, site, guess, is_right):
    page.goto(f"{site.as_uri()}/05_multi_head_attention.html?lang=en")
    assert said_of(page, page.locator("form.guess").first, guess)[1] == is_right


def test_what_is_among_choices_is_chosen_by_a_tap(page, site):
    page.goto(f"{site.as_uri()}/14_bug_clinic.html?lang=en")
    form = page.locator("form.guess").first
    said, right = said_of(page, form, "positions, batch norm, padding")
    assert right == "" and said.startswith("Choose 3 of these, in order: causal mask, source padding")
    form.locator("input").fill("")
    for choice in ("source positions", "norm over the batch", "source padding"):
        form.get_by_role("button", name=choice).click()
    assert said_of(page, form, form.locator("input").input_value())[1] == "true"


@pytest.mark.parametrize("guess", ["(1, 8, 36)", "1 8 36", "1번, 8번, 36개", "1, 8, 36 tokens"])
def test_numbers_may_be_guessed_as_people_write_them(page, site, guess):
    page.goto(f"{site.as_uri()}/10_transformer.html?lang=ko")
    assert said_of(page, page.locator("form.guess").first, guess)[1] == "true"
    said, right = said_of(page, page.locator("form.guess").first, "8, 36")
    assert said.startswith("개수가 다릅니다.") and right == ""


def test_a_guess_and_what_was_said_of_it_are_there_again(page, site):
    page.goto(f"{site.as_uri()}/12_decoding.html?lang=ko")
    said = said_of(page, page.locator("form.guess").first, "0.94")
    page.reload()
    form = page.locator("form.guess").first
    assert form.locator("input").input_value() == "0.94"
    assert form.locator("[role=status]").inner_text() == said[0]


@pytest.mark.parametrize(
    ("name", "guess"),
    [
        ("03_positional_encoding", "19,869"),
        ("03_positional_encoding", "2e4"),
        ("03_positional_encoding", "약 2만"),
        ("03_positional_encoding", "2만 토큰"),
        ("03_positional_encoding", "2π*3162"),
        ("03_positional_encoding", "2π·10000^(7/8)"),
        ("03_positional_encoding", "2 * pi * 10000**(14/16)"),
        ("12_decoding", "sqrt(256)/17"),
    ],
)
def test_large_numbers_and_roots_may_be_written_as_in_python(page, site, name, guess):
    page.goto(f"{site.as_uri()}/{name}.html?lang=en")
    assert said_of(page, page.locator("form.guess").first, guess)[1] == "true"


@pytest.mark.parametrize("guess", ["two", "0,5", "1/2/3", "abc 4"])
def test_what_is_no_number_is_no_guess(page, site, guess):
    page.goto(f"{site.as_uri()}/12_decoding.html?lang=en")
    said = said_of(page, page.locator("form.guess").first, guess)
    assert said == ("Enter a number, such as 0.5, 1/2 or 50%.", "")


# Letters of which no space, but a line, separates the Korean before or after them
BROKEN_TEXT = r"""() => {
  const broken = [], walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const top = (text, i) => {
    const range = document.createRange();
    range.setStart(text, i);
    range.setEnd(text, i + 1);
    return range.getBoundingClientRect().top;
  };
  for (let text; text = walker.nextNode();) {
    if (!text.parentElement.offsetHeight || text.parentElement.closest("pre, svg, math")) continue;
    for (const {0: found, index} of text.data.matchAll(/[)\]’”%∞▨]\u2060?(?=[가-힣])/g)) {
      const isBroken = top(text, index + found.length) > top(text, index) + 8;
      if (isBroken) broken.push(text.data.slice(0, index + 9));
    }
  }
  return broken;
}"""
BROKEN = """() => [...document.querySelectorAll("main :is(math, code)")].filter((before) => {
  const after = before.nextSibling;
  const lines = before.getClientRects(), range = document.createRange();
  if (after?.nodeType !== 3 || !/^[가-힣]/.test(after.data) || !lines.length) return false;
  range.setStart(after, 0);
  range.setEnd(after, 1);
  return range.getBoundingClientRect().top > lines[lines.length - 1].bottom;
}).length"""


@pytest.mark.parametrize("width", [390, 460, 530])
def test_no_line_begins_with_the_particle_of_a_formula(page, site, width):
    page.set_viewport_size({"width": width, "height": 844})
    for name in ("03_positional_encoding", "04_attention", "05_multi_head_attention"):
        page.goto(f"{site.as_uri()}/{name}.html?lang=ko")
        assert page.evaluate(BROKEN) == 0
        assert page.evaluate(BROKEN_TEXT) == []


def test_a_particle_is_joined_to_what_a_line_might_end_with():
    joined = website.with_particles(
        "<p title='(a)가'>쿼리 (0, 1)입니다. <b>(logit)</b>이 10%를 ‘말’로 x를, ‘가’</p><pre>(a)가</pre>"
        '<code>f(&quot;가&quot;)</code>를 <a href="#"><code>&lt;eos&gt;</code></a>를'
    )
    assert joined.replace("&#8288;", "|") == (
        "<p title='(a)가'>쿼리 (0, 1)|입니다. <b>(logit)</b>|이 10%|를 ‘말’|로 x를, ‘가’</p><pre>(a)가</pre>"
        '<code>f(&quot;가&quot;)</code>|를 <a href="#"><code>&lt;eos&gt;</code></a>|를'
    )


def test_hints_are_asked_for_on_the_page_one_after_the_other(page, site):
    """Nowhere is one sent to a cell for them, and none is there before the one before it."""
    for name in CHAPTERS:
        prose = re.sub(r"<pre.*?</pre>", "", text(site, name), flags=re.S)
        assert "hint(exercises" not in prose
    page.goto(f"{site.as_uri()}/04_attention.html?lang=ko")
    hints = page.locator("section.exercise").filter(has=page.locator("details.hint")).first.locator(".hint")
    assert hints.count() > 1 and hints.nth(0).is_visible() and not hints.nth(1).is_visible()
    hints.nth(0).locator("summary").click()
    assert hints.nth(0).locator("p").is_visible()
    assert hints.nth(1).is_visible() and not hints.nth(1).locator("p").is_visible()
