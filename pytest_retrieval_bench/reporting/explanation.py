"""`--rb-explain`: how each arm ranked the files of one sample, and what it says for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_retrieval_bench.arms.evidence import Evidence, Reasons
from pytest_retrieval_bench.model import Answer, Record, Sample

NO_REASONS: Reasons = {}


@dataclass(frozen=True, slots=True)
class Asked:
    """The sample. `query` is as a person would paste it, None in a report, which does not keep it.

    `absent` are the gold files that the snapshot does not hold, as far as somebody has looked.
    """

    id: str
    task_type: str
    repo: str
    commit: str
    gold: tuple[str, ...]
    given: tuple[str, ...]
    limit: int
    query: str | None = None
    hard_negatives: tuple[str, ...] = ()
    absent: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PlacedFile:
    """Where an arm ranked a file, given files left out of the count; `rank` None says that it did not rank it.

    `marks` say what the file is to the sample. `evidence` is what speaks for it, None where the arm does not say.
    """

    path: str
    rank: int | None
    score: float | None
    lines: tuple[int, int] | None
    marks: tuple[str, ...]
    evidence: Sequence[Evidence] | None


@dataclass(frozen=True, slots=True)
class ExplainedArm:
    """What one arm answered.

    `files` are those that count, best first, then the gold files below them or without a rank. `ranked` is how many
    files it ranked that are not given, `removed` are the given ones among its ranking. `problem` says why there are no
    reasons where the arm should give some.
    """

    name: str
    outcome: str
    error: str | None
    state: str | None
    wall_ms: float | None
    ranked: int
    removed: tuple[str, ...]
    files: tuple[PlacedFile, ...]
    problem: str | None = None


def asked_of_sample(sample: Sample, limit: int, absent: frozenset[str]) -> Asked:
    """A sample that arms were asked about."""
    return Asked(
        id=sample.id,
        task_type=sample.task_type,
        repo=sample.repo,
        commit=sample.base_commit,
        gold=sample.gold,
        given=sample.given,
        limit=limit,
        query=sample.query.plain,
        hard_negatives=sample.hard_negatives,
        absent=absent,
    )


def asked_of_row(row: Mapping[str, Any], limit: int) -> Asked:
    """The sample of a details row."""
    return Asked(
        id=row["id"],
        task_type=row["task_type"],
        repo=row["repo"],
        commit=row["base_commit"],
        gold=tuple(row["gold"]),
        given=tuple(row["given"]),
        limit=limit,
    )


def explained(asked: Asked, record: Record, answer: Answer, reasons: Reasons, problem: str | None) -> ExplainedArm:
    """An answer as it was given, and what its arm says for the files."""
    removed = tuple(path for path in dict.fromkeys(answer.ranking) if path in asked.given)
    return ExplainedArm(
        record.arm,
        record.outcome,
        record.error,
        record.state,
        record.wall_ms,
        len(rank_of(asked, answer)),
        removed,
        tuple(_placed(asked, answer, reasons)),
        problem,
    )


def explained_row(asked: Asked, arm: str, stored: Mapping[str, Any]) -> ExplainedArm:
    """A stored answer, which holds no more than the ranks that counted."""
    answer = Answer(tuple(stored["ranked"]), lines=stored.get("lines"))
    return ExplainedArm(
        arm,
        stored["outcome"],
        stored.get("error"),
        stored.get("state"),
        stored.get("wall_ms"),
        len(answer.ranking),
        (),
        tuple(_placed(asked, answer, NO_REASONS)),
    )


def rank_of(asked: Asked, answer: Answer) -> dict[str, int]:
    """The ranks of a whole ranking, given files left out, beyond the limit as well."""
    kept = (path for path in dict.fromkeys(answer.ranking) if path not in asked.given)
    return {path: rank for rank, path in enumerate(kept, start=1)}


def shown_paths(asked: Asked, answer: Answer) -> list[str]:
    """The files that count, and the gold."""
    return list(dict.fromkeys([*list(rank_of(asked, answer))[: asked.limit], *asked.gold]))


def _placed(asked: Asked, answer: Answer, reasons: Reasons) -> Iterator[PlacedFile]:
    ranks = rank_of(asked, answer)
    places = {path: place for place, path in reversed(list(enumerate(answer.ranking)))}
    for path in shown_paths(asked, answer):
        place = places.get(path)
        score = None if place is None or answer.scores is None else answer.scores[place]
        lines = None if place is None or answer.lines is None else answer.lines[place]
        yield PlacedFile(path, ranks.get(path), score, lines, tuple(_marks(asked, path)), reasons.get(path))


def _marks(asked: Asked, path: str) -> Iterator[str]:
    if path in asked.gold:
        yield "gold, not in the snapshot" if path in asked.absent else "gold"
    if path in asked.hard_negatives:
        yield "hard negative"
