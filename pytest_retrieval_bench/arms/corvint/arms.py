"""The four arms (PROTOCOL 4)."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pytest_retrieval_bench.arms.changed_file import NO_CHANGED_FILE, changed_file
from pytest_retrieval_bench.arms.corvint.call import Corvint, cache_state
from pytest_retrieval_bench.arms.corvint.dirty_edit import dirty_edit
from pytest_retrieval_bench.arms.corvint.evidence import packet_evidence
from pytest_retrieval_bench.arms.corvint.packets import affected_plan, context_packet, impact_packet, query_packet
from pytest_retrieval_bench.arms.evidence import Evidence
from pytest_retrieval_bench.model import MAX_CORVINT_CHARS, Answer, Json, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.snapshots.workspace import Workspace


class Verb(ABC):
    """A verb of corvint as an arm. It is asked in the copy that all verbs share, and has a time bound of its own."""

    name: str
    timeout_s: float | None = None

    def __init__(self, corvint: Corvint) -> None:
        self._corvint = corvint

    def describe(self) -> dict[str, Json]:
        """What the registration binds the arm to."""
        return self._corvint.describe()

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """What the verb says, labelled with what was seen of its index before the call."""
        workspace = snapshot.workspace()
        state, started = cache_state(workspace), time.perf_counter_ns()
        answer = self._ask(query, snapshot, workspace, limit)
        # Making the copy is nobody's answer time, also where no process was started.
        wall_ms = (time.perf_counter_ns() - started) / 1e6 if answer.wall_ms is None else answer.wall_ms
        return replace(answer, cache_state=state, wall_ms=wall_ms)

    def explain(
        self, query: Query, snapshot: Snapshot, answer: Answer, paths: Sequence[str]
    ) -> dict[str, list[Evidence]]:
        """The evidence rows of the packet that the answer was read from."""
        found = packet_evidence(answer)
        return {path: found.get(path, []) for path in paths}

    @abstractmethod
    def _ask(self, query: Query, snapshot: Snapshot, workspace: Workspace, limit: int) -> Answer:
        """Calls the verb."""


class QueryVerb(Verb):
    """`corvint query`, which takes the first 2,000 characters of the query text."""

    name = "corvint"

    def _ask(self, query: Query, snapshot: Snapshot, workspace: Workspace, limit: int) -> Answer:
        arguments = ("query", "--task", query.text[:MAX_CORVINT_CHARS], "--limit", str(limit))
        return self._corvint.ask(workspace, arguments, query_packet)


class ContextVerb(Verb):
    """`corvint context`, which gets the whole query text; too long a text is its error."""

    name = "context"

    def _ask(self, query: Query, snapshot: Snapshot, workspace: Workspace, limit: int) -> Answer:
        return ask_context(self._corvint, query, workspace, limit)


class ChangedFileVerb(Verb):
    """A verb that takes the changed file of the query, and does not apply where there is none."""

    def _ask(self, query: Query, snapshot: Snapshot, workspace: Workspace, limit: int) -> Answer:
        changed = changed_file(query)
        return NO_CHANGED_FILE if changed is None else self._ask_about(changed, snapshot, workspace, limit)

    @abstractmethod
    def _ask_about(self, changed: str, snapshot: Snapshot, workspace: Workspace, limit: int) -> Answer:
        """Calls the verb."""


class ImpactVerb(ChangedFileVerb):
    """`corvint impact`."""

    name = "impact"

    def _ask_about(self, changed: str, snapshot: Snapshot, workspace: Workspace, limit: int) -> Answer:
        arguments = ("impact", changed, "--limit", str(limit))
        return self._corvint.ask(workspace, arguments, partial(impact_packet, changed=changed))


class AffectedVerb(ChangedFileVerb):
    """`corvint affected`, which takes as changed what is dirty: the changed file gets two line feeds for the call."""

    name = "affected"

    def _ask_about(self, changed: str, snapshot: Snapshot, workspace: Workspace, limit: int) -> Answer:
        if snapshot.size(changed) is None:
            return Answer(error=f"the copy does not hold the changed file {changed!r}")
        with dirty_edit(workspace.root / changed):
            return self._corvint.ask(workspace, ("affected",), partial(affected_plan, changed=changed))


def ask_context(corvint: Corvint, query: Query, workspace: Workspace, limit: int) -> Answer:
    """One traced call of `context`."""
    arguments = ("context", "--task", query.text, "--limit", str(limit))
    return corvint.ask(workspace, arguments, context_packet, task=query.text, traced=True)
