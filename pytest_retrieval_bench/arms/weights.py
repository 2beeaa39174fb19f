"""Weights of arms that `fit` found, as a file holds them."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.errors import SettingsError, reason
from pytest_retrieval_bench.model import Json

_MEMBERS = ("weights", "metric", "value", "n", "repositories", "samples_sha256")


@dataclass(frozen=True, slots=True)
class Weights:
    """The weight of each arm, and what they were fitted on.

    `value` is the mean of the metric over the `n` samples with gold that they were chosen by, and so better than it is
    to be expected elsewhere.
    """

    by_arm: Mapping[str, float]
    metric: str
    value: float
    n: int
    repositories: tuple[str, ...]
    samples_sha256: str

    def as_json(self) -> dict[str, Json]:
        """The members of the file."""
        return {
            "weights": dict(self.by_arm),
            "metric": self.metric,
            "value": self.value,
            "n": self.n,
            "repositories": list(self.repositories),
            "samples_sha256": self.samples_sha256,
        }

    def refuse_own(self, name: str, repositories: Collection[str]) -> None:
        """Raises SettingsError where the arm `name` would be measured on what its weights were fitted on."""
        same = sorted(set(self.repositories).intersection(repositories))
        if same:
            more = f" and {len(same) - 3} more" if len(same) > 3 else ""
            what = f"its weights were fitted on {', '.join(same[:3])}{more}, which this run measures"
            raise SettingsError(f"{name}: {what}; fit them on other repositories")


def read_weights(path: Path, source: str) -> Weights:
    """The weights of a file.

    Raises SettingsError, naming the source, for what is none.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(f"{source}: {path}: {reason(error)}") from error
    if not isinstance(found, dict) or found.keys() != set(_MEMBERS) or not _are_weights(found["weights"]):
        raise SettingsError(f"{source}: {path}: it is not a file that `python -m pytest_retrieval_bench fit` wrote")
    repositories = tuple(map(str, found["repositories"]))
    return Weights(
        found["weights"], str(found["metric"]), found["value"], found["n"], repositories, str(found["samples_sha256"])
    )


def _are_weights(value: Any) -> bool:
    return isinstance(value, dict) and len(value) > 1 and all(isinstance(one, int | float) for one in value.values())
