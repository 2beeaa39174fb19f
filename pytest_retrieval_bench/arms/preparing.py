"""Before the questions about a snapshot: an arm prepares, or brings what it has of the snapshot before up to date."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.changes import Contents, changes_since, contents
from pytest_retrieval_bench.model import Answer
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

PREPARE_TIMEOUT_S = 1800.0
# An update is held to an index from scratch the first time, and so often again.
CHECK_EVERY = 10

Call = Callable[[Callable[[], object], float | None], Answer]


@dataclass(slots=True)
class _Prepared:
    """What an arm was prepared for, what came of it, and whether the next answer is to be checked."""

    snapshot: weakref.ref[Snapshot]
    repo: str
    commit: str
    came_of_it: Answer
    contents: Contents | None
    unchecked: bool = False


class Preparations:
    """Lets each arm prepare whenever it comes to another snapshot.

    An arm may keep what it prepared in one place, so only the last snapshot is known to be there. `call` runs the code
    of an arm within a bound, and gives what came of it as an answer without a ranking.
    """

    def __init__(self, call: Call) -> None:
        self._call = call
        self._last: dict[str, _Prepared] = {}
        self._updates: dict[str, int] = {}

    def of(self, arm: Arm, snapshot: Snapshot) -> Answer:
        """What came of the preparation: what it cost, or an error that answers each question about the snapshot."""
        if not hasattr(arm, "prepare"):
            return Answer()
        last = self._last.get(arm.name)
        if last is None or last.snapshot() is not snapshot:
            last = self._last[arm.name] = self._prepared(arm, snapshot, last)
            if last.came_of_it.error is not None:
                snapshot.settle(distrusted=True)  # the next arm must not answer for what this one left
        return last.came_of_it

    def to_check(self, arm: Arm) -> bool:
        """Whether the answer that the arm just gave is to be held to an index from scratch; once for each update."""
        last = self._last.get(arm.name)
        unchecked = last is not None and last.unchecked
        if last is not None:
            last.unchecked = False
        return unchecked

    def from_scratch(self, arm: Arm, snapshot: Snapshot) -> Answer:
        """Prepares the arm anew for the snapshot that it is prepared for."""
        return self._run(arm, "prepare", snapshot)

    def _prepared(self, arm: Arm, snapshot: Snapshot, last: _Prepared | None) -> _Prepared:
        now = contents(snapshot) if hasattr(arm, "update") else None
        made = _Prepared(weakref.ref(snapshot), snapshot.repo, snapshot.commit, Answer(), now)
        usable = last is not None and last.repo == snapshot.repo and last.came_of_it.error is None
        if last is None or last.contents is None or now is None or not usable:
            made.came_of_it = self.from_scratch(arm, snapshot)
            return made
        made.came_of_it = self._run(arm, "update", snapshot, changes_since(last.commit, last.contents, now))
        made.unchecked = self._updates.setdefault(arm.name, 0) % CHECK_EVERY == 0
        self._updates[arm.name] += 1
        return made

    def _run(self, arm: Arm, method: str, *arguments: object) -> Answer:
        bound_s = getattr(arm, "prepare_timeout_s", PREPARE_TIMEOUT_S)
        answer = self._call(lambda: getattr(arm, method)(*arguments), bound_s)
        return answer if answer.error is None else replace(answer, error=f"{method}: {answer.error}")


def differing(updated: Answer, fresh: Answer) -> str | None:
    """In words, which files two answers to one question have at different places; None where they are the same."""
    if fresh.error is not None:
        return fresh.error
    before, after = ({path: rank for rank, path in enumerate(answer.ranking, 1)} for answer in (updated, fresh))
    moved = [path for path in dict.fromkeys([*after, *before]) if before.get(path) != after.get(path)]
    if not moved:
        return None
    shown = "; ".join(f"{path}: {_place(before, path)}, from scratch {_place(after, path)}" for path in moved[:3])
    return f"{len(moved)} of {len(before | after)} files differ: {shown}"


def _place(ranks: dict[str, int], path: str) -> str:
    return f"rank {ranks[path]}" if path in ranks else "not ranked"
