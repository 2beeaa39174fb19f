"""A disposable copy holds the snapshot byte for byte, in a commit whose id depends on the files alone (PROTOCOL 2)."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.snapshots.chunk_file import ChunkFile
from pytest_retrieval_bench.snapshots.directory import Directory
from pytest_retrieval_bench.snapshots.git_commit import Clone
from pytest_retrieval_bench.snapshots.workspaces import Workspaces
from tests.memory_snapshot import MemorySnapshot
from tests.snapshots.copies import blobs, committed, on_disk, seen_by_others
from tests.snapshots.worktree import commit_all, git, make_worktree, write_tree

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

TREE = {
    ".corvint/notes": b"kept\n",
    "HEAD": b"not a ref\n",
    "README.md": b"# Shop\r\n",
    "docs/empty.txt": b"",
    "src/a.py": b"one\n",
    "src/deep/er/b.bin": bytes(range(256)) * 5000,
}


def test_the_copy_holds_the_files_of_the_snapshot_and_no_others(workspaces: Workspaces) -> None:
    root = workspaces.of(MemorySnapshot(TREE), "").root
    assert on_disk(root) == TREE
    assert sorted(entry.name for entry in root.iterdir()) == [".corvint", ".git", "HEAD", "README.md", "docs", "src"]


def test_the_commit_holds_the_files_of_the_snapshot_and_no_others(workspaces: Workspaces) -> None:
    root = workspaces.of(MemorySnapshot(TREE), "").root
    assert committed(root) == blobs(TREE)
    assert git(root, "fsck", "--strict", "--no-dangling") == ""


def test_the_copy_is_clean_for_everyone(workspaces: Workspaces) -> None:
    workspace = workspaces.of(MemorySnapshot(TREE), "")
    assert seen_by_others(workspace.root) == ""
    assert workspace.changes() == []


def test_the_copy_has_one_commit_on_one_branch(workspaces: Workspaces) -> None:
    root = workspaces.of(MemorySnapshot(TREE), "").root
    assert git(root, "log", "--all", "--format=%an %ae %at %s") == "snapshot snapshot@invalid 946684800 snapshot"
    assert git(root, "symbolic-ref", "HEAD") == "refs/heads/main"


def test_the_commit_id_is_the_same_everywhere(workspaces: Workspaces) -> None:
    workspace = workspaces.of(MemorySnapshot({"a.py": b"one\n"}), "")
    assert workspace.commit == git(workspace.root, "rev-parse", "HEAD") == "6cfd4bbcc30fd723d50e6a6b56810c7e558bd90c"


def test_a_chunk_file_and_an_equal_directory_have_one_commit_id(workspaces: Workspaces, tmp_path: Path) -> None:
    tree = {"a.py": b"one\n", "src/\xe9 b.py": b"two\r\n", "src/c.txt": b""}
    rows = [{"kind": "file", "path": path, "text": content.decode()} for path, content in tree.items()]
    chunk_file = tmp_path / "c.chunks.jsonl"
    chunk_file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    write_tree(tmp_path / "root", tree)
    one = workspaces.of(ChunkFile("acme/shop", "0" * 40, chunk_file), "")
    other = workspaces.of(Directory("acme/shop", "0" * 40, tmp_path / "root"), "")
    assert one.root != other.root
    assert one.commit == other.commit


def test_a_commit_of_a_clone_and_an_equal_worktree_have_one_commit_id(workspaces: Workspaces, tmp_path: Path) -> None:
    make_worktree(tmp_path / "root", {"a.py": b"one\n", "run.sh": b"#!/bin/sh\n"})
    (tmp_path / "root" / "run.sh").chmod(0o755)
    commit = commit_all(tmp_path / "root")
    one = workspaces.of(Clone(tmp_path / "root").snapshot("acme/shop", commit), "")
    other = workspaces.of(Directory("acme/shop", commit, tmp_path / "root"), "")
    assert one.commit == other.commit
    assert committed(one.root)["run.sh"][0] == "100755"


def test_a_directory_hands_on_which_files_are_executable(workspaces: Workspaces, tmp_path: Path) -> None:
    write_tree(tmp_path / "root", {"plain.sh": b"", "run.sh": b"#!/bin/sh\n"})
    (tmp_path / "root" / "run.sh").chmod(0o755)
    workspace = workspaces.of(Directory("acme/shop", "0" * 40, tmp_path / "root"), "")
    modes = {path: mode for path, (mode, _) in committed(workspace.root).items()}
    assert modes == {"plain.sh": "100644", "run.sh": "100755"}
    assert (workspace.root / "run.sh").stat().st_mode & 0o777 == 0o755
    assert workspace.changes() == []


def test_files_and_folders_have_their_usual_modes_whatever_the_umask_and_the_origin(
    workspaces: Workspaces, tmp_path: Path
) -> None:
    write_tree(tmp_path / "root", {"src/deep/a.py": b"one\n"})
    (tmp_path / "root" / "src" / "deep" / "a.py").chmod(0o444)
    before = os.umask(0o077)
    try:
        workspace = workspaces.of(Directory("acme/shop", "0" * 40, tmp_path / "root"), "")
    finally:
        os.umask(before)
    modes = [workspace.root / part for part in (".", "src", "src/deep", "src/deep/a.py")]
    assert [path.stat().st_mode & 0o777 for path in modes] == [0o755, 0o755, 0o755, 0o644]
    assert workspace.changes() == []


def test_notes_of_corvint_leave_the_copy_clean(workspaces: Workspaces) -> None:
    workspace = workspaces.of(MemorySnapshot({"a.py": b"one\n"}), "")
    write_tree(workspace.root, {".corvint/notes.jsonl": b"{}\n"})
    assert workspace.changes() == []
    assert seen_by_others(workspace.root) == ""


def left_in(base: Path) -> list[Path]:
    return [path for path in base.rglob("*") if path.name in ("copy", "witness")]


class Unreadable(MemorySnapshot):
    def read(self, path: str) -> bytes:
        if path == "b.py":
            raise SnapshotError("b.py: cannot be read")
        return super().read(path)


def test_a_snapshot_that_cannot_be_read_leaves_nothing_behind(workspaces: Workspaces, base: Path) -> None:
    with pytest.raises(SnapshotError, match=r"^memory: .*: b\.py: cannot be read$"):
        workspaces.of(Unreadable({"a.py": b"1", "b.py": b"2"}), "")
    assert left_in(base) == []


class Folded(MemorySnapshot):
    """Stands for names that differ in case, on a file system that takes them for one."""

    @property
    def paths(self) -> tuple[str, ...]:
        return (*super().paths, *super().paths)


def test_two_names_that_the_file_system_takes_for_one_are_refused(workspaces: Workspaces, base: Path) -> None:
    with pytest.raises(SnapshotError, match=r"memory: its Git copy cannot be made: .*exists: b'\{root\}/a\.py'"):
        workspaces.of(Folded({"a.py": b"1"}), "")
    assert left_in(base) == []


def test_a_name_that_the_file_system_cannot_hold_is_refused_in_words(workspaces: Workspaces, base: Path) -> None:
    with pytest.raises(SnapshotError, match=r"memory: its Git copy cannot be made: .*too long"):
        workspaces.of(MemorySnapshot({"a" * 256: b"1"}), "")
    assert left_in(base) == []


def test_a_git_that_fails_is_quoted(
    workspaces: Workspaces, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in = tmp_path / "bin" / "git"
    write_tree(tmp_path, {"bin/git": b"#!/bin/sh\necho no room >&2\nexit 3\n"})
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", f"{stand_in.parent}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(SnapshotError, match=r"memory: .*: \{root\}: git fast-import failed: no room"):
        workspaces.of(MemorySnapshot({"a.py": b"1" * 1_000_000}), "")
    assert left_in(base) == []


def test_without_git_the_refusal_names_it(
    workspaces: Workspaces, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SnapshotError, match=r"its Git copy cannot be made: \{root\}: git cannot be run"):
        workspaces.of(MemorySnapshot({"a.py": b"1"}), "")
    assert left_in(base) == []


def test_a_path_of_a_thousand_folders_is_copied(workspaces: Workspaces) -> None:
    tree = {"d/" * 1000 + "a.py": b"one\n"}
    workspace = workspaces.of(MemorySnapshot(tree), "")
    assert committed(workspace.root) == blobs(tree)
    assert workspace.changes() == []
