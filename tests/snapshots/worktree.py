"""Git worktrees for the tests, and what must not change in them."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Mapping
from pathlib import Path

_IDENTITY = {f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def git(directory: Path, *arguments: str) -> str:
    """What Git prints, with none of the caller's own settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    settings = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_ALLOW_PROTOCOL": "file"}
    finished = subprocess.run(
        ["git", "-C", str(directory), *arguments],
        env=kept | settings | _IDENTITY,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    return finished.stdout.decode().strip()


def write_tree(directory: Path, files: Mapping[str, bytes]) -> None:
    """Writes the files, with their folders."""
    for name, content in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def commit_all(directory: Path) -> str:
    """Commits everything that is there, ignored files too; the commit's id."""
    git(directory, "add", "--all", "--force")
    git(directory, "commit", "--quiet", "--allow-empty", "--message=all")
    return git(directory, "rev-parse", "HEAD")


def make_worktree(directory: Path, files: Mapping[str, bytes] | None = None) -> str:
    """A clean worktree with one commit of the files; the commit's id."""
    directory.mkdir(parents=True)
    git(directory, "init", "--quiet")
    write_tree(directory, {"a.py": b"one\n", "src/b.py": b"two\n"} if files is None else files)
    return commit_all(directory)


def configure(directory: Path, text: str) -> None:
    """Adds lines to the worktree's own configuration."""
    with (directory / ".git" / "config").open("a", encoding="utf-8") as stream:
        stream.write(text)


def look_touched(path: Path) -> None:
    """Gives a file another time, so that Git has to read it again to see that it is the same."""
    os.utime(path, (1_000_000_000, 1_000_000_000))


def state_of(directory: Path) -> dict[str, tuple[int, int, bytes]]:
    """Mode, time and content of everything below a directory, of its `.git` too."""
    found: dict[str, tuple[int, int, bytes]] = {}
    for path in [directory, *directory.rglob("*")]:
        status = path.lstat()
        content = b""
        if stat.S_ISLNK(status.st_mode):
            content = os.fsencode(path.readlink())
        elif stat.S_ISREG(status.st_mode):
            content = path.read_bytes()
        found[str(path.relative_to(directory))] = (status.st_mode, status.st_mtime_ns, content)
    return found
