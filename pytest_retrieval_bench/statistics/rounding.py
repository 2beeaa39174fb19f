"""How summaries round: six decimals, half away from zero (PROTOCOL 6)."""

from __future__ import annotations

import math
from collections.abc import Sequence


def rounded(value: float) -> float:
    """The value at six decimals, half away from zero; negative zero becomes 0."""
    scaled = abs(value) * 1e6
    if scaled >= 2**52:  # no digits are left behind the sixth
        return value
    whole = math.floor(scaled)
    return math.copysign((whole + (scaled - whole >= 0.5)) / 1e6, value) + 0.0


def mean(values: Sequence[float]) -> float:
    """The mean at six decimals, whatever the order of the values."""
    return rounded(math.fsum(values) / len(values))
