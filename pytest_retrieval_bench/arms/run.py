"""Asking an arm: the time it takes, and what becomes of an answer that is none."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.preparing import Preparations, differing
from pytest_retrieval_bench.arms.returned import as_answer, plain
from pytest_retrieval_bench.arms.time_bound import OutOfTime, time_bound
from pytest_retrieval_bench.model import Answer, IndexCost, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.text.surrogates import mended

TIMEOUT_S = 120.0
_SHOWN_CHANGES = 3


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """An answer, how long the arm took in milliseconds (None: it was not asked), and the exception behind an error."""

    answer: Answer
    wall_ms: float | None
    exception: Exception | None = None


class Asker:
    """Asks arms about snapshots, and lets each arm prepare whenever it comes to another snapshot."""

    def __init__(self) -> None:
        self._preparations = Preparations(_prepared)

    def ask(self, arm: Arm, query: Query, snapshot: Snapshot, limit: int) -> TimedAnswer:
        """The arm's answer. An exception, or something that is no answer, becomes an answer with an error.

        What the arm does not apply to or could not prepare for is not asked.
        """
        __tracebackhide__ = True
        prepared = self._preparations.of(arm, snapshot)
        if prepared.error is not None:
            return TimedAnswer(prepared, None)

        def ask() -> tuple[Answer, float, Exception | None]:
            asked = replace(query, fields=deepcopy(query.fields)) if checked else query
            return _timed(lambda: _checked(arm.answer(asked, snapshot, limit)), getattr(arm, "timeout_s", TIMEOUT_S))

        checked = self._preparations.to_check(arm)
        answer, wall_ms, exception = ask()
        if checked and answer.error is None:
            answer = self._as_from_scratch(arm, answer, lambda: ask()[0], snapshot)
        answer = _judged_by_copies(replace(answer, index=answer.index or prepared.index), snapshot)
        return TimedAnswer(answer, wall_ms if answer.wall_ms is None else answer.wall_ms, exception)

    def _as_from_scratch(self, arm: Arm, answer: Answer, ask: Callable[[], Answer], snapshot: Snapshot) -> Answer:
        """The answer of an arm that brought its index up to date, held to one from an index that is built anew."""
        fresh = self._preparations.from_scratch(arm, snapshot)
        if fresh.error is None:
            fresh = ask()
        words = differing(answer, fresh)
        if words is None:
            return answer
        error = one_line(f"update: another answer than from an index built from scratch: {words}")
        return replace(answer, error=error, ranking=(), scores=None, lines=None)


def _prepared(call: Callable[[], object], bound_s: float | None) -> Answer:
    def made() -> Answer:
        call()
        return Answer()

    answer, wall_ms, _ = _timed(made, bound_s)
    return answer if answer.error is not None else Answer(index=IndexCost(wall_ms))


def _timed(call: Callable[[], Answer], bound_s: float | None) -> tuple[Answer, float, Exception | None]:
    """What the call answers, the milliseconds it took, and the exception that it ended with, if any."""
    __tracebackhide__ = True
    started, process = time.perf_counter_ns(), os.getpid()
    exception: Exception | None = None
    try:
        with time_bound(bound_s):
            answer = call()
    except OutOfTime:
        answer = Answer()
    except Exception as error:  # noqa: BLE001 - an arm may fail in any way, and its failure is a result
        exception = error
        answer = Answer(error=described(error))
    if os.getpid() != process:
        os._exit(0)  # a fork that the arm made; the run is its parent's
    wall_ms = (time.perf_counter_ns() - started) / 1e6
    # Looked at even when the arm came back: it may have swallowed the exception.
    if bound_s is not None and wall_ms > bound_s * 1000:
        return Answer(error=f"it had not ended after {bound_s:g} s", failure="timeout"), wall_ms, None
    return answer, wall_ms, exception


def _checked(returned: object) -> Answer:
    """Reads what was returned while the bound still holds: it may be a generator that never ends."""
    answer = as_answer(returned)
    try:
        return plain(answer)
    except (TypeError, ValueError) as error:
        return Answer(error=one_line(f"the answer cannot be used: {error}"))


def _judged_by_copies(answer: Answer, snapshot: Snapshot) -> Answer:
    """An arm must leave the copies as it got them."""
    changes = snapshot.changes()
    if not changes:
        return answer
    words = f"the copy was changed and is made anew: {', '.join(changes[:_SHOWN_CHANGES])}"
    error = one_line(words if answer.error is None else f"{answer.error}; {words}")
    return replace(answer, error=error, ranking=(), scores=None, lines=None, state=None, packet_bytes=None)


def described(error: BaseException) -> str:
    """The type and the words of an exception, whatever they are, as one line."""
    try:
        words = str(error)
    except Exception:  # noqa: BLE001 - the words are a stranger's code
        words = "an exception that cannot be shown"
    return one_line(f"{type(error).__name__}: {words}")


def one_line(text: str) -> str:
    """An error text as a report can hold it: one line, bounded, no lone surrogates."""
    return " ".join(mended(text).split())[:2000]
