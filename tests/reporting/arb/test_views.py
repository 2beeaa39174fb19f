"""The views of the measures: weightings, the leaderboard and its published arithmetic, rank depths."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

import pytest

from pytest_retrieval_bench.reporting.arb.depth import rank_depth
from pytest_retrieval_bench.reporting.arb.positives import Positive, groups, means, weightings
from pytest_retrieval_bench.reporting.arb.section import arb_section, leaderboard
from pytest_retrieval_bench.reporting.arb.tables import tables
from pytest_retrieval_bench.reporting.exports.views import views_csv
from pytest_retrieval_bench.reporting.long_row import COLUMNS
from tests.reporting.small_reports import HIT, MISS, row

# Published on 287 core samples and on 58 of edit2ripple: Recall@20, MRR, BCY@8k.
CORE = {
    "Qwen3-4B": (0.6143, 0.2296, 0.3079),
    "Qwen3-8B": (0.7070, 0.2272, 0.3449),
    "pplx-4b": (0.5929, 0.2143, 0.3288),
    "RepoMap": (0.6367, 0.2120, 0.3828),
    "nomic": (0.5145, 0.1810, 0.2539),
    "jina": (0.4491, 0.1813, 0.2567),
    "Lexical": (0.4750, 0.1402, 0.2282),
    "BM25": (0.4344, 0.1517, 0.1974),
}
EDIT2RIPPLE = {
    "Qwen3-4B": (0.7112, 0.2791, 0.5043),
    "Qwen3-8B": (0.6825, 0.2652, 0.5129),
    "pplx-4b": (0.6782, 0.2877, 0.4842),
    "RepoMap": (0.6164, 0.2344, 0.3592),
    "nomic": (0.5733, 0.2860, 0.3980),
    "jina": (0.6466, 0.2414, 0.3851),
    "Lexical": (0.5876, 0.2428, 0.4468),
    "BM25": (0.4986, 0.1536, 0.2428),
}
# Published on all 345, in this order.
LEADERBOARD = {
    "Qwen3-4B": (0.6306, 0.2379, 0.3409),
    "Qwen3-8B": (0.7029, 0.2336, 0.3732),
    "pplx-4b": (0.6072, 0.2267, 0.3549),
    "RepoMap": (0.6333, 0.2158, 0.3788),
    "nomic": (0.5244, 0.1986, 0.2781),
    "jina": (0.4823, 0.1914, 0.2783),
    "Lexical": (0.4940, 0.1574, 0.2650),
    "BM25": (0.4452, 0.1520, 0.2051),
}
NAMES = ("Recall@20", "MRR", "BCY@8k")


def positive(values: Mapping[str, float], task: str = "t", repo: str = "o/r", ranks: Any = None) -> Positive:
    return Positive("one", task, repo, "D", values, {"gold.py": 1} if ranks is None else ranks)


def test_the_published_leaderboard_follows_from_the_published_parts() -> None:
    weighted = {}
    for arm in sorted(CORE):
        core, ripple = (dict(zip(NAMES, part[arm], strict=True)) for part in (CORE, EDIT2RIPPLE))
        found = [positive(core, "core")] * 287 + [positive(ripple, "edit2ripple")] * 58
        weighted[arm] = weightings(found)["sample"]
        assert weighted[arm]["n"] == 345
        # The parts are known to four digits, and so their mean.
        assert [weighted[arm][name] for name in NAMES] == pytest.approx(LEADERBOARD[arm], abs=1.01e-4)
    assert leaderboard(weighted) == list(LEADERBOARD)


def test_ties_of_the_leaderboard_go_by_recall_and_then_by_name() -> None:
    same = {"MRR": 0.5, "Recall@20": 0.1}
    assert leaderboard({"c": same, "b": same, "a": {"MRR": 0.5}, "d": {"MRR": 0.6}}) == ["d", "b", "c", "a"]


def test_each_weighting_is_the_mean_of_its_parts() -> None:
    found = weightings(
        [
            positive({"MRR": 1.0}, "a", "o/x"),
            positive({"MRR": 0.0}, "a", "o/x"),
            positive({"MRR": 0.0}, "a", "o/y"),
            positive({"MRR": 1.0}, "b", "o/z"),
        ]
    )
    assert found["sample"] == {"n": 4, "MRR": 0.5}
    assert found["task_macro"] == {"n": 4, "tasks": 2, "MRR": 0.666667}
    assert found["repository_macro"] == {"n": 4, "repositories": 3, "MRR": 0.5}


def test_lines_are_averaged_over_the_samples_that_mark_some() -> None:
    assert means([positive({"MRR": 1, "line_f1@8k": 0.5}), positive({"MRR": 0})]) == {
        "n": 2, "line_samples": 1, "MRR": 0.5, "line_f1@8k": 0.5,
    }  # fmt: skip


def test_groups_are_tasks_and_relations() -> None:
    found = groups([positive({}, "b"), positive({}, "a"), positive({}, "b")])
    assert {name: len(part) for name, part in found.items()} == {"all": 3, "task:b": 2, "task:a": 1, "relevance:D": 3}


def test_rank_depths_count_first_gold_files_and_all_gold_files() -> None:
    found = rank_depth(
        [positive({}, ranks={"a": 1, "b": 30}), positive({}, ranks={"a": None}), positive({}, ranks={"a": 6})]
    )
    assert (found["n"], found["ranked"], found["median"], found["p90"]) == (3, 2, 1, 6)
    assert (found["any"]["5"], found["any"]["10"], found["any"]["200"]) == (0.333333, 0.666667, 0.666667)
    assert (found["recall"]["5"], found["recall"]["50"]) == (0.166667, 0.666667)
    assert "median" not in rank_depth([positive({}, ranks={"a": None})])


def measured(identity: str, confidence: float, rank: int | None, **members: Any) -> dict[str, Any]:
    found = row(identity, {"mine": HIT if rank else MISS, "other": MISS}, **members)
    kept: dict[str, Any] = {"confidence": confidence}
    if found["stratum"] == "positive":
        kept |= {"values": {"MRR": 1 / rank if rank else 0}, "gold_ranks": {"gold.py": rank}}
    return found | {"measures": {"mine": {"arb": kept}}}


ROWS = [
    *(measured(f"p{number}", 9.0 + number, 1 + number % 2, repo=f"o/{number % 6}") for number in range(12)),
    *(
        measured(f"n{number}", 0.5 * number, None, repo=f"o/{number % 6}", stratum="natural_no_gold", gold=[])
        for number in range(12)
    ),
    measured("c", 99.0, None, stratum="counterfactual_no_gold", gold=[]),
]


def test_the_section_holds_the_measured_arms_alone() -> None:
    section = arb_section(ROWS, ["mine", "other"], {"mine": 9.5})
    assert section["leaderboard"] == ["mine"]
    assert {*section["views"], *section["groups"], *section["rank_depth"], *section["selective"]} == {"mine"}
    mixed, natural = section["selective"]["mine"]["mixed"], section["selective"]["mine"]["natural"]
    assert (mixed["n"], natural["n"]) == (25, 24)
    assert natural["auroc"]["auroc"] == 1
    assert mixed["auroc"]["auroc"] == 0.923077
    assert natural["operating_points"]["best_balanced_accuracy"]["threshold"] == (9.0 + 5.5) / 2
    assert natural["frozen"]["confusion"]["positive_abstained"] == 1
    assert natural["out_of_fold"]["balanced_accuracy"] == 1


def test_an_answer_without_a_score_leaves_no_thresholds() -> None:
    unscored = measured("x", 1.0, 1)
    del unscored["measures"]["mine"]["arb"]["confidence"]
    section = arb_section([*ROWS, unscored], ["mine"], {})
    assert section["selective"]["mine"] == {"n": 26, "why": "1 of 26 answers rank files without a score"}


def test_samples_of_one_kind_leave_no_thresholds() -> None:
    section = arb_section(ROWS[:12], ["mine"], {})
    assert section["selective"]["mine"]["mixed"]["why"] == "12 of 12 samples have gold; there is nothing to tell apart"


def test_an_error_is_wrong_with_and_without_gold() -> None:
    broken = measured("x", 0.0, None)
    broken["arms"]["mine"] = {"outcome": "error", "ranked": [], "abstained": False, "error": "it broke"}
    silent = broken | {"id": "y", "stratum": "natural_no_gold", "gold": [], "measures": {"mine": {"arb": {}}}}
    section = arb_section([*ROWS[:24], broken, silent], ["mine"], {})
    for point in section["selective"]["mine"]["mixed"]["operating_points"].values():
        assert point["confusion"]["positive_abstained"] >= 1
        assert point["confusion"]["no_gold_returned"] >= 1


def test_every_figure_of_the_csv_has_its_n() -> None:
    written = list(csv.DictReader(io.StringIO(views_csv({"arb": arb_section(ROWS, ["mine"], {"mine": 9.5})}).decode())))
    assert tuple(written[0]) == COLUMNS
    assert all(int(line["n"]) > 0 and line["value"] for line in written)
    values = {(line["view"], line["group"], line["measure"]): line for line in written}
    assert len(values) == len(written)
    assert values["sample", "all", "MRR"]["value"] == "0.75"
    assert values["selective", "natural", "frozen.threshold"]["value"] == "9.5"
    assert values["selective", "natural", "auroc"]["n"] == "24"
    assert values["rank_depth", "task:trace2code", "any@1"]["value"] == "0.5"


def test_every_view_is_a_table_with_rows_of_one_length() -> None:
    section = arb_section(ROWS, ["mine"], {"mine": 9.5})
    views = ("weighted", "task-macro", "repository-macro", "depth", "budget", "selective")
    for table in tables(section, views):
        assert len({len(cells) for cells in table.rows}) == 1
        assert len(table.rows) > 1
    (shown,) = tables(section, ["selective"])
    assert ["mine", "natural", "frozen", "24", "12", "9.5"] in [cells[:6] for cells in shown.rows]
