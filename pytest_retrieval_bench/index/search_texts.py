"""The chunks of a snapshot as a search by substring sees them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pytest_retrieval_bench.index.chunk_table import ChunkTable, numbers
from pytest_retrieval_bench.index.lowered_lines import LoweredLines
from pytest_retrieval_bench.index.postings import Ints, Longs, Postings


@dataclass(frozen=True, eq=False)
class SearchTexts:
    """Where the rows of a `ChunkTable` hold a term in lower case: in the path, its last part, the symbol, the text."""

    table: ChunkTable
    _paths: LoweredLines
    _names: LoweredLines
    _symbols: LoweredLines
    _symbol_numbers: Ints
    _texts: LoweredLines

    @classmethod
    def of(cls, table: ChunkTable) -> SearchTexts:
        """The texts of a table."""
        symbols = list(dict.fromkeys(row.symbol for row in table.rows))
        return cls(
            table,
            LoweredLines([path.replace("\n", "\0") for path in table.paths]),
            LoweredLines([path.replace("\n", "\0").rpartition("/")[2] for path in table.paths]),
            LoweredLines(symbols),
            numbers([row.symbol for row in table.rows], symbols),
            LoweredLines([row.text for row in table.rows]),
        )

    def in_path(self, term: str) -> Longs:
        """The rows whose path holds the term."""
        return np.flatnonzero(np.isin(self.table.files, self._paths.holding(term)))

    def in_name(self, term: str) -> Longs:
        """The rows in whose path the last part holds the term."""
        return np.flatnonzero(np.isin(self.table.files, self._names.holding(term)))

    def in_symbol(self, term: str) -> Longs:
        """The rows whose symbol holds the term."""
        return np.flatnonzero(np.isin(self._symbol_numbers, self._symbols.holding(term)))

    def in_text(self, term: str) -> Longs:
        """The rows whose text holds the term."""
        return self._texts.holding(term)

    def word_in_text(self, term: str) -> Ints:
        """The rows whose text holds the term of [a-z0-9] with no letter, digit or underscore on either side."""
        return self._words.hits([term.encode()]).files

    @cached_property
    def _words(self) -> Postings:
        return self._texts.words()
