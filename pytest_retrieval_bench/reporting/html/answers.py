"""What became of one answer, in the words that the page has for it."""

from __future__ import annotations

from typing import Any, Final, Literal

from pytest_retrieval_bench.reporting.details import Row

State = Literal["answered", "silent", "failed", "not applicable"]
STATES: Final[tuple[State, ...]] = ("answered", "silent", "failed", "not applicable")


def state_of(answer: Row) -> State:
    """What an arm did with a sample; an early report of the reference tool names no outcome."""
    if answer.get("outcome") == "not applicable":
        return "not applicable"
    if "error" in answer:
        return "failed"
    return "silent" if answer["abstained"] else "answered"


def did_right(metrics: dict[str, Any]) -> bool:
    """Whether a gold file is among the first k, or, where there is no gold, the arm kept silent."""
    return bool(metrics.get("selective_success"))
