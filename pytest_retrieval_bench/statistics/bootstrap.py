"""Bootstrap intervals of means (PROTOCOL 6)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
Interval = tuple[float, float]

RESAMPLES = 4000
_CUT = 100
_SEED = 1
_AT_ONCE = 64  # columns whose sums fit into a processor's cache


def bootstrap_means(samples: Sequence[Sequence[float]]) -> list[Interval]:
    """For each sample, of one value or more: the percentile 95% interval of its mean.

    4,000 resamples, 100 cut at either end. An interval depends on the values alone, not on their order nor on the other
    samples: values are sorted, each interval is drawn with the same seed from the frozen stream of numpy's
    `RandomState`, and sums go term by term, without BLAS.

    Source: B. Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7 (1979).
    """
    intervals: list[Interval] = [(0, 0)] * len(samples)
    of_length: dict[int, list[int]] = {}
    for place, sample in enumerate(samples):
        of_length.setdefault(len(sample), []).append(place)
    for places in of_length.values():
        for start in range(0, len(places), _AT_ONCE):
            batch = places[start : start + _AT_ONCE]
            ends = _of_columns(np.array([samples[place] for place in batch], np.float64).T)
            for place, low, high in zip(batch, *ends, strict=True):
                intervals[place] = (low, high)
    return intervals


def _of_columns(columns: Doubles) -> tuple[list[float], list[float]]:
    """The lower and the upper ends; samples of one length share the draws."""
    n, count = columns.shape
    ordered = np.sort(columns, axis=0)
    random = np.random.RandomState(_SEED)
    sums = np.zeros((RESAMPLES, count))
    for _ in range(n):
        sums += ordered[random.randint(0, n, RESAMPLES, np.int32)]
    means = np.sort(sums / n, axis=0)
    return means[_CUT].tolist(), means[RESAMPLES - _CUT - 1].tolist()
