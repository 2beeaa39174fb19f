"""A benchmark from issues: the text of an issue is the question, the files that its patch changed are the gold.

    data sets ──► Issue ──► files of the patch ──► filters ──► the clone at the commit ──► row

Issues of two data sets with one commit and one gold are one sample, which keeps both names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_retrieval_bench.builders.issues.clone_facts import committed_at, kinds_of
from pytest_retrieval_bench.builders.issues.filters import is_record, is_test
from pytest_retrieval_bench.builders.issues.functions import functions_of
from pytest_retrieval_bench.builders.issues.issue import Issue
from pytest_retrieval_bench.builders.issues.patch import patched_files
from pytest_retrieval_bench.builders.issues.rows import Question, row_of
from pytest_retrieval_bench.model import Json
from pytest_retrieval_bench.snapshots.git_commit import Clone

_Key = tuple[str, str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class IssuesBenchmark:
    """The rows of a samples file, and by data set how many issues came to which end; these add up to its `all`."""

    rows: tuple[dict[str, Json], ...]
    report: dict[str, dict[str, int]]


def build_issues(issues: Iterable[Issue], clones: Mapping[str, Path]) -> IssuesBenchmark:
    """Makes the benchmark; `clones` are local ones by OWNER/NAME, of which objects are read.

    Rows stand in the order of repositories and of their commits' times. Raises SnapshotError when a clone cannot be
    read.
    """
    ends: dict[str, Counter[str]] = {}
    wanted: list[tuple[Issue, tuple[str, ...]]] = []
    for issue in issues:
        tally = ends.setdefault(issue.dataset, Counter())
        gold = _gold(issue, clones)
        if isinstance(gold, str):
            tally[gold] += 1
        else:
            wanted.append((issue, gold))
    questions: dict[_Key, Question] = {}
    for repo, clone in clones.items():
        here = [(issue, gold) for issue, gold in wanted if issue.repo == repo]
        known = kinds_of(clone, (name for issue, gold in here for name in _names(issue, gold)))
        for issue, gold in here:
            ends[issue.dataset][_taken(issue, gold, known, questions)] += 1
    rows = [row for repo, clone in clones.items() for row in _rows(clone, _of(repo, questions))]
    report = {dataset: {"all": tally.total(), **dict(sorted(tally.items()))} for dataset, tally in ends.items()}
    return IssuesBenchmark(tuple(rows), report)


def _gold(issue: Issue, clones: Mapping[str, Path]) -> tuple[str, ...] | str:
    """The files that answer an issue by its patch alone, or why there are none."""
    if issue.repo not in clones:
        return "no clone"
    if not issue.question:
        return "no question"
    files = patched_files(issue.patch)
    if not files.existing:
        return "all files added" if files.created else "no patch"
    sources = [path for path in files.existing if not is_test(path)]
    if not sources:
        return "only tests"
    gold = [path for path in sources if not is_record(path)]
    return tuple(gold) if gold else "only records of change"


def _names(issue: Issue, gold: tuple[str, ...]) -> list[str]:
    return [issue.base_commit, *(f"{issue.base_commit}:{path}" for path in gold)]


def _taken(
    issue: Issue, gold: tuple[str, ...], known: Mapping[str, str | None], questions: dict[_Key, Question]
) -> str:
    """What becomes of an issue whose patch has gold: a question, a part of one, or none, as something is missing."""
    if known.get(issue.base_commit) != "commit":
        return "unknown commit"
    if any(known.get(f"{issue.base_commit}:{path}") != "blob" for path in gold):
        return "gold missing at the commit"
    key = (issue.repo, issue.base_commit, gold)
    if key not in questions:
        questions[key] = Question(issue, gold, (issue.dataset,))
        return "kept"
    first = questions[key]
    questions[key] = replace(
        first,
        issue=replace(
            first.issue,
            functions=first.issue.functions or issue.functions,
            category=first.issue.category or issue.category,
        ),
        datasets=tuple(dict.fromkeys((*first.datasets, issue.dataset))),
    )
    return "merged with another"


def _of(repo: str, questions: Mapping[_Key, Question]) -> list[Question]:
    return [question for (name, _, _), question in questions.items() if name == repo]


def _rows(clone: Path, questions: list[Question]) -> list[dict[str, Json]]:
    times = committed_at(clone, (one.issue.base_commit for one in questions))
    ordered = sorted(questions, key=lambda one: (times[one.issue.base_commit], one.issue.base_commit, one.issue.id))
    source = Clone(clone)
    rows = []
    for one in ordered:
        named = {path for name in one.issue.functions if (path := name.partition(":")[0]) in one.gold}
        snapshot = source.snapshot(one.issue.repo, one.issue.base_commit) if named else None
        sources = {path: snapshot.read(path) for path in sorted(named)} if snapshot is not None else {}
        rows.append(row_of(one, functions_of(one.issue.functions, sources)))
    return rows
