"""From scores of files to a ranking."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pytest_retrieval_bench.model import Answer

Scores = npt.NDArray[np.float64] | npt.NDArray[np.int64]


def ranked(paths: Sequence[str], scores: Scores, *tie_breakers: Scores) -> Answer:
    """The files that score above zero, best first; ties by the tie breakers, more first, then by place in `paths`."""
    found = np.flatnonzero(scores > 0)
    keys = [-key[found] for key in reversed((scores, *tie_breakers))]
    order = found[np.lexsort(keys)]
    return Answer(tuple(paths[number] for number in order.tolist()), tuple(scores[order].tolist()))
