"""The scripts behind the make targets, on small notebooks."""

import base64
import copy
import errno
import os
import re
import runpy
import shutil
import signal
import subprocess
import sys
import time
import types

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import course
import lab
import links
import paragraphs
import refresh
from helpers.corpus import course_paragraphs
from project import METADATA, ROOT


def run(command, folder, **settings):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, **settings)


def notebook(path, *sources):
    """Write a notebook with a title and the code cells given."""
    cells = [new_markdown_cell("# 가 · a\n\n<!-- colab -->"), *map(new_code_cell, sources)]
    cells[1].metadata["tags"] = ["setup"]
    nbformat.write(new_notebook(cells=cells, metadata=METADATA), path)
    return path


# make course


@pytest.fixture
def project(tmp_path):
    """A project with the workbench and an empty folder for chapters."""
    shutil.copytree(ROOT / "tests" / "workbench", tmp_path / "tests" / "workbench")
    (tmp_path / "notebooks").mkdir()
    return tmp_path


def test_course_goes_on_past_a_failure_and_names_it(tmp_path, capfd):
    first = notebook(tmp_path / "01_broken.ipynb", "x = 1", "print(x)\nx / 0", "x")
    second = notebook(tmp_path / "02_whole.ipynb", "open('made_here', 'w').close()")
    assert course.run([first, second], tmp_path / "build") == 1
    printed = capfd.readouterr().out
    assert re.search(r"^01_broken +\d+\.\d +no$", printed, re.M)
    assert re.search(r"^02_whole +\d+\.\d +yes$", printed, re.M)
    assert printed.endswith("failed:\n01_broken, cell [2]: ZeroDivisionError: division by zero\n")
    assert (tmp_path / "made_here").exists()  # it ran in its own folder
    assert nbformat.read(tmp_path / "build" / second.name, 4).cells[-1].execution_count == 1


def test_course_names_the_cell_in_which_a_kernel_died(tmp_path, capfd):
    dying = notebook(tmp_path / "01_dying.ipynb", "1", "import os; os._exit(1)", "2")
    assert course.run([dying], tmp_path / "build") == 1
    assert "01_dying, cell [2]: DeadKernelError" in capfd.readouterr().out


def test_course_takes_an_early_exit_for_a_failure(tmp_path, capfd):
    leaving = notebook(tmp_path / "01_leaving.ipynb", "1", "import sys; sys.exit(0)", "2")
    assert course.run([leaving], tmp_path / "build") == 1
    assert "01_leaving, cell [2]: SystemExit: 0" in capfd.readouterr().out


def test_course_executes_two_chapters_at_a_time(tmp_path):
    meet = "import os, time\nopen('{}', 'w').close()\nwhile not os.path.exists('{}'): time.sleep(0.01)"
    paths = [notebook(tmp_path / f"0{n}_meeting.ipynb", meet.format(n, 3 - n)) for n in (1, 2)]
    assert course.run(paths, tmp_path / "build") == 0


def test_course_executes_the_depths_after_the_chapters_and_says_so(tmp_path, monkeypatch, capfd):
    (tmp_path / "deeper").mkdir()
    chapter = notebook(tmp_path / "01_small.ipynb", "import time; time.sleep(1); open('done', 'w').close()")
    depth = notebook(tmp_path / "deeper" / "01_why.ipynb", "open('../done')")
    monkeypatch.setattr(course, "chapters", lambda: [chapter])
    monkeypatch.setattr(course, "depths", lambda: [depth])
    assert course.run_all(tmp_path / "build") == 0
    assert (tmp_path / "build" / "deeper" / "01_why.ipynb").exists()
    said = capfd.readouterr().out
    assert said.index("01_small") < said.index("\nnow the depths") < said.index("01_why")


def test_course_opens_the_translator_when_it_is_trained(tmp_path):
    training = notebook(tmp_path / "11_training.ipynb", "import time; time.sleep(3); open('t', 'w').close()")
    opening = notebook(tmp_path / "01_opening.ipynb", "open('t')  # as course_translator(path) does")
    assert course.run([opening, training], tmp_path / "build") == 0


@pytest.mark.parametrize("source, status", [("1", 0), ("1 / 0", 1)])
def test_exit_status_of_course(project, source, status):
    notebook(project / "notebooks" / "01_small.ipynb", source)
    done = run([sys.executable, "tests/workbench/course.py"], project)
    assert done.returncode == status
    assert (project / "build" / "01_small.ipynb").exists()


def test_course_says_in_one_line_that_it_cannot_write(project):
    notebook(project / "notebooks" / "01_small.ipynb", "1")
    (project / "build").touch()  # for an administrator no folder is read-only
    done = run([sys.executable, "tests/workbench/course.py"], project)
    assert done.returncode == 1
    assert done.stderr == f"{project / 'build'}: File exists; make course writes there\n"


def test_importing_the_scripts_leaves_ctrl_c_alone():
    """With the default of the system, a signal that a test sends itself would end all tests."""
    assert signal.getsignal(signal.SIGINT) is not signal.SIG_DFL


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for another process")
def test_ctrl_c_ends_the_course_in_one_line(project):
    waiting = "open('begun', 'w').close(); import time; time.sleep(600)"
    notebook(project / "notebooks" / "01_small.ipynb", waiting)
    command = [sys.executable, "tests/workbench/course.py"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, cwd=project, start_new_session=True, **pipes) as running:
        while not (project / "notebooks" / "begun").exists():
            assert running.poll() is None
            time.sleep(0.05)
        os.killpg(running.pid, signal.SIGINT)
        said, _ = running.communicate()
    assert said == "\nstopped\n"
    assert running.returncode == 130


# make lab


@pytest.fixture
def source(tmp_path):
    """A folder with one chapter, in both languages, and a picture."""
    (tmp_path / "notebooks" / "images").mkdir(parents=True)
    (tmp_path / "notebooks" / "images" / "a.png").write_bytes(b"a")
    notebook(tmp_path / "notebooks" / "01_small.ipynb", 'start_chapter("both", seed=0)')
    return tmp_path / "notebooks"


def test_lab_copies_all_and_leaves_what_the_reader_changed(source, tmp_path):
    work, chapter = tmp_path / "work", source / "01_small.ipynb"
    assert lab.copy_all(source, work) == []
    copy = work / chapter.name
    assert copy.read_bytes() == chapter.read_bytes() and (work / "images" / "a.png").read_bytes() == b"a"
    notebook(chapter, "2")
    assert (
        lab.copy_all(source, work) == [] and copy.read_bytes() == chapter.read_bytes()
    )  # unchanged: renewed
    copy.write_text("mine")
    assert lab.copy_all(source, work) == []  # there is nothing newer
    notebook(chapter, "3")
    assert lab.copy_all(source, work) == [copy] and copy.read_text() == "mine"
    copy.unlink()
    assert lab.copy_all(source, work) == [] and copy.read_bytes() == chapter.read_bytes()


@pytest.mark.parametrize("damaged", [None, "", "[]", "null", '{"copies": {}}'])
def test_lab_leaves_a_copy_of_which_it_knows_nothing(damaged, source, tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    (work / "01_small.ipynb").write_text("mine")
    if damaged is not None:
        (work / ".copies.json").write_text(damaged)
    assert lab.copy_all(source, work) == [] == lab.copy_all(source, work)
    assert (work / "01_small.ipynb").read_text() == "mine" and (work / "images" / "a.png").exists()


def test_lab_remembers_the_language(source, tmp_path):
    copy = tmp_path / "work" / "01_small.ipynb"
    for asked, title, shown in (("ko", "# 가", "ko"), (None, "# 가", "ko"), ("en", "# a", "en")):
        lab.copy_all(source, tmp_path / "work", asked)
        cells = nbformat.read(copy, 4).cells
        assert (cells[0].source, cells[1].source) == (title, f'start_chapter("{shown}", seed=0)')
    lab.copy_all(source, tmp_path / "work", "both")
    assert copy.read_bytes() == (source / copy.name).read_bytes()
    with pytest.raises(ValueError, match="^language: 'kr'; use ko, en or both$"):
        lab.copy_all(source, tmp_path / "work", "kr")


# what other scripts do to a folder


@pytest.fixture
def script(project, monkeypatch):
    """A function that runs a script on a project with one small chapter."""
    notebook(project / "notebooks" / "01_small.ipynb", "1")
    monkeypatch.setattr("project.ROOT", project)
    monkeypatch.setattr("editions.carrier_of_helpers", lambda: "1")
    (project / "LICENSE").touch()
    return lambda name: runpy.run_path(str(ROOT / "tests" / "workbench" / f"{name}.py"), run_name="__main__")


@pytest.mark.parametrize("name", ["classroom", "editions"])
def test_what_else_lies_in_a_folder_stays(name, script, project):
    mine = project / "build" / name / "submissions" / "01_small.ipynb"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    script(name)
    assert mine.read_text() == "mine"
    assert len(list((project / "build" / name).rglob("01_small.ipynb"))) in (4, 5)  # with mine


def test_a_script_that_cannot_write_ends_in_one_line(script, project, monkeypatch):
    (project / "build").touch()
    with pytest.raises(SystemExit) as stop:
        script("classroom")
    assert re.fullmatch(r"\S+/build\S*: \w.*; make needs to read and write there", stop.value.code)
    (project / "build").unlink()

    def full(file):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(SystemExit, match=r"^path: \S+\.py cannot be written .*; free some space$"):
        script("classroom")


def test_where_the_tests_cannot_write_they_do_not_begin(monkeypatch, tmp_path):
    (tmp_path / "build").touch()
    monkeypatch.setattr("alone.FOLDER", tmp_path / "build" / "alone")
    monkeypatch.setattr("alone.write_chapters", lambda: (tmp_path / "build" / "alone").mkdir(parents=True))
    configure = runpy.run_path(str(ROOT / "conftest.py"))["pytest_configure"]
    options = types.SimpleNamespace(nbval=True)
    config = types.SimpleNamespace(args=[str(tmp_path / "build" / "alone")], option=options)
    with pytest.raises(pytest.UsageError, match="; make test writes there$"):
        configure(config)


# make notebooks


def test_refresh_gives_the_same_bytes_twice(tmp_path):
    path = notebook(tmp_path / "01_small.ipynb", "import sys; print(1); print(2, file=sys.stderr)", "[3]")
    assert not refresh.refresh_all([path])
    once = path.read_bytes()
    assert not refresh.refresh_all([path])
    assert path.read_bytes() == once
    assert once.endswith(b"}\n") and not once.endswith(b"\n\n")
    assert [cell.execution_count for cell in nbformat.read(path, 4).cells[1:]] == [1, 2]


def test_refresh_writes_the_summary(tmp_path):
    path = notebook(tmp_path / "01_small.ipynb", "1")
    before = nbformat.read(path, 4)
    sentence = '<div lang="{}">\n\n<p class="takeaway">{}</p>\n\n</div>'
    said = sentence.format("ko", "그렇다.") + "\n" + sentence.format("en", "It is so.")
    before.cells += [new_markdown_cell(f"## 1.1 절 · Section\n\n{said}")]
    before.cells += [new_markdown_cell("## 1.2 정리 · Summary\n\nold", metadata={"tags": ["summary"]})]
    nbformat.write(before, path)
    refresh.refresh_all([path])
    assert nbformat.read(path, 4).cells[-1].source == (
        '## 1.2 정리 · Summary\n\n<div lang="ko">\n\n- 그렇다.\n\n</div>\n'
        '<div lang="en">\n\n- It is so.\n\n</div>'
    )


def test_refresh_leaves_only_the_metadata_of_the_course(tmp_path):
    path = notebook(tmp_path / "01_small.ipynb", "1")
    before = nbformat.read(path, 4)
    before.metadata["papermill"] = {"duration": 1}
    before.cells[1].metadata["execution"] = {"started": "now"}
    nbformat.write(before, path)
    refresh.refresh_all([path])
    after = nbformat.read(path, 4)
    assert after.metadata == METADATA
    assert [cell.metadata for cell in after.cells] == [{}, {"tags": ["setup"]}]
    assert [cell.id for cell in after.cells] == [cell.id for cell in before.cells]


def test_refresh_leaves_a_failing_notebook_as_it_was(tmp_path):
    path = notebook(tmp_path / "01_small.ipynb", "1", "import nothing_like_it")
    before = path.read_bytes()
    [failure] = refresh.refresh_all([path])
    assert failure == "01_small, cell [2]: ModuleNotFoundError: No module named 'nothing_like_it'"
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def cell(source, *outputs, **metadata):
    return new_code_cell(source, outputs=list(outputs), metadata=metadata, execution_count=1)


def stream(text):
    return new_output("stream", text=text)


def kept(old, new, path):
    """The outputs of the last cell of a chapter after it was executed anew."""
    stored, executed = (new_notebook(cells=copy.deepcopy(cells)) for cells in (old, new))
    refresh.keep_what_holds(stored, executed, path)
    return executed.cells[-1].outputs


@pytest.mark.parametrize(
    "now, tags, holds",
    [
        ([stream("loss ≈ 0.33")], [], True),
        ([stream("loss ≈ 0.36")], [], False),
        ([stream("loss ≈ 0.36")], ["within-30%"], True),
        ([stream("cost ≈ 0.31")], [], False),
        ([new_output("display_data", data={"text/plain": "loss ≈ 0.31"})], [], False),
        ([], [], False),
        ([stream("loss ≈ 0.33"), new_output("stream", name="stderr", text="1")], [], False),
    ],
)
def test_refresh_keeps_an_output_that_holds(tmp_path, now, tags, holds):
    before = [stream("loss ≈ 0.31")]
    assert kept([cell("1", *before)], [cell("1", *now, tags=tags)], tmp_path / "a.ipynb") == (
        before if holds else now
    )


def test_refresh_keeps_one_output_and_not_another(tmp_path):
    shown = new_output("display_data", data={"text/plain": "3"})
    other = new_output("display_data", data={"text/plain": "4"})
    old, new = cell("1", stream("≈ 0.31"), shown), cell("1", stream("≈ 0.32"), other)
    assert kept([old], [new], tmp_path / "a.ipynb") == [stream("≈ 0.31"), other]


def test_refresh_leaves_a_chapter_whose_outputs_hold_and_numbers_them(tmp_path):
    path = notebook(tmp_path / "01_small.ipynb", "1", "import time; f'≈ {time.time()}'")
    refresh.refresh_all([path])
    once = path.read_bytes()
    refresh.refresh_all([path])
    assert path.read_bytes() == once
    nb = nbformat.read(path, 4)
    nb.cells.insert(1, new_code_cell("2"))
    nbformat.write(nb, path)
    refresh.refresh_all([path])
    last = nbformat.read(path, 4).cells[3]
    assert last.execution_count == last.outputs[0].execution_count == 3
    assert last.outputs[0].data == nb.cells[3].outputs[0].data


def figure(pixels, alt="곡선 · a curve"):
    data = {"image/png": base64.b64encode(pixels * 100).decode(), "text/plain": "<Figure>"}
    return new_output("display_data", data=data, metadata={"image/png": {"alt": alt}})


def chapter(pixels, code="plot", above="1", below="2", prose="가"):
    """The cells of a chapter with a figure."""
    return [new_markdown_cell(prose), cell(above), cell(code, figure(pixels)), cell(below)]


@pytest.fixture
def drawn(tmp_path, monkeypatch):
    """Where a chapter with a figure and helpers are committed; a commit with other prose lies above."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "a")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@b.c")
    (tmp_path / "helpers").mkdir()
    (tmp_path / "helpers" / "plots.py").write_text("1")
    (tmp_path / "notebooks").mkdir()
    run(["git", "init", "-q"], tmp_path, check=True)
    path = tmp_path / "notebooks" / "01_small.ipynb"
    commit(path, chapter(b"old"))
    commit(path, chapter(b"old", prose="나"))
    return path


def commit(path, cells):
    nbformat.write(new_notebook(cells=cells), path)
    run(["git", "add", "--all"], path.parent, check=True)
    run(["git", "commit", "-qm", "x"], path.parent, check=True)


def after_drawing(path, **changes):
    """The figure that stands in the chapter after it was drawn anew, with other pixels."""
    outputs = kept(chapter(b"old", **changes)[:3], chapter(b"new", **changes)[:3], path)
    return base64.b64decode(outputs[0].data["image/png"])[:3]


def test_refresh_keeps_a_figure_whose_code_did_not_change(drawn):
    assert after_drawing(drawn) == b"old"
    assert after_drawing(drawn, below="3", prose="다") == b"old"


@pytest.mark.parametrize("change", [{"code": "plot(1)"}, {"above": "2"}])
def test_refresh_draws_a_figure_anew_after_its_code(drawn, change):
    assert after_drawing(drawn, **change) == b"new"
    commit(drawn, chapter(b"old", **change))
    assert after_drawing(drawn, **change) == b"new"


def test_refresh_draws_a_figure_anew_after_helpers(drawn):
    (drawn.parents[1] / "helpers" / "plots.py").write_text("BLUE = 2")
    assert after_drawing(drawn) == b"new"
    commit(drawn, chapter(b"old", prose="다"))  # a later commit of the chapter makes its figure no newer
    assert after_drawing(drawn) == b"new"


def test_refresh_draws_figures_anew_where_git_does_not_know_them(drawn, tmp_path, monkeypatch):
    assert after_drawing(drawn.with_name("02_other.ipynb")) == b"new"
    monkeypatch.setattr(refresh.subprocess, "run", no_such_program)
    assert after_drawing(drawn) == b"new"
    monkeypatch.undo()
    shutil.rmtree(tmp_path / ".git")
    assert after_drawing(drawn) == b"new"


def no_such_program(*arguments, **settings):
    raise FileNotFoundError


def test_refresh_leaves_only_the_alt_text_of_a_figure():
    shown = figure(b"old")
    shown.metadata["image/png"]["width"] = 9
    shown.metadata["isolated"] = True
    [left] = refresh.normalized(new_notebook(cells=[cell("1", shown)])).cells[0].outputs
    assert left.metadata == {"image/png": {"alt": "곡선 · a curve"}}


# make links


@pytest.mark.parametrize(
    "remote",
    [
        "https://github.com/someone/the.course.git",
        "https://github.com/someone/the.course",
        "https://user@github.com/someone/the.course/",
        "git@github.com:someone/the.course.git",
        "ssh://git@github.com/someone/the.course.git",
    ],
)
def test_the_repository_is_read_from_the_remote(tmp_path, remote):
    run(["git", "init", "-q"], tmp_path)
    run(["git", "remote", "add", "origin", remote], tmp_path)
    assert links.repository(tmp_path) == "someone/the.course"


@pytest.mark.parametrize(
    "remote", [None, "https://example.org/someone/course", "/srv/github.com", "../course"]
)
def test_without_a_github_remote_links_says_so(tmp_path, remote):
    run(["git", "init", "-q"], tmp_path)
    if remote:
        run(["git", "remote", "add", "origin", remote], tmp_path)
    with pytest.raises(ValueError, match="^origin: .*GitHub.*git remote add origin"):
        links.repository(tmp_path)


def test_links_fills_in_the_addresses_of_a_page():
    text = "[site](https://owner.github.io/name/) git clone https://github.com/OWNER/name here"
    filled = "[site](https://someone.github.io/Course/) git clone https://github.com/Someone/Course here"
    assert links.addressed(text, "Someone/Course") == filled


def test_links_fills_in_the_install_cell_and_the_badge_once(tmp_path):
    path = notebook(tmp_path / "01_small.ipynb", "1")
    before = nbformat.read(path, 4)
    line = "%pip install git+https://github.com/OWNER/NAME"
    before.cells[1:1] = [new_markdown_cell(line, metadata={"tags": ["install"]}), new_markdown_cell(line)]
    nbformat.write(before, path)
    assert links.link(path, "someone/course")
    title, install, other, _ = nbformat.read(path, 4).cells
    assert install.source == "%pip install git+https://github.com/someone/course"
    assert other.source == line
    page = "https://colab.research.google.com/github/someone/course/blob/main/notebooks/01_small.ipynb"
    assert re.fullmatch(rf'# 가 · a\n\n<!-- colab --> <a href="{page}"><img .*></a>', title.source)
    once = path.read_bytes()
    assert not links.link(path, "someone/course")
    assert path.read_bytes() == once
    assert links.link(path, "another/course")
    assert "someone" not in path.read_text(encoding="utf-8")


def test_the_badge_of_a_depth_names_its_folder(tmp_path):
    (tmp_path / "deeper").mkdir()
    path = notebook(tmp_path / "deeper" / "01_why.ipynb", "1")
    assert links.link(path, "someone/course")
    assert "/blob/main/notebooks/deeper/01_why.ipynb" in nbformat.read(path, 4).cells[0].source


def test_links_fills_in_the_clone_line_of_the_readme(tmp_path):
    path = tmp_path / "README.md"
    path.write_text("git clone https://github.com/OWNER/NAME course\nhttps://github.com/x/y\n", "utf-8")
    assert links.link_text(path, "someone/course")
    expected = "git clone https://github.com/someone/course course\nhttps://github.com/x/y\n"
    assert path.read_text("utf-8") == expected
    assert not links.link_text(path, "someone/course")
    path.write_text("repository-code: https://github.com/OWNER/NAME\n", "utf-8")  # as in CITATION.cff
    assert links.link_text(path, "someone/course") and "OWNER" not in path.read_text("utf-8")


def test_the_paragraphs_are_prose_in_both_languages_and_aligned():
    cell = (
        '# 가 · a\n\n<div lang="ko">\n\n**하나**와 [둘](x.md).\n\n| 표 |\n\n셋 `d`.\n\n$x$ 넷.\n\n</div>\n'
        '<div lang="en">\n\n**One** and [two](x.md).\n\n| table |\n\nThree `d`.\n\n$x$ four.\n\n</div>'
    )
    assert list(paragraphs.paragraphs(cell)) == [("하나와 둘.", "One and two."), ("셋 d.", "Three d.")]
    unequal = '<div lang="ko">\n\n하나.\n\n</div>\n<div lang="en">\n\nOne.\n\nTwo.\n\n</div>'
    assert list(paragraphs.paragraphs(unequal)) == []


def test_the_frozen_paragraphs_are_aligned():
    pairs = course_paragraphs()
    assert len(pairs) > 200 and all(len(pair) == 2 and all(pair) for pair in pairs)
    assert all(re.search("[가-힣]", korean) for korean, _ in pairs)
