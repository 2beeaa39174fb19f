"""What every arm that runs a program needs: where the program lies, its environment, and words for how it failed."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
from collections.abc import Mapping
from pathlib import Path

from pytest_retrieval_bench.arms.paths import without_root
from pytest_retrieval_bench.arms.run import one_line
from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.model import Answer
from pytest_retrieval_bench.processes.child import Finished

MAX_STDOUT_BYTES = 8 * 2**20
_SHOWN_STDERR = 600
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
    """The caller's environment without what tells Git which repository to work in."""
    return {name: value for name, value in environment.items() if name not in _GIT_LOCATION}


def failure(finished: Finished, timeout_s: float, root: Path | None) -> Answer | None:
    """The answer of a child that did not end well, with the end of its standard error; None where it did."""
    outcome = None if finished.ending == "exited" else finished.ending
    if outcome == "timeout":
        what = f"it had not ended after {timeout_s:g} s"
    elif outcome == "output limit":
        what = f"it printed over {MAX_STDOUT_BYTES >> 20} MiB"
    elif finished.status < 0:
        what = f"it was ended by {_signal_name(-finished.status)}"
    elif finished.status:
        what = f"exit status {finished.status}"
    else:
        return None
    said = stderr_end(finished, root)
    return Answer(error=f"{what}: {said}" if said else what, wall_ms=finished.wall_ms, outcome=outcome)


def stderr_end(finished: Finished, root: Path | None) -> str:
    """The end of what is kept of standard error, as one line, the copy's path as `{root}`."""
    text = " ".join(without_root(finished.stderr.decode("utf-8", "replace"), root).split())
    end = text if len(text) <= _SHOWN_STDERR else f"…{text[-_SHOWN_STDERR:]}"
    return one_line(f"{end}…" if finished.stderr_truncated else end)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
