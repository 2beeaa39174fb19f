"""A command of the user's own, run without a shell in a disposable copy of the snapshot."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from pytest_retrieval_bench.arms.changed_file import NO_CHANGED_FILE, changed_file
from pytest_retrieval_bench.arms.changes import Changes
from pytest_retrieval_bench.arms.command.commands import Commands, common_values
from pytest_retrieval_bench.arms.command.definition import CommandDefinition
from pytest_retrieval_bench.arms.command.indexing import Index, Indexing
from pytest_retrieval_bench.arms.command.template import Template
from pytest_retrieval_bench.arms.invoke import invoke
from pytest_retrieval_bench.arms.programs import caller_environment, digest_of, version_of
from pytest_retrieval_bench.model import Answer, Invocation, Json, Query
from pytest_retrieval_bench.processes.run_folder import remove_tree
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.snapshots.workspace import Workspace


class CommandArm:
    """Asks a command; what it prints is the answer.

    It runs in the caller's directory where the command names `{root}`, else in the copy.
    """

    timeout_s: float | None = None  # the child is bounded itself

    def __init__(self, definition: CommandDefinition, directory: Path) -> None:
        self.name = definition.name
        self._definition = definition
        self._commands = Commands(directory, definition.source)
        self._indexing = Indexing(definition, self._commands)
        self._indexes: dict[tuple[str, str], Index] = {}
        if definition.update is not None:
            # One that can be brought up to date is one for all snapshots; the others have an index in each copy.
            self.prepare, self.update = self._prepare, self._update
            self.prepare_timeout_s: float | None = None

    def describe(self) -> dict[str, Json]:
        """What the registration binds the arm to.

        Raises SettingsError when a program cannot be found, or does not tell its version.
        """
        definition = self._definition
        told: dict[str, Json] = {
            "kind": "command",
            "command": definition.command.text,
            "definition": {key: value for key, value in definition.given.items() if key != "command"},
            "sha256": digest_of(self._commands.program(definition.command)),
            "files": self._files(definition.command),
            "environment": {name: os.environ.get(name) for name in definition.environment},
        }
        if definition.index is not None:
            told["index_sha256"] = digest_of(self._commands.program(definition.index))
        if definition.version is not None:
            version = self._commands.filled(definition.version, {})
            told["version"] = version_of(version, self._commands.directory, definition.source)
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
        values = common_values(snapshot, workspace) | self._indexing.values
        values |= {"limit": str(limit), "changed_file": changed or ""}
        answer = self._ask(query.plain if self._definition.plain else query.text, values, snapshot, workspace)
        return replace(answer, index=index.cost)

    def _ask(self, question: str, values: Mapping[str, str], snapshot: Snapshot, workspace: Workspace) -> Answer:
        template = self._definition.command
        with self._task_file(question.encode(), workspace) as task_file:
            invocation = Invocation(
                self._commands.filled(template, {**values, "query": question, "query_file": task_file}),
                str(self._commands.directory_of(template, workspace)),
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

    def _indexed(self, snapshot: Snapshot, workspace: Workspace) -> Index:
        """The index of this copy; built when the copy is new, and never again for a snapshot where that failed."""
        key = _key(snapshot)
        known = self._indexes.get(key)
        if known is None or (known.failed is None and known.root != workspace.root):
            known = self._indexes[key] = self._indexing.built(snapshot, workspace)
        return known

    def _prepare(self, snapshot: Snapshot) -> None:
        self._indexes = {_key(snapshot): self._indexing.built(snapshot, self._workspace(snapshot))}

    def _update(self, snapshot: Snapshot, changes: Changes) -> None:
        self._indexes = {_key(snapshot): self._indexing.updated(snapshot, self._workspace(snapshot), changes)}

    def _files(self, template: Template) -> dict[str, Json]:
        """The digests of the arguments that are files of the caller, such as a script for an interpreter."""
        given = {argument: self._commands.directory / argument for argument in template.arguments[1:]}
        return {argument: digest_of(str(path)) for argument, path in given.items() if path.is_file()}


def _key(snapshot: Snapshot) -> tuple[str, str]:
    return (snapshot.repo, snapshot.commit)
