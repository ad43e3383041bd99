"""What a command says, on standard error."""

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
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())
        return len(text)


def say(words):
    """Print to standard error, once for all processes.

    Args:
        words: a string.
    """
    if rank() == 0:
        print(words, file=sys.stderr, flush=True)
