"""What the modes have in common that run no test: `--rb-summarize`, `--rb-compare`, `--rb-explain`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection

import pytest

from pytest_retrieval_bench.given import refuse
from pytest_retrieval_bench.options import dest


class WithoutTests(ABC):
    """The plugin object of such a mode."""

    @abstractmethod
    def pytest_report_header(self) -> str:
        """The one line about it."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> bool:
        """Collects nothing."""
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> bool:
        """Does its work in the place of running tests.

        Raises UsageError for what cannot be done.
        """
        self.work()
        return True

    @abstractmethod
    def work(self) -> None:
        """What is done instead."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Having run nothing is what was asked for."""
        if session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK

    @abstractmethod
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Shows what came of it."""


def refuse_others(config: pytest.Config, mode: str, allowed: Collection[str], why: str) -> None:
    """Raises SettingsError where an option of the plugin is given that neither is the mode nor goes with it."""
    known = {dest(name) for name in (mode, *allowed)}
    for name, value in vars(config.option).items():
        if name.startswith("rb_") and value is not None and name not in known:
            refuse(f"--rb-{mode}", f"{why}; leave out --{name.replace('_', '-')}")
