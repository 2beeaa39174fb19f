"""The differences that a report holds for or against one hypothesis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.protocol.hypotheses import BETTER, EQUAL, Hypothesis
from pytest_retrieval_bench.statistics.bca import bca_means, bca_probability
from pytest_retrieval_bench.statistics.clustered import (
    MIN_CLUSTERS,
    clustered_means,
    clustered_probability,
    clusters_of,
)
from pytest_retrieval_bench.statistics.randomization import sign_flips
from pytest_retrieval_bench.statistics.rounding import mean, rounded
from pytest_retrieval_bench.statistics.verdicts import MIN_DIFFERING

# Of n samples that all tie, up to 3 / n of all others may still differ (95%).
_RULE_OF_THREE: Final = 3


@dataclass(frozen=True, slots=True)
class Tested:
    """How far the differences of a hypothesis are from its bound: the p value, and on which side they lie."""

    p: float
    holds: bool


@dataclass(frozen=True, slots=True)
class Differences:
    """The differences of a hypothesis, all and by repository, and how many samples have its metric of one arm alone."""

    hypothesis: Hypothesis
    values: tuple[float, ...]
    by_repo: Mapping[str, Sequence[float]]
    unpaired: int

    @classmethod
    def of(cls, rows: Sequence[Row], hypothesis: Hypothesis) -> Differences:
        """What the rows of a report hold of a hypothesis."""
        by_repo: dict[str, list[float]] = {}
        unpaired = 0
        for row in rows:
            ours, theirs = (row["metrics"].get(arm, {}) for arm in (hypothesis.arm, hypothesis.baseline))
            if hypothesis.metric in ours and hypothesis.metric in theirs:
                difference = ours[hypothesis.metric] - theirs[hypothesis.metric]
                by_repo.setdefault(row["repo"], []).append(difference)
            unpaired += (hypothesis.metric in ours) != (hypothesis.metric in theirs)
        values = tuple(value for values in by_repo.values() for value in values)
        return cls(hypothesis, values, by_repo, unpaired)

    def figures(self) -> dict[str, Any]:
        """n, the mean, and the 95% interval that decides, where there is one."""
        counts = {"n": len(self.values), "repositories": len(self.by_repo)}
        if len(self.values) < MIN_DIFFERING:
            return counts
        clustered = clustered_means([clusters_of(list(self.by_repo.values()))])[0]
        low, high = clustered or bca_means([self.values])[0]
        interval = {"by": "clustered" if clustered else "bca", "low": rounded(low), "high": rounded(high)}
        return counts | {"mean_diff": mean(self.values), "interval": interval}

    def why_untested(self) -> str | None:
        """Why these differences decide nothing, in words."""
        n, margin = len(self.values), self.hypothesis.margin
        if self.unpaired:
            return f"{self.unpaired} samples have the metric of one arm alone"
        if n < MIN_DIFFERING:
            return f"{n} samples are too few for any test"
        if self.hypothesis.direction != BETTER and n * margin < _RULE_OF_THREE:
            return f"{n} samples are too few for a margin of {margin:g}: if all tied, 3 in {n} others may still differ"
        return None

    def tested(self) -> Tested:
        """The test of the hypothesis, where nothing speaks against testing it.

        Against 0 it is the paired randomization test, of whole repositories where there are six. Against another bound
        it is the p value of the interval that decides elsewhere, clustered or, below six repositories, BCa: signs are
        no fair coins around a bound that is not 0.
        """
        centre, margin = mean(self.values), self.hypothesis.margin
        if self.hypothesis.direction == EQUAL:
            sides = [self._against(-margin), self._against(margin)]
            inside = -margin < centre < margin
            return Tested(max(sides) if inside else sides[centre > 0], inside)
        bound = margin if self.hypothesis.direction == BETTER else -margin
        return Tested(self._against(bound) if bound else self._randomized(), centre > bound)

    def _randomized(self) -> float:
        clusters = clusters_of(list(self.by_repo.values()))
        units = clusters.sums if len(clusters.sizes) >= MIN_CLUSTERS else self.values
        return sign_flips([units])[0].p

    def _against(self, bound: float) -> float:
        by_repository = clustered_probability(clusters_of(list(self.by_repo.values())), bound)
        return bca_probability(self.values, bound) if by_repository is None else by_repository
