"""`grep-ident`: what a person types into a search box, the identifiers of the query (PROTOCOL 4)."""

from __future__ import annotations

import numpy as np

from pytest_retrieval_bench.arms.ranked import ranked
from pytest_retrieval_bench.index.store import IndexStore
from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.text.identifiers import query_identifiers


class GrepIdent:
    """Ranks by identifiers found as whole words and in the path, then by occurrences, then by path."""

    timeout_s: float | None = None
    name = "grep-ident"

    def __init__(self, indexes: IndexStore) -> None:
        self._indexes = indexes

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """The whole ranking, scored by the number of identifiers."""
        index = self._indexes.of(snapshot)
        identifiers = query_identifiers(dict(query.fields))
        hits = index.whole_words(identifiers)
        distinct = np.bincount(hits.files, minlength=len(index.paths))
        for files in index.paths_with([identifier.lower() for identifier in identifiers]):
            distinct[files] += 1  # once, however often the path holds the identifier
        occurrences = np.bincount(hits.files, hits.counts, minlength=len(index.paths))
        return ranked(index.paths, distinct, occurrences)
