"""The disposable copies of this process: made when asked for, shared by owner, thrown away with their snapshot."""

from __future__ import annotations

import warnings
from collections.abc import Callable

from pytest_retrieval_bench.errors import BenchmarkWarning
from pytest_retrieval_bench.processes.run_folder import RunFolder, remove_tree
from pytest_retrieval_bench.snapshots.git_copy import make_copy
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.snapshots.workspace import Workspace


class Workspaces:
    """One copy for each snapshot and owner, below a run folder that the first of them brings into being."""

    def __init__(self, make_folder: Callable[[], RunFolder]) -> None:
        self._make_folder = make_folder
        self._folder: RunFolder | None = None
        self._made: dict[tuple[Snapshot, str], Workspace] = {}
        self._touched: list[Workspace] = []
        self._spoilt: dict[Workspace, list[str]] = {}

    def of(self, snapshot: Snapshot, owner: str) -> Workspace:
        """The owner's copy of the snapshot.

        Raises SnapshotError when it cannot be made, RunFolderError where there is no place for it.
        """
        key = (snapshot, owner)
        if key not in self._made:
            if self._folder is None:
                self._folder = self._make_folder()
            self._made[key] = make_copy(snapshot, self._folder)
        workspace = self._made[key]
        if workspace not in self._touched:
            self._touched.append(workspace)
        return workspace

    def changes(self) -> list[str]:
        """What was changed in the copies that were handed out since the last `settle`."""
        self._spoilt = {workspace: changes for workspace in self._touched if (changes := workspace.changes())}
        return [change for changes in self._spoilt.values() for change in changes]

    def settle(self, *, distrusted: bool) -> None:
        """Throws away the copies that `changes` found changed; `distrusted`: all that were handed out since then."""
        for workspace in list(self._touched) if distrusted else list(self._spoilt):
            self.replace(workspace)
        self._touched, self._spoilt = [], {}

    def replace(self, workspace: Workspace) -> None:
        """Throws a copy away; its owner gets a new one when asking again."""
        self._drop([key for key, made in self._made.items() if made is workspace])

    def discard(self, snapshot: Snapshot) -> None:
        """Throws away all copies of the snapshot."""
        self._drop([key for key in self._made if key[0] is snapshot])

    def close(self) -> None:
        """Throws everything away, the run folder too."""
        self._drop(list(self._made))
        if self._folder is not None:
            self._folder.close()
            self._folder = None

    def _drop(self, keys: list[tuple[Snapshot, str]]) -> None:
        for key in keys:
            workspace = self._made.pop(key)
            if workspace in self._touched:
                self._touched.remove(workspace)
            try:
                remove_tree(workspace.root.parent)
            except OSError as error:  # what stays is reclaimed by the next run
                warnings.warn(f"a disposable copy stays behind: {error}", BenchmarkWarning, stacklevel=3)
