"""The further files that are made of a finished report, each asked for by an option of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.errors import ReportError, reason
from pytest_retrieval_bench.reporting.exports.junit import suite_properties
from pytest_retrieval_bench.reporting.exports.markdown import report_markdown
from pytest_retrieval_bench.reporting.exports.table import csv_table, parquet_table
from pytest_retrieval_bench.reporting.exports.trec import trec_files
from pytest_retrieval_bench.reporting.exports.views import views_csv
from pytest_retrieval_bench.reporting.files import write_atomically, write_folder
from pytest_retrieval_bench.reporting.html.page import html_page
from pytest_retrieval_bench.reporting.html.texts import SampleTexts
from pytest_retrieval_bench.reporting.judging import Verdict

_JOB_SUMMARY = "GITHUB_STEP_SUMMARY"
# GitHub drops a summary above it.
_MAX_SUMMARY_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class FinishedReport:
    """What exports are made of: a report, what gates said of it, and what went wrong.

    `texts` reads the queries and gold files for the page; it is called where a page is asked for, and gives None where
    they are not at hand.
    """

    report: Mapping[str, Any]
    verdicts: Sequence[Verdict]
    problems: Sequence[str]
    texts: Callable[[], Mapping[str, SampleTexts] | None]


def write_exports(exports: Mapping[str, Path], finished: FinishedReport) -> Iterator[str]:
    """Writes each export, and gives in words what could not be written."""
    for name, path in exports.items():
        try:
            _WRITERS[name](path, finished)
        except (ReportError, OSError) as error:
            yield f"--rb-{name}: nothing was written: {reason(error)}"


def add_to_junit(config: pytest.Config, report: Mapping[str, Any]) -> None:
    """Gives the test suite its properties, where pytest writes JUnit XML.

    pytest's fixture for it works in a worker of xdist, which writes none.
    """
    for plugin in config.pluginmanager.get_plugins():
        add = getattr(plugin, "add_global_property", None)
        if add is not None:
            for name, value in suite_properties(report).items():
                add(name, value)


def add_to_job_summary(text: str) -> str | None:
    """Adds Markdown to the summary of a GitHub job, where this is one; why it could not, for a line on the terminal."""
    path = os.environ.get(_JOB_SUMMARY)
    if not path:
        return None
    data = f"{text}\n".encode()
    try:
        if Path(path).exists() and Path(path).stat().st_size + len(data) > _MAX_SUMMARY_BYTES:
            raise OSError("the summary is full")
        with Path(path).open("ab") as stream:
            stream.write(data)
    except OSError as error:
        return f"{_JOB_SUMMARY} names {path}, which cannot be written: {reason(error)}"
    return None


def _html(path: Path, finished: FinishedReport) -> None:
    page = html_page(finished.report, finished.texts(), verdicts=finished.verdicts, problems=finished.problems)
    write_atomically(path, page)


def _markdown(path: Path, finished: FinishedReport) -> None:
    write_atomically(path, report_markdown(finished.report, finished.verdicts, finished.problems).encode())


def _table(path: Path, finished: FinishedReport) -> None:
    write_atomically(path, csv_table(finished.report) if path.suffix == ".csv" else parquet_table(finished.report))


def _trec(path: Path, finished: FinishedReport) -> None:
    write_folder(path, trec_files(finished.report))


def _view_csv(path: Path, finished: FinishedReport) -> None:
    write_atomically(path, views_csv(finished.report["measures"]))


# By the name of its option: what makes an export and writes it to a path.
_WRITERS: Mapping[str, Callable[[Path, FinishedReport], None]] = {
    "html": _html,
    "markdown": _markdown,
    "table": _table,
    "trec": _trec,
    "view-csv": _view_csv,
}
