"""Why an arm ranked a file: what an arm may tell beside its ranking, for `--rb-explain`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Protocol, runtime_checkable

from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that speaks for a file.

    `what` names it: a term, an identifier, a reason in words. `adds` is its part of the file's score, None where there
    is no such figure; the parts of a file add up, one after the other, to its score. `count` is how often the text of
    the file holds it, None where nobody counted; `in_path` says that the path does. `weight` is what it weighs whatever
    the file, such as the rareness of a term.
    """

    what: str
    adds: float | None = None
    count: int | None = None
    in_path: bool = False
    weight: float | None = None


Reasons = Mapping[str, Sequence[Evidence]]


@runtime_checkable
class Explaining(Protocol):
    """An arm that can say why."""

    def explain(self, query: Query, snapshot: Snapshot, answer: Answer, paths: Sequence[str]) -> Reasons:
        """What speaks for each of the paths; none for a file that nothing speaks for.

        A path that the arm can say nothing about, such as one that it did not read, is left out. `answer` is what the
        arm answered to the query before. `paths` hold files that it did not rank as well.
        """
        ...


def checked(found: object) -> Reasons:
    """What an arm said, which may be a stranger's.

    Raises TypeError for what is no evidence by path.
    """
    if not isinstance(found, Mapping):
        raise TypeError(f"explain returned {type(found).__name__}; return a list of Evidence by path")
    reasons = {path: tuple(evidence) for path, evidence in found.items()}
    for one in (one for evidence in reasons.values() for one in evidence):
        figures = (one.adds, one.count, one.weight) if isinstance(one, Evidence) else (one,)
        if not all(figure is None or isinstance(figure, Real) for figure in figures):
            raise TypeError(f"explain returned {one!r:.200}; return Evidence(what, adds, count, in_path, weight)")
    return reasons
