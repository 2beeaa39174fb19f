"""`grep`: how many distinct words of the query a file holds (PROTOCOL 4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pytest_retrieval_bench.arms.evidence import Evidence
from pytest_retrieval_bench.arms.ranked import ranked
from pytest_retrieval_bench.index.postings import Hits
from pytest_retrieval_bench.index.snapshot_index import SnapshotIndex
from pytest_retrieval_bench.index.store import IndexStore
from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.text.tokens import grep_terms

IN_TEXT, IN_PATH = 1, 2


class Grep:
    """Ranks by distinct query terms, one that the path has counting double, then by occurrences, then by path."""

    timeout_s: float | None = None
    name = "grep"

    def __init__(self, indexes: IndexStore) -> None:
        self._indexes = indexes

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """The whole ranking, scored by the number of distinct terms."""
        index = self._indexes.of(snapshot)
        in_text, in_path = _found(grep_terms(query.text), index)
        text, path, both = (
            np.bincount(hits.files, minlength=len(index.paths)) for hits in (in_text, in_path, in_text.shared(in_path))
        )
        occurrences = np.bincount(in_text.files, in_text.counts, minlength=len(index.paths))
        return ranked(index.paths, IN_TEXT * (text - both) + IN_PATH * path, occurrences)

    def explain(
        self, query: Query, snapshot: Snapshot, answer: Answer, paths: Sequence[str]
    ) -> dict[str, list[Evidence]]:
        """The terms in the text and in the path of each file."""
        index, terms = self._indexes.of(snapshot), grep_terms(query.text)
        in_text, in_path = _found(terms, index)
        evidence = {}
        for path, file in index.numbers_of(paths).items():
            counts = {term: int(in_text.counts[hit]) for term, hit in in_text.of_file(file)}
            named = {term for term, _ in in_path.of_file(file)}
            evidence[path] = [
                Evidence(terms[term], IN_PATH if term in named else IN_TEXT, counts.get(term, 0), term in named)
                for term in sorted(counts.keys() | named)
            ]
        return evidence


def _found(terms: Sequence[str], index: SnapshotIndex) -> tuple[Hits, Hits]:
    """Where the terms are: anywhere in texts, and as tokens of paths."""
    return index.substrings(terms), index.path_tokens.hits([term.encode() for term in terms])
