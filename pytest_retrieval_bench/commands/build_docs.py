"""`build docs`: a suite from a project's documentation: its sections are answered by the code that they name."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_retrieval_bench.builders.docs.audit import audit_text
from pytest_retrieval_bench.builders.docs.rules import DocsRules
from pytest_retrieval_bench.builders.suite_files import samples_file, suite_toml
from pytest_retrieval_bench.commands.repository_name import name_of_clone, repository_name
from pytest_retrieval_bench.commands.suite_folder import check_new, clone_from, write_new
from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.reporting.terminal import counted
from pytest_retrieval_bench.snapshots.git import check_repository
from pytest_retrieval_bench.snapshots.git_objects import commit_id

if TYPE_CHECKING:
    from pytest_retrieval_bench.builders.docs.build import DocsBenchmark

_NO_EXTRA = "build docs reads documents and sources with libraries: pip install 'pytest-retrieval-bench[build]'"


def add(commands: Any) -> None:
    """Adds the command to a parser's sub-commands."""
    parser = commands.add_parser("docs", help="questions from the documentation", description=__doc__)
    parser.add_argument("--git", type=Path, required=True, metavar="DIR", help="the clone, of which objects are read")
    parser.add_argument("--commit", required=True, metavar="C", help="the commit: its id, a tag, a branch")
    parser.add_argument("--repo", metavar="OWNER/NAME", help="the repository's name (default: that of its origin)")
    parser.add_argument("--out", type=Path, required=True, metavar="SUITE", help="the folder to write")
    parser.add_argument("--docs", metavar="FOLDER", help="the documentation (default: the folder doc or docs)")
    parser.add_argument(
        "--source",
        action="append",
        default=[],
        metavar="FOLDER",
        help="where gold may lie (repeatable; default: everywhere but in the documentation)",
    )
    parser.add_argument(
        "--exclude", action="append", default=[], metavar="GLOB", help="documents to leave out, such as release notes"
    )
    parser.add_argument("--short", action="store_true", help="ask the first sentences only")
    parser.add_argument("--audit", type=int, default=0, metavar="N", help="print N instances to read")
    parser.add_argument("--audit-seed", type=int, default=0, metavar="S", help="which instances (default: 0)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Writes the suite and prints what became of the sections, and the instances to read.

    Raises SettingsError for what cannot be done, SnapshotError for what the clone does not hold, ReportError for a
    file that is already there or cannot be written.
    """
    if options.audit < 0:
        raise SettingsError(f"--audit: must be at least 0, this is {options.audit}")
    check_repository(options.git)
    repo = repository_name(options.repo or name_of_clone(options.git))
    clone = clone_from(options.out, options.git)
    rules = DocsRules(
        repo=repo,
        commit=commit_id(options.git, options.commit),
        docs=options.docs,
        sources=tuple(options.source),
        exclude=tuple(options.exclude),
        short=options.short,
    )
    check_new(options.out, ["suite.toml", "samples.jsonl", "drop-report.json"])
    made = _made(options.git, rules)
    if not made.rows:
        raise SettingsError(
            "--docs: no section of the documentation names code that the sources define; of"
            f" {counted(made.sections.total(), 'section')}: {_dropped(made)}"
        )
    title = f"The documentation of {repo}{', first sentences' if rules.short else ''}"
    write_new(
        options.out,
        {
            "samples.jsonl": samples_file(made.rows),
            "drop-report.json": f"{json.dumps(made.report, indent=2, ensure_ascii=False)}\n".encode(),
            "suite.toml": suite_toml(title, {repo: clone}),
        },
    )
    _tell(options, made)
    return 0


def _made(clone: Path, rules: DocsRules) -> DocsBenchmark:
    try:
        from pytest_retrieval_bench.builders.docs.build import build_docs
    except ImportError as error:
        raise SettingsError(f"{_NO_EXTRA} ({error})") from error
    return build_docs(clone, rules)


def _tell(options: argparse.Namespace, made: DocsBenchmark) -> None:
    sections = counted(made.sections.total(), "section")
    print(f"{options.out}: {len(made.rows)} of {sections}; dropped: {_dropped(made)}")  # noqa: T201
    if options.audit:
        print(f"\n{audit_text(made.rows, options.audit, options.audit_seed)}")  # noqa: T201


def _dropped(made: DocsBenchmark) -> str:
    ends = [f"{name} ({count})" for name, count in sorted(made.sections.items()) if name != "kept"]
    return ", ".join(ends) or "none"
