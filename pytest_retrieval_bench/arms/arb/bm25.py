"""`arb:bm25`: BM25 over chunks (ARB 3.2)."""

from __future__ import annotations

import math

import numpy as np

from pytest_retrieval_bench.arms.arb.chunk_ranking import ranked_by_best_chunk
from pytest_retrieval_bench.arms.arb.corpus import Candidates
from pytest_retrieval_bench.arms.arb.matches import matches
from pytest_retrieval_bench.arms.arb.ranker import Ranker
from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

K1, B = 1.5, 0.75


class ChunkBM25(Ranker):
    """Ranks files by their best chunk, by BM25 with k1 1.5 and b 0.75; ties by path.

    As in the benchmark's toolkit, a token counts as often as the query holds it, nothing is given for a path that the
    query names, and a document is path, symbol, kind and text. All candidates are ranked, those that score 0 as well.
    """

    def ranked(self, query: Query, snapshot: Snapshot, candidates: Candidates) -> Answer:
        """The whole ranking, scored by the best chunk of each file."""
        index = self.corpus.indexes.of(snapshot)
        found = matches(query.text, index.tokens, candidates.rows)
        total, lengths = int(candidates.rows.sum()), index.lengths
        mean_length = float(lengths[candidates.rows].sum()) / total
        weights = [
            count * math.log(1.0 + (total - frequency + 0.5) / (frequency + 0.5))
            for count, frequency in zip(found.in_query, found.in_rows, strict=True)
        ]
        # Each operation in the order in which the toolkit has it: the last digit decides ties.
        frequency = found.counts.astype(np.float64)
        norm = (1.0 - B) + B * (lengths[found.rows] / mean_length)
        values = np.array(weights)[found.tokens] * ((frequency * (K1 + 1.0)) / (frequency + K1 * norm))
        return ranked_by_best_chunk(index.table, candidates, found.summed(values, len(candidates.rows)))
