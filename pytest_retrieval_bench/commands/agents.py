"""`agents`: what agents looked at, from their logs, beside what the arms of a report rank."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.agents.facts import facts_of_report, facts_of_sample
from pytest_retrieval_bench.agents.logs import Placed, trajectories
from pytest_retrieval_bench.agents.packets import packets
from pytest_retrieval_bench.agents.retrievers import rankings
from pytest_retrieval_bench.agents.runs import run_of
from pytest_retrieval_bench.agents.section import agents_section
from pytest_retrieval_bench.agents.tables import tables
from pytest_retrieval_bench.benchmarks.jsonl import read_bounded, rows
from pytest_retrieval_bench.benchmarks.read import read_samples
from pytest_retrieval_bench.errors import LogError, ReportError, SettingsError, unknown
from pytest_retrieval_bench.reporting.canonical import canonical
from pytest_retrieval_bench.reporting.files import why_not_new, write_atomically
from pytest_retrieval_bench.reporting.load import Report, load_report
from pytest_retrieval_bench.text.surrogates import mended


def add(commands: Any) -> None:
    """Adds the command to a parser's sub-commands."""
    parser = commands.add_parser("agents", help="what agents looked at, from their logs", description=__doc__)
    parser.add_argument(
        "logs", nargs="+", metavar="[NAME=]LOG.jsonl", help="the log of an agent; of one name they add up"
    )
    parser.add_argument("--samples", type=Path, action="append", metavar="PATH", help="the samples, for their gold")
    parser.add_argument("--report", type=Path, metavar="REPORT.json", help="a report, for its arms")
    parser.add_argument("--control", metavar="NAME", help="the agent that was handed nothing before it began")
    parser.add_argument("--packets", type=Path, metavar="FILE.jsonl", help="stored predictions: sample_id and PES@20")
    parser.add_argument("--output", type=Path, metavar="FILE.json", help="where to write every figure")
    parser.set_defaults(run=run, refused=4)


def run(options: argparse.Namespace) -> int:
    """Prints tables, and writes the document where it is asked for.

    Raises SettingsError for options that do not go together, LogError, SamplesError or ReportError for what cannot be
    read, and for a place that cannot be written to.
    """
    named = _named(options.logs)
    if options.control is not None and options.control not in named:
        raise SettingsError(f"--control: {unknown('agent', options.control, named)}")
    if options.control is not None and len(named) < 2:
        raise SettingsError("--control: needs another agent to be held against it; give its log as well")
    if options.packets is not None and options.control is None:
        raise SettingsError("--packets: predicts what seeds save; give the agent without one as --control=NAME")
    if options.output is not None:
        _check_place(options.output)
    report = None if options.report is None else load_report(options.report)
    details = [] if report is None else report.data["details"]
    samples = [sample for file in read_samples(options.samples or ()) for sample in file.samples]
    known = {sample.id: facts_of_sample(sample) for sample in samples}
    measured = {row["id"]: facts_of_report(row) for row in details}
    runs = {name: run_of(trajectories(_rows(paths)), known, measured) for name, paths in named.items()}
    for name, found in runs.items():
        if not found.attempts:
            raise LogError(
                f"{name}: no sample of {_listed(named[name])} can be judged; is their gold known? Give --samples"
            )
    arms = {} if report is None else {arm: rankings(details, arm, report.data["limit"]) for arm in report.arms}
    stored = None if options.packets is None else packets(_rows([options.packets]))
    section = agents_section(runs, {arm: found for arm, found in arms.items() if found}, options.control, stored)
    for line in tables(section):
        print(line)  # noqa: T201
    if options.output is not None:
        write_atomically(options.output, canonical(section | {"inputs": _inputs(named, report, options)}))
        print(f"written: {options.output}")  # noqa: T201
    return 0


def _named(logs: Iterable[str]) -> dict[str, list[Path]]:
    """The logs by agent: as each was named, or else by the file's name."""
    found: dict[str, list[Path]] = {}
    for text in logs:
        name, separator, path = text.partition("=")
        if not separator or "/" in name:
            name, path = Path(text).stem, text
        if not name or not path:
            raise SettingsError(f"{text!r} is not NAME=LOG.jsonl")
        found.setdefault(mended(name), []).append(Path(path))
    return found


def _rows(paths: Iterable[Path]) -> Iterable[Placed]:
    return (row for path in paths for row in rows(read_bounded(path), path))


def _check_place(path: Path) -> None:
    why = why_not_new(path)
    if why is not None:
        raise ReportError(why)


def _inputs(named: dict[str, list[Path]], report: Report | None, options: argparse.Namespace) -> dict[str, Any]:
    """The digests of what was read."""
    return {
        "logs": {name: [_digest(path) for path in paths] for name, paths in named.items()},
        "samples": [file.sha256 for file in read_samples(options.samples or ())],
        **({} if report is None else {"report": report.sha256}),
        **({} if options.packets is None else {"packets": _digest(options.packets)}),
    }


def _digest(path: Path) -> str:
    return hashlib.sha256(read_bounded(path)).hexdigest()


def _listed(paths: Iterable[Path]) -> str:
    return ", ".join(map(str, paths))
