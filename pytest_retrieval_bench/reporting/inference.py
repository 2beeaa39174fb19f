"""The section `inference`: what the differences of a benchmark allow to be said (docs/evidence.md).

It is imported only where it was asked for: scipy's statistics take a second to load.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.inference_choice import BY_REPOSITORY, CORRECTIONS, InferenceChoice
from pytest_retrieval_bench.reporting.paired import Comparison, comparisons
from pytest_retrieval_bench.scoring.ranking import RECALL_DEPTHS
from pytest_retrieval_bench.statistics.bca import bca_means
from pytest_retrieval_bench.statistics.bootstrap import Interval, bootstrap_means
from pytest_retrieval_bench.statistics.clustered import MIN_CLUSTERS, Clusters, clustered_means, clusters_of
from pytest_retrieval_bench.statistics.corrections import benjamini_hochberg, holm
from pytest_retrieval_bench.statistics.mcnemar import mcnemar
from pytest_retrieval_bench.statistics.power import detectable_by_cluster, detectable_by_sample
from pytest_retrieval_bench.statistics.randomization import Probability, sign_flips
from pytest_retrieval_bench.statistics.rounding import mean, rounded
from pytest_retrieval_bench.statistics.verdicts import MIN_DIFFERING, equivalent, not_inferior, verdict

MIN_SAMPLES = MIN_DIFFERING
WORDS = {
    "sample": "Resamples samples as if each were drawn on its own. Samples of one repository resemble each other, so "
    "that there is less evidence than samples: this interval is too narrow for retrieval in repositories at large. It "
    "is right for the repositories of this benchmark alone.",
    "clustered": "Resamples whole repositories, with wider ends where they are few or uneven: for repositories like "
    f"these. Not run below {MIN_CLUSTERS} repositories.",
    "verdict": "Read from the clustered interval where there is one, else from the sample-level one, and then of these "
    "repositories alone.",
}

# The metrics that are yes or no, for which McNemar's test is.
_YES_OR_NO = ("hit@k", "selective_success")
_KINDS = {"all": "all", "task": "tasks", "stratum": "strata"}


@dataclass(frozen=True, slots=True)
class _Tested:
    """A comparison with enough samples, and what has been found so far: its block of the section."""

    comparison: Comparison
    clusters: Clusters
    block: dict[str, Any] = field(default_factory=dict)


def inference_section(
    rows: Sequence[Row], arms: Sequence[str], baselines: Sequence[str], limit: int, choice: InferenceChoice
) -> dict[str, Any]:
    """What is asked for, of every retrieval arm against every baseline, for all positive samples and by task."""
    return inference_of(comparisons(rows, arms, baselines, tested_metrics(limit), _groups), choice)


def tested_metrics(limit: int) -> list[str]:
    """The metrics of positive samples that differences are tested in."""
    return [*(f"recall@{depth}" for depth in RECALL_DEPTHS if depth <= limit), "mrr@k", "hit@k"]


def inference_of(compared: Iterable[Comparison], choice: InferenceChoice) -> dict[str, Any]:
    """What is asked for, of each of the comparisons.

    One of fewer than six samples has its number, its mean and the verdict `underpowered`, and is tested in no way.
    """
    found = [
        _Tested(comparison, clusters_of(list(comparison.by_repo.values())), _head(comparison))
        for comparison in compared
    ]
    tested = [one for one in found if len(one.comparison.differences) >= MIN_SAMPLES]
    _add_intervals(tested, choice)
    families = dict(_add_tests(tested, choice))
    groups: dict[str, Any] = {}
    for one in found:
        group, arm, baseline, metric = one.comparison.place
        groups.setdefault(group, {}).setdefault(arm, {}).setdefault(baseline, {})[metric] = one.block
    return {**choice.as_json(), "words": WORDS, "families": families, "groups": groups}


def _groups(row: Row) -> Sequence[str]:
    return "all", f"task:{row['task_type']}"


def _head(comparison: Comparison) -> dict[str, Any]:
    return {
        "n": len(comparison.differences),
        "repositories": len(comparison.by_repo),
        "mean_diff": mean(comparison.differences),
        "verdict": "underpowered",
    }


def _add_intervals(tested: Sequence[_Tested], choice: InferenceChoice) -> None:
    """Intervals, the verdict, and what else is read from intervals."""
    differences = [one.comparison.differences for one in tested]
    clustered = clustered_means([one.clusters for one in tested])
    corrected = bca_means(differences) if "bca" in choice.names else [None] * len(tested)
    for one, by_sample, bca, by_repository in zip(
        tested, bootstrap_means(differences), corrected, clustered, strict=True
    ):
        intervals = {"sample": by_sample, "bca": bca, "clustered": by_repository}
        deciding = by_sample if by_repository is None else by_repository
        differing = sum(difference != 0 for difference in one.comparison.differences)
        one.block["intervals"] = {name: _ends(ends) for name, ends in intervals.items() if ends is not None}
        one.block["decided_by"] = "sample" if by_repository is None else "clustered"
        one.block["verdict"] = verdict(deciding, choice.margin, differing)
        if "non-inferiority" in choice.names:
            one.block["not_inferior"] = not_inferior(deciding, choice.margin)
        if "equivalence" in choice.names:
            one.block["equivalent"] = equivalent(deciding, choice.margin)
        if "power" in choice.names:
            one.block["detectable"] = _detectable(one)


def _ends(interval: Interval) -> dict[str, float]:
    return {"low": rounded(interval[0]), "high": rounded(interval[1])}


def _detectable(one: _Tested) -> dict[str, float]:
    """Cut at 1: no two values of a metric lie further apart."""
    by_repository = detectable_by_cluster(one.clusters)
    found = {"sample": detectable_by_sample(one.comparison.differences)}
    found |= {} if by_repository is None else {"clustered": by_repository}
    return {name: rounded(min(1, value)) for name, value in found.items()}


def _add_tests(tested: Sequence[_Tested], choice: InferenceChoice) -> Iterator[tuple[str, dict[str, Any]]]:
    """Adds the tests that are asked for to the blocks, and gives their families by name."""
    if "randomization" in choice.names:
        _add_probabilities("randomization", tested, sign_flips([one.comparison.differences for one in tested]))
        grouped = [one for one in tested if len(one.clusters.sizes) >= MIN_CLUSTERS]
        _add_probabilities(BY_REPOSITORY, grouped, sign_flips([one.clusters.sums for one in grouped]))
    if "mcnemar" in choice.names:
        for one in tested:
            if one.comparison.place[3] in _YES_OR_NO:
                _tests(one)["mcnemar"] = _mcnemar(one.comparison.differences)
    for test in ("randomization", BY_REPOSITORY, "mcnemar"):
        for kind in _KINDS.values():
            family = [
                one for one in tested if test in one.block.get("tests", ()) and _kind(one.comparison.place[0]) == kind
            ]
            if family:
                _correct([one.block["tests"][test] for one in family], choice)
                yield f"{test}, {kind}", _described(test, [one.comparison.place for one in family])
    for one in tested:
        for result in one.block.get("tests", {}).values():
            result.update({name: rounded(result[name]) for name in ("p", *CORRECTIONS) if name in result})


def _tests(one: _Tested) -> dict[str, Any]:
    found: dict[str, Any] = one.block.setdefault("tests", {})
    return found


def _add_probabilities(test: str, tested: Iterable[_Tested], found: Iterable[Probability]) -> None:
    for one, probability in zip(tested, found, strict=True):
        _tests(one)[test] = {"p": probability.p, "exact": probability.exact}


def _mcnemar(differences: Sequence[float]) -> dict[str, Any]:
    counts = Counter(differences)
    return {"p": mcnemar(counts[1], counts[-1]), "exact": True, "only_arm": counts[1], "only_baseline": counts[-1]}


def _kind(group: str) -> str:
    return _KINDS[group.partition(":")[0]]


def _correct(results: Sequence[dict[str, Any]], choice: InferenceChoice) -> None:
    """Adds to each result of a family its adjusted p values."""
    p_values = [result["p"] for result in results]
    for name, correction in (("holm", holm), ("bh", benjamini_hochberg)):
        if name in choice.names:
            for result, adjusted in zip(results, correction(p_values), strict=True):
                result[name] = adjusted


def _described(test: str, places: Sequence[tuple[str, str, str, str]]) -> dict[str, Any]:
    """A family in words: which tests were run, and how many."""
    groups, arms, baselines, metrics = (list(dict.fromkeys(column)) for column in zip(*places, strict=True))
    named = f"{', '.join(arms)} against {', '.join(baselines)} in {', '.join(metrics)}; {', '.join(groups)}"
    return {"test": test, "size": len(places), "name": named}
