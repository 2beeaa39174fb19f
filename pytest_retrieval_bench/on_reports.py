"""What the modes that work on written reports share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.reporting.canonical import canonical
from pytest_retrieval_bench.reporting.files import write_atomically
from pytest_retrieval_bench.without_tests import WithoutTests


class OnReports(WithoutTests):
    """The plugin object of such a mode; `files` is what it writes."""

    verb: str

    def __init__(self, sources: Sequence[Path], files: Mapping[Path, bytes]) -> None:
        self._sources = sources
        self._files = files
        self._note: str | None = None

    def pytest_report_header(self) -> str:
        """The one line about the run."""
        return f"retrieval-bench: {self.verb} {', '.join(map(str, self._sources))}; nothing is run"

    def work(self) -> None:
        """Writes.

        Raises UsageError when a file cannot be written.
        """
        try:
            for path, data in self._files.items():
                write_atomically(path, data)
        except ReportError as error:
            raise pytest.UsageError(str(error)) from error

    def _say_note(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._note is not None:
            terminalreporter.write_line(self._note, yellow=True)


def canonical_bytes(value: object, sources: Sequence[Path]) -> bytes:
    """The canonical bytes.

    Raises ReportError where a report holds a value that JSON cannot keep exactly.
    """
    try:
        return canonical(value)
    except ValueError as error:
        raise ReportError(f"{', '.join(map(str, sources))}: cannot be written as canonical JSON: {error}") from error
