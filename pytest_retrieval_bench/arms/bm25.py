"""`bm25:all` and `bm25:ident`: BM25 over whole files (PROTOCOL 4)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pytest_retrieval_bench.arms.evidence import Evidence
from pytest_retrieval_bench.arms.ranked import ranked
from pytest_retrieval_bench.index.postings import Hits
from pytest_retrieval_bench.index.snapshot_index import SnapshotIndex
from pytest_retrieval_bench.index.store import IndexStore
from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.text.identifiers import query_identifiers
from pytest_retrieval_bench.text.tokens import bench_tokens, grep_terms

K1, B = 1.2, 0.75


class BM25:
    """Ranks by BM25 with k1 1.2 and b 0.75, never tuned; ties by path.

    `terms` takes the query's terms from it, distinct.
    """

    timeout_s: float | None = None

    def __init__(self, name: str, terms: Callable[[Query], Iterable[str]], indexes: IndexStore) -> None:
        self.name = name
        self._terms = terms
        self._indexes = indexes

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """The whole ranking, scored by BM25."""
        index = self._indexes.of(snapshot)
        found = self._found(query, index)
        # bincount adds hit after hit, and so term after term.
        return ranked(index.paths, np.bincount(found.hits.files, found.adds, minlength=len(index.paths)))

    def explain(
        self, query: Query, snapshot: Snapshot, answer: Answer, paths: Sequence[str]
    ) -> dict[str, list[Evidence]]:
        """The terms in each file, weighed by their inverse document frequency."""
        index = self._indexes.of(snapshot)
        found = self._found(query, index)
        counts, adds = found.hits.counts.tolist(), found.adds.tolist()
        return {
            path: [
                Evidence(found.terms[term], adds[hit], counts[hit], weight=found.idf[term])
                for term, hit in found.hits.of_file(file)
            ]
            for path, file in index.numbers_of(paths).items()
        }

    def _found(self, query: Query, index: SnapshotIndex) -> _FoundTerms:
        terms = sorted(self._terms(query))
        hits = index.tokens.hits([term.encode() for term in terms])
        found = np.diff(hits.starts)
        idf = [math.log(1 + (len(index.paths) - n + 0.5) / (n + 0.5)) for n in found.tolist()]
        frequency = hits.counts.astype(np.float64)
        # Each operation in the order in which the protocol writes it: the last digit decides ties.
        length = B * index.lengths[hits.files] / (index.mean_length or 1)
        adds = np.repeat(idf, found) * frequency * (K1 + 1) / (frequency + K1 * ((1 - B) + length))
        return _FoundTerms(terms, idf, hits, adds)


@dataclass(frozen=True, slots=True)
class _FoundTerms:
    """The terms of a query, where they occur, and what each hit adds to the score of its file."""

    terms: Sequence[str]
    idf: Sequence[float]
    hits: Hits
    adds: npt.NDArray[np.float64]


def all_terms(query: Query) -> list[str]:
    """The grep terms of the query text."""
    return grep_terms(query.text)


def identifier_terms(query: Query) -> set[str]:
    """The bench tokens of the query's identifiers, of any length."""
    return {token for identifier in query_identifiers(dict(query.fields)) for token in bench_tokens(identifier)}
