"""Whether a run built its indexes or found them there, as far as its answers tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from pytest_retrieval_bench.reporting.details import Row

FRESH: Final = "fresh index"
SAME: Final = "same index"
PARTLY: Final = "partly fresh index"
UNTOLD: Final = "index not told"
KINDS: Final = (FRESH, SAME, PARTLY, UNTOLD)

_BUILT = ("COLD_UNIQUE", "OBSERVED_MISS")
_FOUND = ("PRIMED_SHARED", "OBSERVED_HIT")


def index_kind(rows: Iterable[Row], arm: str) -> str:
    """The kind of a run of this arm, from the details of its report.

    An index of a snapshot was built in the run where an answer says what that took, or met none; it was there before
    where answers met one and none of them built it. What no answer tells of is not told.
    """
    of_snapshot: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        if arm in row["arms"]:
            of_snapshot.setdefault((row["repo"], row["base_commit"]), set()).add(_told(row["arms"][arm]))
    kinds = {next(kind for kind in (FRESH, SAME, UNTOLD) if kind in told) for told in of_snapshot.values()}
    return kinds.pop() if len(kinds) == 1 else PARTLY


def _told(answer: Mapping[str, Any]) -> str:
    if "index" in answer or answer.get("cache_state") in _BUILT:
        return FRESH
    return SAME if answer.get("cache_state") in _FOUND else UNTOLD
