"""`new`: a suite for a repository of one's own, with candidates from its history for a person to review."""

from __future__ import annotations

import argparse
import os
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.builders.candidates import (
    Candidate,
    candidate_of,
    row_of,
    shared_identifiers,
    why_no_question,
)
from pytest_retrieval_bench.builders.suite_files import suite_files
from pytest_retrieval_bench.commands.repository_name import repository_name
from pytest_retrieval_bench.errors import ReportError, SettingsError
from pytest_retrieval_bench.reporting.files import unwritable, write_atomically
from pytest_retrieval_bench.reporting.terminal import counted
from pytest_retrieval_bench.snapshots.git import check_repository
from pytest_retrieval_bench.snapshots.git_history import (
    changed_lines,
    list_commits,
    origin_url,
    read_changes,
    read_commits,
)

_BATCH = 200
_OF_URL = re.compile(r"([\w.-]+)[/:]([\w.-]+?)(?:\.git)?/?")


def add(commands: Any) -> None:
    """Adds the command to a parser's sub-commands."""
    parser = commands.add_parser("new", help="begin a suite of your own repository", description=__doc__)
    parser.add_argument("suite", type=Path, metavar="SUITE", help="the folder to write")
    parser.add_argument(
        "--git", type=Path, required=True, metavar="DIR", help="a clone, of which only commits are read"
    )
    parser.add_argument("--repo", metavar="OWNER/NAME", help="the repository's name (default: that of its origin)")
    parser.add_argument("--count", type=int, default=10, metavar="N", help="how many candidates (default: 10)")
    parser.add_argument(
        "--commits",
        default="HEAD",
        metavar="A..B",
        help="a revision, or a range, whose commits are looked at, newest first",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Writes the suite and prints what became of the commits.

    Raises SettingsError for what cannot be done, SnapshotError for what the clone does not hold, ReportError for a
    file that is already there or cannot be written.
    """
    if options.count < 1:
        raise SettingsError(f"--count: must be at least 1, this is {options.count}")
    check_repository(options.git)
    repo = repository_name(options.repo or _name(options.git))
    clone = Path(os.path.relpath(options.git.resolve(), options.suite.resolve())).as_posix()
    if not clone.isprintable():
        raise SettingsError(f"--git: {clone!r} cannot be written into a suite; give the clone a printable path")
    left_out: Counter[str] = Counter()
    found = list(islice(_candidates(options.git, options.commits, left_out), options.count))
    looked_at = counted(len(found) + left_out.total(), "commit")
    if not found:
        raise SettingsError(f"--commits: none of {looked_at} makes a candidate; {_told(left_out)}")
    rows = [
        row_of(one, repo, shared_identifiers(one.question, changed_lines(options.git, one.commit.identity)))
        for one in found
    ]
    _write(options.suite, suite_files(options.suite.resolve().name, repo, clone, rows))
    print(f"{options.suite}: {counted(len(rows), 'candidate')} from {looked_at} of {repo}; {_told(left_out)}")  # noqa: T201
    print(f"Read {options.suite / 'README.md'} and review {options.suite / 'samples.jsonl'} first.")  # noqa: T201
    return 0


def _candidates(clone: Path, revisions: str, left_out: Counter[str]) -> Iterator[Candidate]:
    """The candidates, newest first; counts the others by the reason why they are none."""
    identities = list_commits(clone, revisions)
    for start in range(0, len(identities), _BATCH):
        commits = list(read_commits(clone, identities[start : start + _BATCH]))
        reasons = {commit.identity: why_no_question(commit) for commit in commits}
        changes = read_changes(clone, [identity for identity, reason in reasons.items() if reason is None])
        for commit in commits:
            made = reasons[commit.identity] or candidate_of(commit, changes[commit.identity])
            if isinstance(made, Candidate):
                yield made
            else:
                left_out[made] += 1


def _told(left_out: Counter[str]) -> str:
    """How many commits were left out for which reason, the most frequent first."""
    listed = sorted(left_out.items(), key=lambda item: (-item[1], item[0]))
    return f"left out: {', '.join(f'{reason} ({count})' for reason, count in listed) or 'none'}"


def _name(clone: Path) -> str:
    """The repository's name by its origin, or else by its folder."""
    url = _OF_URL.fullmatch("/".join((origin_url(clone) or "").rstrip("/").replace(":", "/").split("/")[-2:]))
    return f"{url[1]}/{url[2]}" if url else f"local/{clone.resolve().name}"


def _write(folder: Path, files: dict[str, bytes]) -> None:
    for name in files:
        if os.path.lexists(folder / name):
            raise ReportError(f"{folder / name}: is there already, and nothing is overwritten; give another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ReportError(f"{folder}: cannot be made: {error.strerror or error}") from error
    for name, data in files.items():
        reason = unwritable(folder / name)
        if reason is not None:
            raise ReportError(reason)
        write_atomically(folder / name, data)
