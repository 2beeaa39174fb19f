"""How well a confidence sorts: risk-coverage curve, AURC and AUROC, against their definitions."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

from pytest_retrieval_bench.statistics.risk_coverage import auroc, curve, curve_figures
from tests.statistics.test_selective import ROWS, Row, cases


def wrong(row: Row) -> bool:
    return not (row[1] and row[2] > 0)


@given(ROWS)
@settings(deadline=None, max_examples=40)
def test_aurc_is_the_mean_risk_over_the_answers_as_they_come_in(rows: list[Row]) -> None:
    answered = [row for row in rows if row[0] > -math.inf]
    found = curve_figures(cases(rows))
    assert found["n"] == len(answered)
    if answered:
        risks = [np.mean([wrong(one) for one in answered if one[0] >= row[0]]) for row in answered]
        assert found["aurc"] == pytest.approx(np.mean(risks))
        assert found["risk"] == pytest.approx(np.mean([wrong(row) for row in answered]))
        assert found["e_aurc"] >= -1e-12


@given(ROWS)
@settings(deadline=None, max_examples=40)
def test_auroc_is_the_share_of_pairs_in_order(rows: list[Row]) -> None:
    found = auroc(cases(rows))
    with_gold, without = ([row[0] for row in rows if row[1] == kind] for kind in (True, False))
    assert (found["positives"], found["no_gold"]) == (len(with_gold), len(without))
    pairs = [(high > low) + 0.5 * (high == low) for high, low in product(with_gold, without)]
    if pairs:
        assert found["auroc"] == pytest.approx(np.mean(pairs))
    else:
        assert "auroc" not in found


def test_the_curve_admits_equal_confidences_together() -> None:
    rows: list[Row] = [(2.0, True, 1, "a"), (1.0, False, 0, "a"), (1.0, True, 1, "a"), (-math.inf, True, 0, "a")]
    assert curve(cases(rows)) == [
        {"confidence": 2.0, "coverage": 0.25, "risk": 0.0},
        {"confidence": 1.0, "coverage": 0.75, "risk": pytest.approx(1 / 3)},
    ]


def test_a_confidence_that_puts_right_answers_first_has_no_excess() -> None:
    rows: list[Row] = [(float(place), place > 4, 1, "a") for place in range(10)]
    assert curve_figures(cases(rows))["e_aurc"] == pytest.approx(0, abs=1e-12)
    assert auroc(cases(rows))["auroc"] == 1


def drawn(seed: int, n: int, repos: int) -> Any:
    random = np.random.default_rng(seed)
    positive = random.random(n) < 0.6
    confidence = random.normal(size=n) + positive
    return cases(
        [
            (float(score), bool(kind), float(random.random() < 0.7), f"r{number % repos}")
            for number, (score, kind) in enumerate(zip(confidence, positive, strict=True))
        ]
    )


def test_the_interval_by_sample_covers_the_truth_as_often_as_it_says() -> None:
    truth = stats.norm.cdf(1 / math.sqrt(2))
    intervals = [auroc(drawn(seed, 80, 3))["intervals"]["sample"] for seed in range(120)]
    covered = sum(low <= truth <= high for low, high in intervals)
    # 95% of 120 are 114; below 105 by chance in one of a thousand studies.
    assert 105 <= covered <= 120


def test_repositories_give_an_interval_of_their_own_from_six_on() -> None:
    assert auroc(drawn(1, 60, 5))["intervals"]["clustered"] is None
    low, high = auroc(drawn(1, 60, 6))["intervals"]["clustered"]
    assert low < auroc(drawn(1, 60, 6))["auroc"] < high
    assert curve_figures(drawn(1, 60, 5))["aurc_intervals"]["clustered"] is None
    assert curve_figures(drawn(1, 60, 6))["aurc_intervals"]["clustered"] is not None


def test_no_interval_by_repository_where_a_draw_may_lack_a_kind() -> None:
    rows: list[Row] = [(float(place), place != 0, 1, f"r{place % 7}") for place in range(21)]
    assert auroc(cases(rows))["intervals"]["clustered"] is None


def test_intervals_do_not_depend_on_the_order_of_samples() -> None:
    rows: list[Row] = [(float(place % 9), place % 3 > 0, place % 2, f"r{place % 7}") for place in range(40)]
    backwards = list(reversed(rows))
    assert auroc(cases(rows)) == auroc(cases(backwards))
    assert curve_figures(cases(rows)) == curve_figures(cases(backwards))
