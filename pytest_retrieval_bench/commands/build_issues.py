"""`build issues`: a suite from issues and the patches that closed them, as SWE-bench and its kin publish them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.builders.issues.build import IssuesBenchmark, build_issues
from pytest_retrieval_bench.builders.issues.datasets import read_issues
from pytest_retrieval_bench.builders.issues.issue import Issue
from pytest_retrieval_bench.builders.suite_files import samples_file, suite_toml
from pytest_retrieval_bench.commands.repository_name import repository_name
from pytest_retrieval_bench.commands.suite_folder import check_new, clone_from, write_new
from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.reporting.terminal import counted
from pytest_retrieval_bench.snapshots.git import check_repository


def add(commands: Any) -> None:
    """Adds the command to a parser's sub-commands."""
    parser = commands.add_parser("issues", help="questions from issues and their patches", description=__doc__)
    parser.add_argument(
        "datasets",
        nargs="+",
        metavar="[NAME=]FILE",
        help="data sets, JSON Lines or Parquet; where two have an issue, the first one's words count",
    )
    parser.add_argument(
        "--git",
        action="append",
        required=True,
        metavar="OWNER/NAME=DIR",
        help="a clone (repeatable); others are left out",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="SUITE", help="the folder to write")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Writes the suite and prints what became of the issues.

    Raises SettingsError for what cannot be done, SamplesError for a row that cannot be read, SnapshotError for a clone
    that cannot be, ReportError for a file that is already there or cannot be written.
    """
    clones = dict(map(_clone, options.git))
    paths = {repo: clone_from(options.out, clone) for repo, clone in clones.items()}
    check_new(options.out, ["suite.toml", "samples.jsonl", "drop-report.json"])
    made = build_issues(_issues(options.datasets), clones)
    if not made.rows:
        raise SettingsError(f"no issue has gold in the clones: {_told(made)}")
    write_new(
        options.out,
        {
            "samples.jsonl": samples_file(made.rows),
            "drop-report.json": f"{json.dumps(made.report, indent=2, ensure_ascii=False)}\n".encode(),
            "suite.toml": suite_toml(f"Issues of {', '.join(clones)}", paths),
        },
    )
    print(f"{options.out}: {counted(len(made.rows), 'question')}; {_told(made)}")  # noqa: T201
    return 0


def _issues(datasets: Sequence[str]) -> Iterator[Issue]:
    for given in datasets:
        name, separator, path = given.partition("=")
        file = Path(path if separator else given)
        yield from read_issues(file, name if separator else file.stem)


def _clone(given: str) -> tuple[str, Path]:
    name, separator, path = given.partition("=")
    if not separator or not path:
        raise SettingsError(f"--git: {given!r} is not OWNER/NAME=DIR")
    check_repository(Path(path))
    return repository_name(name), Path(path)


def _told(made: IssuesBenchmark) -> str:
    return "; ".join(
        f"{dataset}: {', '.join(f'{count} {end}' for end, count in ends.items() if end != 'all')} of {ends['all']}"
        for dataset, ends in made.report.items()
    )
