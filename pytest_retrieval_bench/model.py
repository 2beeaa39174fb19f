"""The value types that travel through the rooms: `Sample`, its gold-free half `Query`, `Answer`, `Record`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

Stratum = Literal["positive", "natural_no_gold", "counterfactual_no_gold"]
Outcome = Literal["answered", "abstained", "not applicable", "error"]

LEXICAL_ARMS: Final = ("grep", "grep-ident", "bm25:all", "bm25:ident")
_ARM_ORDER: Final = ("corvint", "context", *LEXICAL_ARMS, "impact", "affected")


def arm_rank(name: str) -> tuple[int, str]:
    """The sort key of an arm wherever arms are listed: the protocol's own first, others by name (PROTOCOL 4)."""
    return (_ARM_ORDER.index(name), "") if name in _ARM_ORDER else (len(_ARM_ORDER), name)


@dataclass(frozen=True, slots=True)
class Query:
    """What a retriever may see of a sample: everything but the gold.

    `fields` is the query object of the sample, `text` what the protocol calls the query text (PROTOCOL 1), `plain` the
    same content as a person would paste it.
    """

    fields: Mapping[str, Json]
    text: str
    plain: str


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Lines `start` to `end` of a file, counted from 1, both included."""

    path: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sample:
    """One row of a benchmark: a question about a repository at a commit, and the files that answer it.

    `gold` is empty exactly when the repository holds no answer; `given` are files that the asker has already seen;
    `partition` is the repository's fold. `gold_spans` is None for benchmarks whose gold are whole files.
    """

    id: str
    task_type: str
    repo: str
    base_commit: str
    query: Query
    gold: tuple[str, ...]
    given: tuple[str, ...]
    hard_negatives: tuple[str, ...]
    stratum: Stratum
    partition: str
    gold_spans: tuple[Span, ...] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What an arm says to one query.

    `ranking` is whole and best first, given files included: scoring removes and cuts. `scores` go with it, one a path.
    `abstained` None leaves it to the ranking: the arm abstains when nothing is left of it once given files are removed.
    An answer with `error` counts as wrong; `applicable` False says that the arm cannot take such a query at all.
    `lines` are the line ranges that go with the paths, counted from 1, both ends included, None where the arm names
    none. `figures` are further figures by name (tokens, cost, unknown_paths, retries, index_bytes, index_ms); one that
    was not given is absent, never 0. `wall_ms` is the time that the arm measured itself, where the call holds other
    work too. `outcome` says of an error that it is no plain one.
    """

    ranking: Sequence[str] = ()
    scores: Sequence[float] | None = None
    abstained: bool | None = None
    state: str | None = None
    packet_bytes: int | None = None
    cache_state: str | None = None
    error: str | None = None
    applicable: bool = True
    lines: Sequence[tuple[int, int] | None] | None = None
    figures: Mapping[str, float] = field(default_factory=dict)
    wall_ms: float | None = None
    outcome: Literal["timeout", "output limit"] | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A scored answer, as it travels from the process that measured it into the report.

    `ranked` holds at most `limit` distinct paths, given files removed; `wall_ms` is the time the arm took, None where
    none was kept; `metrics` maps the report's metric names to values.
    """

    sample_id: str
    arm: str
    outcome: Outcome
    ranked: tuple[str, ...]
    abstained: bool
    state: str | None = None
    top_score: float | None = None
    packet_bytes: int | None = None
    error: str | None = None
    cache_state: str | None = None
    wall_ms: float | None = None
    metrics: Mapping[str, float] = field(default_factory=dict)
