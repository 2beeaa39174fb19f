"""`build`: a benchmark from what a repository holds anyway, one sub-command a kind."""

from __future__ import annotations

from typing import Any

from pytest_retrieval_bench.commands import build_docs, build_identifiers, build_issues


def add(commands: Any) -> None:
    """Adds the command, with its own sub-commands, to a parser's sub-commands."""
    parser = commands.add_parser("build", help="make a benchmark of a repository", description=__doc__)
    kinds = parser.add_subparsers(required=True, metavar="KIND")
    for kind in (build_docs, build_issues, build_identifiers):
        kind.add(kinds)
