"""`arb:lexical`: tokens weighted by their rareness, and paths and symbols that the query names (ARB 3.1)."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from pytest_retrieval_bench.arms.arb.chunk_ranking import ranked_by_best_chunk
from pytest_retrieval_bench.arms.arb.corpus import Candidates
from pytest_retrieval_bench.arms.arb.matches import matches
from pytest_retrieval_bench.arms.arb.ranker import Ranker
from pytest_retrieval_bench.index.chunk_index import ChunkIndex
from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

PATH_BONUS, NAME_BONUS, SYMBOL_BONUS = 25.0, 8.0, 5.0


class Lexical(Ranker):
    """Ranks files by their best chunk.

    The score of a chunk is the sum over distinct query tokens in it of (1 + ln count in query) * ln((N + 1) / (1 + df)
    + 1), plus 25 where the query text holds its path, 8 for the last part of the path, and 5 for its symbol, all in
    lower case and as plain substrings; divided by the root of the number of its distinct tokens.

    As in the benchmark's toolkit, the bonuses are divided too, the name of a member of the query counts as a token of
    it, and every document holds the word `file` or `symbol`. All candidates are ranked, those that score 0 as well.
    """

    def ranked(self, query: Query, snapshot: Snapshot, candidates: Candidates) -> Answer:
        """The whole ranking, scored by the best chunk of each file."""
        index = self.corpus.indexes.of(snapshot)
        found = matches(query.text, index.tokens, candidates.rows)
        total = int(candidates.rows.sum())
        weights = [
            (1.0 + math.log(count)) * math.log((total + 1) / (1 + frequency) + 1.0)
            for count, frequency in zip(found.in_query, found.in_rows, strict=True)
        ]
        sums = found.summed(np.array(weights)[found.tokens], len(candidates.rows))
        scores = _with_bonuses(sums, index, query.text.lower()) / np.maximum(1.0, np.sqrt(index.distinct))
        return ranked_by_best_chunk(index.table, candidates, scores)


def _with_bonuses(sums: npt.NDArray[np.float64], index: ChunkIndex, lowered_query: str) -> npt.NDArray[np.float64]:
    """The sums of the rows, with what they get for a path, a name and a symbol that the query holds."""
    paths = index.table.paths
    # A path is in the query only where its last part is, and most of these are not.
    named = [number for number, path in enumerate(paths) if path.rpartition("/")[2].lower() in lowered_query]
    whole = [number for number in named if paths[number].lower() in lowered_query]
    symbols = [number for number, symbol in enumerate(index.symbols) if number and symbol.lower() in lowered_query]
    for numbers, of_rows, bonus in (
        (whole, index.table.files, PATH_BONUS),
        (named, index.table.files, NAME_BONUS),
        (symbols, index.symbol_numbers, SYMBOL_BONUS),
    ):
        sums[np.isin(of_rows, numbers)] += bonus
    return sums
