"""Copies are made when asked for, shared by owner, and gone with their snapshot, their store or their run."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from pytest_retrieval_bench.errors import BenchmarkWarning, SnapshotError
from pytest_retrieval_bench.processes.run_folder import RunFolder
from pytest_retrieval_bench.snapshots import workspaces as module
from pytest_retrieval_bench.snapshots.store import SnapshotStore
from pytest_retrieval_bench.snapshots.workspaces import Workspaces
from tests.memory_snapshot import MemorySnapshot
from tests.snapshots.worktree import make_worktree, write_tree

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

COMMIT = "0123456789abcdef" * 2 + "01234567"


@pytest.fixture
def snapshot() -> MemorySnapshot:
    return MemorySnapshot({"a.py": b"one\n"})


def copies(base: Path) -> int:
    return len(list(base.rglob("copy")))


def test_those_who_pass_the_same_owner_share_a_copy(workspaces: Workspaces, snapshot: MemorySnapshot) -> None:
    assert workspaces.of(snapshot, "one") is workspaces.of(snapshot, "one")
    assert workspaces.of(snapshot, "one") is not workspaces.of(snapshot, "other")


def test_equal_snapshots_have_copies_of_their_own(workspaces: Workspaces, snapshot: MemorySnapshot) -> None:
    assert workspaces.of(snapshot, "") is not workspaces.of(MemorySnapshot({"a.py": b"one\n"}), "")


def test_paths_of_copies_are_of_one_length(workspaces: Workspaces, snapshot: MemorySnapshot) -> None:
    assert len({len(str(workspaces.of(snapshot, owner).root)) for owner in ("", "one", "another")}) == 1


def test_no_folder_is_made_before_the_first_copy(workspaces: Workspaces, snapshot: MemorySnapshot, base: Path) -> None:
    assert not base.exists()
    workspaces.of(snapshot, "")
    assert copies(base) == 1


def settled(workspaces: Workspaces, *, distrusted: bool = False) -> list[str]:
    changes = workspaces.changes()
    workspaces.settle(distrusted=distrusted)
    return changes


def test_settling_names_what_was_changed_since_it_was_last_asked(
    workspaces: Workspaces, snapshot: MemorySnapshot
) -> None:
    one, other = workspaces.of(snapshot, "one"), workspaces.of(snapshot, "other")
    (one.root / "a.py").write_bytes(b"other\n")
    assert settled(workspaces) == [" M a.py"]
    assert workspaces.of(snapshot, "one") is not one
    assert workspaces.of(snapshot, "other") is other
    assert settled(workspaces) == []
    (other.root / "new.py").write_bytes(b"")
    workspaces.of(snapshot, "other")
    assert settled(workspaces) == ["?? new.py"]
    assert settled(workspaces) == []


def test_a_distrusted_copy_goes_even_when_nothing_shows(workspaces: Workspaces, snapshot: MemorySnapshot) -> None:
    one = workspaces.of(snapshot, "one")
    assert settled(workspaces, distrusted=True) == []
    assert workspaces.of(snapshot, "one") is not one


def test_a_replaced_copy_is_gone_and_made_anew(workspaces: Workspaces, snapshot: MemorySnapshot) -> None:
    spoiled, kept = workspaces.of(snapshot, "one"), workspaces.of(snapshot, "other")
    (spoiled.root / "a.py").write_bytes(b"other\n")
    workspaces.replace(spoiled)
    assert not spoiled.root.parent.exists()
    assert (workspaces.of(snapshot, "one").root / "a.py").read_bytes() == b"one\n"
    assert workspaces.of(snapshot, "other") is kept


def test_discarding_a_snapshot_takes_its_copies_and_no_others(
    workspaces: Workspaces, snapshot: MemorySnapshot, base: Path
) -> None:
    kept = workspaces.of(MemorySnapshot({"b.py": b""}), "one")
    workspaces.of(snapshot, "one")
    workspaces.of(snapshot, "other")
    workspaces.discard(snapshot)
    assert copies(base) == 1
    assert kept.changes() == []


def test_closing_leaves_nothing(workspaces: Workspaces, snapshot: MemorySnapshot, base: Path) -> None:
    workspaces.of(snapshot, "")
    workspaces.close()
    assert [path for path in base.rglob("*") if path.is_dir()] == []
    workspaces.close()


def test_a_copy_that_cannot_be_removed_is_a_warning(
    workspaces: Workspaces, snapshot: MemorySnapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise OSError("busy")

    workspace = workspaces.of(snapshot, "")
    monkeypatch.setattr(module, "remove_tree", refuse)
    with pytest.warns(BenchmarkWarning, match="stays behind: busy"):
        workspaces.replace(workspace)
    monkeypatch.undo()
    assert workspaces.of(snapshot, "") is not workspace


def test_a_snapshot_opened_without_workspaces_says_so(snapshot: MemorySnapshot) -> None:
    with pytest.raises(SnapshotError, match="memory: no workspace is to be had"):
        snapshot.workspace()


def plain_tree(folder: Path, name: str) -> Path:
    write_tree(folder, {f"{name}/a.py": b"one\n"})
    return folder / name


def store_of(workspaces: Workspaces, folder: Path, *names: str) -> SnapshotStore:
    trees = {(f"acme/{name}", COMMIT): plain_tree(folder, name) for name in names}
    return SnapshotStore(None, trees, workspaces=workspaces)


def test_a_snapshot_of_a_store_has_workspaces(workspaces: Workspaces, tmp_path: Path) -> None:
    snapshot = store_of(workspaces, tmp_path, "one").open("acme/one", COMMIT)
    workspace = snapshot.workspace("arm")
    assert workspace is workspaces.of(snapshot, "arm") is not snapshot.workspace()
    assert (workspace.root / "a.py").read_bytes() == b"one\n"


def test_a_snapshot_that_a_store_lets_go_of_takes_its_copies_along(
    workspaces: Workspaces, tmp_path: Path, base: Path
) -> None:
    store = store_of(workspaces, tmp_path, "one", "two", "three")
    roots = [store.open(f"acme/{name}", COMMIT).workspace().root for name in ("one", "two", "three")]
    assert [root.exists() for root in roots] == [False, True, True]
    store.close()
    assert copies(base) == 0


def everything(root: Path) -> dict[str, tuple[tuple[int, ...], bytes]]:
    """Status, times included, and content of a directory and all that is in it, its `.git` too."""
    found: dict[str, tuple[tuple[int, ...], bytes]] = {}
    for path in [root, *root.rglob("*")]:
        status = path.lstat()
        facts = (status.st_mode, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        found[str(path)] = (facts, path.read_bytes() if path.is_file() else b"")
    return found


def test_a_directory_given_by_the_user_is_never_written(workspaces: Workspaces, tmp_path: Path) -> None:
    root = tmp_path / "mine"
    commit = make_worktree(root, {"a.py": b"one\n", "src/run.sh": b"two\n", ".gitignore": b"*.log\n"})
    (root / "src").chmod(0o555)
    store = SnapshotStore(None, {("acme/mine", commit): root}, workspaces=workspaces)
    before = everything(root)
    workspace = store.open("acme/mine", commit).workspace()
    assert workspace.changes() == []
    (workspace.root / "a.py").write_bytes(b"other\n")
    assert workspace.changes() == [" M a.py"]
    workspaces.replace(workspace)
    store.open("acme/mine", commit).workspace().accept_new_files()
    store.close()
    assert everything(root) == before


def test_children_that_run_in_a_copy_have_its_run_folder_to_watch_over_them(
    snapshot: MemorySnapshot, base: Path
) -> None:
    folder = RunFolder(base)
    workspaces = Workspaces(lambda: folder)
    workspace = workspaces.of(snapshot, "")
    assert workspace.folder is folder
    assert os.path.commonpath([workspace.root, folder.path.resolve()]) == str(folder.path.resolve())
    workspaces.close()
