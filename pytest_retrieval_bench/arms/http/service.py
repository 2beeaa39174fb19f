"""Asking a service until it answers: within the shared bounds, and again where a failure may pass."""

from __future__ import annotations

import os
import random
import socket
import ssl
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

import httpx

from pytest_retrieval_bench.arms.http.connection import Connection, LateError, TooLargeError, UnreadableError
from pytest_retrieval_bench.arms.http.headers import Secrets
from pytest_retrieval_bench.arms.http.reply import Asked, Failure, Reply
from pytest_retrieval_bench.arms.http.request import Request
from pytest_retrieval_bench.arms.http.settings import HttpSettings, trust

LONGEST_WAIT_S = 60.0
_SHOWN = 300
# Not the generator that a user may have seeded.
_JITTER = random.SystemRandom()

Kind = TypeVar("Kind", bound=BaseException)


class Service:
    """A service; each process has a connection of its own, made when first used."""

    def __init__(self, settings: HttpSettings) -> None:
        self._settings = settings
        # A forked process must not speak on its parent's connection, and not end it either.
        self._connections: dict[int, Connection] = {}

    def ask(self, request: Request, timeout_s: float) -> Asked:
        """One request, `timeout_s` for each attempt.

        All in all it takes at most that for each attempt, and `LONGEST_WAIT_S` (and a tenth) before each but the first,
        not counting the wait until the shared bounds let a request begin. Raises SettingsError for a variable that is
        missing, LimitsError where the bounds cannot be shared.
        """
        secrets, connection = self._settings.headers.secrets(), self._connection()
        retries = 0
        while True:
            with self._settings.limits.request():
                began_ns = time.perf_counter_ns()
                result = self._attempt(connection, request, secrets, timeout_s)
            if isinstance(result, Reply) or not result.may_pass or retries == self._settings.retries:
                return Asked(result, began_ns, retries, secrets)
            if result.asked_to_wait_s is not None and result.asked_to_wait_s > LONGEST_WAIT_S:
                asked = f"it asks to wait {result.asked_to_wait_s:.0f} s, which is over {LONGEST_WAIT_S:.0f} s"
                return Asked(Failure(f"{result.words}; {asked}"), began_ns, retries, secrets)
            time.sleep(waiting_time(result.asked_to_wait_s, retries, self._settings.retry_wait_s))
            retries += 1

    def close(self) -> None:
        """Ends the connection of this process."""
        connection = self._connections.pop(os.getpid(), None)
        if connection is not None:
            connection.close()

    def _attempt(self, connection: Connection, request: Request, secrets: Secrets, timeout_s: float) -> Reply | Failure:
        try:
            reply = connection.send(request, self._settings.headers.filled(secrets), timeout_s)
        except LateError as error:
            return Failure(str(error), "timeout")
        except TooLargeError as error:
            return Failure(str(error), "output limit")
        except UnreadableError as error:
            return Failure(secrets.hidden(str(error)))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return self._unconnected(error, secrets)
        if 200 <= reply.status < 300 or reply.status in self._settings.empty_statuses:
            return reply
        words = f"HTTP {reply.status} {reply.reason}"
        if 300 <= reply.status < 400:
            words += f", a redirect to '{reply.headers.get('location', '')}', which is not followed; give the final url"
        elif reply.body:
            words += f": {reply.body.decode('utf-8', 'replace')}"
        again = reply.status == 429 or reply.status >= 500
        after_s = asked_to_wait(reply.headers.get("retry-after", ""), datetime.now(UTC))
        return Failure(_shortened(secrets.hidden(words)), may_pass=again, asked_to_wait_s=after_s)

    def _unconnected(self, error: Exception, secrets: Secrets) -> Failure:
        """Trouble on the way. A search changes nothing, so it may be sent again, whatever became of the first one."""
        origin = self._settings.request.origin
        untrusted = _behind(error, ssl.SSLCertVerificationError)
        if untrusted is not None:
            reason = f"{untrusted.verify_message}; set verify to the file of its CA, or to false"
            return Failure(f"{origin}: its certificate cannot be verified: {reason}")
        system = _behind(error, OSError)
        words = (system and system.strerror) or str(error) or type(error).__name__
        brief = isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError)
        lasting = _behind(error, ssl.SSLError) or _behind(error, socket.gaierror)
        may_pass = brief and (lasting is None or isinstance(lasting, ssl.SSLEOFError))
        return Failure(_shortened(secrets.hidden(f"{origin}: {words}")), may_pass=may_pass)

    def _connection(self) -> Connection:
        process = os.getpid()
        if process not in self._connections:
            settings = self._settings
            self._connections[process] = Connection(settings.request.origin, trust(settings.verify))
        return self._connections[process]


def waiting_time(asked_s: float | None, retries: int, base_s: float) -> float:
    """Seconds to wait before the next attempt: what the service asked for, or else twice as long each time.

    Never exactly that, so that workers do not come back all at once: up to a tenth more, or half as much more or less.
    """
    if asked_s is not None:
        return asked_s * _JITTER.uniform(1, 1.1)
    return min(base_s * 2.0**retries * _JITTER.uniform(0.5, 1.5), LONGEST_WAIT_S)


def asked_to_wait(retry_after: str, now: datetime) -> float | None:
    """The seconds that a Retry-After header asks for, given so or as an HTTP date; None where it is neither."""
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after[:9])
    try:
        date = parsedate_to_datetime(retry_after)
    except (ValueError, TypeError, OverflowError):
        return None
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())


def _behind(error: BaseException | None, kind: type[Kind]) -> Kind | None:
    """The first of a kind among an exception and those that led to it."""
    while error is not None and not isinstance(error, kind):
        error = error.__cause__ or error.__context__
    return error


def _shortened(text: str) -> str:
    """One line, and no more than its first words."""
    line = " ".join(text[: 8 * _SHOWN].split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
