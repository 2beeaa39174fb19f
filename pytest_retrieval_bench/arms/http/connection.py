"""One request and its reply: bounded in time and in size, sent nowhere but where it was meant to go."""

from __future__ import annotations

import socket
import ssl
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.cookiejar import CookieJar, DefaultCookiePolicy
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx

from pytest_retrieval_bench.arms.http.reply import Reply
from pytest_retrieval_bench.arms.http.request import Request
from pytest_retrieval_bench.errors import BenchmarkError

MAX_BYTES = 8 * 2**20
_ERROR_BYTES = 2**16


class LateError(BenchmarkError):
    """The whole reply was not there in time."""


class TooLargeError(BenchmarkError):
    """The reply is larger than `MAX_BYTES`."""


class UnreadableError(BenchmarkError):
    """The reply is encoded in a way that was not asked for."""


class Connection:
    """The connection of one process to one service, kept between requests. Not for several threads at once."""

    def __init__(self, origin: str, verify: ssl.SSLContext) -> None:
        self._socket: socket.socket | None = None
        self._over = False
        self._client = httpx.Client(
            verify=verify,
            follow_redirects=False,
            # A proxy could not reach this machine under its own name.
            trust_env=not is_loopback(urlsplit(origin).hostname or ""),
            limits=httpx.Limits(max_connections=1),
            # Questions stay independent of each other.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            headers={"Accept-Encoding": "identity"},
        )

    def send(self, request: Request, headers: Sequence[tuple[bytes, bytes]], timeout_s: float) -> Reply:
        """One attempt. Of the body of an error only the beginning is kept.

        Raises LateError, TooLargeError, UnreadableError, or httpx.HTTPError or httpx.InvalidURL for what went wrong on
        the way.
        """
        sent = httpx.Headers(headers)
        if request.content is not None:
            sent.setdefault("Content-Type", "application/json")
        with (
            self._bounded(timeout_s),
            self._client.stream(
                request.method,
                request.url,
                content=request.content,
                headers=sent,
                timeout=timeout_s,
                extensions={"trace": self._look_for_the_socket},
            ) as response,
        ):
            bound = MAX_BYTES if response.is_success else _ERROR_BYTES
            body = _body(response, bound)
            if response.is_success and len(body) > bound:
                raise TooLargeError(f"the reply is larger than {MAX_BYTES // 2**20} MiB")
            return Reply(response.status_code, response.reason_phrase, dict(response.headers), body[:bound])

    def close(self) -> None:
        """Ends the connection."""
        self._client.close()

    @contextmanager
    def _bounded(self, timeout_s: float) -> Iterator[None]:
        """Cuts the connection when time is over: each read has its own time-out, which slow drops never reach.

        Raises LateError then, in place of whatever the cut looked like.
        """
        self._over = False
        late = LateError(f"no whole reply within {timeout_s:g} s")
        timer = threading.Timer(timeout_s, self._cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        except httpx.TimeoutException as error:
            raise late from error
        except (httpx.HTTPError, UnreadableError) as error:
            if self._over:
                raise late from error
            raise
        finally:
            timer.cancel()
            timer.join()
        if self._over:
            raise late

    def _cut(self) -> None:
        self._over = True
        if self._socket is not None:
            with suppress(OSError):
                # Not the method of ssl.SSLSocket, which must not be called while another thread reads.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def _look_for_the_socket(self, event: str, info: dict[str, object]) -> None:
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._socket = info["return_value"].get_extra_info("socket")  # type: ignore[attr-defined]
            if self._over:
                self._cut()


def is_loopback(host: str) -> bool:
    """Whether a host, a name or an address, is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _body(response: httpx.Response, bound: int) -> bytes:
    """The body, or so much of it that it is larger than the bound. gzip, which some services send unasked, is unpacked.

    Raises UnreadableError for another encoding, and for what is no gzip.
    """
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "", "gzip", "x-gzip"):
        raise UnreadableError(f"the reply has Content-Encoding {encoding[:40]!r}, and only gzip can be read")
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16) if "gzip" in encoding else None
    body = bytearray()
    try:
        for chunk in response.iter_raw():
            body += unpacker.decompress(chunk, bound + 1 - len(body)) if unpacker else chunk
            if len(body) > bound:
                return bytes(body)
    except zlib.error as error:
        raise UnreadableError(f"the reply is no gzip, which its Content-Encoding says: {error}") from error
    if unpacker is not None and not unpacker.eof:
        raise UnreadableError("the reply is gzip that was cut off")
    return bytes(body)
