"""SIGTERM ends a run as Ctrl+C does: the report of what is there is written, and neither stops it half-way."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest


class Interrupts:
    """The plugin object of the process that the user started."""

    def __init__(self) -> None:
        self._before: Any = None

    def pytest_sessionstart(self) -> None:
        """Takes the signal, unless somebody else has taken it before."""
        if _in_main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            self._before = signal.signal(signal.SIGTERM, _interrupt)

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Gives the signal back."""
        if self._before is not None:
            signal.signal(signal.SIGTERM, self._before)


@contextlib.contextmanager
def held_off() -> Iterator[list[int]]:
    """Holds off the first Ctrl+C or SIGTERM that comes while the code inside runs; it is in the list afterwards."""
    came: list[int] = []
    handlers: dict[signal.Signals, Any] = {}

    def give_back() -> None:
        while handlers:
            signal.signal(*handlers.popitem())

    def hold(number: int, frame: FrameType | None) -> None:
        came.append(number)
        give_back()  # whoever asks again does not want to wait

    if _in_main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            if callable(signal.getsignal(number)):
                handlers[number] = signal.signal(number, hold)
    try:
        yield came
    finally:
        give_back()


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt(signal.Signals(number).name)
