"""Reading commits, trees and blobs of a local clone in bulk, whatever kind of clone it is.

Nothing is written to the clone, and what it lacks is not fetched: a refusal says how to.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from pathlib import Path

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.snapshots.git import GitError, ask_git, check_repository

_BATCH_BYTES = 64 * 2**20  # what one call of Git hands over, so that memory stays bounded


@dataclass(frozen=True, slots=True)
class Blob:
    """A file or a symlink of a tree: its path as Git has it, the id of its content, and the content's bytes."""

    path: bytes
    identity: str
    size: int
    mode: str

    @property
    def is_regular(self) -> bool:
        """Whether it is a file and no symlink."""
        return self.mode.startswith("100")

    @property
    def is_executable(self) -> bool:
        """Whether it is a file that its owner may run."""
        return self.mode == "100755"


def commit_id(clone: Path, revision: str) -> str:
    """The whole id of the commit that a revision names.

    Raises SnapshotError when the clone does not hold it.
    """
    # Where a revision is a search for text, nothing can be put behind it.
    return _identity(clone, _identity(clone, revision), "^{commit}")


def tree_id(clone: Path, commit: str) -> str:
    """The id of a commit's tree, which stands for every path, mode and content in it.

    Raises SnapshotError when the clone does not hold it.
    """
    return _identity(clone, commit, "^{commit}^{tree}")


def list_blobs(clone: Path, tree: str) -> list[Blob]:
    """The files and symlinks of a tree, in the order of the paths' bytes; submodules are left out.

    Raises SnapshotError when the clone lacks any of them.
    """
    listed = ask_clone(clone, "ls-tree", "-r", "-z", "-l", "--full-tree", tree).split(b"\0")
    blobs, missing = [], []
    for entry in filter(None, listed):
        meta, path = entry.split(b"\t", 1)
        mode, kind, identity, size = meta.decode().split()
        if size.isdigit():
            blobs.append(Blob(path, identity, int(size), mode))
        elif kind == "blob":
            missing.append(path)
    if missing:
        first = missing[0].decode("utf-8", "replace")
        raise SnapshotError(
            f"{clone}: the clone lacks {len(missing)} files of tree {tree}, as {first!r}; {_fix(clone)}"
        )
    return blobs


def read_blobs(clone: Path, blobs: Sequence[Blob]) -> Iterator[bytes]:
    """The content of each blob, in their order: the very bytes that were committed, no filter or line ending applied.

    Raises SnapshotError when one can no longer be read.
    """
    sizes = accumulate(blob.size for blob in blobs)
    for _, batch in groupby(zip(blobs, sizes, strict=True), key=lambda pair: pair[1] // _BATCH_BYTES):
        yield from _read_batch(clone, [blob for blob, _ in batch])


def _read_batch(clone: Path, blobs: Sequence[Blob]) -> Iterator[bytes]:
    asked = "".join(f"{blob.identity}\n" for blob in blobs).encode()
    output = ask_clone(clone, "cat-file", "--batch", "--buffer", stdin=asked)
    position = 0
    for blob in blobs:
        head = f"{blob.identity} blob {blob.size}\n".encode()
        if not output.startswith(head, position):
            raise SnapshotError(f"{clone}: the clone no longer holds object {blob.identity}; {_fix(clone)}")
        position += len(head) + blob.size + 1
        yield output[position - blob.size - 1 : position - 1]


def _identity(clone: Path, revision: str, kind: str = "") -> str:
    try:
        named = ask_git(clone, "rev-parse", "--verify", "--end-of-options", f"{revision}{kind}")
    except GitError as error:
        check_repository(clone)
        raise SnapshotError(f"{clone}: the clone does not hold commit {revision!r}; {_fix(clone, revision)}") from error
    return named.decode().strip()


def ask_clone(clone: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    """What Git prints about a clone; raises SnapshotError, with what to do, where it lacks what is asked for."""
    try:
        return ask_git(clone, *arguments, stdin=stdin)
    except GitError as error:
        raise SnapshotError(f"{error}; {_fix(clone)}") from error


def _fix(clone: Path, revision: str = "") -> str:
    """What to do about objects that a clone lacks, which depends on the kind of clone."""
    fetch = f"git -C {shlex.quote(str(clone))} fetch"
    if ask_git(clone, "rev-parse", "--is-shallow-repository").strip() == b"true":
        in_ci = "a CI job asks for whole history: fetch-depth: 0 (GitHub), GIT_DEPTH: 0 (GitLab)"
        return f"it is a shallow clone; {in_ci}; complete it: {fetch} --unshallow"
    keys = ask_git(clone, "config", "--list", "--includes", "--name-only", "-z").decode("utf-8", "replace").split("\0")
    if any(key == "extensions.partialclone" or key.endswith(".promisor") for key in keys):
        return f"it is a partial clone; complete it: {fetch} --refetch --no-filter"
    if revision:
        return f"fetch it: {fetch} origin {shlex.quote(revision)}"
    return f"fetch what it lacks: {fetch} --refetch"
