"""What every snapshot can do, whatever it is read from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.snapshots.chunk_row import ChunkRow

if TYPE_CHECKING:
    from pytest_retrieval_bench.snapshots.workspace import Workspace
    from pytest_retrieval_bench.snapshots.workspaces import Workspaces


class Snapshot(ABC):
    """The files of a repository at a commit, read-only.

    Paths are relative, with `/` between their parts. `origin` names where the files come from; `notes` are remarks on
    what the origin holds and the snapshot leaves out, as far as it has been read. `workspaces` makes its disposable
    copies; the store that opened the snapshot sets it.
    """

    workspaces: Workspaces | None = None

    def __init__(self, repo: str, commit: str, origin: str) -> None:
        self.repo = repo
        self.commit = commit
        self.origin = origin
        self.notes: list[str] = []

    @property
    @abstractmethod
    def paths(self) -> tuple[str, ...]:
        """Every regular file, in the order of the paths' bytes."""

    def digest(self) -> str | None:
        """A digest of all that the snapshot is read from, which is cheaper than reading it; None where there is none.

        Raises SnapshotError when it cannot be read.
        """
        return None

    @abstractmethod
    def size(self, path: str) -> int | None:
        """The number of bytes of a file, None when the snapshot has no such regular file."""

    @abstractmethod
    def read(self, path: str) -> bytes:
        """The bytes of a file that the snapshot lists.

        Raises SnapshotError when it can no longer be read.
        """

    def text(self, path: str) -> str:
        """A file as text: UTF-8, with U+FFFD for what is not."""
        return self.read(path).decode("utf-8", "replace")

    def chunks(self) -> Iterator[ChunkRow] | None:
        """The parts into which its origin cuts the files, one at a time; None where it holds whole files only.

        Raises SnapshotError while they are read, as `read` does.
        """
        return None

    def is_executable(self, path: str) -> bool:
        """Whether a file that the snapshot lists may be executed; False where the origin does not say."""
        return False

    def workspace(self, owner: str = "") -> Workspace:
        """A disposable Git copy, made when first asked for; those who pass the same owner share one.

        Raises SnapshotError where no workspaces are to be had, or when the copy cannot be made.
        """
        if self.workspaces is None:
            raise SnapshotError(f"{self.origin}: no workspace is to be had of this snapshot; open it through a store")
        return self.workspaces.of(self, owner)

    def changes(self) -> list[str]:
        """What an arm changed in the copies that it was handed."""
        return [] if self.workspaces is None else self.workspaces.changes()

    def settle(self, *, distrusted: bool) -> None:
        """Throws away the copies that `changes` found changed; `distrusted`: all that were handed out."""
        if self.workspaces is not None:
            self.workspaces.settle(distrusted=distrusted)
