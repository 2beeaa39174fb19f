"""Asking Git about a directory that is not ours, without running any code that the directory names."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from pytest_retrieval_bench.errors import ChildError, SnapshotError
from pytest_retrieval_bench.processes.child import run_child

_TIMEOUT_S = 120
_NOTHING = os.devnull
# The caller's variables may point Git elsewhere; these alone are kept.
_KEPT_VARIABLES = ("HOME", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT")
_SAFE_CONFIG = {
    "safe.directory": "*",
    "core.fsmonitor": "false",
    "core.hooksPath": _NOTHING,
    "core.attributesFile": _NOTHING,
    "core.excludesFile": _NOTHING,
    "core.pager": "cat",
    "credential.helper": "",
}


class GitError(SnapshotError):
    """Git was run and said no; `reason` is what it said."""

    def __init__(self, directory: Path, command: str, reason: str) -> None:
        super().__init__(f"{directory}: git {command} failed: {reason}")
        self.reason = reason


def check_repository(directory: Path) -> None:
    """Raises SnapshotError unless the directory is a Git repository: the top folder of a worktree, or a bare one."""
    try:
        _git(directory, "rev-parse", "--git-dir")
    except GitError as error:
        why = f"{directory} is no Git repository that can be read: {error.reason}"
        raise SnapshotError(f"{why}; name the top folder of a clone") from error


def head_commit(directory: Path) -> str:
    """The commit that HEAD names.

    Raises SnapshotError when the directory is no readable Git worktree.
    """
    return _git(directory, "rev-parse", "--verify", "HEAD^{commit}").strip()


def changed_paths(directory: Path) -> list[str]:
    """What `git status` names as changed or untracked; nothing in the directory is written, its index included."""
    status = ("status", "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=dirty")
    changed = [entry for entry in _git(directory, *status, config=_filters(directory)).split("\0") if entry]
    # Git would ask a submodule under that submodule's own configuration.
    for submodule in _submodules(directory):
        changed += [f"{submodule.name}: {entry}" for entry in changed_paths(submodule)]
    return changed


def _submodules(directory: Path) -> list[Path]:
    listed = _git(directory, "ls-files", "--stage", "-z").split("\0")
    paths = [directory / entry.partition("\t")[2] for entry in listed if entry.startswith("160000 ")]
    return [path for path in paths if os.path.lexists(path / ".git")]


def _filters(directory: Path) -> dict[str, str]:
    """Settings that switch off each content filter that the directory's own configuration defines."""
    listed = _git(directory, "config", "--list", "--includes", "--name-only", "-z")
    names = {key.removeprefix("filter.").rpartition(".")[0] for key in listed.split("\0") if key.startswith("filter.")}
    return {
        f"filter.{name}.{member}": value
        for name in names
        for member, value in (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
    }


def _git(directory: Path, *arguments: str, config: dict[str, str] | None = None) -> str:
    return ask_git(directory, *arguments, config=config).decode("utf-8", "surrogateescape")


def ask_git(
    directory: Path,
    *arguments: str,
    stdin: bytes = b"",
    config: Mapping[str, str] | None = None,
    variables: Mapping[str, str] | None = None,
) -> bytes:
    """What Git prints when it is asked about the directory, which itself cannot say how.

    Raises GitError when Git says no, SnapshotError when it cannot be run or takes too long.
    """
    command, environment = git_call(directory, *arguments, config=config, variables=variables)
    try:
        finished = run_child(
            command,
            directory=Path(),
            environment=environment,
            stdin=stdin,
            timeout_s=_TIMEOUT_S,
            max_stdout_bytes=sys.maxsize,
        )
    except ChildError as error:
        raise SnapshotError(f"{directory}: git cannot be run: {error}") from error
    if finished.ending == "timeout":
        raise SnapshotError(f"{directory}: git {arguments[0]} took over {_TIMEOUT_S} s")
    if finished.status != 0:
        reason = finished.stderr.decode("utf-8", "replace").strip().replace("\n", "; ")
        raise GitError(directory, arguments[0], reason or str(finished.status))
    return finished.stdout


def git_call(
    directory: Path,
    *arguments: str,
    config: Mapping[str, str] | None = None,
    variables: Mapping[str, str] | None = None,
) -> tuple[list[str], dict[str, str]]:
    """A command about the directory, and the environment under which Git runs no code that anybody else named.

    Raises SnapshotError where there is no Git.
    """
    settings = {**_SAFE_CONFIG, **(config or {})}
    environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ} | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": _NOTHING,
        # Git finds no program to start: one before 2.45 would begin a fetch, which writes, whatever else it is told.
        "GIT_EXEC_PATH": _NOTHING,
        "PATH": _NOTHING,
        "GIT_CEILING_DIRECTORIES": str(directory.resolve().parent),
        "GIT_WORK_TREE": str(directory.resolve()),
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
        "GIT_CONFIG_COUNT": str(len(settings)),
    }
    for number, (key, value) in enumerate(settings.items()):
        environment |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    git = shutil.which("git")
    if git is None:
        raise SnapshotError(f"{directory}: git cannot be run: no program of this name is on PATH")
    return [git, "-C", str(directory), *arguments], {**environment, **(variables or {})}
