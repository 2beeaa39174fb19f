"""`corpus`: writes a commit of a local clone as a chunk file, as releases of Agent Retrieval Bench ship it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.builders.corpus import build_corpus
from pytest_retrieval_bench.commands.repository_name import repository_name
from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.reporting.files import unwritable, write_atomically
from pytest_retrieval_bench.snapshots.git_objects import commit_id


def add(commands: Any) -> None:
    """Adds the command to a parser's sub-commands."""
    parser = commands.add_parser("corpus", help="write a chunk file of a local clone", description=__doc__)
    parser.add_argument("--git", type=Path, required=True, metavar="DIR", help="the clone, which is only read")
    parser.add_argument("--commit", required=True, metavar="C", help="the commit: its id, a tag, a branch")
    parser.add_argument("--repo", required=True, metavar="OWNER/NAME", help="the repository's name in the rows")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--out", type=Path, metavar="FILE", help="the file to write")
    where.add_argument(
        "--out-dir",
        type=Path,
        metavar="DIR",
        default=Path(),
        help="the corpus folder: write OWNER__NAME/COMMIT.chunks.jsonl in it (default: the current folder)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Writes the file and prints one line.

    Raises SettingsError for a name that is none, SnapshotError for what the clone does not hold, ReportError for a
    file that is already there or cannot be written.
    """
    repo = repository_name(options.repo)
    commit = commit_id(options.git, options.commit)
    out = options.out or _place(options.out_dir, repo, commit)
    if os.path.lexists(out):
        raise ReportError(f"{out}: is there already, and nothing is overwritten; move it away or give another place")
    reason = unwritable(out)
    if reason is not None:
        raise ReportError(reason)
    corpus = build_corpus(options.git, repo, commit)
    write_atomically(out, corpus.data)
    left_out = "".join(f"; left out {count} {why}" for why, count in corpus.left_out.items() if count)
    print(f"{out}: {corpus.files} files, {corpus.symbols} symbols{left_out}")  # noqa: T201
    return 0


def _place(folder: Path, repo: str, commit: str) -> Path:
    """Where `--rb-corpus=FOLDER` looks; the folders are made."""
    place = folder / repo.replace("/", "__")
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ReportError(f"{place}: cannot be made: {error.strerror or error}") from error
    return place / f"{commit}.chunks.jsonl"
