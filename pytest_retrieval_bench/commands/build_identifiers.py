"""`build ident`: the questions of a suite as a caller would type them: identifiers, mangled ones, with a first line."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.benchmarks.jsonl import read_bounded, rows
from pytest_retrieval_bench.builders.identifiers.build import PROJECTIONS, SEED, build_identifiers
from pytest_retrieval_bench.builders.suite_files import samples_file, suite_toml
from pytest_retrieval_bench.commands.suite_folder import check_new, clone_from, write_new
from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.reporting.terminal import counted
from pytest_retrieval_bench.suites import FILE_NAME, read_suite


def add(commands: Any) -> None:
    """Adds the command to a parser's sub-commands."""
    parser = commands.add_parser("ident", help="the questions of a suite as identifiers", description=__doc__)
    parser.add_argument("suite", type=Path, metavar="SUITE", help="a folder that build issues or build docs wrote")
    parser.add_argument("--out", type=Path, required=True, metavar="NEW", help="the folder to write")
    parser.add_argument("--seed", type=int, default=SEED, metavar="S", help=f"of the mangling (default: {SEED})")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Writes the suite and prints what became of the questions.

    Raises SettingsError for what cannot be done, SamplesError for rows that cannot be read, SnapshotError for a clone
    that lacks a commit, ReportError for a file that is already there or cannot be written.
    """
    suite = read_suite(options.suite / FILE_NAME)
    if not suite.clones:
        raise SettingsError(f"{suite.file}: it has no clone (git); a suite over clones is wanted")
    paths = {repo: clone_from(options.out, clone) for repo, clone in suite.clones.items()}
    check_new(options.out, ["suite.toml", "samples.jsonl"])
    source = [row for path in suite.samples for _, row in rows(read_bounded(path), path)]
    made = build_identifiers(source, suite.clones, options.seed)
    left_out = f"{made.without_identifiers} without identifiers, {made.without_gold} without gold files"
    if not made.rows:
        raise SettingsError(f"{suite.file}: none of {counted(made.sources, 'question')} can be used: {left_out}")
    title = f"{suite.title}, as identifiers"
    write_new(options.out, {"samples.jsonl": samples_file(made.rows), "suite.toml": suite_toml(title, paths)})
    kept = len(made.rows) // len(PROJECTIONS)
    print(f"{options.out}: {kept} of {counted(made.sources, 'question')} in four forms; left out: {left_out}")  # noqa: T201
    return 0
