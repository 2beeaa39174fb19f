"""The rules of the benchmark for its rows, of which each is broken alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_retrieval_bench.benchmarks.jsonl import Row
from pytest_retrieval_bench.doctor.rules import TASKS, broken_rules, unlike_a_release
from pytest_retrieval_bench.model import Json
from tests.benchmarks.rows import COMMIT, arb_row

GOOD: dict[str, Row] = {
    "code2test": {"gold": {"related_tests": ["a.py"]}},
    "trace2code": {"gold": {"root_cause_files": [{"path": "a.py"}]}},
    "testlog2code": {"gold": {"root_cause_files": ["a.py"]}},
    "comment2context": {
        "version": 2,
        "gold": {"root_cause_files": ["a.py"], "given_files": ["b.py"], "must_context_files": [{"path": "a.py"}]},
    },
    "edit2ripple": {
        "query": {"anchor_file": "b.py", "anchor_diff": "-x", "intent": "rename"},
        "gold": {"files": ["a.py"], "given_files": ["b.py"]},
    },
    "abstention": {
        "query": {"source": "issue", "text": "why"},
        "gold": {"files": [], "no_gold": True, "reason": "user_error"},
    },
}


def row_of(task: str) -> dict[str, Any]:
    corpus: Json = {"type": "repo_at_base_commit", "base_commit": COMMIT}
    return arb_row(task_type=task, candidate_corpus=corpus, **GOOD[task])


def set_to(value: Any, *path: str) -> Callable[[dict[str, Any]], None]:
    def spoil(row: dict[str, Any]) -> None:
        for name in path[:-1]:
            row[name] = dict(row[name])
            row = row[name]
        row[path[-1]] = value

    return spoil


def test_there_is_a_good_row_of_each_task() -> None:
    assert set(GOOD) == set(TASKS)
    for task in TASKS:
        assert [*broken_rules(row_of(task)), *unlike_a_release(row_of(task))] == []


@pytest.mark.parametrize(
    ("task", "spoil", "words"),
    [
        ("code2test", set_to([], "gold", "related_tests"), "gold.related_tests names no file"),
        ("code2test", set_to(True, "gold", "no_gold"), "gold.no_gold is for abstention alone"),
        ("trace2code", set_to(None, "gold", "root_cause_files"), "gold.root_cause_files names no file"),
        ("comment2context", set_to([""], "gold", "given_files"), "gold.given_files names no file"),
        ("comment2context", set_to([7], "gold", "must_context_files"), "gold.must_context_files names no file"),
        ("comment2context", set_to({}, "gold", "root_cause_files"), "gold.root_cause_files names no file"),
        ("edit2ripple", set_to([], "gold", "files"), "gold.files names no file"),
        ("edit2ripple", set_to([], "gold", "given_files"), "gold.given_files names no file"),
        ("edit2ripple", set_to(" ", "query", "anchor_file"), "query.anchor_file must be a text that is not blank"),
        ("edit2ripple", set_to(7, "query", "anchor_diff"), "query.anchor_diff must be a text that is not blank"),
        ("edit2ripple", set_to(None, "query", "intent"), "query.intent must be a text that is not blank"),
        ("abstention", set_to(["a.py"], "gold", "files"), "gold.files must be an empty list"),
        ("abstention", set_to(1, "gold", "no_gold"), "gold.no_gold must be true"),
        ("abstention", set_to("bored", "gold", "reason"), "gold.reason must be one of upstream_dependency, "),
        ("abstention", set_to(["issue"], "query", "source"), "query.source must be one of issue, ci_log, "),
        ("abstention", set_to("\n", "query", "text"), "query.text must be a text that is not blank"),
        ("code2test", set_to("f" * 40, "candidate_corpus", "base_commit"), "candidate_corpus must be of type"),
    ],
)
def test_a_broken_rule_is_named(task: str, spoil: Callable[[dict[str, Any]], None], words: str) -> None:
    row = row_of(task)
    spoil(row)
    (found,) = broken_rules(row)
    assert found.startswith(words)


def test_the_first_version_of_comments_gave_no_files() -> None:
    row = row_of("comment2context") | {"version": 1, "gold": {"root_cause_files": ["a.py"]}}
    assert list(broken_rules(row)) == []


def test_rows_of_ones_own_are_held_to_fewer_rules() -> None:
    row = arb_row(task_type="issue2code", gold={})
    assert list(broken_rules(row)) == []
    assert len(list(unlike_a_release(row))) == 2
