"""SIGTERM ends a run as Ctrl+C does: the report of what is there is written."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

import pytest


class Interrupts:
    """The plugin object of the process that the user started."""

    def __init__(self) -> None:
        self._before: Any = None

    def pytest_sessionstart(self) -> None:
        """Takes the signal, unless somebody else has taken it before."""
        in_main_thread = threading.current_thread() is threading.main_thread()
        if in_main_thread and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            self._before = signal.signal(signal.SIGTERM, _interrupt)

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Gives the signal back."""
        if self._before is not None:
            signal.signal(signal.SIGTERM, self._before)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt(signal.Signals(number).name)
