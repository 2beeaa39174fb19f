"""The section `inference`: which comparisons, which members, which families."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from scipy import stats

from pytest_retrieval_bench.model import LEXICAL_ARMS
from pytest_retrieval_bench.reporting.canonical import canonical
from pytest_retrieval_bench.reporting.inference import inference_section
from pytest_retrieval_bench.reporting.inference_choice import NAMES, InferenceChoice
from pytest_retrieval_bench.reporting.inference_text import shown_inference
from pytest_retrieval_bench.reporting.paired import paired_section
from tests.reporting.plain import plain_lines

ARMS = ["grep", "bm25:all", "mine", "theirs"]
METRICS = ("recall@5", "recall@10", "recall@20", "mrr@k", "hit@k")
ALL = InferenceChoice(NAMES, 0.05)


def benchmark(n: int = 60, repositories: int = 8, better: float = 0.3) -> list[dict[str, Any]]:
    """Positive samples of two tasks, with ties; `mine` is better than the others by so much."""
    source = random.Random(4)

    def metrics(arm: str) -> dict[str, float]:
        found = source.random() < 0.4 + (better if arm == "mine" else 0)
        return dict.fromkeys(METRICS[:4], source.choice([1 / 3, 0.5, 1]) if found else 0) | {"hit@k": int(found)}

    return [
        {
            "id": str(number),
            "task_type": "tu"[number % 2],
            "repo": f"o/r{number % repositories}",
            "stratum": "positive",
            "partition": "A",
            "metrics": {arm: metrics(arm) for arm in ARMS},
        }
        for number in range(n)
    ]


def section(rows: list[dict[str, Any]], choice: InferenceChoice = ALL, limit: int = 20) -> dict[str, Any]:
    return inference_section(rows, ARMS, LEXICAL_ARMS, limit, choice)


def test_every_retriever_is_held_against_every_baseline_in_every_metric_in_all_and_by_task() -> None:
    groups = section(benchmark())["groups"]
    assert sorted(groups) == ["all", "task:t", "task:u"]
    for group in groups.values():
        assert {arm: sorted(against) for arm, against in group.items()} == {
            "mine": ["bm25:all", "grep"],
            "theirs": ["bm25:all", "grep"],
        }
        assert sorted(group["mine"]["grep"]) == sorted(METRICS)
    assert sorted(section(benchmark(), limit=5)["groups"]["all"]["mine"]["grep"]) == ["hit@k", "mrr@k", "recall@5"]


def test_what_was_not_asked_for_is_absent() -> None:
    plain = section(benchmark(), InferenceChoice(("clustered",), 0.05))
    assert plain["families"] == {}
    block = plain["groups"]["all"]["mine"]["grep"]["hit@k"]
    assert sorted(block) == ["decided_by", "intervals", "mean_diff", "n", "repositories", "verdict"]
    assert sorted(block["intervals"]) == ["clustered", "sample"]
    full = section(benchmark())["groups"]["all"]["mine"]["grep"]["hit@k"]
    extra = {"detectable", "equivalent", "not_inferior", "tests"}
    assert full.keys() - block.keys() == extra
    assert sorted(full["tests"]) == ["mcnemar", "randomization", "randomization by repository"]


def test_the_sample_level_interval_is_that_of_paired_and_stands_beside_the_clustered_one_with_words() -> None:
    rows = benchmark()
    found = section(rows)
    paired = paired_section(rows, ARMS, LEXICAL_ARMS, 20)["all"]["mine"]["grep"]["recall@5"]
    intervals = found["groups"]["all"]["mine"]["grep"]["recall@5"]["intervals"]
    assert intervals["sample"] == {"low": paired["low"], "high": paired["high"]}
    assert "too narrow" in found["words"]["sample"]
    assert "repositories" in found["words"]["clustered"]


def test_the_clustered_interval_decides_and_without_one_the_sample_level_one() -> None:
    many = section(benchmark())["groups"]["all"]["mine"]["grep"]["hit@k"]
    assert (many["decided_by"], many["verdict"]) == ("clustered", "better")
    few = section(benchmark(repositories=3))["groups"]["all"]["mine"]["grep"]["hit@k"]
    assert (few["decided_by"], sorted(few["intervals"])) == ("sample", ["bca", "sample"])
    assert sorted(few["tests"]) == ["mcnemar", "randomization"]
    assert sorted(few["detectable"]) == ["sample"]


@pytest.mark.parametrize(("n", "tested"), [(5, False), (6, True)])
def test_fewer_than_six_samples_are_not_tested(n: int, tested: bool) -> None:
    rows = [row for row in benchmark(2 * n) if row["task_type"] == "t"]
    found = section(rows)
    block = found["groups"]["all"]["mine"]["grep"]["hit@k"]
    assert block["n"] == n
    assert ("intervals" in block) is tested
    assert bool(found["families"]) is tested
    if not tested:
        assert block["verdict"] == "underpowered"


def test_mcnemar_counts_the_samples_that_one_side_alone_hit() -> None:
    rows = benchmark()
    result = section(rows)["groups"]["all"]["mine"]["grep"]["hit@k"]["tests"]["mcnemar"]
    hits = [(row["metrics"]["mine"]["hit@k"], row["metrics"]["grep"]["hit@k"]) for row in rows]
    assert (result["only_arm"], result["only_baseline"]) == (hits.count((1, 0)), hits.count((0, 1)))
    right = stats.binomtest(result["only_arm"], result["only_arm"] + result["only_baseline"]).pvalue
    assert result["p"] == pytest.approx(right, abs=5.1e-7)


def test_a_family_is_one_test_over_all_samples_or_over_the_tasks_and_has_its_size_and_name() -> None:
    found = section(benchmark())
    sizes = {name: family["size"] for name, family in found["families"].items()}
    assert sizes == {
        "randomization, all": 20,
        "randomization, tasks": 40,
        "randomization by repository, all": 20,
        "mcnemar, all": 4,
        "mcnemar, tasks": 8,
    }
    assert found["families"]["mcnemar, tasks"] == {
        "test": "mcnemar",
        "size": 8,
        "name": "mine, theirs against grep, bm25:all in hit@k; task:t, task:u",
    }


def test_corrections_are_over_the_family() -> None:
    groups = section(benchmark())["groups"]
    results = [
        block["tests"]["mcnemar"]
        for group in ("task:t", "task:u")
        for against in groups[group].values()
        for block in (metrics["hit@k"] for metrics in against.values())
    ]
    smallest = min(results, key=lambda result: result["p"])
    assert len(results) == 8
    assert smallest["holm"] == pytest.approx(min(1, 8 * smallest["p"]), abs=5e-6)
    right = stats.false_discovery_control([result["p"] for result in results])
    assert [result["bh"] for result in results] == pytest.approx(right.tolist(), abs=5e-6)


def test_identical_arms_are_equivalent_and_every_p_is_1() -> None:
    rows = benchmark()
    for row in rows:
        row["metrics"]["mine"] = row["metrics"]["grep"]
    block = section(rows)["groups"]["all"]["mine"]["grep"]["recall@20"]
    assert block["verdict"] == "equivalent"
    assert block["intervals"]["clustered"] == {"low": 0, "high": 0}
    assert {result["p"] for result in block["tests"].values()} == {1}
    assert block["detectable"] == {"sample": 0, "clustered": 0}


def test_the_order_of_rows_does_not_matter() -> None:
    rows = benchmark()
    assert canonical(section(rows)["groups"]) == canonical(section(rows[::-1])["groups"])


def test_a_giant_repository_gives_no_number_that_json_lacks() -> None:
    rows = benchmark(200)
    for number, row in enumerate(rows):
        row["repo"] = "o/giant" if number > 5 else f"o/r{number}"
    block = section(rows)["groups"]["all"]["mine"]["grep"]["hit@k"]
    assert canonical(block)
    assert all(math.isfinite(value) and value <= 1 for value in block["detectable"].values())


def test_the_terminal_shows_one_recall_and_mrr_a_pair_and_counts_the_family() -> None:
    lines = plain_lines(shown_inference(section(benchmark())))
    assert lines[0].startswith("evidence (margin 0.05")
    assert len(lines) == 2 + 2 * 4 + 3
    assert lines[2].split()[:5] == ["mine", "grep", "recall@20", "60", "8"]
    assert lines[-1].startswith("mcnemar: of 4 tests below 0.05: ")
    assert len(plain_lines(shown_inference(section(benchmark()), every_metric=True))) == 2 + 5 * 4 + 3


def test_the_terminal_says_when_a_verdict_is_of_these_repositories_alone_and_when_there_are_too_few_samples() -> None:
    few = plain_lines(shown_inference(section(benchmark(repositories=2))))
    assert few[2].endswith(", of these repositories alone")
    assert plain_lines(shown_inference(section(benchmark(4))))[2].endswith("underpowered: too few samples for any test")
    assert plain_lines(shown_inference(section([]))) == ["evidence: no retriever was held against a baseline"]
