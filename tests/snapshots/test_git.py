"""PROTOCOL 2: a Git worktree must be clean and at the base commit."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.snapshots.directory import Directory
from tests.snapshots.worktree import commit_all, configure, git, look_touched, make_worktree, state_of, write_tree

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


def tree(root: Path, commit: str) -> dict[str, bytes]:
    opened = Directory("acme/shop", commit, root)
    return {path: opened.read(path) for path in opened.paths}


def test_a_clean_worktree_at_the_commit_is_taken_without_its_git_directory(root: Path) -> None:
    commit = make_worktree(root)
    assert tree(root, commit) == {"a.py": b"one\n", "src/b.py": b"two\n"}
    git(root, "checkout", "--quiet", "--detach")
    assert tree(root, commit) == {"a.py": b"one\n", "src/b.py": b"two\n"}


def test_a_linked_worktree_is_taken(root: Path, tmp_path: Path) -> None:
    commit = make_worktree(tmp_path / "main")
    git(tmp_path / "main", "worktree", "add", "--quiet", str(root))
    assert (root / ".git").is_file()
    assert tree(root, commit) == {"a.py": b"one\n", "src/b.py": b"two\n"}


def test_a_sha_256_repository_is_taken(root: Path) -> None:
    root.mkdir()
    git(root, "init", "--quiet", "--object-format=sha256")
    write_tree(root, {"a.py": b"1"})
    commit = commit_all(root)
    assert len(commit) == 64
    assert tree(root, commit) == {"a.py": b"1"}


def test_a_touched_file_with_the_same_content_is_clean(root: Path) -> None:
    commit = make_worktree(root)
    look_touched(root / "a.py")
    assert tree(root, commit) == {"a.py": b"one\n", "src/b.py": b"two\n"}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda root: (root / "a.py").write_bytes(b"other\n"),
        lambda root: (root / "a.py").unlink(),
        lambda root: (root / "new.py").write_bytes(b""),
        lambda root: write_tree(root, {"new/deep/x.py": b""}),
        lambda root: [(root / "new.py").touch(), git(root, "add", "new.py")],
        lambda root: git(root, "rm", "--quiet", "--cached", "a.py"),
        lambda root: git(root, "mv", "a.py", "c.py"),
        lambda root: [(root / "a.py").unlink(), (root / "a.py").mkdir()],
        lambda root: make_worktree(root / "inner"),
    ],
    ids=["changed", "deleted", "untracked", "untracked below", "staged", "unstaged", "moved", "folder", "inner repo"],
)
def test_a_worktree_that_is_not_clean_is_refused(root: Path, spoil: Callable[[Path], object]) -> None:
    commit = make_worktree(root)
    spoil(root)
    with pytest.raises(SnapshotError, match="the worktree is not clean"):
        Directory("acme/shop", commit, root)


@pytest.mark.parametrize(
    "config",
    [
        "[status]\n\tshowUntrackedFiles = no\n",
        "[core]\n\texcludesFile = {ignoring}\n",
        "[diff]\n\tignoreSubmodules = all\n",
    ],
)
def test_the_directory_cannot_hide_an_untracked_file_by_its_configuration(
    root: Path, tmp_path: Path, config: str
) -> None:
    commit = make_worktree(root)
    (tmp_path / "ignoring").write_text("*\n")
    configure(root, config.format(ignoring=tmp_path / "ignoring"))
    (root / "new.py").write_bytes(b"")
    with pytest.raises(SnapshotError, match=r"not clean .*new\.py"):
        Directory("acme/shop", commit, root)


def test_another_commit_is_refused_with_both_ids(root: Path) -> None:
    first = make_worktree(root)
    write_tree(root, {"c.py": b"3"})
    second = commit_all(root)
    with pytest.raises(SnapshotError, match=f"HEAD is {second}, the sample needs {first}"):
        Directory("acme/shop", first, root)
    assert set(tree(root, second)) == {"a.py", "src/b.py", "c.py"}


def test_a_repository_without_a_commit_is_refused(root: Path) -> None:
    root.mkdir()
    git(root, "init", "--quiet")
    with pytest.raises(SnapshotError, match=re.escape(str(root))):
        Directory("acme/shop", "0" * 40, root)


@pytest.mark.parametrize("kind", ["empty folder", "empty file", "dangling file", "dangling link"])
def test_a_broken_git_directory_is_refused_and_never_the_one_around_it_asked(tmp_path: Path, kind: str) -> None:
    commit = make_worktree(tmp_path / "around", {"inner/a.py": b"1"})
    inner = tmp_path / "around" / "inner"
    if kind == "empty folder":
        (inner / ".git").mkdir()
    elif kind == "dangling link":
        (inner / ".git").symlink_to("absent")
    else:
        (inner / ".git").write_text("gitdir: ../absent\n" if kind == "dangling file" else "")
    with pytest.raises(SnapshotError, match=re.escape(str(inner))):
        Directory("acme/shop", commit, inner)


def test_a_plain_folder_inside_a_repository_is_a_plain_tree(tmp_path: Path) -> None:
    make_worktree(tmp_path / "around", {"inner/a.py": b"1"})
    write_tree(tmp_path / "around" / "inner", {"untracked.py": b"2"})
    assert tree(tmp_path / "around" / "inner", "0" * 40) == {"a.py": b"1", "untracked.py": b"2"}


def test_the_callers_git_variables_do_not_lead_elsewhere(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = make_worktree(root)
    other = make_worktree(tmp_path / "other", {"x": b""})
    for name, value in {
        "GIT_DIR": str(tmp_path / "other" / ".git"),
        "GIT_WORK_TREE": str(tmp_path / "other"),
        "GIT_INDEX_FILE": str(tmp_path / "absent"),
        "GIT_CONFIG_PARAMETERS": "'core.bare=true'",
    }.items():
        monkeypatch.setenv(name, value)
    assert set(tree(root, commit)) == {"a.py", "src/b.py"}
    with pytest.raises(SnapshotError, match=f"HEAD is {commit}"):
        Directory("acme/shop", other, root)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away")
def test_a_worktree_of_another_user_is_taken(root: Path) -> None:
    commit = make_worktree(root)
    for path in [root, *root.rglob("*")]:
        os.chown(path, 12345, 12345)
    assert set(tree(root, commit)) == {"a.py", "src/b.py"}


def test_a_machine_without_git_gets_a_refusal(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = make_worktree(root)
    monkeypatch.setenv("PATH", str(root))
    with pytest.raises(SnapshotError, match="cannot be run"):
        Directory("acme/shop", commit, root)


@pytest.mark.parametrize("clean", [True, False])
def test_a_worktree_and_its_git_directory_stay_as_they_are(root: Path, clean: bool) -> None:
    commit = make_worktree(root)
    look_touched(root / "a.py")  # a plain `git status` would now write the index
    if not clean:
        write_tree(root, {"new.py": b""})
    before = state_of(root)
    if clean:
        tree(root, commit)
    else:
        with pytest.raises(SnapshotError):
            Directory("acme/shop", commit, root)
    assert state_of(root) == before


def test_a_worktree_cannot_show_git_a_clean_one_elsewhere(root: Path, tmp_path: Path) -> None:
    commit = make_worktree(root)
    shutil.copytree(root, tmp_path / "clean")
    (root / "a.py").write_bytes(b"tampered\n")
    configure(root, f"[core]\n\tworktree = {tmp_path / 'clean'}\n")
    with pytest.raises(SnapshotError):
        Directory("acme/shop", commit, root)


def test_a_replaced_commit_is_not_the_commit(root: Path) -> None:
    commit = make_worktree(root)
    (root / "a.py").write_bytes(b"replaced\n")
    replacement = commit_all(root)
    git(root, "reset", "--quiet", "--soft", commit)
    git(root, "replace", commit, replacement)
    with pytest.raises(SnapshotError):
        Directory("acme/shop", commit, root)


def test_a_changed_submodule_makes_a_worktree_dirty(root: Path, tmp_path: Path) -> None:
    make_worktree(tmp_path / "library", {"x.py": b"1"})
    make_worktree(root)
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tmp_path / "library"), "lib")
    commit = commit_all(root)
    assert set(tree(root, commit)) == {".gitmodules", "a.py", "src/b.py", "lib/x.py"}
    (root / "lib" / "x.py").write_bytes(b"changed")
    with pytest.raises(SnapshotError):
        Directory("acme/shop", commit, root)
