"""`python -m helpers progress`: how many exercises of every chapter are solved."""

from helpers.lesson import show_progress


def add_arguments(parser):
    """Tell a parser the arguments of the command."""
    parser.set_defaults(run=run, interrupted=lambda options: "stopped")


def run(options):
    """Print the table."""
    show_progress()
