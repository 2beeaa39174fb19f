"""From scores of chunks to a ranking of files (ARB 3)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pytest_retrieval_bench.arms.arb.corpus import Candidates
from pytest_retrieval_bench.index.chunk_table import ChunkTable
from pytest_retrieval_bench.model import Answer


def ranked_by_best_chunk(table: ChunkTable, candidates: Candidates, scores: npt.NDArray[np.floating]) -> Answer:
    """Every candidate file by the score of its best row, ties by path; files without any match come last.

    `scores` are those of the rows of the table.
    """
    best = np.maximum.reduceat(scores, table.starts)
    files = np.flatnonzero(candidates.files)
    order = files[np.argsort(-best[files], kind="stable")]
    return Answer(tuple(table.paths[number] for number in order.tolist()), tuple(best[order].tolist()))
