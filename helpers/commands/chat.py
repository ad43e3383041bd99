"""`python -m helpers chat`: talk with a language model in the terminal."""

import math
import sys
from pathlib import Path

from helpers.commands.terminal import say
from helpers.decoding import Sampler, greedy
from helpers.engine.checks import check_sizes


def add_arguments(parser):
    """Tell a parser the arguments of the command.

    Args:
        parser: of argparse.
    """
    parser.description = (
        "Talk with a language model that runs in the classes of chapter 16. Ctrl-C ends an answer, Ctrl-D "
        "the conversation. Lines of a file may be piped in: each is a question of the same conversation."
    )
    what = "a GGUF file of a Llama with a chat template; without it SmolLM2, where it is installed"
    parser.add_argument("--model", type=Path, help=what)
    parser.add_argument("--system", help="what the model is told first; without it what its template says")
    parser.add_argument("--temperature", type=float, default=0.0, help="0 takes the likeliest token (0)")
    parser.add_argument("--top-p", type=float, default=0.95, help="of the tokens to draw from (0.95)")
    parser.add_argument("--seed", type=int, default=0, help="of the draws (0)")
    parser.add_argument("--max-tokens", type=int, default=256, help="of an answer (256)")
    parser.set_defaults(run=run, interrupted=lambda options: "stopped")


def run(options):
    """Read questions and print answers, as they are written, until the input ends.

    Args:
        options: what the parser returns.

    Raises:
        ValueError: as `Chat`, `Sampler` and `find_smollm2`; an option is out of its range.
    """
    check_sizes(max_tokens=options.max_tokens)
    temperature = options.temperature
    if temperature and not 1e-6 <= temperature < math.inf:
        remedy = "use --temperature 0 for the likeliest token, or a number above it, such as 0.7"
        raise ValueError(f"temperature: value is {temperature}; {remedy}")
    sampler = Sampler(temperature or 1.0, top_p=options.top_p, seed=options.seed)  # checks the others, too
    choose = sampler if temperature else greedy
    from helpers.published.chat import Chat, find_smollm2  # takes seconds: after the options are checked

    path = options.model or find_smollm2()
    say(f"{path.name} is read …")
    conversation = Chat(path, options.system, choose)
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    while (question := ask()) is not None:
        if question.strip():
            answer(conversation, question.strip(), options.max_tokens)


def ask():
    """The next line of standard input.

    Returns:
        A string; None at the end.
    """
    try:
        return input("> " if sys.stdin.isatty() else "")
    except (EOFError, KeyboardInterrupt):
        return None


def answer(conversation, question, max_tokens):
    """Print an answer while it is written; Ctrl-C ends it, and not the conversation.

    Args:
        conversation: a `Chat`.
        question: a text.
        max_tokens: as for `Chat.answer`.
    """
    try:
        for piece in conversation.answer(question, max_tokens):
            print(piece, end="", flush=True)
    except KeyboardInterrupt:
        print(" …", end="")
    except ValueError as error:
        say(f"error: {error}")
    print(flush=True)
