"""Discounted cumulative gain (Järvelin and Kekäläinen, ACM TOIS 20, 2002) with binary relevance."""

from __future__ import annotations

import math
from collections.abc import Sequence


def discounted_gain(hits: Sequence[bool]) -> float:
    """The sum of 1 / log2(rank + 1) over the ranks, counted from 1, that are hits."""
    return sum(hit / math.log2(rank + 1) for rank, hit in enumerate(hits, start=1))
