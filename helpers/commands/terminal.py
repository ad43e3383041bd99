"""How a command speaks: on any terminal, whoever stops reading."""

import codecs
import contextlib
import os
import sys

from helpers.engine.processes import rank


class UnbrokenStream:
    """Standard error that goes on in silence when nobody reads it any more, as after `2>&1 | head -1`.

    Args:
        stream: the real one.
    """

    def __init__(self, stream):
        self.stream = stream

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def write(self, text):
        """Write at once.

        Args:
            text: a string.

        Returns:
            Its length.
        """
        try:
            self.stream.write(text)
            self.stream.flush()
        except BrokenPipeError:
            silence(self.stream)
        return len(text)


def silence(stream):
    """Let all that is still written to a stream go nowhere.

    Args:
        stream: a file with a number.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextlib.contextmanager
def ending_with_its_reader():
    """What runs within ends in silence when nobody reads standard output any more, as after `| head -1`."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)
        silence(sys.stderr)


PLAIN = {"✓": "O", "✗": "X"}


def plain(error):
    """What is written in place of characters that a terminal lacks, such as ✓ in a file or pipe on Windows.

    Args:
        error: `UnicodeEncodeError`.

    Returns:
        A text, and where to go on.
    """
    return "".join(
        PLAIN.get(character, "?") for character in error.object[error.start : error.end]
    ), error.end


codecs.register_error("plain", plain)


def say(words):
    """Print to standard error, once for all processes.

    Args:
        words: a string.
    """
    if rank() == 0:
        print(words, file=sys.stderr, flush=True)
