"""What every arm that runs a program needs: where the program lies, its digest, its version and its environment."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from pytest_retrieval_bench.arms.invoke import failure
from pytest_retrieval_bench.arms.run import one_line
from pytest_retrieval_bench.errors import ChildError, SettingsError
from pytest_retrieval_bench.processes.child import run_child

_VERSION_TIMEOUT_S = 60
# What `git rev-parse --local-env-vars` lists: a repository that the caller works in must not be taken for the copy.
_GIT_LOCATION = frozenset(
    f"GIT_{name}"
    for name in (
        "ALTERNATE_OBJECT_DIRECTORIES",
        "COMMON_DIR",
        "CONFIG",
        "CONFIG_COUNT",
        "CONFIG_PARAMETERS",
        "DIR",
        "GRAFT_FILE",
        "IMPLICIT_WORK_TREE",
        "INDEX_FILE",
        "INTERNAL_SUPER_PREFIX",
        "NO_REPLACE_OBJECTS",
        "OBJECT_DIRECTORY",
        "PREFIX",
        "REPLACE_REF_BASE",
        "SHALLOW_FILE",
        "WORK_TREE",
    )
)

# What pytest and its workers add: it names the sample, and differs between a plain run and one on workers.
_OF_THIS_RUN = frozenset(
    f"PYTEST_{name}" for name in ("CURRENT_TEST", "VERSION", "XDIST_WORKER", "XDIST_WORKER_COUNT", "XDIST_TESTRUNUID")
)


def find_program(name: str, directory: Path, source: str) -> str:
    """The absolute path of a program: from PATH, or relative to the caller's directory where the name has a slash.

    Raises SettingsError, naming the source.
    """
    found = shutil.which(directory / name if os.path.dirname(name) else name)  # noqa: PTH120 - `./x` keeps its dot
    if found is None:
        where = directory if os.path.dirname(name) else "any folder of PATH"  # noqa: PTH120
        raise SettingsError(f"{source}: the program {name!r} is not in {where}, or cannot be executed")
    return str(directory / found)


def digest_of(program: str) -> str | None:
    """SHA-256 of a program's file, in hex; None where it cannot be read."""
    try:
        with Path(program).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return None


def caller_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The caller's environment, without what tells Git which repository to work in, and without what a run adds."""
    return {name: value for name, value in environment.items() if name not in _GIT_LOCATION | _OF_THIS_RUN}


def version_of(command: Sequence[str], directory: Path, source: str) -> str:
    """The first line that a command prints about its version, which some print to standard error.

    Raises SettingsError, naming the source, when it does not say.
    """
    try:
        finished = run_child(
            command, directory=directory, environment=caller_environment(), timeout_s=_VERSION_TIMEOUT_S
        )
    except ChildError as error:
        raise SettingsError(f"{source}: version: {error}") from error
    failed = failure(finished, _VERSION_TIMEOUT_S, root=None)
    told = (finished.stdout.strip() or finished.stderr.strip()).partition(b"\n")[0]
    if failed is not None or not told:
        raise SettingsError(f"{source}: version: {failed.error if failed else 'it printed nothing'}")
    return one_line(told.decode("utf-8", "replace"))
