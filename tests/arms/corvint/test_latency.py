"""`context` without and with its index: what makes two calls a matched pair, and that the index always comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_retrieval_bench.arms.corvint.call import Corvint, store_of
from pytest_retrieval_bench.arms.corvint.latency import MatchedContext
from pytest_retrieval_bench.arms.run import Asker
from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.snapshots.workspace import Workspace
from tests.corvint_program import write_corvint
from tests.memory_snapshot import MemorySnapshot

QUERY = Query({}, "{}", "")
COUNT = """
with open("calls", "a") as calls:
    print(verb, hit, file=calls)
"""


def ask(snapshot: MemorySnapshot, caller: Path, awkward: str = COUNT) -> Answer:
    corvint = Corvint(str(write_corvint(caller / "corvint", awkward)), caller)
    return MatchedContext(corvint).answer(QUERY, snapshot, 20)


def copy_of(snapshot: MemorySnapshot) -> Workspace:
    return snapshot.workspace("snapshot-latency")


def test_a_sample_is_asked_without_the_index_and_then_with_it(snapshot: MemorySnapshot, caller: Path) -> None:
    answers = [ask(snapshot, caller), ask(snapshot, caller)]
    told = ["context False", "context True"]
    assert (caller / "calls").read_text().splitlines() == ["index False", *told, *told]
    for answer in answers:
        assert (answer.ranking, answer.error, answer.cache_state) == (("a.py", "tests/test_a.py"), None, "OBSERVED_HIT")
        assert [invocation.phase for invocation in answer.invocations] == ["cold", "hit"]
        assert 0 < (answer.cold_wall_ms or 0) < 60_000
        assert 0 < (answer.wall_ms or 0) < 60_000
    assert snapshot.changes() == []


def test_the_copy_is_not_that_of_the_other_arms(snapshot: MemorySnapshot, caller: Path) -> None:
    ask(snapshot, caller)
    assert store_of(copy_of(snapshot)) is not None
    assert store_of(snapshot.workspace()) is None


@pytest.mark.parametrize(
    ("awkward", "error"),
    [
        ("del os.environ['CORVINT_BENCH_SNAPSHOT_TRACE']", "cold call: standard error is not one line"),
        ("trace()", "cold call: standard error is not one line"),
        ("print('noise', file=sys.stderr)", "cold call: standard error is not one line"),
        ("hit = 'maybe'", "cold call: standard error is not one line"),
        ("hit = True", "cold call: the index was used"),
        ("hit = False", "hit call: the index was not used"),
        ("if hit: trace()", "hit call: standard error is not one line"),
        ("if hit: names.reverse()", "the cold and the hit call answered differently"),
        ("if hit: score = 851", "the cold and the hit call answered differently"),
        ("if hit: state = 'NO_CANDIDATES'", "the cold and the hit call answered differently"),
        ("if not hit: sys.exit(3)", "cold call: exit status 3"),
        ("if hit: sys.exit(3)", "hit call: exit status 3"),
        ("if not hit: os.kill(os.getpid(), 9)", "cold call: it was ended by SIGKILL"),
    ],
)
def test_what_is_no_matched_pair_is_an_error_and_the_index_is_there_again(
    snapshot: MemorySnapshot, caller: Path, awkward: str, error: str
) -> None:
    answer = ask(snapshot, caller, f"if verb == 'context':\n    {awkward}")
    assert (answer.error or "").startswith(error)
    assert (answer.ranking, answer.abstained, answer.cold_wall_ms) == ((), None, None)
    assert answer.cache_state == "PRIMED_SHARED"
    assert [invocation.phase for invocation in answer.invocations] == ["cold", "hit"]
    assert snapshot.changes() == []
    assert [path.name for path in (copy_of(snapshot).root / ".git/corvint/index").iterdir()] == ["0.gob"]


def test_an_index_that_the_cold_call_makes_does_not_take_the_place_of_the_first_one(
    snapshot: MemorySnapshot, caller: Path
) -> None:
    rebuild = "if verb == 'context' and not hit:\n    build_index()\n    (store / 'of-the-call').write_text('')"
    answer = ask(snapshot, caller, rebuild)
    assert (answer.error, answer.cache_state) == (None, "OBSERVED_HIT")
    assert [path.name for path in (copy_of(snapshot).root / ".git/corvint/index").iterdir()] == ["0.gob"]


def test_the_index_comes_back_into_a_folder_that_the_cold_call_removed(snapshot: MemorySnapshot, caller: Path) -> None:
    remove = "if verb == 'context' and not hit:\n    store.parent.rmdir()"
    assert ask(snapshot, caller, remove).error is None
    assert store_of(copy_of(snapshot)) is not None


def test_an_index_below_the_root_is_moved_too(snapshot: MemorySnapshot, caller: Path) -> None:
    answer = ask(snapshot, caller, 'store = root / ".corvint/index"\nhit = store.exists()')
    assert (answer.error, answer.cache_state) == (None, "OBSERVED_HIT")
    assert snapshot.changes() == []


@pytest.mark.parametrize(
    ("awkward", "error"),
    [
        ("sys.exit(4)", "corvint index failed: exit status 4"),
        ("sys.exit()", "corvint index left no index in the copy; see CORVINT_* variables that move it"),
    ],
)
def test_without_an_index_nothing_is_asked(snapshot: MemorySnapshot, caller: Path, awkward: str, error: str) -> None:
    answer = ask(snapshot, caller, f"if verb == 'index': {awkward}")
    assert (answer.error, answer.invocations, answer.cache_state) == (error, (), "COLD_UNIQUE")


@pytest.mark.parametrize("phase", ["cold", "hit"])
def test_a_time_out_of_either_call_is_one_of_the_measurement(
    snapshot: MemorySnapshot, caller: Path, monkeypatch: pytest.MonkeyPatch, phase: str
) -> None:
    monkeypatch.setattr("pytest_retrieval_bench.arms.corvint.call.TIMEOUT_S", 2)
    sleep = f"if verb == 'context' and hit is {phase == 'hit'}:\n    import time\n    time.sleep(60)"
    answer = ask(snapshot, caller, sleep)
    assert (answer.error, answer.failure) == (f"{phase} call: it had not ended after 2 s", "timeout")
    assert store_of(copy_of(snapshot)) is not None


def test_copying_and_indexing_are_outside_of_both_times(snapshot: MemorySnapshot, caller: Path) -> None:
    corvint = Corvint(str(write_corvint(caller / "corvint")), caller)
    timed = Asker().ask(MatchedContext(corvint), QUERY, snapshot, 20)
    assert timed.answer.wall_ms is not None
    assert timed.wall_ms == timed.answer.wall_ms
