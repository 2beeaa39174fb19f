"""PROTOCOL 6, Summary sections: rounding, group means, Wilson intervals, latency figures."""

import math
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

Z = 1.959964
LATENCY_FLOOR = 30


class Scored(NamedTuple):
    """One sample's metrics under one arm, with what it is grouped by."""

    task_type: str
    stratum: str
    fold: str
    anchor_bearing: bool
    metrics: dict[str, float]


def round_six(value: float) -> float:
    """Six decimals, half away from zero, and no negative zero (PROTOCOL 6)."""
    # Half is judged on the double `value * 1e6`. ROUND_HALF_UP of Decimal is half away from zero.
    millionths = Decimal(value * 1_000_000).to_integral_value(ROUND_HALF_UP)
    return int(millionths) / 1_000_000


def mean_block(members: list[dict[str, float]]) -> dict[str, float]:
    """`n`, `positives` and the mean of every metric over the members that have it (PROTOCOL 6)."""
    block: dict[str, float] = {
        "n": len(members),
        "positives": sum(1 for member in members if "hit@k" in member),
    }
    for name in sorted({name for member in members for name in member}):
        values = [member[name] for member in members if name in member]
        block[name] = round_six(math.fsum(values) / len(values))
    return block


def groups_of(sample: Scored) -> list[str]:
    """The groups that a sample belongs to (PROTOCOL 6)."""
    names = ["all", f"task:{sample.task_type}", f"stratum:{sample.stratum}", f"fold:{sample.fold}"]
    return [*names, "stratum:anchor-bearing"] if sample.anchor_bearing else names


def group_means(samples: list[Scored]) -> dict[str, dict[str, float]]:
    """The mean block of every group that has members (PROTOCOL 6)."""
    names = sorted({name for sample in samples for name in groups_of(sample)})
    return {name: mean_block([sample.metrics for sample in samples if name in groups_of(sample)]) for name in names}


def wilson(values: list[float]) -> dict[str, float]:
    """The Wilson 95% interval of a rate over zeros and ones (PROTOCOL 6)."""
    n = len(values)
    if n == 0:
        return {"n": 0}
    rate = math.fsum(values) / n
    centre = (rate + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z * math.sqrt(rate * (1 - rate) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return {
        "n": n,
        "rate": round_six(rate),
        "low": round_six(centre - half),
        "high": round_six(centre + half),
    }


def intervals(samples: list[Scored], limit: int) -> dict[str, dict[str, float]]:
    """The two intervals of an arm: hits over positives, success over all (PROTOCOL 6)."""
    return {
        f"hit@{limit}": wilson([sample.metrics["hit@k"] for sample in samples if "hit@k" in sample.metrics]),
        "selective_success": wilson([sample.metrics["selective_success"] for sample in samples]),
    }


def nearest_rank(values: list[float], percent: int) -> float:
    """The value at rank ceil(p n), from one, of the sorted values (PROTOCOL 6)."""
    rank = -(-percent * len(values) // 100)  # the ceiling, in whole numbers
    return sorted(values)[rank - 1]


def latency_figures(wall_ms: list[float]) -> dict[str, float | str]:
    """The latency figures of one arm under one label (PROTOCOL 6)."""
    if len(wall_ms) < LATENCY_FLOOR:
        return {"n": len(wall_ms), "state": "NOT_RUN"}
    median = nearest_rank(wall_ms, 50)
    return {
        "n": len(wall_ms),
        "min_ms": round_six(min(wall_ms)),
        "p50_ms": round_six(median),
        "p95_ms": round_six(nearest_rank(wall_ms, 95)),
        "max_ms": round_six(max(wall_ms)),
        "mad_ms": round_six(nearest_rank([abs(value - median) for value in wall_ms], 50)),
    }
