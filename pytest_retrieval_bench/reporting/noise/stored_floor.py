"""A noise floor, read back for what is to be held against it."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.errors import ReportError, reason
from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.noise.floor import PROFILE
from pytest_retrieval_bench.reporting.noise.identical import rows_sha256
from pytest_retrieval_bench.statistics.noise import MIN_RUNS, Noise, smallest_between
from pytest_retrieval_bench.text.strict_json import loads

Place = tuple[str, str]  # a group and a metric


@dataclass(frozen=True, slots=True)
class Floor:
    """What a noise floor is about, and the noise by arm, kind of index, and group and metric."""

    path: Path
    sha256: str
    samples_sha256: str
    rows_sha256: str
    limit: int
    arms: Mapping[str, Mapping[str, Mapping[Place, Noise]]]

    def between_runs(self, arm: str, kinds: Collection[str], place: Place) -> float | None:
        """The smallest difference worth believing between two runs of an arm, of these kinds; None where not known."""
        found = [self._noise(arm, kind, place) for kind in kinds]
        return None if None in found else max(noise.smallest for noise in found if noise is not None)

    def between_arms(self, first: tuple[str, str], second: tuple[str, str], place: Place) -> float | None:
        """The same between two arms, each given with the kind of its run."""
        noises = self._noise(*first, place), self._noise(*second, place)
        return None if noises[0] is None or noises[1] is None else smallest_between(noises[0], noises[1])

    def _noise(self, arm: str, kind: str, place: Place) -> Noise | None:
        return self.arms.get(arm, {}).get(kind, {}).get(place)

    def why_other_benchmark(self, samples_sha256: str, limit: int, rows: Iterable[Row]) -> str | None:
        """Why it says nothing of these samples, in words; None where it does."""
        if self.samples_sha256 != samples_sha256:
            return f"it is about other samples: samples_sha256 is {self.samples_sha256}, here {samples_sha256}"
        if self.limit != limit:
            return f"its limit is {self.limit}, here {limit}"
        if self.rows_sha256 != rows_sha256(rows):
            return "it is about another part of the samples, or about other gold"
        return None


def read_floor(path: Path) -> Floor:
    """Reads what `noise_floor` gave.

    Raises ReportError, naming the file, for what is none.
    """
    try:
        raw = path.read_bytes()
        data: Any = loads(raw.decode())
        if data["profile"] != PROFILE:
            raise ValueError(f"the profile is {data['profile']!r}, not {PROFILE!r}")
        arms = {arm: {kind: _noise(block) for kind, block in blocks.items()} for arm, blocks in data["arms"].items()}
        digest = hashlib.sha256(raw).hexdigest()
        return Floor(path, digest, str(data["samples_sha256"]), str(data["rows_sha256"]), int(data["limit"]), arms)
    except (OSError, ValueError, RecursionError, TypeError, KeyError, AttributeError) as error:
        words = f"{error} is missing" if isinstance(error, KeyError) else reason(error)
        raise ReportError(f"{path}: cannot be read as a noise floor of --rb-noise-floor: {words}") from error


def _noise(block: Mapping[str, Any]) -> dict[Place, Noise]:
    runs = block["runs"]
    if type(runs) is not int or runs < MIN_RUNS:
        raise ValueError(f"runs must be a whole number of at least {MIN_RUNS}, this is {runs!r}")
    return {
        (group, metric): Noise(_sd(figures["sd"]), runs)
        for group, metrics in block["groups"].items()
        for metric, figures in metrics.items()
    }


def _sd(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ValueError(f"sd must be a number of at least 0, this is {value!r}")
    return float(value)
