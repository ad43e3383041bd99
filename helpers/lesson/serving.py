"""A translator that answers over HTTP: requests that arrive together are translated together. Chapter 19."""

import asyncio
import json
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.web import Application, HTTPError, RequestHandler, stream_request_body

from helpers.corpus.reading import clean

MOST_BYTES = 64 * 1024  # of a request
READ_BYTES = 1024**3  # of a request that is refused: they are read and dropped, or no answer would arrive
MOST_LINES = 64  # of a request, and of a batch
MOST_TOKENS = 200  # of a line: what is longer is no sentence
MOST_WAITING = 256  # requests
PAGE = Path(__file__).parent.parent / "live" / "phone.html"


class FullError(Exception):
    """As many requests wait as may."""


class Batcher:
    """Collects the texts that wait and translates them together, on a thread of its own.

    Args:
        engine: a `TorchEngine`, or whatever has translate(texts, num_beams).
        num_beams: width of the beam; 1 is greedy.
    """

    def __init__(self, engine, num_beams=1):
        self.engine, self.num_beams = engine, num_beams
        self.waiting, self.sizes, self.work = [], [], None  # sizes: texts of each batch so far
        self.thread = ThreadPoolExecutor(1)

    async def translate(self, texts):
        """Translate texts, perhaps together with those of other requests.

        Args:
            texts: list of strings, not empty.

        Returns:
            List of strings.

        Raises:
            FullError: too many requests wait.
        """
        if len(self.waiting) >= MOST_WAITING:
            raise FullError
        found = asyncio.get_running_loop().create_future()
        self.waiting.append((texts, found))
        if self.work is None:
            self.work = asyncio.ensure_future(self.run())
        return await found

    async def run(self):
        """Translate, batch after batch, until nobody waits."""
        await asyncio.sleep(0)  # what arrives in the same moment comes along
        while self.waiting:
            batch, count = [], 0
            while self.waiting and (not batch or count + len(self.waiting[0][0]) <= MOST_LINES):
                batch.append(self.waiting.pop(0))
                count += len(batch[-1][0])
            self.sizes.append(count)
            texts = [text for some, _ in batch for text in some]
            call = self.engine.translate, texts, self.num_beams
            try:
                written = iter(await asyncio.get_running_loop().run_in_executor(self.thread, *call))
                answers = [[next(written) for _ in some] for some, _ in batch]
            except Exception as error:  # a request gets an answer, whatever happens
                answers = [error] * len(batch)
            for (_, found), answer in zip(batch, answers, strict=True):
                if found.done():  # whoever asked has gone
                    continue
                if isinstance(answer, Exception):
                    found.set_exception(answer)
                else:
                    found.set_result(answer)
        self.work = None


@stream_request_body
class TranslateHandler(RequestHandler):
    """POST {"text": lines} → {"translation": lines}; an error is {"error": what to do}."""

    def initialize(self, batcher):
        """Take what the application has.

        Args:
            batcher: a `Batcher`.
        """
        self.batcher = batcher

    def prepare(self):
        """Begin a request."""
        self.body = bytearray()

    def data_received(self, chunk):
        """Keep a part of the body; what is too much is read, and dropped.

        Args:
            chunk: bytes.
        """
        if len(self.body) <= MOST_BYTES:
            self.body += chunk

    def set_default_headers(self):
        """Let nobody guess that JSON is something else."""
        self.set_header("X-Content-Type-Options", "nosniff")

    def texts(self):
        """The lines of the request.

        Returns:
            List of strings, some of them perhaps empty.

        Raises:
            HTTPError: the request is too large, is not JSON, or a line has too many tokens.
        """
        if len(self.body) > MOST_BYTES:
            raise HTTPError(413, reason=f"body: send at most {MOST_BYTES} bytes")
        if self.request.headers.get("Content-Type", "").partition(";")[0].strip() != "application/json":
            raise HTTPError(415, reason="Content-Type: send application/json")
        try:
            text = json.loads(self.body)["text"]
            lines = [clean(line) for line in text.split("\n")]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise HTTPError(400, reason='body: send {"text": "..."} in UTF-8') from None
        if len(lines) > MOST_LINES:
            raise HTTPError(413, reason=f"text: {len(lines)} lines; send at most {MOST_LINES}")
        most = min(MOST_TOKENS, self.batcher.engine.max_len)
        for number, line in enumerate(lines, start=1):
            if (length := len(self.batcher.engine.src_tokenizer.encode(line))) > most:
                raise HTTPError(413, reason=f"text: line {number} has {length} tokens; send at most {most}")
        return lines

    async def post(self):
        """Answer a request."""
        lines = self.texts()
        if asked := [line for line in lines if line]:
            try:
                found = iter(await self.batcher.translate(asked))
            except FullError:
                self.set_header("Retry-After", "1")
                raise HTTPError(503, reason=f"{MOST_WAITING} requests wait; try again") from None
        answer = "\n".join(" ".join(next(found).split()) if line else "" for line in lines)
        self.write({"translation": answer})

    def write_error(self, status_code, **details):
        """Send an error.

        Args:
            status_code: of HTTP.
            details: as of tornado.
        """
        self.finish({"error": self._reason})


class PageHandler(RequestHandler):
    """The page for a phone."""

    def get(self):
        """Send it."""
        self.set_header("Content-Security-Policy", "default-src 'self' 'unsafe-inline'")
        self.write(PAGE.read_text("utf-8"))


def translation_server(engine, num_beams=1):
    """A server of a translator; `listen(port, address)` opens it.

    Args:
        engine: a `TorchEngine` or `CTranslate2Engine`.
        num_beams: width of the beam; 1 is greedy.

    Returns:
        An `HTTPServer` of tornado, whose `batcher` counts what it does.
    """
    batcher = Batcher(engine, num_beams)
    pages = [("/", PageHandler), ("/translate", TranslateHandler, {"batcher": batcher})]
    application = Application(pages, log_function=lambda handler: None)
    server = HTTPServer(application, max_body_size=READ_BYTES, idle_connection_timeout=60, body_timeout=30)
    server.batcher = batcher
    return server


async def ask(server, text):
    """Send a server one request within this process, through a pair of sockets and no network.

    Args:
        server: of `translation_server`.
        text: lines to translate.

    Returns:
        What comes back, a string: the line of the status, headers, an empty line, JSON.
    """
    ours, theirs = socket.socketpair()
    server.handle_stream(IOStream(theirs), ("127.0.0.1", 0))
    stream, body = IOStream(ours), json.dumps({"text": text}).encode()
    head = "POST /translate HTTP/1.1", "Host: here", "Content-Type: application/json", "Connection: close"
    await stream.write("\r\n".join([*head, f"Content-Length: {len(body)}", "", ""]).encode() + body)
    return (await stream.read_until_close()).decode().replace("\r\n", "\n")


def ask_all(engine, texts):
    """Send a new server of an engine one request for each text, all at once, as `ask`.

    Args:
        engine: a `TorchEngine` or `CTranslate2Engine`.
        texts: list of strings.

    Returns:
        What comes back for each, a list; and how many lines each batch had, a list.
    """

    async def run():
        server = translation_server(engine)
        return await asyncio.gather(*(ask(server, text) for text in texts)), server.batcher.sizes

    with ThreadPoolExecutor(1) as thread:  # a notebook has a loop of its own, in which nothing may wait
        return thread.submit(asyncio.run, run()).result()
