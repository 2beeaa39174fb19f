"""An arm with `update` is told what differs from the last commit, and held to an index from scratch now and then."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.arms.changes import Changes, changes_since, contents
from pytest_retrieval_bench.arms.preparing import CHECK_EVERY
from pytest_retrieval_bench.arms.run import Asker
from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from tests.memory_snapshot import MemorySnapshot

QUERY = Query({"words": ["a"]}, "cart", "cart")
TREES = st.dictionaries(st.sampled_from("abcdef"), st.binary(max_size=2), max_size=6)


class Kept:
    """Ranks the files that hold `cart`, from an index that it brings up to date."""

    name = "kept"

    def __init__(self) -> None:
        self.index: dict[str, bytes] = {}
        self.calls: list[str] = []
        self.changes: list[Changes] = []

    def prepare(self, snapshot: Snapshot) -> None:
        self.calls.append("prepare")
        self.index = {path: snapshot.read(path) for path in snapshot.paths}

    def update(self, snapshot: Snapshot, changes: Changes) -> None:
        self.calls.append("update")
        self.changes.append(changes)
        self.index |= {path: snapshot.read(path) for path in changes.changed}
        for path in changes.deleted:
            del self.index[path]

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> list[str]:
        self.calls.append("answer")
        return sorted(path for path, text in self.index.items() if b"cart" in text)


class Forgetful(Kept):
    """Never forgets a file that is gone."""

    def update(self, snapshot: Snapshot, changes: Changes) -> None:
        super().update(snapshot, Changes(changes.since, changes.changed, ()))


class Broken(Kept):
    def update(self, snapshot: Snapshot, changes: Changes) -> None:
        super().update(snapshot, changes)
        raise OSError("the index is locked")


def at(commit: int, tree: Mapping[str, bytes], repo: str = "acme/shop") -> MemorySnapshot:
    return MemorySnapshot(tree, repo, f"{commit:040x}")


def asked(arm: Kept, *snapshots: MemorySnapshot) -> list[Answer]:
    asker = Asker()
    return [asker.ask(arm, QUERY, snapshot, 20).answer for snapshot in snapshots]


FIRST = {"a.py": b"cart", "b.py": b"x", "c.py": b"cart"}
SECOND = {"a.py": b"cart", "b.py": b"cart", "d.py": b"cart"}


def test_it_gets_what_is_new_or_other_and_what_is_gone() -> None:
    arm = Kept()
    first, second = asked(arm, at(1, FIRST), at(2, SECOND))
    assert arm.changes == [Changes(f"{1:040x}", ("b.py", "d.py"), ("c.py",))]
    assert (list(first.ranking), list(second.ranking)) == (["a.py", "c.py"], ["a.py", "b.py", "d.py"])
    assert second.error is None
    assert second.index is not None


def test_questions_about_one_snapshot_need_one_preparation() -> None:
    arm, snapshot = Kept(), at(1, FIRST)
    asked(arm, snapshot, snapshot)
    assert arm.calls == ["prepare", "answer", "answer"]


def test_another_repository_is_prepared_from_scratch() -> None:
    arm = Kept()
    asked(arm, at(1, FIRST), at(1, SECOND, "acme/other"))
    assert arm.calls == ["prepare", "answer", "prepare", "answer"]


def test_the_first_update_and_each_tenth_after_it_is_held_to_an_index_from_scratch() -> None:
    arm = Kept()
    answers = asked(arm, *(at(number, FIRST if number % 2 else SECOND) for number in range(CHECK_EVERY + 3)))
    assert all(answer.error is None for answer in answers)
    checks = [number for number, call in enumerate(arm.calls[2:]) if call == "prepare"]
    assert arm.calls[2:6] == ["update", "answer", "prepare", "answer"]
    assert len(checks) == 2
    assert arm.calls.count("update") == CHECK_EVERY + 2


def test_an_update_that_is_no_rebuild_fails_and_names_the_files() -> None:
    first, second = asked(Forgetful(), at(1, FIRST), at(2, SECOND))
    assert first.error is None
    assert second.error == (
        "update: another answer than from an index built from scratch: 2 of 4 files differ: "
        "d.py: rank 4, from scratch rank 3; c.py: rank 3, from scratch not ranked"
    )
    assert not second.ranking


def test_after_a_check_the_index_is_the_one_from_scratch() -> None:
    arm, snapshot = Forgetful(), at(2, SECOND)
    _, _, again = asked(arm, at(1, FIRST), snapshot, snapshot)
    assert (again.error, list(again.ranking)) == (None, ["a.py", "b.py", "d.py"])


def test_an_update_that_fails_is_an_error_of_each_question_and_the_next_snapshot_is_prepared_from_scratch() -> None:
    arm, second = Broken(), at(2, SECOND)
    _, failed, again, third = asked(arm, at(1, FIRST), second, second, at(3, FIRST))
    assert failed.error == again.error == "update: OSError: the index is locked"
    assert (third.error, list(third.ranking)) == (None, ["a.py", "c.py"])
    assert arm.calls == ["prepare", "answer", "update", "prepare", "answer"]


@given(TREES, TREES)
def test_what_changes_say_makes_the_one_tree_the_other(before: dict[str, bytes], now: dict[str, bytes]) -> None:
    changes = changes_since("c", contents(MemorySnapshot(before)), contents(MemorySnapshot(now)))
    made = {path: text for path, text in before.items() if path not in changes.deleted}
    made |= {path: now[path] for path in changes.changed}
    assert made == now
    assert all(before.get(path) != now[path] for path in changes.changed)
