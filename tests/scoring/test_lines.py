"""PROTOCOL 5: coverage and precision of files and lines."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.model import Span
from pytest_retrieval_bench.scoring.lines import count_lines, line_metrics

NAMES = ("file_coverage", "file_precision", "line_coverage", "line_precision")
# The lines of each regular file of a tree; any other path is none.
TREE = {"a": 10, "b": 4, "empty": 0}
SPANS = st.builds(
    lambda path, start, length: Span(path, start, start + length),
    st.sampled_from(["a", "b", "empty", "absent"]),
    st.integers(1, 14),
    st.integers(0, 6),
)


def metrics(ranked: list[str], *gold: Span) -> list[float]:
    values = line_metrics(ranked, gold, TREE.get)
    assert list(values) == [f"cb_{name}" for name in NAMES]
    return list(values.values())


@pytest.mark.parametrize(
    ("content", "lines"),
    [(b"", 0), (b"x", 1), (b"x\n", 1), (b"\n", 1), (b"x\ny", 2), (b"\n\n", 2), (b"x\r\ny\r", 2), (b"\xff\n\0", 2)],
)
def test_lines_are_line_feeds_and_one_more_for_an_unended_line(content: bytes, lines: int) -> None:
    assert count_lines(content) == lines


@pytest.mark.parametrize(
    ("ranked", "gold", "right"),
    [
        # Three of the ten gold lines are in `a`, all of whose ten lines are predicted; `b` is not ranked.
        (["a"], [Span("a", 2, 4), Span("b", 1, 7)], [1 / 2, 1, 3 / 10, 3 / 10]),
        (["a", "b"], [Span("a", 1, 10)], [1, 1 / 2, 1, 10 / 14]),
        (["b"], [Span("a", 1, 2)], [0, 0, 0, 0]),
        ([], [Span("a", 1, 2)], [0, 1, 0, 1]),
        (["a"], [], [1, 0, 1, 0]),
        ([], [], [1, 1, 1, 1]),
    ],
    ids=["half", "whole file", "other file", "nothing ranked", "no gold", "neither"],
)
def test_coverage_and_precision_worked_out_by_hand(ranked: list[str], gold: list[Span], right: list[float]) -> None:
    assert metrics(ranked, *gold) == pytest.approx(right, abs=1e-15)


@pytest.mark.parametrize(
    ("spans", "lines"),
    [
        ([(1, 3), (4, 5)], 5),
        ([(1, 3), (3, 5)], 5),
        ([(1, 3), (5, 6)], 5),
        ([(1, 9), (2, 3)], 9),
        ([(2, 3), (2, 3)], 2),
        ([(7, 8), (1, 2), (2, 7)], 8),
    ],
    ids=["touching", "overlapping", "apart", "inside", "twice", "joined by a third"],
)
def test_spans_of_a_file_count_each_line_once(spans: list[tuple[int, int]], lines: int) -> None:
    gold = [Span("a", start, end) for start, end in spans]
    assert metrics(["a"], *gold) == [1, 1, 1, pytest.approx(lines / 10, abs=1e-15)]


def test_gold_lines_beyond_the_end_of_a_file_stay_gold_and_are_never_found() -> None:
    assert metrics(["b"], Span("b", 3, 12)) == pytest.approx([1, 1, 2 / 10, 2 / 4], abs=1e-15)
    assert metrics(["b"], Span("b", 5, 5), Span("b", 8, 9)) == [1, 1, 0, 0]


def test_a_ranked_path_that_is_no_file_is_predicted_without_lines() -> None:
    assert metrics(["absent", "a"], Span("a", 1, 5)) == [1, 1 / 2, 1, 1 / 2]
    assert metrics(["absent"], Span("absent", 1, 5)) == [1, 1, 0, 1]
    assert metrics(["empty"], Span("empty", 1, 1)) == [1, 1, 0, 1]


@given(st.lists(st.sampled_from([*TREE, "absent", "other"]), unique=True), st.lists(SPANS, max_size=6))
@settings(deadline=None)
def test_metrics_are_those_of_sets_of_lines(ranked: list[str], gold: list[Span]) -> None:
    gold_lines = {(span.path, line) for span in gold for line in range(span.start, span.end + 1)}
    gold_files = {span.path for span in gold}
    predicted = {(path, line) for path in ranked for line in range(1, TREE.get(path, 0) + 1)}
    files, lines = len(gold_files & set(ranked)), len(gold_lines & predicted)
    right = [
        files / len(gold_files) if gold_files else 1,
        files / len(ranked) if ranked else 1,
        lines / len(gold_lines) if gold_lines else 1,
        lines / len(predicted) if predicted else 1,
    ]
    assert metrics(ranked, *gold) == pytest.approx(right, abs=1e-15)
