"""The row of a samples file that an issue becomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from pytest_retrieval_bench.builders.issues.functions import Function
from pytest_retrieval_bench.builders.issues.issue import Issue
from pytest_retrieval_bench.model import Json

TASK_TYPE = "issue2code"


@dataclass(frozen=True, slots=True)
class Question:
    """An issue with its gold files, and the data sets that have it."""

    issue: Issue
    gold: tuple[str, ...]
    datasets: tuple[str, ...]


def row_of(question: Question, functions: Sequence[Function]) -> dict[str, Json]:
    """The row; `functions` are the gold functions that the commit has, as blocks of lines."""
    issue, gold = question.issue, question.gold
    metadata: dict[str, Json] = {
        "datasets": list(question.datasets),
        "category": issue.category,
        "n_gold": len(gold),
        "leaks_gold_path": any(path in issue.question for path in gold),
        "leaks_gold_basename": any(PurePosixPath(path).name in issue.question for path in gold),
    }
    blocks: list[Json] = [
        {"path": one.path, "symbol": one.name, "start_line": one.first, "end_line": one.last} for one in functions
    ]
    row: dict[str, Json] = {
        "id": issue.id,
        "task_type": TASK_TYPE,
        "repo": issue.repo,
        "base_commit": issue.base_commit,
        "query": {"text": issue.question},
        "gold": {"files": list(gold), **({"gold_blocks": blocks} if blocks else {})},
        "metadata": {name: value for name, value in metadata.items() if value is not None},
    }
    if issue.functions:
        row["gold_functions"] = list(issue.functions)
    return row
