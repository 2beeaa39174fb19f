"""What the rankers of Agent Retrieval Bench share: the chunks of a snapshot, their tokens, and the candidates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pytest_retrieval_bench.arms.arb.filters import FILTERS
from pytest_retrieval_bench.index.chunk_index import ChunkIndexBuilder
from pytest_retrieval_bench.index.chunk_table import ChunkTable, chunk_table
from pytest_retrieval_bench.index.per_snapshot import PerSnapshot
from pytest_retrieval_bench.index.search_texts import SearchTexts
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Which files of a `ChunkTable` may be ranked, and which of its rows are of such a file."""

    files: Flags
    rows: Flags


class Corpus:
    """The chunks of snapshots, of which the files that pass the candidate filter may be ranked."""

    def __init__(self, candidate_filter: str) -> None:
        self.candidate_filter = candidate_filter
        self.tables = PerSnapshot(chunk_table)
        self.indexes = PerSnapshot(ChunkIndexBuilder(self.tables).build)
        self.texts = PerSnapshot(lambda snapshot: SearchTexts.of(self.tables.of(snapshot)))
        self.candidates = PerSnapshot(self._candidates)

    def _candidates(self, snapshot: Snapshot) -> Candidates:
        table: ChunkTable = self.tables.of(snapshot)
        passes = FILTERS[self.candidate_filter]
        files = np.fromiter(map(passes, table.paths), bool, len(table.paths))
        return Candidates(files, files[table.files])
