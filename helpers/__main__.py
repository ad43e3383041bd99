"""The command line: python -m helpers train …, translate …, page …, pairs …, mine …, grade … and others."""

import argparse
import sys

from helpers.commands import (
    chat,
    grade,
    mine,
    page,
    pairs,
    progress,
    publish,
    serve,
    takeaways,
    train,
    translate,
)
from helpers.commands.terminal import ending_with_its_reader
from helpers.engine.languages import remembered, speak


class Parser(argparse.ArgumentParser):
    """Tells an error in one line."""

    def error(self, message):
        """End with the message alone; --help shows the usage.

        Args:
            message: of argparse.
        """
        self.exit(2, f"error: {message}\n")


def parser():
    """The arguments of all commands.

    Returns:
        A `Parser`; what it parses has `run`, a function of the options, which returns how to exit.
    """
    main = Parser(prog="python -m helpers")
    commands = main.add_subparsers(required=True)
    train.add_arguments(commands.add_parser("train", help="train a translator"))
    translate.add_arguments(commands.add_parser("translate", help="translate standard input"))
    page.add_arguments(commands.add_parser("page", help="write a page in which a translator runs"))
    publish.add_arguments(commands.add_parser("publish", help="write a translator for other engines"))
    serve.add_arguments(commands.add_parser("serve", help="answer requests for translations over HTTP"))
    chat.add_arguments(commands.add_parser("chat", help="talk with a language model"))
    pairs.add_arguments(commands.add_parser("pairs", help="write the sentences of translated programs"))
    takeaways.add_arguments(commands.add_parser("takeaways", help="list what each section comes to"))
    progress.add_arguments(commands.add_parser("progress", help="show which exercises are solved"))
    mine.add_arguments(commands.add_parser("mine", help="write the translator by your own hand"))
    grade.add_arguments(commands.add_parser("grade", help="grade the notebooks of students"))
    return main


def main(arguments=None):
    """Run a command; an error is one line that says what to do.

    Args:
        arguments: list of strings; None: those of the command line.
    """
    result = None
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="plain")
    with ending_with_its_reader():
        options = parser().parse_args(arguments)
        speak(getattr(options, "language", None) or remembered())
        try:
            result = options.run(options)
        except ValueError as error:
            result = "error: " + " ".join(str(error).split())
        except KeyboardInterrupt:
            result = options.interrupted(options)
    if result is not None:
        sys.exit(result)  # not in the except clauses, which would keep what the command had


if __name__ == "__main__":
    main()
