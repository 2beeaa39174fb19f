"""p values corrected for how many tests a family has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import false_discovery_control


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p values, in the order given: below 5%, no test of the family is wrong in 95% of families.

    Holds whatever the tests have to do with each other.

    Source: S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6
    (1979).
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Adjusted p values, in the order given: of the tests below 5%, at most 5% are wrong on average.

    Holds for tests that are independent or pull in one direction.

    Source: Y. Benjamini, Y. Hochberg, Controlling the false discovery rate, JRSS B 57 (1995).
    """
    adjusted: list[float] = false_discovery_control(np.array(p_values, np.float64), method="bh").tolist()
    return adjusted
