"""serve: every request is answered, those that come together are translated together, and nothing hangs."""

import asyncio
import json
import socket
import threading

import pytest
from tornado.httpclient import AsyncHTTPClient
from tornado.httpserver import HTTPServer

from helpers.__main__ import main
from helpers.commands import serve
from helpers.lesson.engines import TorchEngine
from helpers.lesson.serving import MOST_BYTES, MOST_LINES, MOST_WAITING, ask_all, translation_server
from small_translator import PAIRS, translator, write_checkpoint


class Echo:
    """Translates by capitals; waits until it may."""

    max_len = 50

    class src_tokenizer:  # noqa: N801
        encode = staticmethod(str.split)

    def __init__(self):
        self.calls, self.may = [], threading.Event()
        self.may.set()

    def translate(self, texts, num_beams=1):
        assert self.may.wait(20)
        self.calls.append(texts)
        if "broken" in texts:
            raise RuntimeError("broken")
        return [text.upper() for text in texts]


def asking(engine, questions):
    """Run a coroutine of post(body, **headers) against a server that listens."""

    async def run():
        server = translation_server(engine)
        server.listen(0, "127.0.0.1", backlog=serve.BACKLOG)
        (listening,) = server._sockets.values()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        client = AsyncHTTPClient(force_instance=True, max_clients=1500, defaults={"request_timeout": 60})

        async def post(body, path="/translate", method="POST", kind="application/json"):
            body = json.dumps({"text": body}) if isinstance(body, str) else body
            reply = await client.fetch(
                url + path, method=method, body=body, headers={"Content-Type": kind}, raise_error=False
            )
            return reply.code, reply.body.decode()

        try:
            return await asyncio.wait_for(questions(post, server), 60)
        finally:
            client.close()
            server.stop()

    return asyncio.run(run())


def test_lines_come_back_in_order_and_an_empty_line_stays_empty():
    async def questions(post, server):
        return await post("one two\n\n  three  ")

    code, body = asking(Echo(), questions)
    assert code == 200 and json.loads(body) == {"translation": "ONE TWO\n\nTHREE"}


def test_our_translator_answers_as_it_does_without_a_server():
    engine, texts = TorchEngine(*translator()), [source for source, _ in PAIRS[:3]]

    async def questions(post, server):
        return await post("\n".join(texts))

    wanted = [" ".join(text.split()) for text in engine.translate(texts)]
    assert json.loads(asking(engine, questions)[1])["translation"].split("\n") == wanted


def test_requests_that_arrive_together_are_one_batch():
    engine = Echo()
    engine.may.clear()

    async def questions(post, server):
        first = asyncio.ensure_future(post("first"))
        while not server.batcher.sizes:
            await asyncio.sleep(0.01)
        rest = [asyncio.ensure_future(post(f"text {number}")) for number in range(10)]
        while len(server.batcher.waiting) < 10:
            await asyncio.sleep(0.01)
        engine.may.set()
        return await asyncio.gather(first, *rest)

    replies = asking(engine, questions)
    assert [json.loads(body)["translation"] for _, body in replies[1:]] == [f"TEXT {n}" for n in range(10)]
    assert [len(call) for call in engine.calls] == [1, 10]


@pytest.mark.parametrize(
    "body, code, said",
    [
        ("x" * 1_000_000, 413, f"body: send at most {MOST_BYTES} bytes"),
        ("x\n" * MOST_LINES, 413, "lines; send at most"),
        ("x " * 51, 413, "line 1 has 51 tokens; send at most 50"),
        (b"{", 400, "body: send {"),
        (b"[]", 400, "body: send {"),
        (b'{"text": 3}', 400, "body: send {"),
        (b'{"text": "\xff"}', 400, "body: send {"),
        (b"[" * 60_000, 400, "body: send {"),
    ],
)
def test_what_cannot_be_translated_is_refused_in_a_sentence(body, code, said):
    async def questions(post, server):
        return await post(body), await post("still here")

    (found, text), after = asking(Echo(), questions)
    assert (found, after[0]) == (code, 200) and said in json.loads(text)["error"]


@pytest.mark.parametrize(
    "head, body",
    [
        ("Content-Length: 20000000", 20_000_000 * b"x"),
        ("Transfer-Encoding: chunked", 20 * (b"f4240\r\n" + 1_000_000 * b"x" + b"\r\n") + b"0\r\n\r\n"),
    ],
    ids=["announced", "in chunks"],
)
def test_whoever_sends_a_large_body_to_its_end_gets_the_answer(head, body):
    async def questions(post, server):
        (listening,) = server._sockets.values()
        reader, writer = await asyncio.open_connection(*listening.getsockname()[:2])
        begin = f"POST /translate HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n{head}\r\n\r\n"
        writer.write(begin.encode() + body)
        await writer.drain()
        line = await reader.readline()
        writer.close()
        return line, await post("still here")

    line, after = asking(Echo(), questions)
    assert line.startswith(b"HTTP/1.1 413") and after[0] == 200


def test_another_kind_of_content_is_refused():
    async def questions(post, server):
        return await post("x", kind="text/plain")

    assert asking(Echo(), questions)[0] == 415


def test_a_flood_is_answered():
    engine = Echo()

    async def questions(post, server):
        engine.may.clear()
        replies = [asyncio.ensure_future(post("text")) for _ in range(1000)]
        while sum(reply.done() for reply in replies) < 100:
            await asyncio.sleep(0.01)
        engine.may.set()
        return await asyncio.gather(*replies)

    codes = [code for code, _ in asking(engine, questions)]
    assert set(codes) == {200, 503} and codes.count(200) >= MOST_WAITING


def test_an_engine_that_fails_does_not_end_the_server(caplog):
    async def questions(post, server):
        return [await post("broken"), await post("fine")]

    (broken, _), (fine, _) = asking(Echo(), questions)
    assert (broken, fine) == (500, 200)


def test_the_page():
    async def questions(post, server):
        return await post(None, path="/", method="GET")

    code, page = asking(Echo(), questions)
    assert code == 200 and 'name="viewport"' in page and 'fetch("translate"' in page


def test_requests_without_a_network():
    replies, sizes = ask_all(Echo(), ["파리 paris", "x\ny"])
    bodies = [reply.partition("\n\n")[2] for reply in replies]
    assert all(reply.startswith("HTTP/1.1 200 OK") for reply in replies) and sum(sizes) == 3
    assert [json.loads(body)["translation"] for body in bodies] == ["파리 PARIS", "X\nY"]


def test_a_port_that_is_taken_is_one_line(tmp_path):
    checkpoint = write_checkpoint(tmp_path / "model.pt")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with pytest.raises(SystemExit, match=f"error: port: {port} of 127.0.0.1 cannot be listened to"):
            main(["serve", str(checkpoint), "--port", port])
    with pytest.raises(SystemExit, match="error: port: value is 70000; use 1 to 65535"):
        main(["serve", str(checkpoint), "--port", "70000"])


def test_only_this_computer_unless_told_otherwise(tmp_path, monkeypatch):
    opened = []

    def listen(self, *where, backlog):
        opened.append(where)
        raise KeyboardInterrupt

    monkeypatch.setattr(HTTPServer, "listen", listen)
    main(["serve", str(write_checkpoint(tmp_path / "model.pt"))])
    assert opened == [(8000, "127.0.0.1")]
