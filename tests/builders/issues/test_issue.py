"""Rows in the published shapes of SWE-bench, its kin, Loc-Bench_V1 and Multi-SWE-bench."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as arrow
import pytest
from pyarrow import parquet

from pytest_retrieval_bench.builders.issues.datasets import read_issues
from pytest_retrieval_bench.builders.issues.issue import Issue, issue_of
from pytest_retrieval_bench.errors import SamplesError

SWE_BENCH: dict[str, Any] = {
    "repo": "acme/shop", "instance_id": "acme__shop-7", "base_commit": "a" * 40, "patch": "--- a/x\n",
    "test_patch": "the answer", "problem_statement": "  Totals are wrong\n\nFor empty carts.\n",
    "hints_text": "the answer", "created_at": "2024-01-01T00:00:00Z", "version": "1.0", "FAIL_TO_PASS": "[]",
    "PASS_TO_PASS": "[]", "environment_setup_commit": "b" * 40,
}  # fmt: skip
LOC_BENCH = SWE_BENCH | {"category": "Bug Report", "edit_functions": ["shop/cart.py:Cart.total"], "added_functions": []}
MULTI: dict[str, Any] = {
    "org": "acme", "repo": "shop", "number": 12, "state": "closed", "title": "the answer", "body": "the answer",
    "base": {"label": "acme:main", "ref": "main", "sha": "a" * 40},
    "resolved_issues": [
        {"number": 9, "title": "Totals are wrong", "body": "For empty carts."},
        {"number": 10, "title": "And late", "body": None},
    ],
    "fix_patch": "--- a/x\n", "test_patch": "the answer", "hints": "the answer",
}  # fmt: skip
EXPECTED = Issue("data", "acme__shop-7", "acme/shop", "a" * 40, "Totals are wrong\n\nFor empty carts.", "--- a/x\n")


def test_rows_of_swe_bench_and_its_kin_give_the_problem_and_never_hints_or_tests() -> None:
    found = issue_of(SWE_BENCH, "data", "x:1")
    assert found == EXPECTED
    assert "the answer" not in repr(found)


def test_rows_of_loc_bench_have_functions_and_a_category() -> None:
    found = issue_of(LOC_BENCH, "data", "x:1")
    assert (found.functions, found.category) == (("shop/cart.py:Cart.total",), "Bug Report")


def test_rows_of_multi_swe_bench_give_the_issues_and_not_the_pull_request() -> None:
    found = issue_of(MULTI, "data", "x:1")
    assert (found.id, found.repo) == ("acme__shop-12", "acme/shop")
    assert found.question == "Totals are wrong\n\nFor empty carts.\n\nAnd late"
    assert "the answer" not in repr(found)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"repo": "a/b"}, "x:1: it has neither problem_statement (SWE-bench, Loc-Bench) nor fix_patch"),
        (SWE_BENCH | {"instance_id": ""}, "x:1: instance_id must be a string, this is ''"),
        (SWE_BENCH | {"problem_statement": 7}, "x:1: problem_statement must be a string, this is 7"),
        (MULTI | {"number": "12"}, "x:1: number must be a whole number and base an object with sha"),
        (MULTI | {"base": {}}, "x:1: base: sha must be a string, this is None"),
    ],
)
def test_a_row_of_another_shape_is_refused(row: dict[str, Any], words: str) -> None:
    with pytest.raises(SamplesError) as refused:
        issue_of(row, "data", "x:1")
    assert words in str(refused.value)


def test_json_lines_and_parquet_give_the_same_issues(tmp_path: Path) -> None:
    rows = [LOC_BENCH, LOC_BENCH | {"instance_id": "acme__shop-8", "category": None, "edit_functions": None}]
    (tmp_path / "loc.jsonl").write_text("".join(f"{json.dumps(row)}\n\n" for row in rows))
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "loc.parquet")
    found = list(read_issues(tmp_path / "loc.jsonl", "loc"))
    assert found == list(read_issues(tmp_path / "loc.parquet", "loc"))
    assert [issue.id for issue in found] == ["acme__shop-7", "acme__shop-8"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x.jsonl", b"{}\n", "x.jsonl:1: it has neither"),
        ("x.jsonl", b"\n[1]\n", "x.jsonl:2: a row must be an object"),
        ("x.jsonl", b"{\n", "x.jsonl:1: not JSON: "),
        ("x.jsonl", b'{"a": "\xff"}\n', "x.jsonl:1: not JSON: "),
        ("x.parquet", b"PAR1 no", "x.parquet: cannot be read as Parquet: "),
        ("x.jsonl", None, "x.jsonl: cannot be read: "),
        ("x.parquet", None, "x.parquet: cannot be read as Parquet: "),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, name: str, content: bytes | None, words: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SamplesError) as refused:
        list(read_issues(tmp_path / name, "x"))
    assert words in str(refused.value)
