"""The index of a command: built in a copy, or brought up to date in a folder that outlives it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_retrieval_bench.arms.changes import Changes
from pytest_retrieval_bench.arms.command.commands import Commands, common_values
from pytest_retrieval_bench.arms.command.definition import STATE, CommandDefinition
from pytest_retrieval_bench.arms.command.template import Template
from pytest_retrieval_bench.arms.invoke import failure
from pytest_retrieval_bench.arms.output.paths import without_root
from pytest_retrieval_bench.arms.programs import caller_environment
from pytest_retrieval_bench.arms.run import one_line
from pytest_retrieval_bench.errors import BenchmarkError
from pytest_retrieval_bench.model import Answer, IndexCost
from pytest_retrieval_bench.processes.child import run_child
from pytest_retrieval_bench.processes.run_folder import remove_tree
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.snapshots.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Index:
    """What came of an index command in the copy at `root`; `failed` is the answer to every question then."""

    root: Path
    cost: IndexCost | None = None
    failed: Answer | None = None


class Indexing:
    """Builds the index of a command, and keeps the folder `{state}` of an arm that can bring one up to date."""

    def __init__(self, definition: CommandDefinition, commands: Commands) -> None:
        self._definition = definition
        self._commands = commands
        self._state: Path | None = None

    @property
    def values(self) -> dict[str, str]:
        """The value of `{state}`, where there is one."""
        return {} if self._state is None else {STATE: str(self._state)}

    def built(self, snapshot: Snapshot, workspace: Workspace) -> Index:
        """The index from scratch; nothing is left of an earlier one."""
        if self._definition.index is None:
            return Index(workspace.root)
        if self._definition.update is not None:
            self._forget()
            self._state = workspace.folder.new()
        return self._run("index", self._definition.index, common_values(snapshot, workspace), workspace)

    def updated(self, snapshot: Snapshot, workspace: Workspace, changes: Changes) -> Index:
        """The index brought up to date; from scratch where there is none that could be."""
        if self._definition.update is None or self._state is None:
            return self.built(snapshot, workspace)
        folder = workspace.folder.new()
        try:
            lists = {"changed": changes.changed, "deleted": changes.deleted}
            values = {name: _listed(folder / name, paths) for name, paths in lists.items()}
            return self._run("update", self._definition.update, common_values(snapshot, workspace) | values, workspace)
        finally:
            remove_tree(folder)

    def _run(self, what: str, template: Template, values: Mapping[str, str], workspace: Workspace) -> Index:
        timeout_s = self._definition.index_timeout_s
        try:
            finished = run_child(
                self._commands.filled(template, {**values, **self.values}),
                directory=self._commands.directory_of(template, workspace),
                environment=caller_environment(),
                timeout_s=timeout_s,
                watcher=workspace.folder,
            )
            failed = failure(finished, timeout_s, workspace.root)
            size = workspace.accept_new_files() + _bytes_below(self._state)
            changes = workspace.changes()
        except BenchmarkError as error:
            self._forget()
            words = one_line(without_root(str(error), workspace.root))
            return Index(workspace.root, failed=Answer(error=f"{what}: {words}"))
        if failed is None and changes:
            listed = ", ".join(changes[:3])
            failed = Answer(error=f"it changed the copy, to which it may only add files: {listed}")
        if failed is not None:
            self._forget()
            return Index(workspace.root, failed=replace(failed, error=f"{what}: {failed.error}"))
        return Index(workspace.root, IndexCost(finished.wall_ms, size))

    def _forget(self) -> None:
        """Removes the folder of the index; what is left of a failure must not be brought up to date."""
        if self._state is not None:
            remove_tree(self._state)
            self._state = None


def _listed(file: Path, paths: Iterable[str]) -> str:
    """A file with the paths, each ended by NUL, as programs that take any path read them."""
    file.write_bytes(b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in paths))
    return str(file)


def _bytes_below(folder: Path | None) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file()) if folder is not None else 0
