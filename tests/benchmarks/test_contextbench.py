"""PROTOCOL 1: what a row of ContextBench means."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.benchmarks import contextbench
from pytest_retrieval_bench.benchmarks.contextbench import repository_path
from pytest_retrieval_bench.errors import SamplesError
from pytest_retrieval_bench.model import Json, Span
from tests.benchmarks.rows import COMMIT, arb_row, contextbench_row, contextbench_sample, span


def test_the_problem_statement_is_the_query_verbatim() -> None:
    statement = ' {"q": "\\u00e9"}\r\n\tlog.level \u2028'
    query = contextbench_sample(problem_statement=statement).query
    assert query.text == statement
    assert dict(query.fields) == {"problem_statement": statement}


def test_a_row_is_a_positive_sample_without_given_files_and_negatives() -> None:
    sample = contextbench_sample(
        instance_id="cb-1", repo="numpy/numpy", task_type="other", gold={"no_gold": True, "given_files": ["a.py"]}
    )
    assert (sample.id, sample.task_type, sample.repo, sample.partition) == ("cb-1", "contextbench", "numpy/numpy", "A")
    assert (sample.stratum, sample.given, sample.hard_negatives) == ("positive", (), ())
    assert (sample.gold, sample.base_commit) == (("a.py",), COMMIT)


@pytest.mark.parametrize(("row", "recognised"), [(contextbench_row(), True), (arb_row(), False)])
def test_a_row_is_recognised_by_its_instance_id(row: dict[str, Json], recognised: bool) -> None:
    assert contextbench.recognises(row) is recognised


def test_a_row_whose_instance_id_is_null_is_recognised_and_then_refused() -> None:
    row = contextbench_row(instance_id=None)
    assert contextbench.recognises(row) is True
    with pytest.raises(SamplesError, match=r"^x: instance_id must be a non-empty string, this is null$"):
        contextbench.sample_of(row, "x")


@pytest.mark.parametrize(
    ("path", "normalised"),
    [
        ("src/a.py", "src/a.py"),
        ("src\\sub\\a.py", "src/sub/a.py"),
        ("/testbed/src/a.py", "src/a.py"),
        ("\\testbed\\src\\a.py", "src/a.py"),
        ("/workspace/acme__shop/src/a.py", "src/a.py"),
        ("/workspace/acme__shop/a.py", "a.py"),
        ("/home/user/a.py", "home/user/a.py"),
        ("//a.py", "a.py"),
        ("/testbed", "testbed"),
        ("/testbeds/a.py", "testbeds/a.py"),
        ("testbed/a.py", "testbed/a.py"),
        ("workspace/x/a.py", "workspace/x/a.py"),
        ("./src/a.py", "src/a.py"),
        ("../../a.py", "a.py"),
        ("././/a.py", "a.py"),
        (".github/a.yml", "github/a.yml"),
        ("/.github/a.yml", ".github/a.yml"),
        ("src/./a.py", "src/./a.py"),
        ("/testbed/", ""),
        ("/workspace/acme__shop/", ""),
        ("./", ""),
        ("/", ""),
        ("", ""),
        pytest.param("/workspace/a.py", "a.py"),
    ],
)
def test_a_gold_path_loses_its_container_prefix(path: str, normalised: str) -> None:
    assert repository_path(path) == normalised


def test_gold_files_are_sorted_and_spans_keep_their_order() -> None:
    sample = contextbench_sample([span("/testbed/b.py", 3, 9), span("./a.py", 1, 1), span("b.py", 5, 5)])
    assert sample.gold == ("a.py", "b.py")
    assert sample.gold_spans == (Span("b.py", 3, 9), Span("a.py", 1, 1), Span("b.py", 5, 5))
    many = [span(name, 1, 1) for name in "hgfedcbaABC"]
    assert contextbench_sample(many).gold == tuple("ABCabcdefgh")


@pytest.mark.parametrize("spans", [[], [span("/testbed/", 1, 2)], [span("", 1, 2), span("./", 3, 4)]])
def test_a_span_without_a_path_is_dropped(spans: Json) -> None:
    sample = contextbench_sample(spans)
    assert (sample.gold, sample.gold_spans) == ((), ())


@given(st.integers(-3, 5), st.integers(-3, 5))
@settings(deadline=None)
def test_lines_that_are_no_range_from_one_are_refused(start: int, end: int) -> None:
    listed: Json = [span("a.py", 1, 1), span("b.py", start, end)]
    if 1 <= start <= end:
        assert contextbench_sample(listed).gold_spans == (Span("a.py", 1, 1), Span("b.py", start, end))
    else:
        with pytest.raises(SamplesError, match=r"^s\.jsonl:7: gold_context\[1\]: lines must be 1 <= start_line"):
            contextbench_sample(listed)


@pytest.mark.parametrize(("start", "end"), [(True, 1), ("1", 2), (1, None), (1.5, 2), ([1], 2)])
def test_a_line_that_is_no_whole_number_is_refused(start: Json, end: Json) -> None:
    with pytest.raises(SamplesError, match=r"^s\.jsonl:7: gold_context\[0\]: lines must be"):
        contextbench_sample([span("a.py", start, end)])


@pytest.mark.parametrize(
    ("context", "complaint"),
    [
        ("not json", "gold_context is not JSON"),
        ("[", "gold_context is not JSON"),
        ("[NaN]", "gold_context is not JSON"),
        ('[{"file": "a", "file": "b"}]', "gold_context is not JSON"),
        ("[" * 100_000, "gold_context is not JSON"),
        ("{}", "gold_context must hold a list of spans, this is an object"),
        ("null", "gold_context must hold a list of spans, this is null"),
        ('["a.py"]', r"gold_context[0]: a span is an object, this is a string"),
        ('[{"start_line": 1, "end_line": 2}]', r"gold_context[0]: file must be a string, this is null"),
        ('[{"file": 5, "start_line": 1, "end_line": 2}]', r"gold_context[0]: file must be a string, this is a number"),
    ],
)
def test_gold_that_is_no_list_of_spans_is_refused_by_member(context: str, complaint: str) -> None:
    with pytest.raises(SamplesError) as refusal:
        contextbench_sample(gold_context=context)
    assert str(refusal.value).startswith(f"s.jsonl:7: {complaint}")


def test_a_lone_surrogate_inside_the_gold_string_is_mended() -> None:
    assert contextbench_sample(gold_context=json.dumps([span("a\ud800.py", 1, 1)])).gold == ("a\ufffd.py",)
