"""Which evidence beyond `paired` a user asks for; light, so that a command line can be checked without scipy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pytest_retrieval_bench.errors import SettingsError, unknown

BY_REPOSITORY: Final = "randomization by repository"
TESTS: Final = ("randomization", "mcnemar")
CORRECTIONS: Final = ("holm", "bh")
NAMES: Final = ("clustered", "bca", *TESTS, *CORRECTIONS, "non-inferiority", "equivalence", "power")
ALL: Final = "all"
DEFAULT_MARGIN: Final = 0.05


@dataclass(frozen=True, slots=True)
class InferenceChoice:
    """The names of what is asked for, in the order of `NAMES`, and the margin, in units of the metric."""

    names: tuple[str, ...]
    margin: float

    def as_json(self) -> dict[str, Any]:
        """The member `inference` of a registration."""
        return {"names": list(self.names), "margin": self.margin}


# Whether two runs differ is what a comparison is for: these need not be asked for there.
BETWEEN_RUNS: Final = InferenceChoice(("clustered", "randomization", "mcnemar", "holm"), DEFAULT_MARGIN)


def registered_choice(member: Mapping[str, Any]) -> InferenceChoice:
    """The choice that a registration holds."""
    return InferenceChoice(tuple(member["names"]), member["margin"])


def read_choice(names: Iterable[str] | None, margin: str | None) -> InferenceChoice | None:
    """The choice from the values of `--rb-inference` (comma-separated) and `--rb-margin`; None where none was given.

    Raises SettingsError for an unknown name, for corrections with nothing to correct, and for a margin that is none.
    """
    if names is None:
        if margin is not None:
            raise SettingsError("--rb-margin: it is about --rb-inference; give that as well")
        return None
    asked = {name.strip() for listed in names for name in listed.split(",")} - {""}
    for name in sorted(asked):
        if name not in (*NAMES, ALL):
            raise SettingsError(f"--rb-inference: {unknown('evidence', name, [*NAMES, ALL])}")
    chosen = tuple(name for name in NAMES if name in asked or ALL in asked)
    if not chosen:
        raise SettingsError(f"--rb-inference: names nothing; known: {', '.join([*NAMES, ALL])}")
    if not set(chosen).isdisjoint(CORRECTIONS) and set(chosen).isdisjoint(TESTS):
        raise SettingsError(f"--rb-inference: holm and bh correct p values; add {' or '.join(TESTS)}")
    return InferenceChoice(chosen, DEFAULT_MARGIN if margin is None else read_margin(margin))


def read_margin(text: str) -> float:
    """The value of `--rb-margin`; raises SettingsError for one that is none."""
    try:
        margin = float(text)
    except ValueError:
        margin = 0
    if not 0 < margin < 1:
        raise SettingsError(f"--rb-margin: must be a number between 0 and 1, such as 0.05, this is {text!r}")
    return margin
