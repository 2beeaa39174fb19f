"""The paired randomization test: how likely such differences are where only chance gives them their signs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pytest_retrieval_bench.statistics.bootstrap import SEED, Doubles, of_one_length

DRAWS = 9999
_MAX_EXACT = 13  # 2^13 assignments of signs, fewer than the draws
_SAME = 1e-12  # of the sum of sizes: sums that differ by less differ by rounding alone


@dataclass(frozen=True, slots=True)
class Probability:
    """A two-sided p value. One that is not exact counts 9,999 draws: its standard error is sqrt(p (1 - p) / 9999)."""

    p: float
    exact: bool


def sign_flips(samples: Sequence[Sequence[float]]) -> list[Probability]:
    """For each sample of differences: how likely a mean as far from 0 is when each sign is a fair coin.

    Exact over all assignments of signs where at most 13 differences are not 0 (a 0 has no sign); else (b + 1) / (B + 1)
    for b of B = 9,999 draws, which is never 0 and never too small. It asks nothing but that a difference and its
    opposite are equally likely and that samples are independent; for samples in clusters give it the clusters' sums.

    The answer hangs on the values alone: they are sorted, and each test has the same seed of numpy's frozen
    `RandomState`. `scipy.stats.permutation_test` is the same test; its draws hang on its version.

    Sources: R. A. Fisher, The Design of Experiments (1935), section 21; B. Phipson, G. K. Smyth, Permutation p-values
    should never be zero, Statistical Applications in Genetics and Molecular Biology 9 (2010).
    """
    found = [Probability(1.0, exact=True)] * len(samples)
    drawn: list[int] = []
    for place, sample in enumerate(samples):
        signed = sorted(difference for difference in sample if difference)
        if len(signed) > _MAX_EXACT:
            drawn.append(place)
        elif signed:
            found[place] = Probability(_exact(signed), exact=True)
    for places, columns in of_one_length([samples[place] for place in drawn]):
        for place, p in zip(places, _drawn(columns), strict=True):
            found[drawn[place]] = Probability(p, exact=False)
    return found


def _exact(differences: Sequence[float]) -> float:
    sums = np.zeros(1)
    for difference in differences:
        sums = np.concatenate([sums - difference, sums + difference])
    return float((np.abs(sums) >= _bound(differences)).mean())


def _drawn(columns: Doubles) -> list[float]:
    random = np.random.RandomState(SEED)
    sums = np.zeros((DRAWS, columns.shape[1]))
    for row in columns:
        sums += np.array([-row, row])[random.randint(0, 2, DRAWS, np.int32)]
    bounds = np.array([_bound(column) for column in columns.T.tolist()])
    as_far = (np.abs(sums) >= bounds).sum(axis=0)
    return [(int(count) + 1) / (DRAWS + 1) for count in as_far]


def _bound(differences: Sequence[float]) -> float:
    return abs(math.fsum(differences)) - _SAME * math.fsum(map(abs, differences))
