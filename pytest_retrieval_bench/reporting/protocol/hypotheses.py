"""A protocol as values: what is claimed before anything is measured; light, for every command line that names one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

BETTER: Final = "better"
NON_INFERIOR: Final = "non-inferior"
EQUAL: Final = "equal"
DIRECTIONS: Final = (BETTER, NON_INFERIOR, EQUAL)
HOLM: Final = "holm"
CORRECTIONS: Final = (HOLM, "none")


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One claim on the mean difference, arm minus baseline, in a metric, over the samples that both scored.

    `better`: it is above the margin, which may be 0; `non-inferior`: it is above minus the margin; `equal`: it lies
    within the margin on both sides.
    """

    name: str
    family: str
    arm: str
    baseline: str
    metric: str
    direction: str
    margin: float


@dataclass(frozen=True, slots=True)
class Protocol:
    """What a protocol file states. `sha256` is that of the file, `samples` how many are measured before it is judged.

    `alpha` is the chance, in each family, that a hypothesis is decided wrongly, after the `correction`.
    """

    sha256: str
    title: str
    alpha: float
    correction: str
    samples: int
    hypotheses: tuple[Hypothesis, ...]

    def families(self) -> dict[str, list[Hypothesis]]:
        """The hypotheses that are corrected together, by the name of their family."""
        found: dict[str, list[Hypothesis]] = {}
        for hypothesis in self.hypotheses:
            found.setdefault(hypothesis.family, []).append(hypothesis)
        return found

    def arms(self) -> Iterator[str]:
        """The arms and baselines of the hypotheses, as often as they are named."""
        for hypothesis in self.hypotheses:
            yield from (hypothesis.arm, hypothesis.baseline)

    def as_json(self) -> dict[str, Any]:
        """The member `protocol` of a registration."""
        return {**asdict(self), "hypotheses": [asdict(hypothesis) for hypothesis in self.hypotheses]}


def registered_protocol(member: Mapping[str, Any]) -> Protocol:
    """The protocol that a registration holds."""
    hypotheses = (Hypothesis(**_members(Hypothesis, stated)) for stated in member["hypotheses"])
    return Protocol(**{**_members(Protocol, member), "hypotheses": tuple(hypotheses)})


def _members(kind: type[Hypothesis | Protocol], written: Mapping[str, Any]) -> dict[str, Any]:
    return {field.name: written[field.name] for field in fields(kind)}
