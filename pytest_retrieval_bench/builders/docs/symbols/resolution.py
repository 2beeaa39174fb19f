"""What became of a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Outcome = Literal[
    "definition",
    "import",
    "inherited",
    "module",
    "only name",
    "ambiguous",
    "package",
    "empty module",
    "undefined",
    "external",
]

OUTCOMES: Final[dict[Outcome, str]] = {
    "definition": "defined where it is said to be",
    "import": "defined where the imports of that place lead",
    "inherited": "a member that a base class defines",
    "module": "a module that defines something itself",
    "only name": "the only definition of this name",
    "ambiguous": "several definitions of this name",
    "package": "a package, which no single file defines",
    "empty module": "a module that defines nothing itself",
    "undefined": "of the project, but defined nowhere",
    "external": "of another project",
}


@dataclass(frozen=True, slots=True)
class Resolution:
    """How a reference was resolved, and the file that defines what it names; None where there is no such file."""

    outcome: Outcome
    path: str | None = None
