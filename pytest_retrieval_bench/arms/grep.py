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

    timeout_s: float | None = None
    name = "grep"

    def __init__(self, indexes: IndexStore) -> None:
        self._indexes = indexes

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """The whole ranking, scored by the number of distinct terms."""
        index = self._indexes.of(snapshot)
        terms = grep_terms(query.text)
        in_text, in_path = index.substrings(terms), index.path_tokens.hits([term.encode() for term in terms])
        once, twice, both = (
            np.bincount(hits.files, minlength=len(index.paths)) for hits in (in_text, in_path, in_text.shared(in_path))
        )
        occurrences = np.bincount(in_text.files, in_text.counts, minlength=len(index.paths))
        return ranked(index.paths, once + 2 * twice - both, occurrences)
