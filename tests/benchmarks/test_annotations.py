"""What rows of Agent Retrieval Bench mark beyond gold files, and how the gold relates to the question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.benchmarks.annotations import annotations_of
from pytest_retrieval_bench.model import Annotations, Chunk, Json, Span
from tests.benchmarks.rows import arb_row, arb_sample

SPAN: Json = {"path": "a.py", "start_line": 3, "end_line": 5, "reason": "it raises"}
BLOCK: Json = {"path": "a.py", "start_line": 1, "end_line": 9, "kind": "symbol", "symbol": "run", "chunk_id": "c1"}


def test_marks_are_read_from_the_row_or_else_from_its_gold() -> None:
    for row in (
        arb_row(gold_spans=[SPAN], gold_blocks=[BLOCK]),
        arb_row(gold={"files": ["a.py"], "gold_spans": [SPAN], "gold_blocks": [BLOCK]}),
    ):
        found = annotations_of(row)
        assert found.spans == (Span("a.py", 3, 5),)
        assert found.blocks == (Chunk("a.py", (1, 9), symbol="run", id="c1"),)
    assert annotations_of(arb_row(gold_spans=[], gold={"files": ["a.py"], "gold_spans": [SPAN]})).spans == ()


def test_hard_negatives_of_the_row_come_before_those_of_its_gold() -> None:
    row = arb_row(
        hard_negative_files=["b.py", {"path": "c.py"}],
        gold={"files": ["a.py"], "hard_negative_files": ["c.py", "d.py"]},
    )
    assert annotations_of(row).hard_negatives == ("b.py", "c.py", "d.py")


def test_the_protocol_has_hard_negatives_of_its_own() -> None:
    sample = arb_sample(hard_negative_files=["b.py"], gold={"files": ["a.py"], "negative_distractors": ["c.py"]})
    assert sample.hard_negatives == ("c.py",)
    assert sample.annotations.hard_negatives == ("b.py",)


@pytest.mark.parametrize(
    "mark",
    [
        7, None, {}, {"path": "", "start_line": 1, "end_line": 1}, {"path": "a.py", "start_line": 0, "end_line": 1},
        {"path": "a.py", "start_line": 2, "end_line": 1}, {"path": "a.py", "start_line": None, "end_line": 1},
    ],
)  # fmt: skip
def test_a_mark_without_lines_of_a_file_is_left_out(mark: Json) -> None:
    found = annotations_of(arb_row(gold_spans=[mark, SPAN], gold_blocks=[mark]))
    assert (len(found.spans), len(found.blocks)) == (1, 0)


def test_a_sample_without_gold_has_no_relation() -> None:
    found = annotations_of(arb_row(task_type="abstention", gold={"no_gold": True, "files": []}))
    assert found == Annotations()


@pytest.mark.parametrize(
    ("task_type", "members", "labels", "primary"),
    [
        # A trace is causal whatever else holds.
        ("trace2code", {"query": {"failure_excerpt": "nothing"}}, ("C",), "C"),
        ("trace2code", {"query": {"failure_excerpt": "cart total", "path": "shop/x.py"}}, ("C", "S", "D"), "C"),
        # A test follows from an implementation; four words of ten in common are direct.
        ("code2test", {"query": {"pr_title": "unrelated words entirely"}}, ("W",), "W"),
        ("code2test", {"query": {"pr_title": "cart"}}, ("D", "W"), "D"),
        ("code2test", {"query": {"pr_title": "cart aaa bbb ccc ddd eee fff ggg"}}, ("D", "W"), "D"),
        ("code2test", {"query": {"pr_title": "none", "changed_file": "shop/y.py"}}, ("W", "S"), "W"),
        # A comment falls back to structure.
        ("comment2context", {"query": {"review_comment": "none of it"}}, ("S",), "S"),
        ("comment2context", {"query": {"review_comment": "cart"}}, ("D",), "D"),
        (
            "comment2context",
            {"query": {"review_comment": "none"}, "metadata": {"evidence": {"signals": ["review_requests_tests"]}}},
            ("W",),
            "W",
        ),
        (
            "comment2context",
            {"query": {"review_comment": "none"}, "metadata": {"evidence": {"source": "symbol_or_path_overlap"}}},
            ("D", "S"),
            "S",
        ),
        ("edit2ripple", {"query": {"pr_title": "none"}}, ("S",), "S"),
        ("edit2ripple", {"query": {"pr_title": "cart"}}, ("D",), "D"),
    ],
)
def test_relations_between_question_and_gold(
    task_type: str, members: dict[str, Json], labels: tuple[str, ...], primary: str
) -> None:
    gold: Json = {"files": ["shop/cart.py"]}
    found = annotations_of(arb_row(task_type=task_type, gold=gold, **members))
    assert (found.relevance, found.primary) == (labels, primary)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["", "a.py", "src", "/", "..", "C:\\x", "symbol"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["path", "evidence", "files"]), inner),
    max_leaves=8,
)
MEMBERS = ["gold_spans", "gold_blocks", "hard_negative_files", "metadata", "query", "gold", "task_type"]


@given(st.dictionaries(st.sampled_from(MEMBERS), JSON))
def test_no_shape_of_the_marks_breaks_the_reading_of_a_row(members: dict[str, Json]) -> None:
    found = annotations_of(arb_row(**members))
    assert found.primary in (*found.relevance, "")
