"""From scores of chunks to a ranking of files, and to the chunks that come first (ARB 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

import numpy as np
import numpy.typing as npt

from pytest_retrieval_bench.arms.arb.corpus import Candidates
from pytest_retrieval_bench.index.chunk_table import ChunkTable
from pytest_retrieval_bench.model import PACKED_CHARS, Answer, Chunk
from pytest_retrieval_bench.snapshots.chunk_row import ChunkRow


def ranked_by_best_chunk(table: ChunkTable, candidates: Candidates, scores: npt.NDArray[np.floating]) -> Answer:
    """Every candidate file by the score of its best row, ties by path; files without any match come last.

    `scores` are those of the rows of the table. The rows that come first go with it, ties by path and id.
    """
    best = np.maximum.reduceat(scores, table.starts)
    files = np.flatnonzero(candidates.files)
    order = files[np.argsort(-best[files], kind="stable")]
    return Answer(
        tuple(table.paths[number] for number in order.tolist()),
        tuple(best[order].tolist()),
        chunks=packed(chunk_of(row) for row in _in_order(table, candidates, scores)),
    )


def chunk_of(row: ChunkRow, text: str | None = None) -> Chunk:
    """A row as it is ranked, with its own text or another one."""
    known = 1 <= row.start_line <= row.end_line
    chars = len(row.text if text is None else text)
    return Chunk(row.path, (row.start_line, row.end_line) if known else None, row.kind, row.symbol, row.id, chars)


def packed(chunks: Iterable[Chunk]) -> tuple[Chunk, ...]:
    """As many of the chunks as fill what is measured of a ranking, and the first one that does not fit."""
    kept, used = [], 0
    for chunk in chunks:
        kept.append(chunk)
        used += chunk.chars
        if used > PACKED_CHARS:
            break
    return tuple(kept)


def _in_order(table: ChunkTable, candidates: Candidates, scores: npt.NDArray[np.floating]) -> Iterator[ChunkRow]:
    """The candidate rows, best first, ties by path and id."""
    rows = np.flatnonzero(candidates.rows)
    # Rows stand in the order of paths, so that those which share score and path come together.
    order = rows[np.argsort(-scores[rows], kind="stable")].tolist()
    for _, alike in groupby(order, lambda number: (scores[number], table.files[number])):
        yield from sorted((table.rows[number] for number in alike), key=lambda row: row.id)
