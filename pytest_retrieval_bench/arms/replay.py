"""Stored answers as an arm: a report, a TREC run file, or JSON Lines of {id, ranked}."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, get_args

from pytest_retrieval_bench.arms.programs import digest_of
from pytest_retrieval_bench.arms.returned import plain
from pytest_retrieval_bench.arms.run import described
from pytest_retrieval_bench.errors import SettingsError, reason, unknown
from pytest_retrieval_bench.model import Answer, FailureKind, IndexCost, Json, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.text.strict_json import loads

# A path may hold blanks, so that a line is read from both ends.
_TREC = re.compile(r"(\S+)\s+\S+\s+(.+)\s+\S+\s+(\S+)\s+\S+")
_ROW_MEMBERS = ("id", "ranked", "scores", "abstained", "state", "error", "wall_ms")

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Replay:
    """Answers that were stored, by sample id; `arm` is the one that they are of, where a report has several.

    A query has no id, so that no retriever can know its sample; `of` gives the arm that answers one sample.
    """

    timeout_s: float | None = None

    def __init__(self, name: str, path: Path, arm: str, answers: Mapping[str, Answer]) -> None:
        self.name = name
        self._path = path
        self._arm = arm
        self._answers = answers

    def describe(self) -> dict[str, Json]:
        """What the registration binds the arm to."""
        of: dict[str, Json] = {"arm": self._arm} if self._arm else {}
        return {"kind": "replay", "file": self._path.name, "sha256": digest_of(str(self._path)), **of}

    def of(self, sample_id: str) -> Replay:
        """The arm whose only answer is the one to this sample."""
        stored = {sample_id: self._answers[sample_id]} if sample_id in self._answers else {}
        return Replay(self.name, self._path, self._arm, stored)

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """The stored answer; it has no `wall_ms` where none was stored."""
        return next(iter(self._answers.values()), Answer(error=f"{self._path.name} has no answer to this sample"))


def read_replay(text: str, directory: Path, limit: int) -> Replay:
    """The arm of `--rb-replay=NAME=FILE`; `FILE#ARM` names the arm of a report that has several.

    Raises SettingsError, naming file and line.
    """
    name, separator, file = text.partition("=")
    if not separator or not name.strip() or not file:
        raise SettingsError(f"--rb-replay: {text!r} is not NAME=FILE")
    path, arm = directory / file, ""
    if not path.exists() and "#" in file:
        file, _, arm = file.rpartition("#")
        path = directory / file
    try:
        arm, answers = _answers(path.read_text(encoding="utf-8-sig"), name, arm, limit)
        if not answers:
            raise ValueError("there is no answer in it")
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(f"--rb-replay: {path}: {reason(error)}") from error
    return Replay(name, path, arm, answers)


def _answers(text: str, name: str, arm: str, limit: int) -> tuple[str, dict[str, Answer]]:
    """The arm of a report, empty where it is none, and its answers by sample id."""
    report = _one_value(text) if text.lstrip().startswith("{") else None
    if isinstance(report, dict) and "details" in report:
        try:
            return _from_report(report, name, arm, limit)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"it looks like a report and is none: {described(error)}") from error
    if arm:
        raise ValueError(f"only a report has arms; leave out #{arm}")
    return "", _from_json_lines(text) if text.lstrip().startswith("{") else _from_trec(text)


def _one_value(text: str) -> Json:
    """The JSON value that the whole text is; None where it is none, but lines perhaps, whose errors have numbers."""
    try:
        return loads(text)
    except ValueError:
        return None


def _from_report(report: Mapping[str, Any], name: str, arm: str, limit: int) -> tuple[str, dict[str, Answer]]:
    names = list(dict.fromkeys(found for row in report["details"] for found in row["arms"]))
    wanted = arm or (names[0] if len(names) == 1 else name)
    if wanted not in names:
        raise ValueError(f"{unknown('arm', wanted, names)}; name one as FILE#ARM")
    if report["limit"] < limit:
        raise ValueError(f"its rankings were cut at {report['limit']}, this run's limit is {limit}; lower --rb-limit")
    return wanted, {row["id"]: _of_report(row["arms"][wanted]) for row in report["details"] if wanted in row["arms"]}


def _of_report(stored: Mapping[str, Any]) -> Answer:
    """The answer of a details row, with all that scoring leaves as it is."""
    outcome, index = stored.get("outcome"), stored.get("index")
    return replace(
        _answer(stored),
        applicable=outcome != "not applicable",
        failure=outcome if outcome in get_args(FailureKind) else None,
        packet_bytes=stored.get("packet_bytes"),
        cache_state=stored.get("cache_state"),
        lines=stored.get("lines"),
        figures=stored.get("figures", {}),
        cold_wall_ms=stored.get("cold_wall_ms"),
        index=None if index is None else IndexCost(**index),
    )


def _from_json_lines(text: str) -> dict[str, Answer]:
    def row(line: str) -> tuple[str, Answer]:
        value = loads(line)
        identity = value.get("id") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(identity, str) or "ranked" not in value:
            raise ValueError("a row needs a string `id` and a list `ranked`")
        for key in value:
            if key not in _ROW_MEMBERS:
                raise ValueError(unknown("member", key, _ROW_MEMBERS))
        return identity, _answer(value)

    return _by_id(text, row)


def _from_trec(text: str) -> dict[str, Answer]:
    """Ordered by score, highest first; of equal scores the one that stands first in the file."""
    found: dict[str, dict[str, float]] = {}

    def row(line: str) -> tuple[tuple[str, str], None]:
        match = _TREC.fullmatch(line.strip())
        if match is None:
            raise ValueError("neither JSON nor a line of a TREC run: ID Q0 PATH RANK SCORE TAG")
        score = float(match[3])
        if not math.isfinite(score):
            raise ValueError(f"the score {match[3]!r} is not finite")
        found.setdefault(match[1], {}).setdefault(match[2], score)
        return (match[1], match[2]), None

    _by_id(text, row)
    ordered = {identity: sorted(scores, key=lambda path: -scores[path]) for identity, scores in found.items()}
    return {
        identity: Answer(tuple(paths), [found[identity][path] for path in paths]) for identity, paths in ordered.items()
    }


def _by_id(text: str, read: Callable[[str], tuple[Key, Value]]) -> dict[Key, Value]:
    """What is read from each line that holds something, by its id; errors name the line."""
    found: dict[Key, Value] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            identity, value = read(line)
            if identity in found:
                raise ValueError(f"{identity!r} stands twice")
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from error
        found[identity] = value
    return found


def _answer(stored: Mapping[str, Any]) -> Answer:
    """Raises ValueError for what an answer cannot be."""
    ranked, wall_ms = stored.get("ranked"), stored.get("wall_ms")
    if ranked is not None and not isinstance(ranked, list):
        raise ValueError(f"`ranked` must be a list of paths, it is {ranked!r}")
    if wall_ms is not None and (type(wall_ms) not in (int, float) or not 0 <= wall_ms < math.inf):
        raise ValueError(f"`wall_ms` must be a number of milliseconds, it is {wall_ms!r}")
    answer = Answer(
        ranked or (),
        stored.get("scores"),
        abstained=stored.get("abstained"),
        state=stored.get("state"),
        error=stored.get("error"),
        wall_ms=wall_ms,
    )
    try:
        return plain(answer)
    except TypeError as error:
        raise ValueError(str(error)) from error
