"""A time bound for Python code, which holds for what the interpreter runs in the main thread."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType

_AGAIN_S = 1.0


class OutOfTime(BaseException):
    """Raised inside code that runs for too long; no `except Exception` of that code holds it up."""


@contextlib.contextmanager
def time_bound(seconds: float | None) -> Iterator[None]:
    """Raises OutOfTime in the code inside after `seconds`, and again every second until it gives up.

    There is no bound where `seconds` is None, outside of the main thread, and on Windows; and one long call of compiled
    code is over before the exception comes.
    """
    if seconds is None or not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return
    inside = True

    def ring(number: int, frame: FrameType | None) -> None:
        if inside:
            raise OutOfTime

    handler = signal.signal(signal.SIGALRM, ring)
    started = time.monotonic()
    # Another bound, such as pytest-timeout's, may be ticking; it goes on afterwards.
    remaining, interval = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN_S)
    try:
        try:
            yield
        finally:
            inside = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if remaining:
            left = remaining - (time.monotonic() - started)
            signal.setitimer(signal.ITIMER_REAL, max(left, 0.001), interval)
