"""Files that are whole or as they were before, whatever happens while they are written."""

import contextlib
import errno
import os
import re
from pathlib import Path


@contextlib.contextmanager
def _temporary(path):
    """A name beside `path` to write to; what is left under it goes."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        remedy = "free some space" if full else "name a file in a folder that you may write to"
        raise ValueError(f"path: {path} cannot be written ({error.strerror}); {remedy}") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)  # what an error or Ctrl-C has left


@contextlib.contextmanager
def whole_file(path):
    """A file to write to, under a temporary name that is renamed at the end.

    Args:
        path: the file; its folder is made where it is missing.

    Raises:
        ValueError: it cannot be written; an earlier file of this name stays as it was, as after any error.
    """
    path = Path(path)
    with _temporary(path) as temporary:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)


def write_whole(path, data):
    """Write a file under a temporary name that is then renamed; its folder is made where it is missing.

    Args:
        path: the file.
        data: bytes.

    Raises:
        ValueError: as `whole_file`.
    """
    with whole_file(path) as file:
        file.write(data)


def check_writable(path):
    """Find out early whether `write_whole` will be able to write.

    Args:
        path: the file that will be written.

    Raises:
        ValueError: a folder has this name, or its folder takes no file.
    """
    path = Path(path)
    if path.is_dir():
        raise ValueError(f"path: {path} is a folder; name a file in it")
    with _temporary(path) as temporary:
        temporary.write_bytes(b"?")


def remove_leftovers(folder, name):
    """Remove the temporary files of `write_whole` whose processes were killed while they wrote.

    Args:
        folder: a Path; its own folders are not looked through.
        name: of the files that were written, a regular expression.
    """
    for file in folder.glob("*.tmp"):
        writer = re.fullmatch(rf"(?:{name})\.(?P<process>\d+)\.tmp", file.name)
        if writer and not _is_running(int(writer["process"])):
            file.unlink(missing_ok=True)


def _is_running(process):
    if os.name == "nt":
        return True  # there, signal 0 is no question but Ctrl-C
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # of another user
    return True


@contextlib.contextmanager
def lock(path):
    """Hold a path for this process alone, by a lock on PATH.lock that ends with the process.

    Args:
        path: a file; it need not exist.

    Raises:
        ValueError: another process holds it.
    """
    from filelock import FileLock, Timeout  # here, since it takes long to import and notebooks do without

    held = FileLock(f"{path}.lock", timeout=0)
    try:
        held.acquire()
    except Timeout:
        raise ValueError(f"path: {path} is in use by another training; name another file") from None
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # Windows removes no file in use; there filelock does it
            os.unlink(held.lock_file)  # before it is released: whoever waits for it sees that it is gone
        held.release()
