"""Logs of agents, read from rows of JSON Lines: what an agent looked at, step by step (ARB 7.1, 7.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pytest_retrieval_bench.agents.facts import Facts, facts_of_log
from pytest_retrieval_bench.agents.members import flag, objects, sample_id, text, whole
from pytest_retrieval_bench.agents.tools import ToolUse, tool_use_of
from pytest_retrieval_bench.benchmarks.jsonl import Row
from pytest_retrieval_bench.errors import LogError

Placed = tuple[str, Row]


@dataclass(frozen=True, slots=True)
class Step:
    """A file, or lines of one, that an agent looked at.

    `number` counts what the agent did, None where a stored log does not say; 0 is what it was handed. `start` and `end`
    are the first and the last line, None where they are not known; `content` is a digest of what it saw. `final` says
    that the agent kept it, `utilized` that it used it.
    """

    path: str
    number: int | None
    tool: str = "read"
    start: int | None = None
    end: int | None = None
    kind: str = "block"
    symbol: str = ""
    content: str = ""
    final: bool = False
    utilized: bool = False

    @property
    def lines(self) -> tuple[int, int] | None:
        """The lines from the first to the last, where both are known."""
        return None if self.start is None or self.end is None else (self.start, self.end)


@dataclass(frozen=True, slots=True)
class Trajectory:
    """What an agent looked at for one sample, in the log's order.

    `facts` are what the log itself says of the sample, `tools` how the agent used a closed set of tools; None where the
    log does not say.
    """

    sample_id: str
    steps: tuple[Step, ...]
    facts: Facts | None = None
    tools: ToolUse | None = None


@dataclass(slots=True)
class _Gathered:
    """The rows of one sample: stored details, of which there is one, or steps, of which there are many."""

    steps: list[Placed] = field(default_factory=list)
    stored: Placed | None = None


def trajectories(rows: Iterable[Placed]) -> dict[str, Trajectory]:
    """The trajectories in the rows of a log by sample id; rows come with their places.

    A row is a step, or has the steps of a sample as its `trajectory`: such rows add up. Or it is a sample as the
    benchmark's toolkit stores it, with `steps` and what is known of the sample.

    Raises LogError, naming place and member, for what is none of these, and for a sample that is stored twice.
    """
    gathered: dict[str, _Gathered] = {}
    for where, row in rows:
        one = gathered.setdefault(sample_id(row, where), _Gathered())
        if "trajectory" in row:
            one.steps += [(where, step) for step in objects(row, "trajectory", where)]
        elif "steps" not in row:
            one.steps.append((where, row))
        elif one.stored is None:
            one.stored = where, row
        else:
            raise LogError(f"{where}: the sample is there already, at {one.stored[0]}; keep one of them")
        if one.stored is not None and one.steps:
            raise LogError(f"{where}: the sample has both steps of its own and stored ones; keep one of them")
    return {identity: _trajectory(identity, one) for identity, one in gathered.items()}


def _trajectory(identity: str, gathered: _Gathered) -> Trajectory:
    if gathered.stored is None:
        return Trajectory(identity, _steps(gathered.steps))
    where, row = gathered.stored
    steps = _steps([(where, step) for step in objects(row, "steps", where)], stored=True)
    return Trajectory(identity, steps, facts_of_log(row), tool_use_of(row, where))


def _steps(rows: Sequence[Placed], *, stored: bool = False) -> tuple[Step, ...]:
    found = (_step(row, where, None if stored else place) for place, (where, row) in enumerate(rows, start=1))
    return tuple(step for step in found if step is not None)


def _step(row: Row, where: str, place: int | None) -> Step | None:
    """The step of a row; None where it names no file.

    Without `place` a step has the number that is written. With it, its place counts where nothing but 0 is written, as
    it does in the benchmark's toolkit.
    """
    path = text(row, ("path",), where)
    if not path:
        return None
    number = whole(row, "step", where)
    start, end = _lines(row)
    return Step(
        path,
        number if place is None else number or whole(row, "turn", where) or place,
        tool=text(row, ("tool", "action"), where) or "read",
        start=start,
        end=end,
        kind=text(row, ("kind",), where) or "block",
        symbol=text(row, ("symbol",), where),
        content=text(row, ("content_hash",), where),
        final=flag(row, ("is_final_context", "final", "selected"), where),
        utilized=flag(row, ("is_utilized_context", "utilized", "used"), where),
    )


def _lines(row: Row) -> tuple[int | None, int | None]:
    """The ends of a step's lines; None for both where they are no range, as in the benchmark's toolkit."""
    start, end = (value if type(value) is int else None for value in (row.get("start_line"), row.get("end_line")))
    return (None, None) if start is not None and end is not None and not 0 < start <= end else (start, end)
