"""Keeping the copy of a failed sample, so that the command can be run again by hand."""

from __future__ import annotations

import shlex
import shutil
import tempfile
from pathlib import Path

from pytest_retrieval_bench.model import Invocation


def keep_workspace(invocation: Invocation) -> str:
    """Copies the workspace to a folder of its own, which stays; says where, and how to ask again.

    Beside the copy lie the query and what the process printed on standard error.
    """
    kept = Path(tempfile.mkdtemp(prefix="retrieval-bench-kept-"))
    try:
        shutil.copytree(invocation.root, kept / "copy", symlinks=True)
    except (OSError, shutil.Error) as error:
        return f"the copy could not be kept whole in {kept}: {error}"
    (kept / "query").write_bytes(invocation.task)
    stderr = invocation.stderr or b""
    (kept / "stderr").write_bytes(stderr)
    said = stderr.decode("utf-8", "replace").rstrip() or "nothing"
    return f"kept: {kept}\nrun again: {_command(invocation, kept)}\nstandard error: {said}"


def _command(invocation: Invocation, kept: Path) -> str:
    """The command line that does the same in the kept copy."""

    def moved(argument: str) -> str:
        if invocation.task_file not in ("", "-"):
            argument = argument.replace(invocation.task_file, str(kept / "query"))
        return argument.replace(invocation.root, str(kept / "copy"))

    command = shlex.join(map(moved, invocation.command))
    fed = f" < {shlex.quote(str(kept / 'query'))}" if invocation.task_file == "-" else ""
    return f"cd {shlex.quote(moved(invocation.directory))} && {command}{fed}"
