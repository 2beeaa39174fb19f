"""A snapshot from a directory, a plain tree or a Git worktree, read where it lies (PROTOCOL 2)."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.snapshots.git import changed_paths, head_commit
from pytest_retrieval_bench.snapshots.snapshot import Snapshot


class Directory(Snapshot):
    """The regular files below a directory; links are not followed, `.git` and corvint's index are not part of it.

    Raises SnapshotError at construction when the directory is a Git worktree that is not clean at the commit.
    """

    def __init__(self, repo: str, commit: str, path: Path) -> None:
        super().__init__(repo, commit, str(path))
        self._root = path
        if os.path.lexists(path / ".git"):
            _check_worktree(path, commit)

    @cached_property
    def _files(self) -> dict[str, Path]:
        """Path in the tree -> where it lies. Names that are not UTF-8 are shown with U+FFFD."""
        found: dict[str, Path] = {}
        for name in sorted(_regular_files(str(self._root)), key=os.fsencode):
            shown = os.fsencode(name).decode("utf-8", "replace").replace(os.sep, "/")
            if shown in found:
                raise SnapshotError(f"{self._root}: two names that are not UTF-8 both read {shown!r}; rename one")
            found[shown] = self._root / name
        if not found:
            raise SnapshotError(f"{self._root}: the directory holds no file")
        return dict(sorted(found.items()))

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(self._files)

    def size(self, path: str) -> int | None:
        if path not in self._files:
            return None
        try:
            return self._files[path].lstat().st_size
        except OSError as error:
            raise SnapshotError(f"{self._files[path]}: cannot be read: {error.strerror}") from error

    def is_executable(self, path: str) -> bool:
        try:
            return bool(self._files[path].lstat().st_mode & stat.S_IXUSR)
        except OSError as error:
            raise SnapshotError(f"{self._files[path]}: cannot be read: {error.strerror}") from error

    def read(self, path: str) -> bytes:
        where = self._files[path]
        try:
            with open(os.open(where, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as stream:
                return stream.read()
        except OSError as error:
            raise SnapshotError(f"{where}: cannot be read: {error.strerror or error}") from error


def _regular_files(root: str) -> Iterator[str]:
    """The regular files below the root, as names relative to it, in no order."""
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(os.path.join(root, folder)) as entries:
                listed = list(entries)
        except OSError as error:
            raise SnapshotError(f"{os.path.join(root, folder)}: cannot be listed: {error.strerror}") from error
        for entry in listed:
            name = os.path.join(folder, entry.name)
            if entry.name == ".git" or name == os.path.join(".corvint", "index"):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(name)
            elif entry.is_file(follow_symlinks=False):
                yield name


def _check_worktree(path: Path, commit: str) -> None:
    head = head_commit(path)
    if head != commit:
        raise SnapshotError(f"{path}: HEAD is {head}, the sample needs {commit}; check that commit out")
    changed = changed_paths(path)
    if changed:
        listed = ", ".join(changed[:3])
        raise SnapshotError(f"{path}: the worktree is not clean ({len(changed)} entries: {listed}); clean it")
