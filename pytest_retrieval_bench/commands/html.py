"""`html`: a written report, or what changed between two, as one page."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.benchmarks.read import read_samples, samples_sha256
from pytest_retrieval_bench.errors import ReportError, SamplesError, SettingsError
from pytest_retrieval_bench.reporting.compare import compare
from pytest_retrieval_bench.reporting.files import why_not_new, write_atomically
from pytest_retrieval_bench.reporting.html.page import comparison_page, html_page
from pytest_retrieval_bench.reporting.html.texts import SampleTexts, sample_texts
from pytest_retrieval_bench.reporting.load import Report, load_report
from pytest_retrieval_bench.reporting.merge import merge
from pytest_retrieval_bench.snapshots.store import SnapshotStore


def add(commands: Any) -> None:
    """Adds the command to a parser's sub-commands."""
    parser = commands.add_parser("html", help="write reports as a page", description=__doc__)
    parser.add_argument("reports", type=Path, nargs="+", metavar="REPORT", help="one, or an older and a newer one")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.html", help="the page to write")
    parser.add_argument("--samples", type=Path, action="append", metavar="PATH", help="the samples, for the queries")
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="the snapshots, for the first lines of gold files")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Writes the page and prints one line.

    Raises SettingsError for options that do not go together, SamplesError for samples that were not measured,
    ReportError for reports that cannot be read or compared, and for a place that cannot be written to.
    """
    if len(options.reports) > 2:
        raise SettingsError("html: takes one report, or two to compare; merge more with pytest --rb-summarize first")
    if options.corpus is not None and options.samples is None:
        raise SettingsError("--corpus: the gold files are named by the samples; give --samples as well")
    why = why_not_new(options.out)
    if why is not None:
        raise ReportError(why)
    *older, newest = [load_report(path) for path in options.reports]
    texts = None if options.samples is None else _texts(newest, options.samples, options.corpus)
    write_atomically(options.out, _page(older, newest, texts))
    print(f"{options.out}: {options.out.stat().st_size:,} bytes")  # noqa: T201
    return 0


def _page(older: list[Report], newest: Report, texts: Mapping[str, SampleTexts] | None) -> bytes:
    if older:
        return comparison_page(compare(older[0], newest), older[0].path.name, newest, texts)
    # A merge of one has every section, whichever tool wrote it.
    return html_page(merge([newest]), texts, name=newest.path.name)


def _texts(report: Report, samples: list[Path], corpus: Path | None) -> Mapping[str, SampleTexts]:
    files = read_samples(samples)
    digest, measured = samples_sha256(files), report.data["samples_sha256"]
    if digest != measured:
        raise SamplesError(
            f"--samples: {report.path} was measured on other samples, SHA-256 {measured[:12]}, not {digest[:12]}; "
            "give the same files in the same order"
        )
    wanted = {row["id"] for row in report.data["details"]}
    found = [sample for file in files for sample in file.samples if sample.id in wanted]
    return sample_texts(found, None if corpus is None else SnapshotStore(corpus, {}))
