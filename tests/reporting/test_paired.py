from __future__ import annotations

from typing import Any

import pytest

from pytest_retrieval_bench.model import LEXICAL_ARMS
from pytest_retrieval_bench.reporting.paired import paired_section, retrieval_arms


def row(number: int, mine: float | None, grep: float | None, **members: str) -> dict[str, Any]:
    """A positive sample with one value a metric for `mine` and `grep`; None: the arm has no record."""
    scored = {
        arm: {"recall@5": value, "recall@10": value, "mrr@k": value, "hit@k": 1}
        for arm, value in (("mine", mine), ("grep", grep))
        if value is not None
    }
    sample = {"id": str(number), "task_type": "t", "repo": "o/r", "stratum": "positive", "partition": "A"}
    return {**sample, **members, "metrics": scored}


def section(rows: list[dict[str, Any]], limit: int = 10) -> dict[str, Any]:
    return paired_section(rows, ["grep", "mine"], LEXICAL_ARMS, limit)


def test_a_block_counts_wins_losses_and_ties_and_has_the_mean_difference() -> None:
    rows = [row(0, 1, 0), row(1, 0.5, 0.5), row(2, 0, 1), row(3, 1, 0.25)]
    block = section(rows)["all"]["mine"]["grep"]["mrr@k"]
    assert {name: block[name] for name in ("n", "mean_diff", "wins", "losses", "ties")} == {
        "n": 4,
        "mean_diff": 0.1875,
        "wins": 2,
        "losses": 1,
        "ties": 1,
    }
    assert -1 <= block["low"] < 0.1875 < block["high"] <= 1
    assert "repos" not in block


def test_groups_are_tasks_folds_and_both_and_metrics_above_the_limit_are_absent() -> None:
    found = section([row(0, 1, 0), row(1, 1, 0, task_type="u", partition="B")])
    assert sorted(found) == ["all", "fold:A", "fold:B", "task:t", "task:t/fold:A", "task:u", "task:u/fold:B"]
    assert sorted(found["all"]["mine"]["grep"]) == ["mrr@k", "recall@10", "recall@5"]


def test_only_positive_samples_that_both_arms_scored_take_part() -> None:
    rows = [row(0, 1, 0), row(1, None, 0), row(2, 1, None), row(3, 1, 0, stratum="natural_no_gold")]
    assert section(rows)["all"]["mine"]["grep"]["recall@5"]["n"] == 1
    assert section([row(1, None, 0)]) == {}


def test_repositories_with_five_samples_have_a_difference_of_their_own() -> None:
    rows = [row(number, 1, 0.5) for number in range(5)] + [row(5 + number, 0, 1, repo="o/few") for number in range(4)]
    assert section(rows)["all"]["mine"]["grep"]["recall@5"]["repos"] == {"o/r": {"n": 5, "mean_diff": 0.5}}


@pytest.mark.parametrize(
    ("arms", "baselines", "right"),
    [
        (["corvint", "context", "grep", "impact", "affected", "mine"], LEXICAL_ARMS, ["corvint", "context", "mine"]),
        (["grep", "bm25:all", "old", "new"], ["old"], ["new"]),
    ],
)
def test_retrieval_arms_are_those_that_answer_questions_and_are_no_baselines(
    arms: list[str], baselines: list[str], right: list[str]
) -> None:
    assert retrieval_arms(arms, baselines) == right
