"""A sandbox for a notebook: bubblewrap, or a container of docker or podman.

A process in it sees the libraries, helpers without solutions, and an empty folder of its own that is gone
with it. It has no network and no rights, and all that it starts ends with it.
"""

import os
import shutil
import site
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import helpers

IMAGE = "course"
COURSE, HOME = "/course", "/tmp"  # in the sandbox: helpers, and the notebook's own folder
NOBODY = "65534"
DISK = 2**30  # bytes that a notebook may write
TASKS = 512  # processes and threads of a notebook
INSIDE = ("-m", "helpers.grading.inside")
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/fonts")


@dataclass
class Sandbox:
    """name: of the program. command: a function of (folder, bytes of memory, the program and its arguments)
    that returns what to run. ending: a function of folder that returns what ends it, or None. tasks: the most
    processes and threads of its user, where nothing else counts those of a notebook."""

    name: str
    command: Callable
    ending: Callable = lambda folder: None
    tasks: int | None = None


def find_sandbox(hidden):
    """The first sandbox that works here.

    Args:
        hidden: Path of a folder that no notebook may see, wherever it lies.

    Returns:
        A `Sandbox`, or None; and why the others do not work, a text.
    """
    why = []
    for one in (bubblewrap(hidden), container("docker"), container("podman")):
        if problem := problem_of(one):
            why.append(f"{one.name}: {problem}")
        else:
            return one, ""
    return None, "; ".join(why)


def problem_of(sandbox):
    """Why a sandbox cannot be used.

    Args:
        sandbox: a `Sandbox`.

    Returns:
        A text, empty if it can.
    """
    if shutil.which(sandbox.name) is None:
        return "not installed"
    with tempfile.TemporaryDirectory() as folder:
        command = sandbox.command(Path(folder), DISK, ("-c", ""))
        try:
            os.chmod(folder, 0o755)
            tried = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
    said = tried.stderr.decode(errors="replace").strip().splitlines() or [f"exit {tried.returncode}"]
    return said[0] if tried.returncode else ""


def environment(course, home):
    """What a notebook's process is told.

    Args:
        course, home: the folder with helpers, and the notebook's own.

    Returns:
        Dictionary of environment variables.
    """
    return {
        "PYTHONPATH": str(course),
        "HOME": str(home),
        "TMPDIR": str(home),
        "IPYTHONDIR": f"{home}/.ipython",
        "MPLCONFIGDIR": f"{home}/.matplotlib",
        "MPLBACKEND": "agg",
        "OMP_NUM_THREADS": "1",  # as many notebooks run at once as there are cores
        "TQDM_DISABLE": "1",
        "COURSE_PROGRESS": "none",
        "LANG": "C.UTF-8",
    }


def bubblewrap(hidden):
    """bubblewrap, inside a scope of systemd where there is one.

    Args:
        hidden: as for `find_sandbox`.

    Returns:
        A `Sandbox`.
    """
    scope, shown = scope_of_systemd(), mounts(hidden)

    def command(folder, memory, arguments):
        limits = [f"MemoryMax={memory + DISK}", "MemorySwapMax=0", f"TasksMax={TASKS}", "CPUQuota=100%"]
        own = [f"{name}={value}" for name, value in environment(COURSE, HOME).items()]
        return [
            *(scope and [*scope, *(f"--property={one}" for one in limits)]),
            *(as_nobody([*shown, *mount(folder)]) if os.geteuid() == 0 else ()),
            *("env", "-i", f"PATH={Path(sys.executable).parent}:/usr/bin:/bin", *own, "bwrap"),
            *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"),
            *("--cap-drop", "ALL", "--uid", NOBODY, "--gid", NOBODY),
            *("--size", str(DISK), "--tmpfs", HOME, *shown, "--ro-bind", str(folder), COURSE),
            *("--proc", "/proc", "--dev", "/dev", "--size", str(DISK // 4), "--tmpfs", "/dev/shm"),
            *("--remount-ro", "/dev", "--remount-ro", "/"),
            *("--chdir", HOME, sys.executable, *arguments),
        ]

    return Sandbox("bwrap", command, tasks=None if scope else 8 * TASKS)


def scope_of_systemd():
    """How a process is started in a scope of its own, whose memory and tasks the kernel counts together.

    Returns:
        The beginning of a command; empty where there is no systemd.
    """
    if shutil.which("systemd-run") is None:
        return []
    scope = ["systemd-run", *(() if os.geteuid() == 0 else ("--user",)), "--scope", "--quiet", "--collect"]
    try:
        works = subprocess.run([*scope, "true"], capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        works = False
    return scope if works else []


def as_nobody(shown):
    """How root becomes nobody, since root inside a sandbox is root outside, too.

    Args:
        shown: arguments that mount what nobody will see, wherever it lies.

    Returns:
        The beginning of a command.
    """
    user = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
    shown = [*shown, "--dir", "/tmp", "--dev", "/dev", "--bind", "/proc", "/proc"]
    ends_together = "--unshare-pid", "--die-with-parent"  # a parent may not end a child that is another user
    return ["bwrap", *ends_together, *shown, *user]


def mounts(hidden):
    """What bubblewrap shows of the teacher's files: the system's libraries and Python's, read-only.

    Args:
        hidden: as for `find_sandbox`.

    Returns:
        List of arguments.
    """
    course = Path(helpers.__file__).parents[1]
    solutions = course if (course / "notebooks").is_dir() else course / "helpers"
    pythons = {sys.prefix, sys.base_prefix, site.getusersitepackages() if site.ENABLE_USER_SITE else "/usr"}
    shown = set(map(Path, [*SYSTEM, *pythons]))
    covered = {place for place in (solutions, Path(hidden).resolve()) if shown.intersection(place.parents)}
    arguments = []
    for place in sorted(shown | covered, key=lambda place: len(place.parts)):  # what lies inside comes later
        arguments += ["--tmpfs", str(place)] if place in covered else mount(place)
    return arguments


def mount(place):
    """Show a file or a folder where it is.

    Args:
        place: Path.

    Returns:
        List of arguments.
    """
    parents = [part for parent in reversed(place.parents) for part in ("--dir", str(parent))]
    return [*parents, "--ro-bind-try", str(place), str(place)]


def container(tool):
    """A container of the image.

    Args:
        tool: "docker" or "podman".

    Returns:
        A `Sandbox`.
    """

    def command(folder, memory, arguments):
        own = [f"--env={name}={value}" for name, value in environment(COURSE, HOME).items()]
        return [
            *(tool, "run", "--rm", "--interactive", "--pull", "never", "--name", name_of(folder)),
            *("--network", "none", "--read-only", "--user", f"{NOBODY}:{NOBODY}", "--cap-drop", "ALL"),
            *("--security-opt", "no-new-privileges", "--ipc", "private", "--shm-size", str(DISK // 4)),
            *("--memory", str(memory + DISK), "--memory-swap", str(memory + DISK)),
            *("--pids-limit", str(TASKS), "--cpus", "1"),
            *("--volume", f"{folder}:{COURSE}:ro,z", "--tmpfs", f"{HOME}:size={DISK},mode=1777,exec"),
            *("--workdir", HOME, *own, IMAGE, "python", *arguments),
        ]

    return Sandbox(tool, command, lambda folder: [tool, "kill", name_of(folder)])


def name_of(folder):
    """The name of a notebook's container.

    Args:
        folder: Path of its temporary folder.

    Returns:
        A string.
    """
    return f"course-{folder.name}"
