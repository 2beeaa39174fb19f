"""The value types that travel through the rooms: `Sample`, its gold-free half `Query`, `Answer`, `Record`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

Stratum = Literal["positive", "natural_no_gold", "counterfactual_no_gold"]
FailureKind = Literal["timeout", "output limit"]
Outcome = Literal["answered", "abstained", "not applicable", "error"] | FailureKind
ParseStatus = Literal["PARSED", "MALFORMED", "NOT_RUN"]
Lines = Sequence[tuple[int, int] | None]

MAX_CORVINT_CHARS: Final = 2000
# How much text of ranked chunks is measured: what an arm of chunks need not go beyond.
PACKED_CHARS: Final = 8000

CORVINT_ARMS: Final = ("corvint", "context", "impact", "affected")
LEXICAL_ARMS: Final = ("grep", "grep-ident", "bm25:all", "bm25:ident")
BUILT_IN_ARMS: Final = ("corvint", "context", *LEXICAL_ARMS, "impact", "affected")


def arm_rank(name: str) -> tuple[int, str]:
    """The sort key of an arm wherever arms are listed: the protocol's own first, others by name (PROTOCOL 4)."""
    return (BUILT_IN_ARMS.index(name), "") if name in BUILT_IN_ARMS else (len(BUILT_IN_ARMS), name)


@dataclass(frozen=True, slots=True)
class Query:
    """What a retriever may see of a sample: everything but the gold.

    `fields` is the query object of the sample, `text` what the protocol calls the query text (PROTOCOL 1), `plain` the
    same content as a person would paste it. `task_type` is the kind of the question where a retriever may have rules
    for it, and empty where it would tell whether there is an answer. `given` are the files that the asker has already
    seen.
    """

    fields: Mapping[str, Json]
    text: str
    plain: str
    task_type: str = ""
    given: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Lines `start` to `end` of a file, counted from 1, both included."""

    path: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A file, or a block of lines of one, as a retriever ranked it or a benchmark marks it.

    `lines` are the first and the last, counted from 1, None where they are not known; `kind` is `file` for a whole
    file; `id` is the benchmark's own name of the chunk, empty where it has none. `chars` is how many characters of text
    it stands for.
    """

    path: str
    lines: tuple[int, int] | None = None
    kind: str = "block"
    symbol: str = ""
    id: str = ""
    chars: int = 0


@dataclass(frozen=True, slots=True)
class Annotations:
    """What a benchmark says of a sample beyond its gold files; only some measures look at it.

    `spans` and `blocks` are the lines and the blocks that matter, `hard_negatives` files that only look right (the
    protocol has others, see `Sample`), `supporting` files that help and are no gold. `relevance` are the relations
    between question and gold files that hold, of `D` direct, `S` structural, `W` workflow and `C` causal; `primary` is
    the one that counts, empty without gold.
    """

    spans: tuple[Span, ...] = ()
    blocks: tuple[Chunk, ...] = ()
    hard_negatives: tuple[str, ...] = ()
    supporting: tuple[str, ...] = ()
    relevance: tuple[str, ...] = ()
    primary: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """One row of a benchmark: a question about a repository at a commit, and the files that answer it.

    `gold` is empty exactly when the repository holds no answer; `given` are files that the asker has already seen;
    `partition` is the repository's fold. `gold_spans` is None for benchmarks whose gold are whole files. `reviewed`
    False says that nobody has checked the gold.
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
    reviewed: bool = True
    annotations: Annotations = Annotations()


@dataclass(frozen=True, slots=True)
class IndexCost:
    """What it took to prepare for the questions about a snapshot; `bytes` is None where nobody knows."""

    wall_ms: float
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Invocation:
    """A process that was asked, and what came of it: for captures, and to ask it again by hand.

    `root` is the copy that it was asked about, `task` the text that it was given, in `task_file` (`-` is standard
    input, empty is an argument). `phase` says which of several calls this is. `stdout` is None where it is not whole,
    `stderr` where no process ran; `parse_status` says whether what it printed could be read.
    """

    command: tuple[str, ...]
    directory: str
    root: str
    task: bytes = b""
    task_file: str = ""
    phase: str = "ordinary"
    stdout: bytes | None = None
    stderr: bytes | None = None
    stderr_truncated: bool = False
    parse_status: ParseStatus = "NOT_RUN"
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What an arm says to one query.

    `ranking` is whole and best first, given files included: scoring removes and cuts. `scores` and `lines` (the first
    and the last line, counted from 1, or None) go with it, one a path. `abstained` None leaves it to the ranking: the
    arm abstains when nothing is left of it once given files are removed. An answer with `error` counts as wrong,
    `failure` says of one that it is no plain error; `applicable` False says that the arm cannot take such a query at
    all. `figures` are further numbers by name, such as tokens and cost; one that is not known is absent, never 0.
    `wall_ms` is the time that counts where the arm measured it itself, `cold_wall_ms` that of the same question before
    anything was prepared, `index` what preparing took. `chunks` are what a retriever of chunks ranked, best first, as
    many as fill 8,000 characters; None where it ranks files.
    """

    ranking: Sequence[str] = ()
    scores: Sequence[float] | None = None
    abstained: bool | None = None
    state: str | None = None
    packet_bytes: int | None = None
    cache_state: str | None = None
    error: str | None = None
    applicable: bool = True
    failure: FailureKind | None = None
    lines: Lines | None = None
    figures: Mapping[str, float] = field(default_factory=dict)
    wall_ms: float | None = None
    cold_wall_ms: float | None = None
    index: IndexCost | None = None
    invocations: Sequence[Invocation] = ()
    chunks: Sequence[Chunk] | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A scored answer, as it travels from the process that measured it into the report.

    `ranked` holds at most `limit` distinct paths, given files removed, `lines` the line range of each; `wall_ms` is the
    time the arm took, None where none was kept; `metrics` maps the report's metric names to values. `measures` holds,
    by the name of a metric set that was asked for, what is kept of the whole answer.
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
    cold_wall_ms: float | None = None
    index: IndexCost | None = None
    lines: Lines | None = None
    figures: Mapping[str, float] = field(default_factory=dict)
    metrics: Mapping[str, float] = field(default_factory=dict)
    measures: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)


# A metric of a user's own: a number, or None where a sample does not have it.
Metric = Callable[[Sample, Record], float | None]
