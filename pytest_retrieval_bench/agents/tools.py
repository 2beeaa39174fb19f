"""How an agent used a closed set of tools, as the benchmark's toolkit stores it (ARB 7.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pytest_retrieval_bench.agents.members import number
from pytest_retrieval_bench.benchmarks.annotations import paths
from pytest_retrieval_bench.benchmarks.jsonl import Row, object_of

TOOLS: Final = frozenset(["list_dir", "grep", "read_file", "submit"])
COUNTS: Final = ("tool_calls", "grep_calls", "read_calls", "read_tokens")


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool, and how many tokens it read."""

    tool: str
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class ToolUse:
    """What an agent called, what it submitted, and what it was handed before it began.

    `counts` are those of `COUNTS` that are stored; the tokens that it read include those that it was handed, the
    `seed_tokens`. `seed_has_gold` says whether a gold file was handed to it, None where the log does not say.
    """

    counts: dict[str, float]
    submitted: tuple[str, ...]
    calls: tuple[Call, ...] = ()
    seed_files: tuple[str, ...] = ()
    seed_tokens: float = 0
    seed_has_gold: bool | None = None

    def until(self, budget: int) -> dict[str, float]:
        """The counts of the first calls, so many as the budget allows; nothing follows what was submitted."""
        made: list[Call] = []
        for call in self.calls:
            if len(made) == budget or (made and made[-1].tool == "submit"):
                break
            made.append(call)
        reads = [call for call in made if call.tool == "read_file"]
        greps = sum(call.tool == "grep" for call in made)
        return _counts(len(made), greps, len(reads), sum(call.tokens for call in reads))


def tool_use_of(row: Row, where: str) -> ToolUse | None:
    """What a stored log says of its tools; None where it says nothing.

    Raises LogError, naming place and member, for a number that is none.
    """
    if row.get("closed_tool") is None:
        return None
    stored = object_of(row["closed_tool"])
    seed_has_gold = stored.get("seed_any_gold")
    return ToolUse(
        {name: found for name in COUNTS if (found := number(stored, name, where)) is not None},
        paths(stored.get("final_files")),
        tuple(_calls(stored, where)),
        paths(stored.get("seed_files")),
        number(stored, "seed_tokens", where) or 0,
        seed_has_gold if isinstance(seed_has_gold, bool) else None,
    )


def _calls(stored: Row, where: str) -> Sequence[Call]:
    trace = stored.get("trace")
    events = [object_of(event) for event in (trace if isinstance(trace, list) else ())]
    return [
        Call(str(event["tool"]), int(number(event, "tokens", where) or 0))
        for event in events
        if event.get("tool") in TOOLS
    ]


def _counts(*values: float) -> dict[str, float]:
    return dict(zip(COUNTS, values, strict=True))
