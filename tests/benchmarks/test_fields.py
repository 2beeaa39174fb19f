"""PROTOCOL 1: the members that each row must have, and what an error says."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.benchmarks import agent_retrieval_bench, contextbench
from pytest_retrieval_bench.errors import SamplesError
from pytest_retrieval_bench.model import Json
from tests.benchmarks.rows import COMMIT, arb_row, arb_sample, contextbench_row, contextbench_sample, without

ARB_STRINGS = ["id", "repo", "base_commit", "task_type"]
CONTEXTBENCH_STRINGS = ["instance_id", "repo", "base_commit", "problem_statement", "gold_context"]
NOT_STRINGS: list[tuple[Json, str]] = [
    (None, "null"),
    (True, "a boolean"),
    (5, "a number"),
    (0.5, "a number"),
    (["x"], "a list"),
    ({"x": 1}, "an object"),
    ("", "empty"),
]


@pytest.mark.parametrize("name", ARB_STRINGS)
@pytest.mark.parametrize(("value", "found"), NOT_STRINGS)
def test_a_member_that_is_no_filled_string_is_refused(name: str, value: Json, found: str) -> None:
    with pytest.raises(SamplesError, match=rf"^s\.jsonl:7: {name} must be a non-empty string, this is {found}$"):
        arb_sample(**{name: value})


@pytest.mark.parametrize("name", ARB_STRINGS)
def test_an_absent_member_is_refused(name: str) -> None:
    with pytest.raises(SamplesError, match=rf"^s\.jsonl:7: {name} must be a non-empty string, this is absent$"):
        agent_retrieval_bench.sample_of(without(arb_row(), name), "s.jsonl:7")


@pytest.mark.parametrize("name", CONTEXTBENCH_STRINGS)
@pytest.mark.parametrize(("value", "found"), NOT_STRINGS)
def test_a_contextbench_member_that_is_no_filled_string_is_refused(name: str, value: Json, found: str) -> None:
    with pytest.raises(SamplesError, match=rf"^s\.jsonl:7: {name} must be a non-empty string, this is {found}$"):
        contextbench_sample(**{name: value})


@pytest.mark.parametrize("name", CONTEXTBENCH_STRINGS[1:])
def test_an_absent_contextbench_member_is_refused(name: str) -> None:
    with pytest.raises(SamplesError, match=rf"^s\.jsonl:7: {name} must be a non-empty string, this is absent$"):
        contextbench.sample_of(without(contextbench_row(), name), "s.jsonl:7")


@pytest.mark.parametrize("repo", ["acme/shop", "a/b", "acme-x/shop.js", "Acme_1/SHOP"])
def test_owner_and_name_are_taken(repo: str) -> None:
    assert arb_sample(repo=repo).repo == repo
    assert contextbench_sample(repo=repo).repo == repo


@pytest.mark.parametrize(
    "repo", ["shop", "/shop", "acme/", "acme/shop/x", "acme//shop", "acme/shop ", "acme shop/x", "acme\\shop", "a/b\n"]
)
def test_a_repository_that_is_not_owner_and_name_is_refused(repo: str) -> None:
    with pytest.raises(SamplesError, match=r"^s\.jsonl:7: repo must be OWNER/NAME"):
        arb_sample(repo=repo)
    with pytest.raises(SamplesError, match=r"^s\.jsonl:7: repo must be OWNER/NAME"):
        contextbench_sample(repo=repo)


@pytest.mark.parametrize("commit", ["0" * 40, "f" * 64, COMMIT])
def test_a_commit_of_40_or_64_hex_digits_is_taken(commit: str) -> None:
    assert arb_sample(base_commit=commit).base_commit == commit
    assert contextbench_sample(base_commit=commit).base_commit == commit


@pytest.mark.parametrize(
    "commit", ["0" * 39, "0" * 41, "0" * 63, "0" * 65, "A" * 40, "g" * 40, "main", f"{COMMIT}\n", "\u0661" * 40]
)
def test_any_other_commit_is_refused(commit: str) -> None:
    with pytest.raises(SamplesError, match=r"^s\.jsonl:7: base_commit must be 40 or 64 lower-case hex digits"):
        arb_sample(base_commit=commit)
    with pytest.raises(SamplesError, match=r"^s\.jsonl:7: base_commit must be 40 or 64 lower-case hex digits"):
        contextbench_sample(base_commit=commit)


@pytest.mark.parametrize("name", ["query", "gold", "metadata"])
@pytest.mark.parametrize(("value", "found"), [(False, "a boolean"), (0, "a number"), ("", "a string"), ([], "a list")])
def test_a_member_that_is_no_object_is_refused(name: str, value: Json, found: str) -> None:
    with pytest.raises(SamplesError, match=rf"^s\.jsonl:7: {name} must be an object or be left out, this is {found}$"):
        arb_sample(**{name: value})


def test_null_counts_as_absent() -> None:
    row = arb_row(query=None, gold=None, metadata=None)
    absent = without(row, "query", "gold", "metadata")
    assert agent_retrieval_bench.sample_of(row, "x") == agent_retrieval_bench.sample_of(absent, "x")
