"""`new`: a suite for a repository of one's own, with candidates from its history for a person to review."""

from __future__ import annotations

import argparse
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
from pytest_retrieval_bench.commands.repository_name import name_of_clone, repository_name
from pytest_retrieval_bench.commands.suite_folder import clone_from, write_new
from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.reporting.terminal import counted
from pytest_retrieval_bench.snapshots.git import check_repository
from pytest_retrieval_bench.snapshots.git_history import (
    changed_lines,
    list_commits,
    read_changes,
    read_commits,
)

_BATCH = 200


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
    repo = repository_name(options.repo or name_of_clone(options.git))
    clone = clone_from(options.suite, options.git)
    left_out: Counter[str] = Counter()
    found = list(islice(_candidates(options.git, options.commits, left_out), options.count))
    looked_at = counted(len(found) + left_out.total(), "commit")
    if not found:
        raise SettingsError(f"--commits: none of {looked_at} makes a candidate; {_told(left_out)}")
    rows = [
        row_of(one, repo, shared_identifiers(one.question, changed_lines(options.git, one.commit.identity)))
        for one in found
    ]
    write_new(options.suite, suite_files(options.suite.resolve().name, repo, clone, rows))
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
