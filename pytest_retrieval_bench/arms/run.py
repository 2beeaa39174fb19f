"""Asking an arm: the time it takes, and what becomes of an answer that is none."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.text.surrogates import mended

_OPTIONAL_MEMBERS = {"abstained": bool, "state": str, "packet_bytes": int, "cache_state": str, "error": str}


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """An answer, how long the arm took in milliseconds, and the exception that stands behind an error, if any."""

    answer: Answer
    wall_ms: float
    exception: Exception | None = None


def timed_answer(arm: Arm, query: Query, snapshot: Snapshot, limit: int) -> TimedAnswer:
    """Asks the arm. An exception, or something that is no answer, becomes an answer with an error."""
    __tracebackhide__ = True
    started = time.perf_counter_ns()
    exception: Exception | None = None
    try:
        answer = arm.answer(query, snapshot, limit)
    except Exception as error:  # noqa: BLE001 - an arm may fail in any way, and its failure is a result
        exception = error
        answer = Answer(error=described(error))
    wall_ms = (time.perf_counter_ns() - started) / 1e6
    return TimedAnswer(_checked(answer), wall_ms, exception)


def _checked(answer: object) -> Answer:
    """The answer as plain values, so that it can cross to another process; an error where it is not what it must be."""
    if not isinstance(answer, Answer):
        return Answer(error=f"the arm returned {type(answer).__name__}; return a pytest_retrieval_bench.Answer")
    try:
        ranking, scores = _plain_ranking(answer)
        for name, allowed in _OPTIONAL_MEMBERS.items():
            value = getattr(answer, name)
            if value is not None and type(value) is not allowed:
                raise TypeError(f"{name} is {type(value).__name__}, not {allowed.__name__}")
        if answer.error is not None and not answer.error.strip():
            raise ValueError("its error has no words")
        if answer.packet_bytes is not None and not 0 <= answer.packet_bytes < 2**53:
            raise ValueError(f"packet_bytes is {answer.packet_bytes}")
    except (TypeError, ValueError) as error:
        return Answer(error=one_line(f"the answer cannot be used: {error}"))
    return replace(
        answer,
        ranking=ranking,
        scores=scores,
        state=_mended(answer.state),
        cache_state=_mended(answer.cache_state),
        error=_mended(answer.error),
    )


def _plain_ranking(answer: Answer) -> tuple[tuple[str, ...], tuple[float, ...] | None]:
    if isinstance(answer.ranking, str | Set | Mapping):
        raise TypeError(f"the ranking must be a list of paths, best first; it is {answer.ranking!r}")
    ranking = tuple(answer.ranking)
    for path in ranking:
        if not isinstance(path, str):
            raise TypeError(f"the ranking must hold paths as strings, it holds {path!r}")
    scores = None if answer.scores is None else tuple(map(float, answer.scores))
    if scores is not None and len(scores) != len(ranking):
        raise ValueError(f"there are {len(scores)} scores for {len(ranking)} paths")
    if scores is not None and not all(map(math.isfinite, scores)):
        raise ValueError("the scores hold a NaN or an infinity")
    return tuple(map(mended, ranking)), scores


def _mended(text: str | None) -> str | None:
    return None if text is None else mended(text)


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
