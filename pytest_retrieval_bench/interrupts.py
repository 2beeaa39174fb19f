"""SIGTERM and a lost terminal end a run as Ctrl+C does: the report of what is there is written, whole."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest

_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Interrupts:
    """The plugin object of the process that the user started."""

    def __init__(self) -> None:
        self._before: dict[signal.Signals, Any] = {}

    def pytest_sessionstart(self) -> None:
        """Takes the signals, unless somebody else has taken them before (`nohup` ignores SIGHUP)."""
        for number in _ENDING if _in_main_thread() else ():
            if signal.getsignal(number) is signal.SIG_DFL:
                self._before[number] = signal.signal(number, _interrupt)

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Gives the signals back."""
        while self._before:
            signal.signal(*self._before.popitem())


@contextlib.contextmanager
def held_off() -> Iterator[list[int]]:
    """Holds off the first Ctrl+C, SIGTERM or SIGHUP that comes while the code inside runs; the list has it then."""
    came: list[int] = []
    handlers: dict[signal.Signals, Any] = {}

    def give_back() -> None:
        while handlers:
            signal.signal(*handlers.popitem())

    def hold(number: int, frame: FrameType | None) -> None:
        came.append(number)
        give_back()  # whoever asks again does not want to wait

    if _in_main_thread():
        for number in (signal.SIGINT, *_ENDING):
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
