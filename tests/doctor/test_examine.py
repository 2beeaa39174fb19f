"""From rows to findings: what is found, among how many, and how hard the samples are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.benchmarks.jsonl import Row
from pytest_retrieval_bench.doctor.checks import CHECKS
from pytest_retrieval_bench.doctor.entries import entries
from pytest_retrieval_bench.doctor.examine import Diagnosis, Seen, diagnose
from pytest_retrieval_bench.doctor.hardness import LABELS, hardness
from pytest_retrieval_bench.doctor.rules import TASKS
from pytest_retrieval_bench.doctor.table import table
from pytest_retrieval_bench.model import Json
from tests.benchmarks.rows import arb_row, contextbench_row


def diagnosis(*rows: Row | bytes, seen: Seen = Seen()) -> Diagnosis:  # noqa: B008
    lines = b"\n".join(row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows)
    listed = list(entries([(Path("s.jsonl"), lines)]))
    return diagnose(listed, {entry.where: seen for entry in listed if entry.sample is not None})


def found(result: Diagnosis) -> dict[str, list[tuple[str, str, str]]]:
    listed = {check.name: found for check, found in result.findings.items() if check.name != "release form"}
    return {name: [(one.where, one.identity, one.words) for one in some] for name, some in listed.items() if some}


def test_a_broken_row_is_named_and_the_others_are_looked_at() -> None:
    result = diagnosis(b"{", arb_row(id="two", gold={"root_cause_files": ["a.py"]}), b"7", arb_row(id="", query={}))
    schema = found(result)["schema"]
    assert [(where, identity) for where, identity, _ in schema] == [
        ("s.jsonl:1", ""), ("s.jsonl:3", ""), ("s.jsonl:4", ""),
    ]  # fmt: skip
    assert schema[0][2].startswith("not JSON")
    assert schema[2][2] == "id must be a non-empty string, this is empty"
    assert result.among == {"rows": 4, "samples": 1, "samples with gold": 1, "samples with gold and snapshot": 1}
    assert result.fatal == 3


def test_ids_and_queries_that_come_again_name_the_first() -> None:
    same: Json = {"root_cause_files": ["a.py"]}
    result = diagnosis(
        arb_row(gold=same),
        arb_row(id="two", gold=same, repo="acme/fork"),
        arb_row(gold=same, query={"text": "else"}),
        arb_row(id="four", gold=same),
    )
    assert found(result) == {
        "duplicate id": [("s.jsonl:3", "one", "as at s.jsonl:1")],
        "duplicate query": [
            ("s.jsonl:2", "two", "as at s.jsonl:1, of acme/shop"),
            ("s.jsonl:4", "four", "as at s.jsonl:1"),
        ],
    }
    assert result.fatal == 1


def test_gold_that_is_not_there_or_is_given_is_found() -> None:
    row = arb_row(task_type="comment2context", gold={"root_cause_files": ["a.py"], "given_files": ["a.py"]})
    result = diagnosis(row, seen=Seen(missing=("a.py",)))
    assert found(result)["gold file"] == [("s.jsonl:1", "one", "lacks a.py")]
    assert found(result)["gold given"] == [("s.jsonl:1", "one", "gives a.py")]
    assert result.labels["invalid_missing_gold"] == 1


def test_a_snapshot_that_cannot_be_read_says_nothing_of_its_gold() -> None:
    result = diagnosis(arb_row(gold={"root_cause_files": ["a.py"]}), seen=Seen(refusal="no snapshot"))
    assert found(result) == {"snapshot": [("s.jsonl:1", "one", "no snapshot")]}
    assert result.among["samples with gold and snapshot"] == 0
    assert result.labels["invalid_missing_gold"] == 1


@pytest.mark.parametrize("task", ["trace2code", "issue2code"])
def test_a_row_without_gold_must_say_so(task: str) -> None:
    assert len(found(diagnosis(arb_row(task_type=task, gold={})))["schema"]) == 1
    assert found(diagnosis(arb_row(task_type="issue2code", gold={"no_gold": True}))) == {}


def test_rows_of_another_benchmark_are_not_held_to_the_rules_of_this_one() -> None:
    result = diagnosis(contextbench_row())
    assert (found(result), result.among["samples with gold"]) == ({}, 1)
    assert found(diagnosis(contextbench_row(problem_statement="see a.py")))["leak: gold path"]


def test_labels_go_by_the_first_rule_that_holds() -> None:
    easy = {"Recall@5": 1, "Recall@20": 1, "MRR": 1.0}
    assert hardness(easy, gold_is_there=False, named=True) == "invalid_missing_gold"
    assert hardness(None, gold_is_there=True, named=True) == "unknown_lexical"
    assert hardness(easy, gold_is_there=True, named=True) == "too_easy_hint"
    assert hardness(easy, gold_is_there=True, named=False) == "too_easy_lexical"
    assert hardness({**easy, "Recall@5": 0.5}, gold_is_there=True, named=False) == "medium"
    assert hardness({**easy, "MRR": 0.24}, gold_is_there=True, named=False) == "hard"
    assert hardness({**easy, "Recall@20": 0.5}, gold_is_there=True, named=False) == "hard"


def test_the_table_shows_what_strangers_wrote_on_one_line_and_counts_what_it_leaves_out() -> None:
    rows = [arb_row(id=f"\x1b[31m{number}\n", task_type="mine", gold={}) for number in range(7)]
    lines = list(table(diagnosis(*rows), whole=False))
    assert all(line.isprintable() for line in lines)
    assert sum("\\x1b[31m" in line and "names no gold" in line for line in lines) == 5
    assert "  and 2 more (--all shows them)" in lines
    assert not any("more (--all" in line for line in table(diagnosis(*rows), whole=True))
    assert lines[0].split() == ["check", "found", "n", "a", "finding", "is", "a", "row", "that"]


_NAMES = st.sampled_from(
    ["files", "path", "no_gold", "given_files", "related_tests", "root_cause_files", "must_context_files", "reason",
     "fix_commit", "source", "text", "type", "base_commit", "start_line", "anchor_file", "candidate_corpus", "version"]
)  # fmt: skip
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["", "a.py", "src/a.py", "0123abc", "x\n--- a/x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=4),
    max_leaves=10,
)
_OBJECTS = st.dictionaries(_NAMES, _VALUES)


@given(st.sampled_from([*TASKS, "mine"]), _OBJECTS, _OBJECTS, _OBJECTS)
def test_rows_of_any_shape_are_judged(task: str, query: Row, gold: Row, members: Row) -> None:
    named: dict[str, Json] = {"query": query, "gold": gold, "metadata": gold, "task_type": task}
    result = diagnosis(arb_row(**{**members, **named}))
    assert result.among["rows"] == 1
    if "schema" not in found(result) and gold.get("no_gold") is not True:
        assert result.among["samples with gold"] == 1


@given(st.lists(st.one_of(st.binary(max_size=40), st.sampled_from([json.dumps(arb_row()).encode()])), max_size=6))
def test_every_row_is_judged_and_every_count_has_its_number(rows: list[bytes]) -> None:
    result = diagnosis(*rows)
    lines = sum(bool(line.strip()) for line in b"\n".join(rows).removeprefix(b"\xef\xbb\xbf").split(b"\n"))
    assert result.among["rows"] == lines
    assert list(result.findings) == list(CHECKS)
    assert list(result.labels) == list(LABELS)
    assert sum(result.labels.values()) == result.among["samples with gold"]
    for check, listed in result.findings.items():
        assert len(listed) <= result.among[check.among]
