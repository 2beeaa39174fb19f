"""What a retriever under test is to the benchmark."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

Scored = tuple[str, float]


@runtime_checkable
class Arm(Protocol):
    """A retriever under test.

    `name` is unique in a run and stands in reports and test ids. An arm may have more:

    - `prepare(snapshot)`, called before a question whenever the last one was about another snapshot: once for each, as
      a rule. Its time is recorded apart; when it fails, the questions about the snapshot have that error.
    - `update(snapshot, changes)`, called instead where the arm is prepared for another commit of the same repository:
      `changes` (see `arms.changes.Changes`) says which files differ. Now and then an index is built from scratch as
      well, and the answers must be the same.
    - `prepare_timeout_s`, the seconds that either may take (1,800 where there is none; None for no bound).
    - `timeout_s`, the seconds that an answer may take (120 where there is none; None for no bound).
    - `describe()`, JSON values that the registration binds the arm to: versions, digests, settings. It is called before
      the run and again at its end, when nothing of it may have changed.
    - `close()`, called at the end in every process that asked: connections, models.
    """

    name: str

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer | Iterable[str] | Iterable[Scored]:
        """Ranks files of the snapshot for the query, best first: paths, (path, score) pairs, or an `Answer`.

        `limit` is how many the benchmark looks at after it has removed given files; a longer ranking is welcome. An
        exception counts as an error of the arm on this sample.
        """
        ...
