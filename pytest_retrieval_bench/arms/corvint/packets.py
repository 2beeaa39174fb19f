"""What corvint prints, read into rankings (PROTOCOL 4): pure functions on one JSON document each."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from pytest_retrieval_bench.arms.output.reader import OutputError

Value = TypeVar("Value")

_NOTHING_FITS = "OUT_OF_SCOPE"
_COMPACT_PLAN = "affected-plan/1"


@dataclass(frozen=True, slots=True)
class Packet:
    """A ranking and the state that goes with it; `abstained` None leaves abstention to what is left of the ranking."""

    ranking: tuple[str, ...]
    state: str
    abstained: bool | None


def query_packet(document: object) -> Packet:
    """The first evidence path of each result."""
    context = _member(_an_object(document), "context", dict)
    state = _member(context, "state", str)
    evidence = [_evidence(result) for result in _objects(context, "results")]
    ranking = _distinct(paths[0] for paths in evidence if paths)
    return Packet(ranking, state, state == _NOTHING_FITS or not ranking)


def context_packet(document: object) -> Packet:
    """The id of each result; a verdict against the question is part of the state."""
    packet = _an_object(document)
    state = _member(packet, "state", str)
    ranking = _distinct(_text(result.get("id")) for result in _objects(packet, "results"))
    abstained = state == "NO_CANDIDATES" or not ranking
    coverage = packet.get("coverage")
    answerability = coverage.get("answerability") if isinstance(coverage, dict) else None
    if isinstance(answerability, dict) and answerability.get("verdict") == "unsupported-conjunction":
        return Packet(ranking, f"{state}/unsupported-conjunction", abstained=True)
    return Packet(ranking, state, abstained)


def context_top_score(document: Any) -> object:
    """The score of the first result that is ranked, in a document that `context_packet` can read."""
    return next((result.get("score") for result in _objects(document, "results") if result.get("id")), None)


def impact_packet(document: object, changed: str) -> Packet:
    """Every evidence path but the changed file."""
    context = _member(_an_object(document), "context", dict)
    state = _member(context, "state", str)
    paths = (path for result in _objects(context, "results") for path in _evidence(result))
    return Packet(_distinct(paths, without=changed), state, True if state == _NOTHING_FITS else None)


def affected_plan(document: object, changed: str) -> Packet:
    """Every test of the plan's selected units but the changed file; the state is the plan's scope."""
    packet = _an_object(document)
    plan = _member(packet, "plan", dict)
    selected = _objects(plan, "selected")
    if packet.get("profile") == _COMPACT_PLAN or any("testCount" in unit and "tests" not in unit for unit in selected):
        words = f"the plan counts tests and does not name them (profile {_COMPACT_PLAN})"
        raise OutputError(f"{words}; use a corvint whose plan does")
    tests = (_text(test) for unit in selected for test in _list(unit, "tests"))
    return Packet(_distinct(tests, without=changed), _member(plan, "scope", str), None)


def _evidence(result: dict[str, Any]) -> list[str]:
    return [path for row in _objects(result, "evidence") if (path := _text(row.get("path")))]


def _distinct(paths: Iterable[str], without: str = "") -> tuple[str, ...]:
    return tuple(path for path in dict.fromkeys(paths) if path not in ("", without))


def _an_object(document: object) -> dict[str, Any]:
    if not isinstance(document, dict):
        raise OutputError("the packet is no JSON object")
    return document


def _member(packet: dict[str, Any], name: str, kind: type[Value]) -> Value:
    value = packet.get(name)
    if not isinstance(value, kind):
        raise OutputError(f"the packet's `{name}` is {reprlib.repr(value)}, it must be {kind.__name__}")
    return value


def _objects(packet: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [_an_object(item) for item in _list(packet, name)]


def _list(packet: dict[str, Any], name: str) -> list[Any]:
    """A list; one that is absent or null is empty."""
    return [] if packet.get(name) is None else _member(packet, name, list)


def _text(value: object) -> str:
    """A string; an absent one is empty."""
    if value is not None and not isinstance(value, str):
        raise OutputError(f"the packet has {reprlib.repr(value)} in the place of a path")
    return value or ""
