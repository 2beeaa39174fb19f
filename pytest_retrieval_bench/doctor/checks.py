"""What a benchmark is checked for, and what a check has found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Among = Literal["rows", "samples", "samples with gold", "samples with gold and snapshot"]


@dataclass(frozen=True, slots=True)
class Check:
    """One check: what is looked for, among what. A `fatal` one finds what makes figures wrong or worthless."""

    name: str
    about: str
    among: Among
    fatal: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What the check of that name found: where the row stands (FILE:LINE), the sample's id, and what is the matter."""

    check: str
    where: str
    identity: str
    words: str


SCHEMA: Final = Check("schema", "breaks the format, or a rule of its task type", "rows", fatal=True)
FORM: Final = Check("release form", "is no row that a release would have, though it can be measured", "samples")
SAME_ID: Final = Check("duplicate id", "has the id of an earlier row", "samples", fatal=True)
SAME_QUERY: Final = Check("duplicate query", "asks what an earlier row asks", "samples")
SNAPSHOT: Final = Check("snapshot", "has no snapshot in the corpus that can be read", "samples", fatal=True)
GOLD_FILE: Final = Check("gold file", "has gold that its snapshot lacks", "samples with gold and snapshot", fatal=True)
GOLD_GIVEN: Final = Check(
    "gold given", "hands out its gold, which a run then removes from answers", "samples with gold"
)
LEAKED_PATH: Final = Check("leak: gold path", "names a gold path in its query", "samples with gold", fatal=True)
LEAKED_PATCH: Final = Check("leak: raw patch", "has a patch in its query", "samples with gold", fatal=True)
LEAKED_COMMIT: Final = Check("leak: fix commit", "names the fix's commit in its query", "samples with gold", fatal=True)
LEAKED_REVIEW: Final = Check(
    "leak: generated review", "has what a review robot wrote in its query", "samples with gold", fatal=True
)
LEAKED_NAME: Final = Check(
    "leak: gold name", "names a gold file or its import path in an edit2ripple query", "samples with gold", fatal=True
)
PATH_HINT: Final = Check("hint: path", "names a gold path, in a stack trace too", "samples with gold")
NAME_HINT: Final = Check("hint: file name", "names a gold file without its path", "samples with gold")
TRACE_HINT: Final = Check(
    "hint: trace", "has a gold file in the stack trace of a trace2code query", "samples with gold"
)
MODULE_HINT: Final = Check("hint: module", "shares a word with a gold path that no given path has", "samples with gold")

CHECKS: Final = (
    SCHEMA, FORM, SAME_ID, SAME_QUERY, SNAPSHOT, GOLD_FILE, GOLD_GIVEN, LEAKED_PATH, LEAKED_PATCH, LEAKED_COMMIT,
    LEAKED_REVIEW, LEAKED_NAME, PATH_HINT, NAME_HINT, TRACE_HINT, MODULE_HINT,
)  # fmt: skip
