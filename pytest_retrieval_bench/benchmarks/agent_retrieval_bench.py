"""Rows of Agent Retrieval Bench (arXiv 2607.24882), all five task types (PROTOCOL 1)."""

from __future__ import annotations

import json

from pytest_retrieval_bench.benchmarks.annotations import annotations_of, paths
from pytest_retrieval_bench.benchmarks.fields import commit_field, object_field, repo_field, text_field
from pytest_retrieval_bench.benchmarks.folds import fold
from pytest_retrieval_bench.benchmarks.jsonl import Row
from pytest_retrieval_bench.model import Query, Sample, Stratum
from pytest_retrieval_bench.text.plain import plain_reading

# The task of a question without an answer gives that away, so arms are told of those alone that have rules for them.
_TOLD_TASKS = ("code2test", "trace2code", "comment2context")


def recognises(row: Row) -> bool:
    """Whether the row may be of this benchmark; it is the one that rows without a mark belong to."""
    return True


def sample_of(row: Row, where: str) -> Sample:
    """The sample of a row. A positive sample may come without gold: that label is missing, and nothing can be scored.

    Raises SamplesError, naming `where`, the member and what would be right.
    """
    identity, task_type = text_field(row, "id", where), text_field(row, "task_type", where)
    repo, commit = repo_field(row, where), commit_field(row, where)
    query, gold = object_field(row, "query", where), object_field(row, "gold", where)
    metadata = object_field(row, "metadata", where)
    stratum = _stratum(gold, metadata)
    given = _given(gold, query, task_type)
    text = json.dumps(query, ensure_ascii=False, sort_keys=True)
    return Sample(
        id=identity,
        task_type=task_type,
        repo=repo,
        base_commit=commit,
        query=Query(query, text, plain_reading(query), task_type if task_type in _TOLD_TASKS else "", given),
        gold=_gold(gold, task_type) if stratum == "positive" else (),
        given=given,
        hard_negatives=paths(gold.get("negative_distractors")),
        stratum=stratum,
        partition=fold(repo),
        reviewed=metadata.get("reviewed") is not False,
        annotations=annotations_of(row),
    )


def _stratum(gold: Row, metadata: Row) -> Stratum:
    if gold.get("no_gold") is not True:
        return "positive"
    return "natural_no_gold" if metadata.get("organic") is True else "counterfactual_no_gold"


def _gold(gold: Row, task_type: str) -> tuple[str, ...]:
    """The first member that lists a file; a test-finding task has no other gold than its tests."""
    members = {
        "code2test": ["files", "related_tests"],
        "comment2context": [
            "files",
            "must_context_files",
            "context_files",
            "root_cause_files",
            "related_tests",
        ],
    }.get(task_type, ["files", "root_cause_files", "related_tests"])
    return next(filter(None, (paths(gold.get(member)) for member in members)), ())


def _given(gold: Row, query: Row, task_type: str) -> tuple[str, ...]:
    given = paths(gold.get("given_files"))
    if not given and task_type == "comment2context":
        reviewed = [query.get("given_file"), query.get("path")]
        given = tuple(path for path in reviewed if isinstance(path, str) and path)[:1]
    return given
