"""Thresholds of confidence: the sweep, the operating points, and folds of whole repositories."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.statistics.repository_folds import FOLDS, folds, out_of_fold
from pytest_retrieval_bench.statistics.selective import (
    Cases,
    at_threshold,
    balanced_threshold,
    confidence_summary,
    decided,
    operating_points,
    sweep,
)

Row = tuple[float, bool, float, str]
CONFIDENCES = st.sampled_from([-math.inf, -1.0, 0.0, 0.5, 0.5, 2.0, 3.25, 7.0])
ROWS = st.lists(
    st.tuples(CONFIDENCES, st.booleans(), st.sampled_from([0, 0.5, 1]), st.sampled_from("abcdefgh")),
    min_size=1,
    max_size=30,
)


def cases(rows: Sequence[Row]) -> Cases:
    confidence, positive, recall, repos = zip(*rows, strict=True)
    found = np.array(positive, bool)
    return Cases(np.array(confidence, float), found, np.array(recall, float) * found, tuple(repos))


def restated(rows: Sequence[Row], threshold: float) -> dict[str, float]:
    """By the words of the definition, sample by sample."""
    silent = [confidence < threshold or confidence == -math.inf for confidence, *_ in rows]
    judged = list(zip(rows, silent, strict=True))
    passed = [not mute for row, mute in judged if row[1]]
    mutes = [mute for row, mute in judged if not row[1]]
    right = sum(passed) + sum(mutes)
    accuracy = right / len(rows)
    both = passed and mutes
    return {
        "selective_accuracy": accuracy,
        "balanced_accuracy": (sum(passed) / len(passed) + sum(mutes) / len(mutes)) / 2 if both else accuracy,
        "selective_success@20": sum(mute if not row[1] else not mute and row[2] > 0 for row, mute in judged)
        / len(rows),
        "coverage": silent.count(False) / len(rows),
    }


@given(ROWS)
@settings(deadline=None, max_examples=200)
def test_each_operating_point_is_the_best_of_all_thresholds(rows: list[Row]) -> None:
    found = operating_points(cases(rows))
    finite = sorted({row[0] for row in rows if math.isfinite(row[0])})
    above = [finite[-1] + max(1e-9, abs(finite[-1]) * 1e-9)] if finite else []
    tried = [-math.inf, *((low + high) / 2 for low, high in pairwise(finite)), *above]
    assert sweep(cases(rows)).thresholds.tolist() == tried
    names = ("selective_accuracy", "balanced_accuracy", "selective_success@20")
    for name in names:
        point: Any = found[f"best_{name}"]
        threshold = -math.inf if point["threshold"] is None else point["threshold"]
        assert threshold in tried
        assert {key: point[key] for key in restated(rows, threshold)} == pytest.approx(restated(rows, threshold))
        assert point[name] == pytest.approx(max(restated(rows, one)[name] for one in tried))
    assert found["no_abstain"] == at_threshold(cases(rows), -math.inf)


def test_ties_go_to_the_lowest_threshold() -> None:
    rows: list[Row] = [(1, False, 0, "a"), (2, True, 1, "a"), (3, False, 0, "a"), (4, True, 1, "a")]
    assert balanced_threshold(cases(rows)) == 1.5


def test_targets_that_no_threshold_reaches_are_none() -> None:
    silent = cases([(-math.inf, True, 0, "a"), (1.0, False, 0, "a")])
    assert operating_points(silent)["target_positive_pass_90"] is None
    points = operating_points(cases([(2.0, True, 1, "a"), (1.0, False, 0, "a")]))
    assert points["target_no_gold_abstain_80"] == points["target_positive_pass_90"]
    assert points["target_positive_pass_90"] == at_threshold(cases([(2.0, True, 1, "a"), (1.0, False, 0, "a")]), 1.5)


def test_a_failure_is_wrong_at_every_threshold() -> None:
    rows: list[Row] = [(-math.inf, True, 0, "a"), (math.inf, False, 0, "a"), (1.0, True, 1, "a")]
    for threshold in (-math.inf, 0.5, 2.0, 1e9):
        confusion = at_threshold(cases(rows), threshold)["confusion"]
        assert confusion["positive_abstained"] >= 1
        assert confusion["no_gold_returned"] == 1
    assert np.isfinite(sweep(cases(rows)).thresholds[1:]).all()


def test_the_threshold_is_strict() -> None:
    assert not cases([(0.5, True, 1, "a")]).silent(0.5)[0]


def test_rates_of_nothing_are_left_out() -> None:
    found = decided(cases([(1.0, True, 0.5, "a")]), np.array([False]))
    assert "no_gold_abstain_rate" not in found
    assert "abstain_precision" not in found
    assert (found["n"], found["positives"], found["no_gold"]) == (1, 1, 0)
    assert found["accepted_positive_recall@20"] == 0.5
    assert found["balanced_accuracy"] == found["selective_accuracy"] == 1


def test_the_summary_of_confidences_is_linear_between_neighbours() -> None:
    assert confidence_summary(np.array([0.0, 10.0, -math.inf])) == {
        "n": 2, "min": 0, "p10": 1, "median": 5, "p90": 9, "max": 10,
    }  # fmt: skip
    assert confidence_summary(np.array([-math.inf])) == {"n": 0}


def many(repos: int, of_each: Callable[[int], int] = lambda number: 2) -> list[Row]:
    return [
        (float(number + place), place % 2 == 0, 1.0, f"r{number}")
        for number in range(repos)
        for place in range(of_each(number))
    ]


@given(st.lists(st.integers(2, 12), min_size=5, max_size=12))
@settings(deadline=None, max_examples=60)
def test_folds_hold_whole_repositories_and_both_kinds(sizes: list[int]) -> None:
    rows = many(len(sizes), sizes.__getitem__)
    found = folds(cases(rows))
    assert set(found) == {row[3] for row in rows}
    for fold in range(FOLDS):
        assert {row[1] for row in rows if found[row[3]] == fold} == {True, False}
    assert folds(cases(list(reversed(rows)))) == found


def test_each_fold_is_decided_by_the_threshold_of_the_others() -> None:
    rows = many(10, lambda number: 4)
    whole, placed = cases(rows), folds(cases(rows))
    found = out_of_fold(whole)
    silent = np.zeros(len(rows), bool)
    for fold in range(FOLDS):
        inside = np.array([placed[row[3]] == fold for row in rows])
        threshold = balanced_threshold(whole.part(~inside))
        assert found["thresholds"][fold] == (None if math.isinf(threshold) else threshold)
        silent |= inside & whole.silent(threshold)
    expected = decided(whole, silent)
    assert {name: found[name] for name in expected} == expected
    assert sorted(repo for fold in found["folds"] for repo in fold) == sorted(placed)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (many(4), "4 repositories make no 5 folds"),
        ([*many(5, lambda number: 1), (1.0, False, 0.0, "r0")], "not each of 5 folds of repositories has samples"),
    ],
)
def test_folds_that_cannot_be_had_say_why(rows: list[Row], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        folds(cases(rows))
