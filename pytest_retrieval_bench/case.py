"""One sample, ready to be asked: what the benchmark's items and users' own tests work with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.composed import Composed
from pytest_retrieval_bench.arms.replay import Replay
from pytest_retrieval_bench.arms.run import Asker
from pytest_retrieval_bench.errors import SettingsError, unknown
from pytest_retrieval_bench.model import Answer, Invocation, Metric, Query, Record, Sample
from pytest_retrieval_bench.scoring.lines import count_lines
from pytest_retrieval_bench.scoring.measured import with_measures
from pytest_retrieval_bench.scoring.own import with_own_metrics
from pytest_retrieval_bench.scoring.score import score
from pytest_retrieval_bench.snapshots.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Measured:
    """A record, the whole answer that it was scored from, and the exception behind an error, if any.

    `kept` says where the copy of a failed sample was kept and how to ask again.
    """

    record: Record
    answer: Answer
    exception: Exception | None
    kept: str | None = None


Keep = Callable[[Record, Sequence[Invocation]], str | None]


@dataclass(frozen=True, slots=True, repr=False)
class RetrievalCase:
    """A sample with its snapshot and the arms of the run.

    ::

        def test_the_first_hit_is_gold(rb_case):
            assert rb_case.answer("bm25:all").ranked[0] in rb_case.gold
    """

    sample: Sample
    snapshot: Snapshot
    limit: int
    arms: Mapping[str, Arm]
    asker: Asker
    keep: Keep | None = None
    metrics: tuple[str, ...] = ()
    own_metrics: Mapping[str, Metric] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<RetrievalCase {self.sample.id!r} with {', '.join(self.arms)}>"

    @property
    def query(self) -> Query:
        """What a retriever may see."""
        return self.sample.query

    @property
    def gold(self) -> tuple[str, ...]:
        """The files that should be found; empty when the repository holds no answer."""
        return self.sample.gold

    def answer(self, arm: str) -> Record:
        """Asks an arm and scores its answer: `ranked`, `abstained`, `metrics`, `wall_ms` and more.

        Raises whatever the arm raises, and SettingsError for an arm that is not in the run.
        """
        measured = self.measure(arm)
        if measured.exception is not None:
            raise measured.exception
        return measured.record

    def measure(self, arm: str) -> Measured:
        """Asks an arm and scores its answer; an exception of the arm is part of the result.

        Raises SettingsError for an arm that is not in the run.
        """
        if arm not in self.arms:
            raise SettingsError(f"not in this run (see --rb-arms): {unknown('arm', arm, self.arms)}")
        # An arm may do with the fields what it likes; the next one gets them as they were.
        query = replace(self.query, fields=deepcopy(self.query.fields))
        asked = self.arms[arm]
        asked = asked.of(self.sample.id) if isinstance(asked, Replay | Composed) else asked
        timed = self.asker.ask(asked, query, self.snapshot, self.limit)
        # Looking up a stored answer is not the time that it took.
        wall_ms = timed.answer.wall_ms if isinstance(asked, Replay) else timed.wall_ms
        record = score(self.sample, arm, timed.answer, self.limit, wall_ms, self._line_count)
        record = with_own_metrics(record, self.sample, self.own_metrics, self.limit)
        record = with_measures(record, self.sample, timed.answer, self.metrics, self._text)
        kept = self.keep(record, timed.answer.invocations) if self.keep else None
        # A child that was killed may have left what no check of the copy shows.
        self.snapshot.settle(distrusted=timed.answer.failure is not None)
        return Measured(record, timed.answer, timed.exception, kept)

    def _text(self, path: str) -> str | None:
        return None if self.snapshot.size(path) is None else self.snapshot.text(path)

    def _line_count(self, path: str) -> int | None:
        return None if self.snapshot.size(path) is None else count_lines(self.snapshot.read(path))


def has_failed(record: Record, *, strict: bool) -> bool:
    """Whether the item of a record fails: its arm failed, or, `strict`, its answer is wrong."""
    if record.error is not None:
        return record.outcome != "not applicable"
    return strict and not record.metrics["selective_success"]
