"""What goes into a sandbox: helpers without the exercises, and of these only their hints and inputs."""

import importlib
import io
import marshal
import pickle
import shutil
import sys
import types
from pathlib import Path

import helpers
from helpers.exercises import progress
from helpers.lesson import build_folder

TRANSLATOR = "translator.pt"  # which chapter 11 leaves for later ones
SOLVED = "chapter_*"  # the files with the specifications and the mistakes


def furnish(folder):
    """Put into a folder what a notebook finds: helpers, and the translator of chapter 11 where there is one.

    Args:
        folder: Path of an empty folder.
    """
    without = shutil.ignore_patterns(SOLVED, "__pycache__")
    shutil.copytree(Path(helpers.__file__).parent, folder / "helpers", ignore=without)
    (folder / "build").mkdir()
    if (build_folder() / TRANSLATOR).exists():
        shutil.copy(build_folder() / TRANSLATOR, folder / "build")
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755)  # the user of a container is another


def packed(chapter, **rest):
    """The job of `helpers.grading.inside`.

    Args:
        chapter: "05".
        rest: what else it is to know.

    Returns:
        Bytes: a pickle of the version of Python, which must be the same inside, and one of the job.
    """
    given = {
        name: {"hints": exercise.hints, "cases": getattr(exercise, "cases", None)}
        | {"forbidden": getattr(exercise, "forbidden", ())}
        for name, exercise in progress.exercises_of(chapter).items()
    }
    file = io.BytesIO()
    pickle.dump(sys.version_info[:2], file)
    Pickler(file).dump({"chapter": chapter, "given": given, **rest})
    return file.getvalue()


class Pickler(pickle.Pickler):
    """Takes functions of the exercises along by value: inside, their module is missing.

    Args:
        file: as `pickle.Pickler`.
    """

    def reducer_override(self, value):
        """How a function of the exercises, or a module that it uses, is made again.

        Args:
            value: anything.

        Returns:
            As `pickle.Pickler.reducer_override`.
        """
        if isinstance(value, types.ModuleType):
            return importlib.import_module, (value.__name__,)
        if not isinstance(value, types.FunctionType) or not value.__module__.startswith(progress.PREFIX):
            return NotImplemented
        cells = tuple(cell.cell_contents for cell in value.__closure__ or ())
        used = {name: value.__globals__[name] for name in names_in(value.__code__) & value.__globals__.keys()}
        how = marshal.dumps(value.__code__), value.__name__, value.__defaults__, cells
        return new_function, how, used, None, None, update_globals


def new_function(code, name, defaults, cells):
    """A function that was taken along.

    Args:
        code: bytes of `marshal`.
        name, defaults: of the function.
        cells: the values that its code finds around it.

    Returns:
        The function, without its globals.
    """
    around = tuple(map(types.CellType, cells))
    return types.FunctionType(marshal.loads(code), {"__name__": "inputs"}, name, defaults, around)


def update_globals(function, used):
    """Give a function the globals that it uses; it may be one of them.

    Args:
        function: of `new_function`.
        used: {name: value}.
    """
    function.__globals__.update(used)


def names_in(code):
    """All names of functions and attributes in a function's code, and in the functions inside it.

    Args:
        code: of a function; anything else has none.

    Returns:
        A set of str.
    """
    if not isinstance(code, types.CodeType):
        return set()
    return set(code.co_names).union(*map(names_in, code.co_consts))
