"""Bootstrap intervals of means (PROTOCOL 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
Interval = tuple[float, float]

RESAMPLES = 4000
_CUT = 100
SEED = 1
_AT_ONCE = 64  # columns whose sums fit into a processor's cache


def bootstrap_means(samples: Sequence[Sequence[float]]) -> list[Interval]:
    """For each sample, of one value or more: the percentile 95% interval of its mean.

    4,000 resamples, 100 cut at either end. An interval depends on the values alone, not on their order nor on the other
    samples: values are sorted, each interval is drawn with the same seed from the frozen stream of numpy's
    `RandomState`, and sums go term by term, without BLAS.

    Source: B. Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7 (1979).
    """
    intervals: list[Interval] = [(0, 0)] * len(samples)
    for places, columns in of_one_length(samples):
        means = resampled_means(columns)
        ends = means[_CUT].tolist(), means[RESAMPLES - _CUT - 1].tolist()
        for place, low, high in zip(places, *ends, strict=True):
            intervals[place] = (low, high)
    return intervals


def of_one_length(samples: Sequence[Sequence[float]]) -> Iterator[tuple[list[int], Doubles]]:
    """The samples in batches of one length: their places, and their values as ascending columns."""
    of_length: dict[int, list[int]] = {}
    for place, sample in enumerate(samples):
        of_length.setdefault(len(sample), []).append(place)
    for places in of_length.values():
        for start in range(0, len(places), _AT_ONCE):
            batch = places[start : start + _AT_ONCE]
            yield batch, np.sort(np.array([samples[place] for place in batch], np.float64).T, axis=0)


def resampled_means(columns: Doubles) -> Doubles:
    """The means of 4,000 resamples of each column, ascending; the columns share the draws."""
    n, count = columns.shape
    random = np.random.RandomState(SEED)
    sums = np.zeros((RESAMPLES, count))
    for _ in range(n):
        sums += columns[random.randint(0, n, RESAMPLES, np.int32)]
    means: Doubles = np.sort(sums / n, axis=0)
    return means


def quantiles(ascending: Doubles, share: Doubles) -> Doubles:
    """For each column: the value below which its share of the column lies, linear between neighbours."""
    position = share * (len(ascending) - 1)
    below = np.minimum(position.astype(np.intp), len(ascending) - 2)
    columns = np.arange(ascending.shape[1])
    low, high = ascending[below, columns], ascending[below + 1, columns]
    found: Doubles = low + (position - below) * (high - low)
    return found
