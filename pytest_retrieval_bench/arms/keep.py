"""Keeping the copy of a failed sample, so that the command can be run again by hand."""

from __future__ import annotations

import shlex
import shutil
import tempfile
from pathlib import Path

from pytest_retrieval_bench.model import Invocation
from pytest_retrieval_bench.text.visible import visible

_LINE_CHARS = 2000


def keep_workspace(invocation: Invocation) -> str:
    """Copies the workspace to a folder of its own, which stays; says where, and how to ask again.

    Beside the copy lie the query and what the process printed on standard error.
    """
    kept = Path(tempfile.mkdtemp(prefix="retrieval-bench-kept-"))
    where = f"kept: {kept}"
    try:
        shutil.copytree(invocation.root, kept / "copy", symlinks=True)
    except (OSError, shutil.Error):
        where = f"kept, but not the whole copy, which the command changed: {kept}"
    (kept / "query").write_bytes(invocation.task)
    stderr = invocation.stderr or b""
    (kept / "stderr").write_bytes(stderr)
    lines = (stderr.decode("utf-8", "replace").rstrip() or "nothing").split("\n")
    said = "\n".join(visible(line, _LINE_CHARS) for line in lines)
    return f"{where}\nrun again: {_command(invocation, kept)}\nstandard error: {said}"


def _command(invocation: Invocation, kept: Path) -> str:
    """The command line that does the same in the kept copy."""

    def moved(argument: str) -> str:
        if invocation.task_file not in ("", "-"):
            argument = argument.replace(invocation.task_file, str(kept / "query"))
        return argument.replace(invocation.root, str(kept / "copy"))

    command = " ".join(_word(moved(argument), kept, number) for number, argument in enumerate(invocation.command))
    fed = f" < {shlex.quote(str(kept / 'query'))}" if invocation.task_file == "-" else ""
    return f"cd {shlex.quote(moved(invocation.directory))} && {command}{fed}"


def _word(argument: str, kept: Path, number: int) -> str:
    """An argument for a shell; one that a terminal would obey rather than show goes by way of a file."""
    if argument.replace("\n", "").isprintable():
        return shlex.quote(argument)
    file = kept / f"argument-{number}"
    file.write_text(argument, encoding="utf-8")
    return f'"$(cat {shlex.quote(str(file))})"'
