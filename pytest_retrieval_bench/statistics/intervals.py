"""Intervals for rates (PROTOCOL 6)."""

from __future__ import annotations

import math

from pytest_retrieval_bench.statistics.rounding import rounded

Z_95 = 1.959964


def wilson(successes: int, n: int) -> dict[str, float]:
    """Wilson's 95% interval for a rate: n, rate, low, high; n alone where there is nothing to count.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).
    """
    if n == 0:
        return {"n": 0}
    rate = successes / n
    scale = 1 + Z_95**2 / n
    centre = (rate + Z_95**2 / (2 * n)) / scale
    half = Z_95 * math.sqrt(rate * (1 - rate) / n + Z_95**2 / (4 * n**2)) / scale
    low, high = max(0, centre - half), min(1, centre + half)
    return {"n": n, "rate": rounded(rate), "low": rounded(low), "high": rounded(high)}
