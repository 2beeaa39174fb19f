"""Which measures beside the protocol's own a user asks for; light, so that a command line is checked without numpy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pytest_retrieval_bench.errors import SettingsError, unknown
from pytest_retrieval_bench.scoring.arb.names import ARB, MEASURES
from pytest_retrieval_bench.scoring.ir import IR, IR_MEASURES

# The sets by name; the names of all measures differ.
SETS: Final = {ARB: MEASURES, IR: IR_MEASURES}


@dataclass(frozen=True, slots=True)
class Calibration:
    """Thresholds by arm that another run found, None where nothing is kept back, and the SHA-256 of its report."""

    sha256: str
    thresholds: Mapping[str, float | None] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The member `calibration` of a registration."""
        return {"report_sha256": self.sha256, "thresholds": dict(self.thresholds)}


def read_metrics(asked: Iterable[str] | None) -> tuple[str, ...]:
    """The measures from the values of `--rb-metrics` (comma-separated), in order; `arb` and `ir` name whole sets.

    Raises SettingsError for a name that is none.
    """
    if asked is None:
        return ()
    names = {name.strip() for listed in asked for name in listed.split(",")} - {""}
    known = [*SETS, *(name for measures in SETS.values() for name in measures)]
    for name in sorted(names):
        if name not in known:
            raise SettingsError(f"--rb-metrics: {unknown('measure', name, known)}")
    if not names:
        raise SettingsError(f"--rb-metrics: names nothing; give {' or '.join(SETS)}, or measures such as {MEASURES[0]}")
    return tuple(name for set_, measures in SETS.items() for name in measures if name in names or set_ in names)


def of_set(names: Iterable[str], set_: str) -> tuple[str, ...]:
    """Those of the measures that belong to a set."""
    return tuple(name for name in names if name in SETS[set_])


def registered_metrics(names: Iterable[str], calibration: Calibration | None) -> dict[str, Any]:
    """The member `metrics` of a registration."""
    return {"names": list(names), **({} if calibration is None else {"calibration": calibration.as_json()})}
