"""A command of the user's own, run without a shell in a disposable copy of the snapshot."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_retrieval_bench.arms.changed_file import NO_CHANGED_FILE, changed_file
from pytest_retrieval_bench.arms.command.definition import CommandDefinition
from pytest_retrieval_bench.arms.command.template import Template
from pytest_retrieval_bench.arms.invoke import failure, invoke
from pytest_retrieval_bench.arms.output.paths import without_root
from pytest_retrieval_bench.arms.programs import caller_environment, digest_of, find_program, version_of
from pytest_retrieval_bench.arms.run import one_line
from pytest_retrieval_bench.errors import BenchmarkError
from pytest_retrieval_bench.model import Answer, IndexCost, Invocation, Json, Query
from pytest_retrieval_bench.processes.child import run_child
from pytest_retrieval_bench.processes.run_folder import remove_tree
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.snapshots.workspace import Workspace


@dataclass(frozen=True, slots=True)
class _Index:
    """What came of the index command in the copy at `root`; `failed` is the answer to every question then."""

    root: Path
    cost: IndexCost | None = None
    failed: Answer | None = None


class CommandArm:
    """Asks a command; what it prints is the answer.

    It runs in the caller's directory where the command names `{root}`, else in the copy.
    """

    timeout_s: float | None = None  # the child is bounded itself

    def __init__(self, definition: CommandDefinition, directory: Path) -> None:
        self.name = definition.name
        self._definition = definition
        self._directory = directory
        self._programs: dict[str, str] = {}
        self._indexes: dict[tuple[str, str], _Index] = {}

    def describe(self) -> dict[str, Json]:
        """What the registration binds the arm to.

        Raises SettingsError when a program cannot be found, or does not tell its version.
        """
        definition = self._definition
        told: dict[str, Json] = {
            "kind": "command",
            "command": definition.command.text,
            "definition": {key: value for key, value in definition.given.items() if key != "command"},
            "sha256": digest_of(self._program(definition.command)),
            "files": self._files(definition.command),
            "environment": {name: os.environ.get(name) for name in definition.environment},
        }
        if definition.index is not None:
            told["index_sha256"] = digest_of(self._program(definition.index))
        if definition.version is not None:
            told["version"] = version_of(self._filled(definition.version, {}), self._directory, definition.source)
        return told

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """What the command prints; a child that does not end well is an error with the end of its standard error."""
        changed = changed_file(query)
        if changed is None and "changed_file" in self._definition.command.names:
            return NO_CHANGED_FILE
        workspace = self._workspace(snapshot)
        index = self._indexed(snapshot, workspace)
        if index.failed is not None:
            return index.failed
        values = _common_values(snapshot, workspace) | {"limit": str(limit), "changed_file": changed or ""}
        answer = self._ask(query.plain if self._definition.plain else query.text, values, snapshot, workspace)
        return replace(answer, index=index.cost)

    def _ask(self, question: str, values: Mapping[str, str], snapshot: Snapshot, workspace: Workspace) -> Answer:
        template = self._definition.command
        with self._task_file(question.encode(), workspace) as task_file:
            invocation = Invocation(
                self._filled(template, {**values, "query": question, "query_file": task_file}),
                str(self._directory_of(template, workspace)),
                str(workspace.root),
                question.encode(),
                task_file,
            )
            return invoke(
                invocation,
                lambda output: self._definition.reader.answer(output, snapshot, workspace.root),
                environment=caller_environment(),
                timeout_s=self._definition.timeout_s,
                watcher=workspace.folder,
            )

    @contextlib.contextmanager
    def _task_file(self, task: bytes, workspace: Workspace) -> Iterator[str]:
        """Where the command gets the query from: a file outside of the copy, standard input or its arguments."""
        names = self._definition.command.names
        if "query_file" not in names:
            yield "" if "query" in names else "-"
            return
        folder = workspace.folder.new()
        try:
            file = folder / ("query.txt" if self._definition.plain else "query.json")
            file.write_bytes(task)
            yield str(file)
        finally:
            remove_tree(folder)

    def _workspace(self, snapshot: Snapshot) -> Workspace:
        """The copy; one of its own where an index is built in it."""
        return snapshot.workspace("" if self._definition.index is None else self.name)

    def _indexed(self, snapshot: Snapshot, workspace: Workspace) -> _Index:
        """The index of this copy; built when the copy is new, and never again for a snapshot where that failed."""
        key = (snapshot.repo, snapshot.commit)
        known = self._indexes.get(key)
        if known is None or (known.failed is None and known.root != workspace.root):
            known = self._indexes[key] = self._build_index(snapshot, workspace)
        return known

    def _build_index(self, snapshot: Snapshot, workspace: Workspace) -> _Index:
        template, timeout_s = self._definition.index, self._definition.index_timeout_s
        if template is None:
            return _Index(workspace.root)
        try:
            finished = run_child(
                self._filled(template, _common_values(snapshot, workspace)),
                directory=self._directory_of(template, workspace),
                environment=caller_environment(),
                timeout_s=timeout_s,
                watcher=workspace.folder,
            )
            failed = failure(finished, timeout_s, workspace.root)
            size = workspace.accept_new_files()
            changes = workspace.changes()
        except BenchmarkError as error:
            words = one_line(without_root(str(error), workspace.root))
            return _Index(workspace.root, failed=Answer(error=f"index: {words}"))
        if failed is None and changes:
            listed = ", ".join(changes[:3])
            failed = Answer(error=f"it changed the copy, to which it may only add files: {listed}")
        if failed is not None:
            return _Index(workspace.root, failed=replace(failed, error=f"index: {failed.error}"))
        return _Index(workspace.root, IndexCost(finished.wall_ms, size))

    def _filled(self, template: Template, values: Mapping[str, str]) -> tuple[str, ...]:
        """The command with its values, its program as the file that was found once."""
        name = template.program
        if name not in self._programs:
            self._programs[name] = find_program(name, self._directory, self._definition.source)
        return (self._programs[name], *template.fill(values)[1:])

    def _files(self, template: Template) -> dict[str, Json]:
        """The digests of the arguments that are files of the caller, such as a script for an interpreter."""
        given = {argument: self._directory / argument for argument in template.arguments[1:]}
        return {argument: digest_of(str(path)) for argument, path in given.items() if path.is_file()}

    def _program(self, template: Template) -> str:
        return self._filled(template, dict.fromkeys(template.names, ""))[0]

    def _directory_of(self, template: Template, workspace: Workspace) -> Path:
        return self._directory if "root" in template.names else workspace.root


def _common_values(snapshot: Snapshot, workspace: Workspace) -> dict[str, str]:
    return {"root": str(workspace.root), "repo": snapshot.repo, "commit": snapshot.commit}
