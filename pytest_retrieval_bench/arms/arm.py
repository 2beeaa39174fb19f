"""What a retriever under test is to the benchmark."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot


@runtime_checkable
class Arm(Protocol):
    """A retriever under test.

    `name` is unique in a run and stands in reports and test ids.
    """

    name: str

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """Ranks files of the snapshot for the query, best first.

        `limit` is how many the benchmark looks at after it has removed given files; a longer ranking is welcome. An
        exception counts as an error of the arm on this sample.
        """
        ...
