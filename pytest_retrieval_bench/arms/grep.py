"""`grep`: how many distinct words of the query a file holds (PROTOCOL 4)."""

from __future__ import annotations

import numpy as np

from pytest_retrieval_bench.arms.ranked import ranked
from pytest_retrieval_bench.index.store import IndexStore
from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.text.tokens import grep_terms


class Grep:
    """Ranks by distinct query terms, one that the path has counting double, then by occurrences, then by path."""

    name = "grep"

    def __init__(self, indexes: IndexStore) -> None:
        self._indexes = indexes

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """The whole ranking, scored by the number of distinct terms."""
        index = self._indexes.of(snapshot)
        terms = grep_terms(query.text)
        distinct = np.zeros(len(index.paths), np.int64)
        occurrences = np.zeros(len(index.paths), np.int64)
        for term, hits in zip(terms, index.substrings(terms), strict=True):
            distinct[hits.files] += 1
            occurrences[hits.files] += hits.counts
            in_path = index.paths_with_token(term)
            if in_path:
                distinct[in_path] += 2
                distinct[np.intersect1d(in_path, hits.files)] -= 1
        return ranked(index.paths, distinct, occurrences)
