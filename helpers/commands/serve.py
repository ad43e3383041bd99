"""`python -m helpers serve`: a translator that answers over HTTP."""

import asyncio

from helpers.commands.terminal import say
from helpers.commands.translate import LARGEST_BEAM, open_engine
from helpers.engine.checks import check_sizes

BACKLOG = 2048  # connections that the system keeps until they are accepted


def add_arguments(parser):
    """Tell a parser the arguments of the command."""
    parser.description = (
        'Answer POST /translate with JSON, {"text": "…"} → {"translation": "…"}, and show a page for a phone '
        "at /. Only this computer can ask, unless --host names another address. Ctrl-C ends it."
    )
    text = "file written by train, or a folder written by publish"
    parser.add_argument("checkpoint", help=text)
    parser.add_argument("--port", type=int, default=8000, help="where it listens (8000)")
    text = "0.0.0.0 answers whoever reaches this computer, such as your phone (127.0.0.1)"
    parser.add_argument("--host", default="127.0.0.1", help=text)
    parser.add_argument("--beam", type=int, default=1, help="width of the beam; 1 is greedy (1)")
    parser.set_defaults(run=run, interrupted=lambda options: None)


def run(options):
    """Answer until Ctrl-C.

    Raises:
        ValueError: as `open_engine`; an option is out of its range, or nobody can listen there.
    """
    check_sizes(beam=options.beam)
    if options.beam > LARGEST_BEAM:
        raise ValueError(f"beam: value is {options.beam}; use at most {LARGEST_BEAM}")
    if not 0 < options.port < 65536:
        raise ValueError(f"port: value is {options.port}; use 1 to 65535")
    engine = open_engine(options.checkpoint, "cpu")
    asyncio.run(answer(engine, options))


async def answer(engine, options):
    """Listen and answer, for ever.

    Args:
        engine: of `open_engine`.
        options: what the parser returns.

    Raises:
        ValueError: the port is taken, or the host is not one of this computer.
    """
    from helpers.lesson.serving import translation_server

    server = translation_server(engine, options.beam)
    try:
        server.listen(options.port, options.host, backlog=BACKLOG)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        where = f"port: {options.port} of {options.host} cannot be listened to ({reason})"
        raise ValueError(f"{where}; name another --port or --host") from None
    say(f"http://{options.host}:{options.port} – Ctrl-C ends it")
    await asyncio.Event().wait()
