"""`context` measured twice a sample, without and with its index (seed, "Matched snapshot latency")."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import replace

import orjson

from pytest_retrieval_bench.arms.corvint.arms import Verb, ask_context
from pytest_retrieval_bench.arms.corvint.call import TIMEOUT_S, cache_state, store_of
from pytest_retrieval_bench.arms.corvint.packets import context_top_score
from pytest_retrieval_bench.arms.invoke import failure as failed_answer
from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.processes.run_folder import remove_tree
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.snapshots.workspace import Workspace

HIT = "OBSERVED_HIT"
_TRACE = re.compile(rb"corvint-bench-snapshot: hit=(true|false)\n")


class MatchedContext(Verb):
    """Asks `context` with its index moved out of the copy, and again with the index back in its place.

    The copy is its own. Whether the index was used is what corvint says on standard error, not that a folder is there;
    calls that are no matched pair fail the measurement.
    """

    name = "context"

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """The answer of the call that hit, with its time and that of the call that missed."""
        workspace = snapshot.workspace("snapshot-latency")
        failed = self._index(workspace)
        state = cache_state(workspace)
        answer = self._ask(query, snapshot, workspace, limit) if failed is None else failed
        return replace(answer, cache_state=HIT if answer.error is None else state)

    def _ask(self, query: Query, snapshot: Snapshot, workspace: Workspace, limit: int) -> Answer:
        with _index_away(workspace):
            cold = _phase(ask_context(self._corvint, query, workspace, limit), "cold")
        hit = _phase(ask_context(self._corvint, query, workspace, limit), "hit")
        invocations = (*cold.invocations, *hit.invocations)
        problem = _mismatch(cold, hit)
        if problem is not None:
            failure = cold.failure or hit.failure
            return Answer(error=problem, wall_ms=hit.wall_ms, failure=failure, invocations=invocations)
        return replace(hit, cold_wall_ms=cold.wall_ms, invocations=invocations)

    def _index(self, workspace: Workspace) -> Answer | None:
        """Lets corvint index a copy that is new; an answer where that fails."""
        if store_of(workspace) is not None:
            return None
        failed = failed_answer(self._corvint.index(workspace), TIMEOUT_S, workspace.root)
        if failed is not None:
            return replace(failed, error=f"corvint index failed: {failed.error}")
        if store_of(workspace) is None:
            return Answer(error="corvint index left no index in the copy; see CORVINT_* variables that move it")
        return None


@contextlib.contextmanager
def _index_away(workspace: Workspace) -> Iterator[None]:
    """Moves corvint's index out of the copy, and back again whatever happens."""
    store = store_of(workspace)
    assert store is not None
    away = workspace.folder.new() / store.name
    store.rename(away)
    try:
        yield
    finally:
        if store.exists():  # the call without an index may have made one
            remove_tree(store)
        store.parent.mkdir(parents=True, exist_ok=True)
        away.rename(store)


def _phase(answer: Answer, phase: str) -> Answer:
    return replace(answer, invocations=tuple(replace(invocation, phase=phase) for invocation in answer.invocations))


def _mismatch(cold: Answer, hit: Answer) -> str | None:
    """Why two calls are no matched pair; None where they are one."""
    for answer, wanted in ((cold, b"false"), (hit, b"true")):
        phase = answer.invocations[0].phase
        if answer.error is not None:
            return f"{phase} call: {answer.error}"
        trace = _TRACE.fullmatch(answer.invocations[0].stderr or b"")
        if trace is None:
            return f"{phase} call: standard error is not one line `corvint-bench-snapshot: hit=true|false`"
        if trace[1] != wanted:
            return f"{phase} call: the index was {'' if trace[1] == b'true' else 'not '}used"
    return None if _said(cold) == _said(hit) else "the cold and the hit call answered differently"


def _said(answer: Answer) -> tuple[object, ...]:
    """What both calls must agree in."""
    top_score = context_top_score(orjson.loads(answer.invocations[0].stdout or b"{}"))
    return answer.ranking, answer.state, answer.abstained, top_score
