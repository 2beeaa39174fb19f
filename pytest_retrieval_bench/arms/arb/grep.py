"""`arb:grep-strict` and `arb:grep-expanded`: what a person would search for, and where it is found (ARB 3.4)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from pytest_retrieval_bench.arms.arb.chunk_ranking import chunk_of, packed
from pytest_retrieval_bench.arms.arb.corpus import Candidates, Corpus
from pytest_retrieval_bench.arms.arb.patterns import Pattern, search_patterns
from pytest_retrieval_bench.arms.arb.ranker import Ranker
from pytest_retrieval_bench.index.postings import Ints, Longs, summed
from pytest_retrieval_bench.index.search_texts import SearchTexts
from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

Floats = npt.NDArray[np.float64]

_IN_FILE_PATH, _IN_PATH, _IN_NAME, _IN_SYMBOL = 2.0, 1.35, 1.1, 1.2
_MAX_BONUS, _BONUS = 2.0, 0.25


class PatternGrep(Ranker):
    """Ranks files by the patterns of the query that they match; those that match none are not ranked.

    A chunk scores for a pattern its weight for each of path, last part of the path, symbol and text that hold it, each
    by a factor. The score of a file is the sum over patterns of its best chunk for the pattern, and up to 2 for the
    number of its matching chunks. Ties by the number of matched patterns, then by the best chunk, then by path.
    """

    def __init__(self, name: str, corpus: Corpus, *, expanded: bool) -> None:
        super().__init__(name, corpus)
        self._expanded = expanded

    def ranked(self, query: Query, snapshot: Snapshot, candidates: Candidates) -> Answer:
        """The whole ranking, scored as above."""
        texts = self.corpus.texts.of(snapshot)
        found = _FoundPatterns(texts, search_patterns(query.text, expanded=self._expanded))
        files = np.flatnonzero((found.counts > 0) & candidates.files)
        order = files[np.lexsort((-found.best[files], -found.counts[files], -found.scores[files]))]
        table = texts.table
        paths = tuple(table.paths[number] for number in order.tolist())
        # The toolkit shows the path where a row has no text.
        rows = (table.rows[number] for number in found.best_rows(order))
        chunks = packed(chunk_of(row, row.text or row.path) for row in rows)
        return Answer(paths, tuple(found.scores[order].tolist()), chunks=chunks)


class _FoundPatterns:
    """By file: its score, the number of patterns found in it, and the best sum of one of its chunks."""

    def __init__(self, texts: SearchTexts, patterns: Sequence[Pattern]) -> None:
        table = texts.table
        self._table = table
        self._totals = totals = np.zeros(len(table.rows))
        found: list[tuple[Ints, Floats, Longs]] = []
        for pattern in patterns:
            rows, values = _found(texts, pattern)
            totals[rows] += values
            if len(rows):
                starts = np.flatnonzero(np.diff(table.files[rows], prepend=-1))
                found.append((table.files[rows[starts]], np.maximum.reduceat(values, starts), rows[starts]))
        none = (np.zeros(0, np.int32), np.zeros(0), np.zeros(0, np.int64))
        files, best, first_rows = map(np.concatenate, zip(*found, none, strict=True))
        # The toolkit adds the patterns of a file in the order in which its chunks first matched them.
        order = np.argsort(first_rows, kind="stable")
        self.counts = np.bincount(files, minlength=len(table.paths))
        self.best = np.maximum.reduceat(totals, table.starts)
        hits = np.add.reduceat(totals > 0, table.starts, dtype=np.int64).tolist()
        bonus = [min(_MAX_BONUS, math.log1p(count) * _BONUS) for count in hits]
        self.scores = summed(files[order], best[order], len(table.paths)) + bonus

    def best_rows(self, files: Longs) -> Iterator[int]:
        """Of each file the first of its best chunks."""
        for file in files.tolist():
            start = int(self._table.starts[file])
            end = int(np.searchsorted(self._table.files, file, side="right"))
            yield start + int(self._totals[start:end].argmax())


def _found(texts: SearchTexts, pattern: Pattern) -> tuple[Longs, Floats]:
    """The rows that match a pattern, ascending, and what each scores for it."""
    term, weight = pattern.term, pattern.weight
    places = (
        (texts.in_path(term), weight * (_IN_FILE_PATH if pattern.kind == "file_path" else _IN_PATH)),
        (texts.in_name(term), weight * _IN_NAME),
        (texts.in_symbol(term), weight * _IN_SYMBOL),
        (texts.word_in_text(term) if pattern.kind == "token" else texts.in_text(term), weight),
    )
    values = np.zeros(len(texts.table.rows))
    for rows, value in places:
        values[rows] += value
    matched = np.flatnonzero(values)
    return matched, values[matched]
