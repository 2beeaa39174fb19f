"""Means at fixed depths: over samples, by group, over the means of the repositories, and how long rankings are."""

from __future__ import annotations

import csv
import io

from pytest_retrieval_bench.reporting.exports.views import views_csv
from pytest_retrieval_bench.reporting.ir.section import ir_section
from pytest_retrieval_bench.reporting.ir.tables import ir_table
from pytest_retrieval_bench.scoring.functions import FUNCTION_MEASURES
from pytest_retrieval_bench.scoring.ir import IR_MEASURES
from tests.reporting.small_reports import GOLD, HIT, MISS, SECOND, row

OF_FILES = [name for name in IR_MEASURES if name not in FUNCTION_MEASURES]
ROWS = [
    row("a", {"mine": HIT, "other": MISS}),
    row("b", {"mine": SECOND}, gold=[GOLD, "more.py"]),
    row("c", {"mine": MISS, "other": None}, repo="x/y", task_type="code2test"),
    row("d", {"mine": []}, stratum="natural_no_gold", gold=[]),
]
SECTION = ir_section(ROWS, ["mine", "other", "absent"], 20, IR_MEASURES)


def test_samples_without_gold_and_arms_without_answers_are_not_in_it() -> None:
    assert {arm: groups["all"]["n"] for arm, groups in SECTION["groups"].items()} == {"mine": 3, "other": 2}


def test_groups_are_tasks_repositories_and_numbers_of_gold_files() -> None:
    groups = SECTION["groups"]["mine"]
    assert {name: means["n"] for name, means in groups.items()} == {
        "all": 3, "task:code2test": 1, "task:trace2code": 2, "repo:o/r": 2, "repo:x/y": 1, "gold:1": 2, "gold:2": 1,
    }  # fmt: skip
    assert groups["all"]["recall@5"] == 0.5
    assert groups["repo:o/r"] | {"n": 0} != groups["all"] | {"n": 0}
    assert (groups["gold:2"]["recall@1"], groups["gold:2"]["recall@5"], groups["gold:2"]["acc@5"]) == (0, 0.5, 0)


def test_each_repository_weighs_the_same_in_the_macro_mean() -> None:
    macro = SECTION["repository_macro"]["mine"]
    assert (macro["n"], macro["repositories"], macro["recall@1"], macro["recall@5"]) == (3, 2, 0.25, 0.375)


def test_the_lengths_of_rankings_are_told_and_a_failure_ranks_nothing() -> None:
    assert SECTION["ranked"]["other"] == {
        "n": 2, "mean": 0.5, "min": 0, "shorter_than": {"1": 1, "5": 2, "10": 2, "20": 2},
    }  # fmt: skip


def test_the_table_has_the_mean_of_the_repositories_and_then_each() -> None:
    head, *rows = ir_table(SECTION)
    assert head == ["arm", "over", "n", "files", *OF_FILES]
    assert [line[:4] for line in rows] == [
        ["mine", "mean of 2 repositories", "3", "1.3"], ["mine", "o/r", "2", ""], ["mine", "x/y", "1", ""],
        ["other", "mean of 2 repositories", "2", "0.5"], ["other", "o/r", "1", ""], ["other", "x/y", "1", ""],
    ]  # fmt: skip


def test_of_one_repository_there_is_one_row() -> None:
    _, *rows = ir_table(ir_section(ROWS[:2], ["mine"], 20, ["recall@5"]))
    assert rows == [["mine", "o/r", "2", "1.5", "0.750"]]


def test_each_mean_is_a_row_of_the_long_table_with_its_n() -> None:
    written = list(csv.DictReader(io.StringIO(views_csv({"ir": SECTION}).decode())))
    assert len(written) == (7 + 1 + 6 + 1) * len(OF_FILES)
    (one,) = (line for line in written if (line["arm"], line["group"], line["measure"]) == ("mine", "gold:2", "acc@5"))
    assert (one["view"], one["n"], one["value"]) == ("ir", "1", "0.0")
