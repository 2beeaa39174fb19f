"""The paired tests between two runs."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from pytest_retrieval_bench.reporting.compare import compare
from pytest_retrieval_bench.reporting.inference import inference_section
from pytest_retrieval_bench.reporting.inference_choice import NAMES, InferenceChoice
from tests.reporting.small_reports import HIT, LIMIT, MISS, SECOND, Answers, report, row, written

CHOICE = InferenceChoice(NAMES, 0.1)
NO_GOLD = {"stratum": "natural_no_gold", "gold": []}


def random_answers(count: int) -> list[tuple[Any, Any]]:
    source = random.Random(7)
    rankings = [HIT, MISS, SECOND, None, ()]
    return [(source.choice(rankings), source.choice(rankings[:3])) for _ in range(count)]


def rows(answers: list[Answers], **members: Any) -> list[dict[str, Any]]:
    tasks = ("trace2code", "code2test")
    return [
        row(str(number), given, repo=f"o/r{number % 8}", task_type=tasks[number % 2], **members)
        for number, given in enumerate(answers)
    ]


def compared(folder: Path, pairs: list[tuple[Any, Any]], **members: Any) -> dict[str, Any]:
    old = written(folder / "old.json", report(rows([{"x": before} for before, _ in pairs], **members)))
    new = written(folder / "new.json", report(rows([{"x": after} for _, after in pairs], **members)))
    section: dict[str, Any] = compare(old, new, CHOICE)["inference"]
    return section


def test_two_runs_are_tested_as_two_arms_of_one_run_are(tmp_path: Path) -> None:
    pairs = random_answers(50)
    both = rows([{"old": before, "new": after} for before, after in pairs])
    expected = inference_section(both, ["old", "new"], ["old"], LIMIT, CHOICE)["groups"]
    found = compared(tmp_path, pairs)["groups"]
    assert sorted(found) == sorted(expected) == ["all", "task:code2test", "task:trace2code"]
    for group, arms in expected.items():
        assert found[group]["x"]["old"] == arms["new"]["old"]
        assert arms["new"]["old"]["hit@k"]["tests"].keys() >= {"randomization", "mcnemar"}


def test_the_p_values_are_those_of_scipy(tmp_path: Path) -> None:
    pairs = random_answers(50)
    block = compared(tmp_path, pairs)["groups"]["all"]["x"]["old"]["hit@k"]
    gains = Counter((after in (HIT, SECOND)) - (before in (HIT, SECOND)) for before, after in pairs)
    exact = stats.binomtest(gains[1], gains[1] + gains[-1]).pvalue
    assert block["tests"]["mcnemar"]["p"] == pytest.approx(exact, abs=1e-6)
    assert (block["tests"]["mcnemar"]["only_arm"], block["tests"]["mcnemar"]["only_baseline"]) == (gains[1], gains[-1])
    # Signs that flip at random are McNemar's coin; 9,999 draws have a standard error of at most 0.005.
    assert block["tests"]["randomization"]["p"] == pytest.approx(exact, abs=0.02)


def test_samples_without_gold_are_tested_by_stratum_in_whether_silence_was_right(tmp_path: Path) -> None:
    pairs: list[tuple[Any, Any]] = [(MISS, ())] * 9 + [((), MISS)]
    section = compared(tmp_path, pairs, **NO_GOLD)
    assert list(section["groups"]) == ["stratum:natural_no_gold"]
    block = section["groups"]["stratum:natural_no_gold"]["x"]["old"]
    assert list(block) == ["selective_success"]
    assert (block["selective_success"]["n"], block["selective_success"]["mean_diff"]) == (10, 0.8)
    assert block["selective_success"]["tests"]["mcnemar"]["p"] == pytest.approx(stats.binomtest(9, 10).pvalue, abs=1e-6)
    assert section["families"]["mcnemar, strata"]["size"] == 1


def test_fewer_than_six_samples_are_not_tested(tmp_path: Path) -> None:
    block = compared(tmp_path, [(MISS, HIT)] * 5)["groups"]["all"]["x"]["old"]["hit@k"]
    assert block == {"n": 5, "repositories": 5, "mean_diff": 1, "verdict": "underpowered"}
