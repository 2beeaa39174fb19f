"""The section `protocol`: each registered hypothesis confirmed, refuted or undecided, and what was not registered.

It is imported only where a protocol is registered: its statistics are slow to load.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.protocol.hypotheses import BETTER, EQUAL, HOLM, Hypothesis, Protocol
from pytest_retrieval_bench.statistics.bca import bca_means, bca_probability
from pytest_retrieval_bench.statistics.clustered import (
    MIN_CLUSTERS,
    clustered_means,
    clustered_probability,
    clusters_of,
)
from pytest_retrieval_bench.statistics.corrections import holm
from pytest_retrieval_bench.statistics.randomization import sign_flips
from pytest_retrieval_bench.statistics.rounding import mean, rounded
from pytest_retrieval_bench.statistics.verdicts import MIN_DIFFERING

CONFIRMED, REFUTED, UNDECIDED = "confirmed", "refuted", "undecided"
# Of n samples that all tie, up to 3 / n of all others may still differ (95%).
_RULE_OF_THREE: Final = 3


@dataclass(frozen=True, slots=True)
class _Tested:
    """How far the differences of a hypothesis are from its bound: the p value, and on which side they lie."""

    p: float
    holds: bool


def protocol_section(protocol: Protocol, rows: Sequence[Row], arms: Sequence[str], missing: int) -> dict[str, Any]:
    """What the rows of a report say of a protocol; nothing with results missing, or over another number of samples.

    A hypothesis `better` with a margin of 0 has the paired randomization test, of whole repositories where there are
    six. One with a margin has the p value of the interval that decides elsewhere, clustered or, below six repositories,
    BCa: signs are no fair coins around a bound that is not 0.
    """
    unsound = _why_not_judged(protocol, len(rows), missing)
    judged = {
        name: block
        for family in protocol.families().values()
        for name, block in _judged(family, protocol, rows, unsound)
    }
    metrics = {metric for row in rows for arm in row["metrics"] for metric in row["metrics"][arm]}
    return {
        "sha256": protocol.sha256,
        "title": protocol.title,
        "alpha": protocol.alpha,
        "correction": protocol.correction,
        "samples": {"registered": protocol.samples, "measured": len(rows)},
        "hypotheses": [judged[hypothesis.name] for hypothesis in protocol.hypotheses],
        "not_registered": {
            "arms": [arm for arm in arms if arm not in set(protocol.arms())],
            "metrics": sorted(metrics - {hypothesis.metric for hypothesis in protocol.hypotheses}),
        },
    }


def _why_not_judged(protocol: Protocol, samples: int, missing: int) -> str | None:
    if samples != protocol.samples:
        return f"the protocol is about {protocol.samples} samples, {samples} are measured"
    return f"{missing} results are missing" if missing else None


def _judged(
    family: Sequence[Hypothesis], protocol: Protocol, rows: Sequence[Row], unsound: str | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The blocks of the hypotheses of a family; one that cannot be tested still counts in the correction."""
    measured = [_Differences.of(rows, hypothesis) for hypothesis in family]
    reasons = [unsound or differences.why_untested() for differences in measured]
    tests = [None if why else differences.tested() for why, differences in zip(reasons, measured, strict=True)]
    p_values = [1.0 if test is None else test.p for test in tests]
    adjusted = holm(p_values) if protocol.correction == HOLM else p_values
    for hypothesis, differences, why, test, p in zip(family, measured, reasons, tests, adjusted, strict=True):
        block = asdict(hypothesis) | differences.figures()
        if test is None:
            yield hypothesis.name, block | {"verdict": UNDECIDED, "why": why}
            continue
        decided = CONFIRMED if test.holds else REFUTED
        verdict = decided if p < protocol.alpha else UNDECIDED
        yield hypothesis.name, block | {"p": rounded(test.p), "adjusted": rounded(p), "verdict": verdict}


@dataclass(frozen=True, slots=True)
class _Differences:
    """The differences of a hypothesis, and how many samples have its metric of one arm alone."""

    hypothesis: Hypothesis
    values: tuple[float, ...]
    by_repo: Mapping[str, Sequence[float]]
    unpaired: int

    @classmethod
    def of(cls, rows: Sequence[Row], hypothesis: Hypothesis) -> _Differences:
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

    def tested(self) -> _Tested:
        """The test of the hypothesis, of differences that can be tested."""
        centre, margin = mean(self.values), self.hypothesis.margin
        if self.hypothesis.direction == EQUAL:
            sides = [self._against(-margin), self._against(margin)]
            inside = -margin < centre < margin
            return _Tested(max(sides) if inside else sides[centre > 0], inside)
        bound = margin if self.hypothesis.direction == BETTER else -margin
        return _Tested(self._against(bound) if bound else self._randomized(), centre > bound)

    def _randomized(self) -> float:
        clusters = clusters_of(list(self.by_repo.values()))
        units = clusters.sums if len(clusters.sizes) >= MIN_CLUSTERS else self.values
        return sign_flips([units])[0].p

    def _against(self, bound: float) -> float:
        by_repository = clustered_probability(clusters_of(list(self.by_repo.values())), bound)
        return bca_probability(self.values, bound) if by_repository is None else by_repository
