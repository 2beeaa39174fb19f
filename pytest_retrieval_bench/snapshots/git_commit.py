"""A snapshot read straight from a local clone, at any commit that the clone holds (PROTOCOL 2)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from weakref import WeakSet

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.snapshots.chunk_file import folders_of, is_safe
from pytest_retrieval_bench.snapshots.git_objects import Blob, list_blobs, read_blobs, tree_id
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

_WHOLE_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_CORVINT_INDEX = ".corvint/index/"
# Larger files are read one by one, when they are asked for, and not kept: no lexical arm reads them.
_MAX_HELD_BYTES = 2**20


class Clone:
    """A local clone of a repository. Its open snapshots share the contents that they have in common."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._open: WeakSet[GitCommit] = WeakSet()

    def snapshot(self, repo: str, commit: str) -> GitCommit:
        """The snapshot at a commit.

        Raises SnapshotError when the clone does not hold the commit with all its files.
        """
        snapshot = GitCommit(repo, commit, self)
        self._open.add(snapshot)
        return snapshot

    def contents(self, blobs: Iterable[Blob]) -> dict[str, bytes]:
        """The contents by their ids; read are those that no open snapshot holds."""
        wanted = {blob.identity: blob for blob in blobs}
        found = {
            identity: snapshot.held[identity]
            for snapshot in self._open
            for identity in wanted.keys() & snapshot.held.keys()
        }
        new = [blob for identity, blob in wanted.items() if identity not in found]
        return found | {blob.identity: content for blob, content in zip(new, read_blobs(self.path, new), strict=True)}


class GitCommit(Snapshot):
    """The regular files of a commit; symlinks, submodules and corvint's index are not part of it.

    Names that are not UTF-8 are shown with U+FFFD. Raises SnapshotError at construction for what a clone lacks.
    """

    def __init__(self, repo: str, commit: str, clone: Clone) -> None:
        super().__init__(repo, commit, f"{clone.path} at {commit}")
        if not _WHOLE_ID.fullmatch(commit):
            raise SnapshotError(f"{clone.path}: {commit!r} is no whole commit id, and a branch or a tag may move")
        self.held: dict[str, bytes] = {}  # contents by their ids, from the first read on
        self._clone = clone
        self._tree = tree_id(clone.path, commit)
        self._files = self._list()

    def _list(self) -> dict[str, Blob]:
        found: dict[str, Blob] = {}
        unsafe = 0
        for blob in list_blobs(self._clone.path, self._tree):
            shown = blob.path.decode("utf-8", "replace")
            if not blob.is_regular or shown.startswith(_CORVINT_INDEX):
                continue
            if shown in found:
                raise SnapshotError(f"{self.origin}: two names both read {shown!r}; neither can be told from the other")
            if is_safe(shown):
                found[shown] = blob
            else:
                unsafe += 1
        if unsafe:
            self.notes.append(f"left out {unsafe} files whose path leaves the tree or enters its .git")
        if not found:
            raise SnapshotError(f"{self.origin}: the commit holds no file, so there is no tree to search")
        both = folders_of(found) & found.keys()
        if both:
            raise SnapshotError(f"{self.origin}: {min(both)!r} is a file and also the folder of another")
        return dict(sorted(found.items()))

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(self._files)

    def digest(self) -> str:
        return f"git tree {self._tree}"

    def size(self, path: str) -> int | None:
        blob = self._files.get(path)
        return None if blob is None else blob.size

    def is_executable(self, path: str) -> bool:
        return self._files[path].is_executable

    def read(self, path: str) -> bytes:
        blob = self._files[path]
        if blob.size > _MAX_HELD_BYTES:
            (content,) = read_blobs(self._clone.path, [blob])
            return content
        if not self.held:
            self.held = self._clone.contents(one for one in self._files.values() if one.size <= _MAX_HELD_BYTES)
        return self.held[blob.identity]
