"""A command of the user's own, run without a shell in a disposable copy of the snapshot."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from pytest_retrieval_bench.arms.command_definition import CommandDefinition
from pytest_retrieval_bench.arms.output import OutputError
from pytest_retrieval_bench.arms.paths import without_root
from pytest_retrieval_bench.arms.programs import MAX_STDOUT_BYTES, caller_environment, digest_of, failure, find_program
from pytest_retrieval_bench.arms.run import one_line
from pytest_retrieval_bench.arms.template import Template
from pytest_retrieval_bench.errors import BenchmarkError, ChildError, SettingsError
from pytest_retrieval_bench.model import Answer, Json, Query
from pytest_retrieval_bench.processes.child import Finished, run_child
from pytest_retrieval_bench.processes.run_folder import remove_tree
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.snapshots.workspace import Workspace

NOT_APPLICABLE: Final = Answer(applicable=False, error="no changed_file in query")


@dataclass(frozen=True, slots=True)
class _Index:
    """What came of the index command in the copy at `root`; `failed` is the answer to every question then."""

    root: Path
    figures: Mapping[str, float] = field(default_factory=dict)
    failed: Answer | None = None


class CommandArm:
    """Asks a command; what it prints is the answer.

    It runs in the caller's directory where the command names `{root}`, else in the copy. The child has its own time
    bound, so that the runner needs none (`timeout_s` None).
    """

    timeout_s: float | None = None

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
            "environment": {name: os.environ.get(name) for name in definition.environment},
        }
        if definition.index is not None:
            told["index_sha256"] = digest_of(self._program(definition.index))
        if definition.version is not None:
            told["version"] = self._version(definition.version)
        return told

    def prepare(self, snapshot: Snapshot) -> None:
        """Makes the copy and its index, so that no question waits for them."""
        self._indexed(snapshot, self._workspace(snapshot))

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """What the command prints; a child that does not end well is an error with the end of its standard error."""
        command = self._definition.command
        changed_file = query.fields.get("changed_file")
        if "changed_file" in command.names and not isinstance(changed_file, str):
            return NOT_APPLICABLE
        workspace = self._workspace(snapshot)
        index = self._indexed(snapshot, workspace)
        if index.failed is not None:
            return index.failed
        values = _common_values(snapshot, workspace) | {"limit": str(limit), "changed_file": str(changed_file)}
        try:
            finished = self._ask(query.plain if self._definition.plain else query.text, values, workspace)
        except BenchmarkError as error:
            return Answer(error=_words(error, workspace), figures=index.figures)
        failed = failure(finished, self._definition.timeout_s, workspace.root)
        answer = failed or self._read(finished, snapshot, workspace)
        return replace(answer, wall_ms=finished.wall_ms, figures={**answer.figures, **index.figures})

    def _ask(self, question: str, values: Mapping[str, str], workspace: Workspace) -> Finished:
        command, timeout_s = self._definition.command, self._definition.timeout_s
        values = {**values, "query": question}
        if "query_file" not in command.names:
            stdin = b"" if "query" in command.names else question.encode()
            return self._run(command, values, workspace, timeout_s, stdin)
        folder = workspace.folder.new()  # outside of the copy, which must stay as it is
        try:
            file = folder / ("query.txt" if self._definition.plain else "query.json")
            file.write_bytes(question.encode())
            return self._run(command, {**values, "query_file": str(file)}, workspace, timeout_s)
        finally:
            remove_tree(folder)

    def _read(self, finished: Finished, snapshot: Snapshot, workspace: Workspace) -> Answer:
        try:
            answer = self._definition.reader.answer(finished.stdout, snapshot, workspace.root)
        except OutputError as error:
            return Answer(error=_words(error, workspace))
        return replace(answer, packet_bytes=len(finished.stdout))

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
        index, timeout_s = self._definition.index, self._definition.index_timeout_s
        if index is None:
            return _Index(workspace.root)
        try:
            finished = self._run(index, _common_values(snapshot, workspace), workspace, timeout_s)
            failed = failure(finished, timeout_s, workspace.root)
            size = workspace.accept_new_files()
            changes = workspace.changes()
        except BenchmarkError as error:
            return _Index(workspace.root, failed=Answer(error=f"index: {_words(error, workspace)}"))
        if failed is None and changes:
            listed = ", ".join(changes[:3])
            failed = Answer(error=f"it changed the copy, to which it may only add files: {listed}")
        if failed is not None:
            return _Index(workspace.root, failed=replace(failed, error=f"index: {failed.error}", wall_ms=None))
        return _Index(workspace.root, {"index_ms": finished.wall_ms, "index_bytes": size})

    def _run(
        self, template: Template, values: Mapping[str, str], workspace: Workspace, timeout_s: float, stdin: bytes = b""
    ) -> Finished:
        return run_child(
            [self._program(template), *template.fill(values)[1:]],
            directory=self._directory if "root" in template.names else workspace.root,
            environment=caller_environment(),
            stdin=stdin,
            timeout_s=timeout_s,
            max_stdout_bytes=MAX_STDOUT_BYTES,
            watcher=workspace.folder,
        )

    def _version(self, template: Template) -> str:
        """The first line that the version command prints, which some print to standard error."""
        timeout_s = self._definition.timeout_s
        try:
            finished = run_child(
                [self._program(template), *template.fill({})[1:]],
                directory=self._directory,
                environment=caller_environment(),
                timeout_s=timeout_s,
                max_stdout_bytes=MAX_STDOUT_BYTES,
            )
        except ChildError as error:
            raise SettingsError(f"{self._definition.source}: version: {error}") from error
        failed = failure(finished, timeout_s, root=None)
        if failed is not None:
            raise SettingsError(f"{self._definition.source}: version: {failed.error}")
        told = (finished.stdout.strip() or finished.stderr.strip()).partition(b"\n")[0]
        return one_line(told.decode("utf-8", "replace"))

    def _program(self, template: Template) -> str:
        """Where the program lies, looked up once."""
        name = template.program
        if name not in self._programs:
            self._programs[name] = find_program(name, self._directory, self._definition.source)
        return self._programs[name]


def _common_values(snapshot: Snapshot, workspace: Workspace) -> dict[str, str]:
    return {"root": str(workspace.root), "repo": snapshot.repo, "commit": snapshot.commit}


def _words(error: BenchmarkError, workspace: Workspace) -> str:
    return one_line(without_root(str(error), workspace.root))
