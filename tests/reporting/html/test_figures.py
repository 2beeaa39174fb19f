"""The figures of the page say what the report says."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_retrieval_bench.reporting.html import figures
from pytest_retrieval_bench.reporting.html.slices import KINDS, slices
from tests.reporting.html.pages import whole
from tests.reporting.small_reports import GOLD, HIT, LIMIT, MISS, SECOND, row

NO_GOLD = {"stratum": "natural_no_gold", "gold": []}


def test_recall_by_depth_passes_through_the_recalls_of_the_report(tmp_path: Path) -> None:
    found = whole(tmp_path, [row("a", {"mine": HIT}), row("b", {"mine": SECOND}), row("c", {"mine": None})])
    curve = figures.recall_by_depth(found)["mine"]
    assert curve == [0.333333, *[0.666667] * (LIMIT - 1)]
    assert curve[4] == found["arms"]["mine"]["all"]["recall@5"]


def test_recall_is_of_the_samples_with_gold_alone(tmp_path: Path) -> None:
    found = whole(tmp_path, [row("a", {"mine": MISS, "other": HIT}), row("b", {"mine": HIT}, **NO_GOLD)])
    assert figures.recall_by_depth(found) == {"mine": [0.0] * LIMIT, "other": [1.0] * LIMIT}
    table = figures.recall_table(found, figures.recall_by_depth(found))
    assert table.rows[0][:2] == ["mine", "1"]


def test_abstention_tells_silence_from_answers_failures_and_what_does_not_apply(tmp_path: Path) -> None:
    rows = [row("a", {"mine": []}), row("b", {"mine": HIT}), row("c", {"mine": None}), row("d", {"mine": HIT})]
    rows[3]["arms"]["mine"] |= {"outcome": "not applicable", "error": "no such question", "ranked": []}
    rows.append(row("e", {"mine": []}, **NO_GOLD))
    assert figures.abstentions(whole(tmp_path, rows)).rows == [
        ["mine", "positive", "4", "1", "1", "1", "1", "0.250"],
        ["mine", "natural no gold", "1", "0", "1", "0", "0", "1.000"],
    ]


def test_every_sample_is_in_one_slice_of_a_kind_and_in_each_language_of_its_gold(tmp_path: Path) -> None:
    rows = [
        row("a", {"mine": HIT}, repo="o/a", gold=[GOLD, "x.go", "y.go"]),
        row("b", {"mine": MISS}, repo="o/b", gold=["Makefile"]),
        row("c", {"mine": []}, repo="o/b", **NO_GOLD),
    ]
    tables = {table.title: table for table in slices(whole(tmp_path, rows))}
    assert list(tables) == [f"By {kind}" for kind in KINDS]
    for kind in ("task", "stratum", "fold", "repository"):
        assert sum(int(cells[2]) for cells in tables[f"By {kind}"].rows) == 3
    assert [cells[:4] for cells in tables["By language"].rows] == [
        [".go", "mine", "1", "1"],
        [".py", "mine", "1", "1"],
        ["no suffix", "mine", "1", "1"],
    ]
    assert tables["By repository"].rows[1] == ["o/b", "mine", "2", "1", "0.000", "0.000", "0.000", "0.500"]


def test_a_slice_without_gold_has_dashes_and_not_zeros(tmp_path: Path) -> None:
    (stratum,) = (
        table for table in slices(whole(tmp_path, [row("c", {"mine": []}, **NO_GOLD)])) if table.title == "By stratum"
    )
    assert stratum.rows == [["natural no gold", "mine", "1", "0", "-", "-", "-", "1.000"]]


def test_a_latency_of_few_times_is_not_drawn_and_its_n_is_told(tmp_path: Path) -> None:
    rows = [row(str(number), {"mine": HIT, "fast": HIT}) for number in range(30)]
    for number, one in enumerate(rows):
        one["arms"]["fast"]["wall_ms"] = 1.0 + number
        one["arms"]["mine"] |= {"wall_ms": 2.0, "cache_state": "COLD_UNIQUE"} if number else {}
    found = whole(tmp_path, rows)
    assert list(figures.latencies(found)) == ["fast"]
    cells = {tuple(cells[:3]) for cells in figures.latency_table(found).rows}
    assert cells == {("fast", "NOT_APPLICABLE", "30"), ("mine", "COLD_UNIQUE", "29"), ("mine", "UNRECORDED", "1")}


def test_every_paired_difference_is_drawn_with_its_interval_and_n(tmp_path: Path) -> None:
    found = whole(tmp_path, [row(str(number), {"mine": HIT, "grep": MISS}) for number in range(4)])
    drawn = figures.paired_differences(found)
    assert drawn["mrr@k"] == [figures.Estimate("mine against grep", 1.0, 1.0, 1.0, 4)]
    assert len(figures.paired_table(found).rows) == sum(map(len, drawn.values()))


@pytest.mark.parametrize(("limit", "name"), [(3, None), (5, "recall@5"), (19, "recall@10"), (50, "recall@20")])
def test_the_deepest_recall_is_one_that_the_report_has(limit: int, name: str | None) -> None:
    assert figures.deepest_recall(limit) == name
