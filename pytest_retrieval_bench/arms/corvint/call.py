"""The corvint executable: how it is asked, and where it keeps its index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from pytest_retrieval_bench.arms.corvint.packets import Packet
from pytest_retrieval_bench.arms.invoke import invoke
from pytest_retrieval_bench.arms.output.reader import OutputError
from pytest_retrieval_bench.arms.programs import caller_environment, digest_of, version_of
from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.model import Answer, Invocation, Json
from pytest_retrieval_bench.processes.child import Finished, run_child
from pytest_retrieval_bench.snapshots.workspace import Workspace

TIMEOUT_S = 120
_TRACE = "CORVINT_BENCH_SNAPSHOT_TRACE"


@dataclass(frozen=True, slots=True)
class Corvint:
    """The executable, and the directory that it runs in: the caller's."""

    program: str
    directory: Path

    def ask(
        self,
        workspace: Workspace,
        arguments: Sequence[str],
        read: Callable[[object], Packet],
        *,
        task: str = "",
        traced: bool = False,
    ) -> Answer:
        """The answer to one verb.

        `task` is the query text for records of the call; `traced` asks corvint to say on standard error whether its
        index was there.
        """
        command = (self.program, "--root", str(workspace.root), *arguments)
        return invoke(
            Invocation(command, str(self.directory), str(workspace.root), task.encode()),
            lambda output: _answer(output, read),
            environment=_environment() | ({_TRACE: "1"} if traced else {}),
            timeout_s=TIMEOUT_S,
            watcher=workspace.folder,
        )

    def index(self, workspace: Workspace) -> Finished:
        """Lets corvint store its index in the copy.

        Raises ChildError when it cannot be started.
        """
        return run_child(
            (self.program, "--root", str(workspace.root), "index"),
            directory=self.directory,
            environment=_environment(),
            timeout_s=TIMEOUT_S,
            watcher=workspace.folder,
        )

    def describe(self) -> dict[str, Json]:
        """The digest of the executable, and what it says of its version.

        Raises SettingsError when it does not say, or cannot be read.
        """
        digest = digest_of(self.program)
        if digest is None:
            raise SettingsError(f"--rb-corvint: {self.program} cannot be read, so nothing can tell which corvint it is")
        version = version_of((self.program, "--version"), self.directory, "--rb-corvint")
        return {"kind": "corvint", "sha256": digest, "version": version}


def store_of(workspace: Workspace) -> Path | None:
    """Where corvint keeps its index of the copy; None where there is none."""
    places = (workspace.root / ".git" / "corvint" / "index", workspace.root / ".corvint" / "index")
    return next((place for place in places if place.exists()), None)


def cache_state(workspace: Workspace) -> str:
    """What a verb will find, as it is seen before the call."""
    return "COLD_UNIQUE" if store_of(workspace) is None else "PRIMED_SHARED"


def _environment() -> dict[str, str]:
    return {name: value for name, value in caller_environment().items() if name != _TRACE}


def _answer(output: bytes, read: Callable[[object], Packet]) -> Answer:
    try:
        document = orjson.loads(output)
    except orjson.JSONDecodeError as error:
        raise OutputError(f"what it printed is not one JSON document: {error}") from error
    packet = read(document)
    return Answer(packet.ranking, state=packet.state, abstained=packet.abstained)
