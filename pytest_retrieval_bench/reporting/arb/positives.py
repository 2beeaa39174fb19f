"""The rows of one arm on the samples with gold, and the means of their measures under each weighting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.scoring.arb.names import ARB, BLOCK_MEASURES, LINE_MEASURES, MEASURES
from pytest_retrieval_bench.statistics.rounding import mean

WEIGHTINGS: Final = ("sample", "task_macro", "repository_macro")
# Measures that only samples with such marks have, and what counts these samples.
_PARTIAL: Final = {"line_samples": frozenset(LINE_MEASURES), "block_samples": frozenset(BLOCK_MEASURES)}


@dataclass(frozen=True, slots=True)
class Positive:
    """What is kept of one answer to a question with gold: measures by name, the rank of each gold file or None."""

    sample_id: str
    task: str
    repo: str
    relevance: str
    values: Mapping[str, float]
    ranks: Mapping[str, int | None]


def kept_of(row: Row, arm: str) -> Mapping[str, Any] | None:
    """What a details row keeps of an arm's answer for the metric set; None where it keeps nothing."""
    kept: Mapping[str, Any] | None = row.get("measures", {}).get(arm, {}).get(ARB)
    return kept


def positives_of(rows: Iterable[Row], arm: str) -> list[Positive]:
    """The rows with gold that the arm was measured on."""
    return [
        Positive(
            row["id"],
            row["task_type"],
            row["repo"],
            row.get("relevance", {}).get("primary", ""),
            kept["values"],
            kept["gold_ranks"],
        )
        for row in rows
        if (kept := kept_of(row, arm)) is not None and "gold_ranks" in kept
    ]


def weightings(positives: Sequence[Positive]) -> dict[str, dict[str, float]]:
    """The means of each measure: over samples, over the means of the tasks, over those of the repositories.

    `n` counts the samples, `tasks` and `repositories` what the outer mean is over.
    """
    tasks, repositories = by(positives, lambda one: one.task), by(positives, lambda one: one.repo)
    counts = _counts(positives)
    return {
        "sample": means(positives),
        "task_macro": counts | {"tasks": len(tasks)} | _macro(tasks.values()),
        "repository_macro": counts | {"repositories": len(repositories)} | _macro(repositories.values()),
    }


def groups(positives: Sequence[Positive]) -> dict[str, list[Positive]]:
    """The samples of `all`, of each task, and under each relation between question and gold."""
    tasks, relations = by(positives, lambda one: one.task), by(positives, lambda one: one.relevance)
    return {
        "all": list(positives),
        **{f"task:{task}": listed for task, listed in tasks.items()},
        **{f"relevance:{relation}": relations[relation] for relation in "DSWC" if relation in relations},
    }


def means(positives: Sequence[Positive]) -> dict[str, float]:
    """`n` and the mean of each measure over the samples that have it.

    `line_samples` and `block_samples` count those where the benchmark marks lines or blocks.
    """
    return _counts(positives) | {name: mean(column) for name, column in _columns(positives).items()}


def by(positives: Iterable[Positive], key: Callable[[Positive], str]) -> dict[str, list[Positive]]:
    """The samples by a property, in order of appearance."""
    found: dict[str, list[Positive]] = {}
    for one in positives:
        found.setdefault(key(one), []).append(one)
    return found


def _counts(positives: Sequence[Positive]) -> dict[str, float]:
    counts: dict[str, float] = {"n": len(positives)}
    for name, measures in _PARTIAL.items():
        counts[name] = sum(not measures.isdisjoint(one.values) for one in positives)
    return {name: count for name, count in counts.items() if count or name == "n"}


def _macro(parts: Iterable[Sequence[Positive]]) -> dict[str, float]:
    """The unweighted mean of the means of the parts, for each measure over the parts that have it."""
    found: dict[str, list[float]] = {}
    for part in parts:
        for name, column in _columns(part).items():
            found.setdefault(name, []).append(sum(column) / len(column))
    return {name: mean(values) for name, values in found.items()}


def _columns(positives: Sequence[Positive]) -> dict[str, list[float]]:
    """The values of each measure, in the order of `MEASURES`: a report that was read back has another."""
    found = {name: [one.values[name] for one in positives if name in one.values] for name in MEASURES}
    return {name: column for name, column in found.items() if column}
