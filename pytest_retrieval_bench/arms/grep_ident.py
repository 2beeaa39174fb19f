"""`grep-ident`: what a person types into a search box, the identifiers of the query (PROTOCOL 4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pytest_retrieval_bench.arms.evidence import Evidence
from pytest_retrieval_bench.arms.ranked import ranked
from pytest_retrieval_bench.index.postings import Hits, Longs
from pytest_retrieval_bench.index.snapshot_index import SnapshotIndex
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
        in_text, in_path = _found(query_identifiers(dict(query.fields)), index)
        distinct = np.bincount(in_text.files, minlength=len(index.paths))
        for files in in_path:
            distinct[files] += 1  # once, however often the path holds the identifier
        occurrences = np.bincount(in_text.files, in_text.counts, minlength=len(index.paths))
        return ranked(index.paths, distinct, occurrences)

    def explain(
        self, query: Query, snapshot: Snapshot, answer: Answer, paths: Sequence[str]
    ) -> dict[str, list[Evidence]]:
        """The identifiers in the text and in the path of each file, each place counting once."""
        index, identifiers = self._indexes.of(snapshot), query_identifiers(dict(query.fields))
        in_text, in_path = _found(identifiers, index)
        evidence = {}
        for path, file in index.numbers_of(paths).items():
            counts = {number: int(in_text.counts[hit]) for number, hit in in_text.of_file(file)}
            named = {number for number, files in enumerate(in_path) if file in files}
            evidence[path] = [
                Evidence(
                    identifiers[number],
                    (number in counts) + (number in named),
                    counts.get(number, 0),
                    number in named,
                )
                for number in sorted(counts.keys() | named)
            ]
        return evidence


def _found(identifiers: Sequence[str], index: SnapshotIndex) -> tuple[Hits, list[Longs]]:
    """Where the identifiers are: as whole words of texts, and anywhere in paths, whatever the case there."""
    return index.whole_words(identifiers), index.paths_with([identifier.lower() for identifier in identifiers])
