"""Stored answers as an arm: a report, a TREC run file, or JSON Lines of {id, ranked}."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.errors import SettingsError, unknown
from pytest_retrieval_bench.model import Answer, Json, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.text.strict_json import loads

# A path may hold blanks, so that a line is read from both ends.
_TREC = re.compile(r"(\S+)\s+\S+\s+(.+)\s+\S+\s+(\S+)\s+\S+")
_ROW_MEMBERS = ("id", "ranked", "scores", "abstained", "state", "error", "wall_ms")


class Replay:
    """Answers that were stored, by sample id.

    A query has no id, so that no retriever can know its sample; `of` gives the arm that answers one sample.
    """

    timeout_s: float | None = None

    def __init__(self, name: str, path: Path, sha256: str, answers: Mapping[str, Answer]) -> None:
        self.name = name
        self._path = path
        self._sha256 = sha256
        self._answers = answers

    def describe(self) -> dict[str, Json]:
        """What the registration binds the arm to."""
        return {"kind": "replay", "file": self._path.name, "sha256": self._sha256}

    def of(self, sample_id: str) -> Replay:
        """The arm whose only answer is the one to this sample."""
        stored = {sample_id: self._answers[sample_id]} if sample_id in self._answers else {}
        return Replay(self.name, self._path, self._sha256, stored)

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """The stored answer."""
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
        data = path.read_bytes()
        answers = _answers(data.decode("utf-8-sig"), name, arm, limit)
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(f"--rb-replay: {path}: {error}") from error
    return Replay(name, path, hashlib.sha256(data).hexdigest(), answers)


def _answers(text: str, name: str, arm: str, limit: int) -> dict[str, Answer]:
    if not text.lstrip().startswith("{"):
        return _from_trec(text)
    try:
        report = loads(text)
    except json.JSONDecodeError:  # of several lines
        report = None
    if isinstance(report, dict) and "details" in report:
        return _from_report(report, name, arm, limit)
    return _from_json_lines(text)


def _from_report(report: Mapping[str, Any], name: str, arm: str, limit: int) -> dict[str, Answer]:
    names = list(dict.fromkeys(found for row in report["details"] for found in row["arms"]))
    wanted = arm or (names[0] if len(names) == 1 else name)
    if wanted not in names:
        raise ValueError(f"{unknown('arm', wanted, names)}; name one as FILE#ARM")
    if report["limit"] < limit:
        raise ValueError(f"its rankings were cut at {report['limit']}, this run's limit is {limit}; lower --rb-limit")
    return {row["id"]: _answer(row["arms"][wanted]) for row in report["details"] if wanted in row["arms"]}


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

    def row(line: str) -> tuple[str, None]:
        match = _TREC.fullmatch(line.strip())
        if match is None:
            raise ValueError("neither JSON nor a line of a TREC run: ID Q0 PATH RANK SCORE TAG")
        scores = found.setdefault(match[1], {})
        if match[2] in scores:
            raise ValueError(f"{match[2]!r} stands twice for {match[1]!r}")
        scores[match[2]] = float(match[3])
        return f"{match[1]} {match[2]}", None

    _by_id(text, row)
    ordered = {identity: sorted(scores, key=lambda path: -scores[path]) for identity, scores in found.items()}
    return {
        identity: Answer(tuple(paths), [found[identity][path] for path in paths]) for identity, paths in ordered.items()
    }


def _by_id(text: str, read: Callable[[str], tuple[str, Any]]) -> dict[str, Any]:
    """What is read from each line that holds something, by its id; errors name the line."""
    found: dict[str, Any] = {}
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
    ranked = stored.get("ranked") or []
    if not isinstance(ranked, Iterable) or isinstance(ranked, str | Mapping):
        raise ValueError(f"ranked must be a list of paths, this is {ranked!r}")
    return Answer(
        tuple(ranked),
        stored.get("scores"),
        abstained=stored.get("abstained"),
        state=stored.get("state"),
        packet_bytes=stored.get("packet_bytes"),
        cache_state=stored.get("cache_state"),
        error=stored.get("error") or None,
        wall_ms=stored.get("wall_ms"),
    )
