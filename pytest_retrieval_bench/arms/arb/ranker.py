"""What the rankers of Agent Retrieval Bench have in common as arms."""

from __future__ import annotations

from abc import ABC, abstractmethod

from pytest_retrieval_bench.arms.arb.corpus import Candidates, Corpus
from pytest_retrieval_bench.model import Answer, Json, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot


class Ranker(ABC):
    """An arm that ranks the candidate files of a corpus; it does not apply to a snapshot without candidates."""

    timeout_s: float | None = None

    def __init__(self, name: str, corpus: Corpus) -> None:
        self.name = name
        self.corpus = corpus

    def describe(self) -> dict[str, Json]:
        """What the registration binds the arm to."""
        return {"kind": "arb", "candidate_filter": self.corpus.candidate_filter}

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """The whole ranking, with scores."""
        candidates = self.corpus.candidates.of(snapshot)
        if not candidates.files.any():
            # The benchmark's toolkit skips such a sample.
            words = f"no file of the snapshot passes the candidate filter {self.corpus.candidate_filter}"
            return Answer(applicable=False, error=words)
        return self.ranked(query, snapshot, candidates)

    @abstractmethod
    def ranked(self, query: Query, snapshot: Snapshot, candidates: Candidates) -> Answer:
        """The ranking of the candidates, of which there is one at least."""
