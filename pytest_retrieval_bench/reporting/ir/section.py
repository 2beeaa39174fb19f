"""The member `measures.ir` of a report: a pure function of its details."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.scoring.functions import FUNCTION_MEASURES
from pytest_retrieval_bench.scoring.ir import IR, ir_measures
from pytest_retrieval_bench.statistics.rounding import mean

_SHORT = (1, 5, 10, 20)
_MANY = 5


@dataclass(frozen=True, slots=True)
class _Scored:
    """An answer to a sample with gold: its row, how many files it ranks, and its measures."""

    row: Row
    ranked: int
    values: Mapping[str, float]


def ir_section(rows: Sequence[Row], arms: Iterable[str], limit: int, names: Sequence[str]) -> dict[str, Any]:
    """By arm the means over samples of each group, the mean of the means of the repositories, and the depths.

    `functions` are means over the samples that mark functions, there where there are any. `ranked` says how long the
    rankings are: recall at 20 of rankings of nine files is recall at 9 under another name.
    """
    of_files = [name for name in names if name not in FUNCTION_MEASURES]
    functions = {arm: means for arm in arms if (means := _of_functions(rows, arm))}
    scored = {arm: [_scored(row, arm) for row in rows if row["gold"] and arm in row["arms"]] for arm in arms}
    scored = {arm: listed for arm, listed in scored.items() if listed}
    return {
        "groups": {
            arm: {name: _means(part, of_files) for name, part in _groups(listed).items()}
            for arm, listed in scored.items()
        },
        "repository_macro": {arm: _macro(listed, of_files) for arm, listed in scored.items()},
        **({"functions": functions} if functions else {}),
        "ranked": {arm: _lengths([one.ranked for one in listed], limit) for arm, listed in scored.items()},
    }


def _of_functions(rows: Sequence[Row], arm: str) -> dict[str, float]:
    """The means of what the rows keep; empty where none marks functions."""
    kept = [row.get("measures", {}).get(arm, {}).get(IR, {}).get("values") for row in rows]
    values = [one for one in kept if one]
    if not values:
        return {}
    names = [name for name in FUNCTION_MEASURES if name in values[0]]
    return {"n": len(values), **{name: mean([one[name] for one in values]) for name in names}}


def _scored(row: Row, arm: str) -> _Scored:
    ranked = row["arms"][arm]["ranked"]
    return _Scored(row, len(ranked), ir_measures(ranked, frozenset(row["gold"])))


def _groups(scored: Sequence[_Scored]) -> dict[str, list[_Scored]]:
    """All, each task, each repository, and the samples by how many gold files they have."""
    found: dict[str, list[_Scored]] = {"all": list(scored)}
    for property_ in ("task", "repo", "gold"):
        parts: dict[str, list[_Scored]] = {}
        for one in scored:
            parts.setdefault(f"{property_}:{_property(one.row, property_)}", []).append(one)
        found |= dict(sorted(parts.items()))
    return found


def _property(row: Row, name: str) -> str:
    if name == "gold":
        count = len(row["gold"])
        return f"{_MANY}+" if count >= _MANY else "3-4" if count > 2 else str(count)
    return str(row["task_type" if name == "task" else "repo"])


def _means(scored: Sequence[_Scored], names: Sequence[str]) -> dict[str, float]:
    return {"n": len(scored), **{name: mean([one.values[name] for one in scored]) for name in names}}


def _macro(scored: Sequence[_Scored], names: Sequence[str]) -> dict[str, float]:
    by_repository: dict[str, list[_Scored]] = {}
    for one in scored:
        by_repository.setdefault(one.row["repo"], []).append(one)
    means = {
        name: mean([sum(one.values[name] for one in part) / len(part) for part in by_repository.values()])
        for name in names
    }
    return {"n": len(scored), "repositories": len(by_repository), **means}


def _lengths(counts: Sequence[int], limit: int) -> dict[str, Any]:
    return {
        "n": len(counts),
        "mean": mean(counts),
        "min": min(counts),
        "shorter_than": {str(depth): sum(count < depth for count in counts) for depth in _SHORT if depth <= limit},
    }
