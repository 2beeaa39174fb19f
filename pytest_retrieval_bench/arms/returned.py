"""What an arm may return, and its check: paths, (path, score) pairs or an `Answer` of plain values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, get_args

from pytest_retrieval_bench.model import Answer, Chunk, FailureKind, IndexCost, Invocation, Lines
from pytest_retrieval_bench.text.surrogates import mended

_OPTIONAL_MEMBERS = {
    "abstained": bool,
    "state": str,
    "packet_bytes": int,
    "cache_state": str,
    "error": str,
    "applicable": bool,
    "failure": str,
    "index": IndexCost,
}


def as_answer(returned: object) -> Answer:
    """The answer that a list of paths or of (path, score) pairs stands for; one that is an answer is left as it is.

    Raises TypeError for what is none of these.
    """
    if isinstance(returned, Answer):
        return returned
    if isinstance(returned, str | bytes | Mapping | Set) or not isinstance(returned, Iterable):
        what = f"the arm returned {type(returned).__name__}"
        raise TypeError(f"{what}; return a list of paths, of (path, score) pairs, or a pytest_retrieval_bench.Answer")
    items = list(returned)
    if items and all(isinstance(item, tuple | list) and len(item) == 2 for item in items):
        return Answer([path for path, _ in items], [score for _, score in items])
    return Answer(items)


def plain(answer: Answer) -> Answer:
    """The answer as plain values, so that it can cross to another process.

    Raises TypeError or ValueError for what an answer cannot be.
    """
    for name, allowed in _OPTIONAL_MEMBERS.items():
        value = getattr(answer, name)
        if value is not None and type(value) is not allowed:
            found = f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins.")
            raise TypeError(f"{name} is {found}, not {allowed.__name__}")
    if answer.error is not None and not answer.error.strip():
        raise ValueError("its error has no words")
    if answer.packet_bytes is not None and not 0 <= answer.packet_bytes < 2**53:
        raise ValueError(f"packet_bytes is {answer.packet_bytes}")
    if answer.failure is not None and (answer.error is None or answer.failure not in get_args(FailureKind)):
        raise ValueError(f"failure is {answer.failure!r}; it is {' or '.join(get_args(FailureKind))}, with an error")
    if not all(isinstance(invocation, Invocation) for invocation in answer.invocations):
        raise TypeError("invocations hold something else")
    ranking = _ranking(answer.ranking)
    return replace(
        answer,
        ranking=ranking,
        scores=_scores(answer.scores, len(ranking)),
        lines=_lines(answer.lines, len(ranking)),
        chunks=None if answer.chunks is None else tuple(map(_chunk, answer.chunks)),
        figures={mended(name): _number(value, name) for name, value in answer.figures.items()},
        wall_ms=_time(answer.wall_ms, "wall_ms"),
        cold_wall_ms=_time(answer.cold_wall_ms, "cold_wall_ms"),
        index=None if answer.index is None else _cost(answer.index),
        state=_mended(answer.state),
        cache_state=_mended(answer.cache_state),
        error=_mended(answer.error),
    )


def _ranking(ranking: Sequence[str]) -> tuple[str, ...]:
    if isinstance(ranking, str | Set | Mapping):
        raise TypeError(f"the ranking must be a list of paths, best first; it is {ranking!r}")
    paths = tuple(ranking)
    for path in paths:
        if not isinstance(path, str):
            raise TypeError(f"the ranking must hold paths as strings, it holds {path!r}")
    return tuple(map(mended, paths))


def _scores(scores: Sequence[float] | None, paths: int) -> tuple[float, ...] | None:
    if scores is None:
        return None
    found = tuple(map(float, scores))
    if len(found) != paths:
        raise ValueError(f"there are {len(found)} scores for {paths} paths")
    if not all(map(math.isfinite, found)):
        raise ValueError("the scores hold a NaN or an infinity")
    return found


def _lines(lines: Lines | None, paths: int) -> Lines | None:
    if lines is None:
        return None
    if len(lines) != paths:
        raise ValueError(f"there are {len(lines)} line ranges for {paths} paths")
    return tuple(None if span is None else _span(span) for span in lines)


def _span(span: Any) -> tuple[int, int]:
    start, end = map(int, span)
    if not 1 <= start <= end:
        raise ValueError(f"{start} to {end} is no range of lines")
    return start, end


def _chunk(chunk: object) -> Chunk:
    if not isinstance(chunk, Chunk):
        raise TypeError(f"chunks hold {type(chunk).__name__}, not Chunk")
    if not all(isinstance(text, str) for text in (chunk.path, chunk.kind, chunk.symbol, chunk.id)):
        raise TypeError(f"path, kind, symbol and id of a chunk are strings; they are not in {chunk!r}")
    if type(chunk.chars) is not int or chunk.chars < 0:
        raise ValueError(f"chars of a chunk is {chunk.chars!r}")
    return replace(chunk, path=mended(chunk.path), lines=None if chunk.lines is None else _span(chunk.lines))


def _number(value: object, name: str) -> float:
    """An integer stays one."""
    number = value if type(value) is int else float(value)  # type: ignore[arg-type]
    if not math.isfinite(number) or abs(number) >= 2**53:
        raise ValueError(f"the figure {name} is {value!r}")
    return number


def _time(value: object, name: str) -> float | None:
    """Milliseconds, which nothing takes fewer than 0 of."""
    if value is None:
        return None
    if isinstance(value, str) or (number := _number(value, name)) < 0:
        raise ValueError(f"{name} is {value!r}")
    return number


def _cost(cost: IndexCost) -> IndexCost:
    if cost.bytes is not None and (type(cost.bytes) is not int or not 0 <= cost.bytes < 2**53):
        raise ValueError(f"the bytes of the index are {cost.bytes!r}")
    return IndexCost(_time(cost.wall_ms, "the time of the index") or 0, cost.bytes)


def _mended(text: str | None) -> str | None:
    return None if text is None else mended(text)
