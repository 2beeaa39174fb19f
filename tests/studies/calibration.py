"""How often intervals hold the truth, and tests and gates raise a false alarm: a simulation, run by hand.

    python -m tests.studies.calibration > table.md

takes about four minutes of one core. pytest does not collect it: its name is none of a test.

Benchmarks of 58 to 345 samples lie in 25 repositories (fewer where a share rounds to nothing) of which four hold 59%.
Two arms find each of one to three gold files of a sample with a probability of their own; the true difference of the
two varies between repositories, uniformly around its mean, and so does the level of both. The truth to be covered is
that mean: what to expect of repositories like these. Recall has this mean exactly, and so has hit@k with one gold file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pytest_retrieval_bench.statistics.bca import bca_means
from pytest_retrieval_bench.statistics.bootstrap import RESAMPLES, Doubles, Interval, bootstrap_means
from pytest_retrieval_bench.statistics.clustered import Clusters, clustered_means, clusters_of, resampled_cluster_means
from pytest_retrieval_bench.statistics.corrections import benjamini_hochberg, holm
from pytest_retrieval_bench.statistics.intervals import wilson
from pytest_retrieval_bench.statistics.mcnemar import mcnemar
from pytest_retrieval_bench.statistics.randomization import sign_flips
from pytest_retrieval_bench.statistics.verdicts import not_inferior, verdict

# 345 positive samples as the Agent Retrieval Bench spreads them: 88 in one repository, 203 in four.
SIZES = (88, 50, 36, 29, 20, 18, 15, 12, 10, 9, 8, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 1)
BENCHMARKS = (58, 120, 230, 345)
EFFECTS = (0, 0.05, 0.1, 0.15)  # standard deviation of the true difference between repositories
MARGIN = 0.05
FAMILY = 10
REPLICATIONS = 4000
_GOLD_FILES = (1, 1, 1, 2, 3)
_SEED = 20
_LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One simulated benchmark: differences in recall and in hit@k, and the hits of the first arm."""

    repositories: list[int]
    recall: list[float]
    hit: list[float]
    hits: int

    def clusters(self, differences: Sequence[float]) -> Clusters:
        groups: dict[int, list[float]] = {}
        for repository, difference in zip(self.repositories, differences, strict=True):
            groups.setdefault(repository, []).append(difference)
        return clusters_of(list(groups.values()))


def sizes(n: int) -> list[int]:
    """The sizes of the repositories of a benchmark of n samples: the shares of SIZES, by largest remainder."""
    shares = [size * n / sum(SIZES) for size in SIZES]
    whole = [int(share) for share in shares]
    by_remainder = sorted(range(len(SIZES)), key=lambda place: whole[place] - shares[place])
    for place in by_remainder[: n - sum(whole)]:
        whole[place] += 1
    return [size for size in whole if size]


def simulate(random: np.random.Generator, n: int, effect: float, difference: float) -> Benchmark:
    of_sizes = sizes(n)
    repositories = np.repeat(np.arange(len(of_sizes)), of_sizes)
    spread = np.sqrt(3) * effect  # a uniform variable between -spread and spread has this standard deviation
    level = 0.5 + random.uniform(-0.1, 0.1, n) + random.uniform(-spread, spread, len(of_sizes))[repositories] / 2
    half = (difference + random.uniform(-spread, spread, len(of_sizes))[repositories]) / 2
    golds = random.choice(_GOLD_FILES, n)
    first = random.random((n, max(_GOLD_FILES)))
    second = np.where(random.random(first.shape) < 0.5, first, random.random(first.shape))  # arms resemble each other
    counted = np.arange(max(_GOLD_FILES)) < golds[:, np.newaxis]
    found = (first < (level + half)[:, np.newaxis]) & counted, (second < (level - half)[:, np.newaxis]) & counted
    recalls, hits = [hit.sum(axis=1) / golds for hit in found], [hit[:, 0].astype(float) for hit in found]
    return Benchmark(
        repositories.tolist(), (recalls[0] - recalls[1]).tolist(), (hits[0] - hits[1]).tolist(), int(hits[0].sum())
    )


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured at one size and one effect: shares of replications, by column."""

    n: int
    effect: float
    coverage: dict[str, float]
    alarms: dict[str, float]
    families: dict[str, list[bool]]


def measure(n: int, effect: float, replications: int) -> Measured:
    random = np.random.default_rng([_SEED, n, int(1000 * effect)])
    equal = [simulate(random, n, effect, 0) for _ in range(replications)]
    worse = [simulate(random, n, effect, -MARGIN) for _ in range(replications)]
    recall, clusters = [run.recall for run in equal], [run.clusters(run.recall) for run in equal]
    by_sample, by_repository = bootstrap_means(recall), present(clustered_means(clusters))
    at_the_margin = present(clustered_means([run.clusters(run.recall) for run in worse]))
    samples_at_the_margin = bootstrap_means([run.recall for run in worse])
    rates = [wilson(run.hits, n) for run in equal]
    tests = {
        "randomization": [found.p for found in sign_flips(recall)],
        "randomization by repository": [found.p for found in sign_flips([one.sums for one in clusters])],
        "McNemar": [mcnemar(run.hit.count(1), run.hit.count(-1)) for run in equal],
    }
    families = [
        tests["randomization by repository"][start : start + FAMILY] for start in range(0, replications, FAMILY)
    ]
    return Measured(
        n,
        effect,
        coverage={
            "Wilson (hit rate)": share([rate["low"] <= 0.5 <= rate["high"] for rate in rates]),
            "sample": covered(by_sample, 0),
            "BCa": covered(bca_means(recall), 0),
            "by repository, plain ends": covered(plain(clusters), 0),
            "**clustered**": covered(by_repository, 0),
            "**clustered**, difference -0.05": covered(at_the_margin, -MARGIN),
        },
        alarms={
            **{test: share([p < _LEVEL for p in found]) for test, found in tests.items()},
            "beats, sample": beats(by_sample, equal),
            "**beats**": beats(by_repository, equal),
            "no regression, sample": share([not_inferior(ends, MARGIN) for ends in samples_at_the_margin]),
            "**no regression**": share([not_inferior(ends, MARGIN) for ends in at_the_margin]),
            "fails an equal arm": share([not not_inferior(ends, MARGIN) for ends in by_repository]),
        },
        families={
            "uncorrected": [min(family) < _LEVEL for family in families],
            "Holm": [min(holm(family)) < _LEVEL for family in families],
            "Benjamini-Hochberg": [min(benjamini_hochberg(family)) < _LEVEL for family in families],
        },
    )


def present(intervals: Sequence[Interval | None]) -> list[Interval]:
    return [ends for ends in intervals if ends is not None]


def plain(samples: Sequence[Clusters]) -> list[Interval]:
    """The clustered interval without wider ends; the samples have clusters of the same sizes."""
    sums: Doubles = np.array([sample.sums for sample in samples]).T
    means = resampled_cluster_means(samples[0].sizes, sums)
    cut = RESAMPLES // 40
    return list(zip(means[cut].tolist(), means[-cut - 1].tolist(), strict=True))


def covered(intervals: Sequence[Interval], truth: float) -> float:
    return share([low <= truth <= high for low, high in intervals])


def beats(intervals: Sequence[Interval], runs: Sequence[Benchmark]) -> float:
    differing = [sum(difference != 0 for difference in run.recall) for run in runs]
    return share([verdict(*pair) == "better" for pair in zip(intervals, [MARGIN] * len(runs), differing, strict=True)])


def share(cases: Sequence[bool]) -> float:
    return sum(cases) / len(cases)


def tables(replications: int = REPLICATIONS) -> Iterator[str]:
    """The lines of the study's result, in Markdown."""
    found = [measure(n, effect, replications) for effect in EFFECTS for n in BENCHMARKS]
    yield from [f"Coverage of 95% intervals, in percent of {replications:,} benchmarks a row:", ""]
    yield from _table(found, [one.coverage for one in found])
    yield from ["", f"False alarms, in percent of {replications:,} benchmarks a row:", ""]
    yield from _table(found, [one.alarms for one in found])
    count = len(found) * len(found[0].families["Holm"])
    yield from [
        "",
        f"At least one false alarm among {FAMILY} tests by repository, in percent of {count:,} families:",
        "",
    ]
    pooled = {name: [case for one in found for case in one.families[name]] for name in found[0].families}
    yield from [_row(list(pooled)), _row(["---:"] * len(pooled)), _row([_percent(share(c)) for c in pooled.values()])]


def _table(found: Sequence[Measured], shares: Sequence[dict[str, float]]) -> Iterator[str]:
    yield _row(["repository effect", "n", *shares[0]])
    yield _row(["---:"] * (len(shares[0]) + 2))
    for one, row in zip(found, shares, strict=True):
        yield _row([f"{one.effect:g}", str(one.n), *map(_percent, row.values())])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in tables())
