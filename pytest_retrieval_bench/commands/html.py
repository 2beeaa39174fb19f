"""`html`: a written report, or what changed between two, as one page."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.benchmarks.read import read_samples
from pytest_retrieval_bench.errors import ReportError, SettingsError
from pytest_retrieval_bench.reporting.compare import compare
from pytest_retrieval_bench.reporting.files import is_taken, unwritable, write_atomically
from pytest_retrieval_bench.reporting.html.comparison import comparison_page
from pytest_retrieval_bench.reporting.html.page import html_page
from pytest_retrieval_bench.reporting.html.texts import SampleTexts, sample_texts
from pytest_retrieval_bench.reporting.load import Report, load_report
from pytest_retrieval_bench.reporting.merge import merge
from pytest_retrieval_bench.snapshots.store import SnapshotStore


def add(commands: Any) -> None:
    """Adds the command to a parser's sub-commands."""
    parser = commands.add_parser("html", help="write reports as a page", description=__doc__)
    parser.add_argument("reports", type=Path, nargs="+", metavar="REPORT", help="one, or an older and a newer one")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.html", help="the page to write")
    parser.add_argument("--samples", type=Path, metavar="PATH", help="the samples, for the queries")
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="the snapshots, for the first lines of gold files")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Writes the page and prints one line.

    Raises ReportError for reports that cannot be read or compared, and for a place that cannot be written to.
    """
    if len(options.reports) > 2:
        raise SettingsError("html: takes one report, or two to compare; merge more with pytest --rb-summarize first")
    if (options.samples is None) != (options.corpus is None):
        raise SettingsError("html: --samples and --corpus belong together; give both, or none")
    why = unwritable(options.out) or (f"{options.out} exists; give a new path" if is_taken(options.out) else None)
    if why is not None:
        raise ReportError(why)
    *older, newest = [load_report(path) for path in options.reports]
    write_atomically(options.out, _page(older, newest, _texts(newest, options.samples, options.corpus)))
    print(f"{options.out}: {options.out.stat().st_size:,} bytes")  # noqa: T201
    return 0


def _page(older: list[Report], newest: Report, texts: Mapping[str, SampleTexts] | None) -> bytes:
    whole = merge([newest], None)  # with every section, whichever tool wrote it
    if older:
        return comparison_page(compare(older[0], newest), whole, texts)
    return html_page(whole, texts, title=f"Retrieval benchmark: {newest.path.name}")


def _texts(report: Report, samples: Path | None, corpus: Path | None) -> Mapping[str, SampleTexts] | None:
    if samples is None or corpus is None:
        return None
    wanted = {row["id"] for row in report.data["details"]}
    found = [sample for file in read_samples([samples]) for sample in file.samples if sample.id in wanted]
    return sample_texts(found, SnapshotStore(corpus, {}))
