"""The arm `dense:MODEL` (ARB 3.5)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from pytest_retrieval_bench.arms.arb.chunk_ranking import ranked_by_best_chunk
from pytest_retrieval_bench.arms.arb.corpus import Candidates, Corpus
from pytest_retrieval_bench.arms.arb.dense.encoder import Encoder, Vectors
from pytest_retrieval_bench.arms.arb.dense.settings import DenseSettings, model_digest
from pytest_retrieval_bench.arms.arb.dense.vector_cache import VectorCache
from pytest_retrieval_bench.arms.arb.ranker import Ranker
from pytest_retrieval_bench.index.chunk_table import numbers
from pytest_retrieval_bench.index.per_snapshot import PerSnapshot
from pytest_retrieval_bench.index.postings import Ints
from pytest_retrieval_bench.model import Answer, Json, Query
from pytest_retrieval_bench.snapshots.chunk_row import ChunkRow
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

Tell = Callable[[str], None]

_BATCHES_AT_ONCE = 16
_SECONDS_BETWEEN_WORDS = 5.0


@dataclass(frozen=True, eq=False)
class _Embedded:
    """The vectors of the distinct texts of a snapshot's rows, and which of them is that of each row."""

    vectors: Vectors
    of_rows: Ints


class Dense(Ranker):
    """Ranks files by their best chunk, by the product of its vector with that of the query; ties by path.

    Every chunk is compared: no index is approximate. Vectors are kept in the cache folder, and a text that comes again,
    in this commit or in the next one, is not embedded again. `tell` gets words on the progress.
    """

    prepare_timeout_s: float | None = None

    def __init__(self, name: str, corpus: Corpus, settings: DenseSettings, cache: Path | None, tell: Tell) -> None:
        super().__init__(name, corpus)
        self._settings = settings
        self._cache_folder = cache
        self._tell = tell
        self._embedded = PerSnapshot(self._embed)

    def describe(self) -> dict[str, Json]:
        """What the registration binds the arm to; the model is digested each time that it is asked for."""
        settings = self._settings
        return super().describe() | {
            "kind": "dense",
            "model": Path(settings.model).name,
            "model_sha256": model_digest(settings.folder),
            "query_prefix": settings.query_prefix,
            "passage_prefix": settings.passage_prefix,
            "pooling": settings.pooling,
        }

    def prepare(self, snapshot: Snapshot) -> None:
        """Embeds the chunks of a snapshot, as far as the cache does not hold their vectors."""
        self._embedded.of(snapshot)

    def ranked(self, query: Query, snapshot: Snapshot, candidates: Candidates) -> Answer:
        """The candidates by their best chunk."""
        embedded = self._embedded.of(snapshot)
        (vector,) = self._encoder.encode([self._settings.query_prefix + query.text])
        scores = (embedded.vectors @ vector)[embedded.of_rows]
        return ranked_by_best_chunk(self.corpus.tables.of(snapshot), candidates, scores.astype(np.float64))

    @cached_property
    def _encoder(self) -> Encoder:
        return Encoder(self._settings)

    @cached_property
    def _cache(self) -> VectorCache:
        return VectorCache(self._cache_folder, f"{model_digest(self._settings.folder)}:{self._settings.pooling}")

    def _embed(self, snapshot: Snapshot) -> _Embedded:
        texts = [self._settings.passage_prefix + passage(row) for row in self.corpus.tables.of(snapshot).rows]
        distinct = list(dict.fromkeys(texts))
        found = self._cache.load(distinct)
        for part, vectors in self._new([text for text in distinct if text not in found], snapshot):
            found |= zip(part, vectors, strict=True)
            self._cache.store(zip(part, vectors, strict=True))
        return _Embedded(np.stack([found[text] for text in distinct]), numbers(texts, distinct))

    def _new(self, texts: Sequence[str], snapshot: Snapshot) -> Iterator[tuple[Sequence[str], Vectors]]:
        """The vectors of texts, some at a time."""
        # Texts of about one length share a batch, in which all are as long as the longest.
        ordered = sorted(texts, key=len, reverse=True)
        step = self._settings.batch_size * _BATCHES_AT_ONCE
        told = time.monotonic()
        for start in range(0, len(ordered), step):
            part = ordered[start : start + step]
            yield part, self._encoder.encode(part)
            done = start + len(part)
            if time.monotonic() - told > _SECONDS_BETWEEN_WORDS and done < len(ordered):
                told = time.monotonic()
                self._tell(f"{self.name}: {snapshot.repo} {snapshot.commit[:12]}: {done:,} of {len(ordered):,} texts")


def passage(row: ChunkRow) -> str:
    """What is embedded of a row."""
    symbol = [f"symbol: {row.symbol}"] if row.symbol else []
    return "\n".join([f"path: {row.path}", f"kind: {row.kind}", *symbol, "content:", row.text])
