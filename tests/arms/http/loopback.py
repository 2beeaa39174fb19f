"""A real HTTP server on loopback that a test tells what to answer, and an arm that asks it."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from pytest_retrieval_bench.arms.http.arm import HttpArm
from pytest_retrieval_bench.arms.http.settings import HttpSettings
from pytest_retrieval_bench.model import Answer, Query
from tests.memory_snapshot import MemorySnapshot

SNAPSHOT = MemorySnapshot({"shop/cart.py": b"total\n", "shop/tax.py": b"rate\n"}, "acme/shop", "a" * 40)
FOUND = {"results": [{"path": "shop/cart.py", "score": 2}, {"path": "shop/tax.py", "score": 1}]}
BODY = {"q": "{query}", "k": "{limit}"}


@dataclass(frozen=True)
class Received:
    """A request as it came over the wire; `target` is not decoded."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def value(self) -> Any:
        return json.loads(self.body)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes
    service: Service

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.service.received.append(Received(self.command, self.path, headers, body))
        with suppress(OSError):  # the client may have gone
            self.service.answer(self)

    do_GET = do_POST  # noqa: N815

    def finish(self) -> None:
        try:
            super().finish()
        finally:
            self.service.ended += 1

    def send(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


Answering = Callable[[Handler], None]


def says(status: int, value: Any, **headers: str) -> Answering:
    """Answers with a JSON value, or with bytes as they are; `Retry_After` stands for Retry-After."""
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return lambda handler: handler.send(status, body, named)


def in_turn(*answers: Answering) -> Answering:
    """The first answer to the first request, and so on; the last one from then on."""
    left = list(answers)
    return lambda handler: (left.pop(0) if len(left) > 1 else left[0])(handler)


@dataclass
class Service:
    """What runs on loopback: where, what it was asked, what it answers, how many connections began and ended."""

    url: str
    answer: Answering = field(default_factory=lambda: says(200, FOUND))
    received: list[Received] = field(default_factory=list)
    connections: int = 0
    ended: int = 0


@contextmanager
def serving(context: ssl.SSLContext | None = None) -> Iterator[Service]:
    """A server in threads of this process, over TLS where a context is given."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def get_request(self) -> Any:
            accepted = super().get_request()
            service.connections += 1
            return accepted

        def handle_error(self, request: Any, client_address: Any) -> None:
            pass

    handler = type("OwnHandler", (Handler,), {})
    with Server(("127.0.0.1", 0), handler) as server:
        service = Service(f"{'https' if context else 'http'}://127.0.0.1:{server.server_port}")
        handler.service = service  # type: ignore[attr-defined]
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield service
        finally:
            server.shutdown()
            thread.join()


def make_arm(url: str, **keys: Any) -> HttpArm:
    """An arm with quick retries that reads answers such as `FOUND`; keys that are None are left out."""
    table = {
        "url": url if urlsplit(url).path else f"{url}/search",
        "body": BODY,
        "results": "results",
        "retry_wait": 0.01,
        **keys,
    }
    given = {key: value for key, value in table.items() if value is not None}
    return HttpArm("mine", given, HttpSettings.read(given, "suite.toml: [arms.mine]"))


def question(text: str = "total is wrong", **fields: Any) -> Query:
    return Query({"text": text, **fields}, json.dumps({"text": text, **fields}), f"text: {text}")


def ask(arm: HttpArm, text: str = "total is wrong", *, limit: int = 20, **fields: Any) -> Answer:
    """One question, and the end of the connection."""
    try:
        return arm.answer(question(text, **fields), SNAPSHOT, limit)
    finally:
        arm.close()
