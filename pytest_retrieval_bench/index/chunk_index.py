"""The tokens of the chunks of a snapshot: what the chunk-level rankers of Agent Retrieval Bench count (ARB 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pytest_retrieval_bench.index.chunk_table import ChunkTable, numbers
from pytest_retrieval_bench.index.per_snapshot import PerSnapshot
from pytest_retrieval_bench.index.postings import Ints, Postings, summed
from pytest_retrieval_bench.index.token_counter import TokenCounter
from pytest_retrieval_bench.index.vocabulary import NumberedPostings
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

Floats = npt.NDArray[np.float64]

# A repository's counts are dropped, and gathered anew from the next snapshot on, above this.
_MAX_HELD_CHARACTERS = 256 * 2**20


@dataclass(frozen=True, eq=False)
class ChunkIndex:
    """The rows of a `ChunkTable` as documents of path, symbol, kind and text, and the bench tokens of them.

    Row i has the symbol `symbols[symbol_numbers[i]]`; the first of the distinct symbols is the empty one.
    """

    table: ChunkTable
    symbols: Sequence[str]
    symbol_numbers: Ints
    tokens: Postings

    @cached_property
    def lengths(self) -> Floats:
        """The number of tokens of each row."""
        matrix = self.tokens.matrix
        return summed(matrix.indices, matrix.data, matrix.shape[1])

    @cached_property
    def distinct(self) -> Floats:
        """The number of distinct tokens of each row."""
        matrix = self.tokens.matrix
        return np.bincount(matrix.indices, minlength=matrix.shape[1]).astype(np.float64)


class ChunkIndexBuilder:
    """Counts the texts of a repository's snapshots once, as long as they come one after the other."""

    def __init__(self, tables: PerSnapshot[ChunkTable]) -> None:
        self._tables = tables
        self._repo = ""
        self._texts = TokenCounter()

    def build(self, snapshot: Snapshot) -> ChunkIndex:
        """The index of a snapshot.

        Raises SnapshotError when it cannot be read.
        """
        if snapshot.repo != self._repo or self._texts.held_characters > _MAX_HELD_CHARACTERS:
            self._repo, self._texts = snapshot.repo, TokenCounter()
        table = self._tables.of(snapshot)
        symbols = list(dict.fromkeys(["", *(row.symbol for row in table.rows)]))
        kinds = list(dict.fromkeys(row.kind for row in table.rows))
        symbol_numbers = numbers([row.symbol for row in table.rows], symbols)
        kind_numbers = numbers([row.kind for row in table.rows], kinds)
        counts = self._texts.count([*table.paths, *symbols, *kinds, *(row.text for row in table.rows)])
        ends = np.cumsum([len(table.paths), len(symbols), len(kinds)])
        heads = counts[table.files] + counts[ends[0] + symbol_numbers] + counts[ends[1] + kind_numbers]
        documents = heads + counts[ends[2] :]
        return ChunkIndex(table, symbols, symbol_numbers, NumberedPostings(self._texts.tokens, documents))
