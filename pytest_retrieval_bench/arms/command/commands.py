"""From templates to commands that can be run: their programs as files, and where they run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pytest_retrieval_bench.arms.command.template import Template
from pytest_retrieval_bench.arms.programs import find_program
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.snapshots.workspace import Workspace


class Commands:
    """Fills the templates of one arm; `directory` is the caller's, `source` says where the arm stands."""

    def __init__(self, directory: Path, source: str) -> None:
        self.directory = directory
        self._source = source
        self._programs: dict[str, str] = {}

    def filled(self, template: Template, values: Mapping[str, str]) -> tuple[str, ...]:
        """The command with its values, its program as the file that was found once.

        Raises SettingsError when there is no such program.
        """
        name = template.program
        if name not in self._programs:
            self._programs[name] = find_program(name, self.directory, self._source)
        return (self._programs[name], *template.fill(values)[1:])

    def program(self, template: Template) -> str:
        """The file of the program."""
        return self.filled(template, dict.fromkeys(template.names, ""))[0]

    def directory_of(self, template: Template, workspace: Workspace) -> Path:
        """The caller's directory where the command names `{root}`, else the copy."""
        return self.directory if "root" in template.names else workspace.root


def common_values(snapshot: Snapshot, workspace: Workspace) -> dict[str, str]:
    """The values that every command about a snapshot can have."""
    return {"root": str(workspace.root), "repo": snapshot.repo, "commit": snapshot.commit}
