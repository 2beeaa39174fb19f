"""Distributions of wall times; never a mean (PROTOCOL 6)."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_retrieval_bench.statistics.rounding import rounded

MIN_SAMPLES = 30


def latency(times_ms: Sequence[float]) -> dict[str, float | str]:
    """Milliseconds: minimum, nearest-rank p50 and p95, maximum, median absolute deviation.

    Fewer than 30 times say nothing about a distribution and give the state NOT_RUN.
    """
    if len(times_ms) < MIN_SAMPLES:
        return {"n": len(times_ms), "state": "NOT_RUN"}
    median = percentile(times_ms, 50)
    return {
        "n": len(times_ms),
        "min_ms": rounded(min(times_ms)),
        "p50_ms": rounded(median),
        "p95_ms": rounded(percentile(times_ms, 95)),
        "max_ms": rounded(max(times_ms)),
        "mad_ms": rounded(percentile([abs(time - median) for time in times_ms], 50)),
    }


def percentile(values: Sequence[float], percent: int) -> float:
    """The value at the nearest rank, ceil(percent / 100 * n), at least the first; of one value or more."""
    rank = max(1, -(-len(values) * percent // 100))
    return sorted(values)[rank - 1]
