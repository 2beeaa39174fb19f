"""A disposable Git copy of a snapshot, and whether it still is one (PROTOCOL 2 and 4)."""

from __future__ import annotations

import filecmp
import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.processes.run_folder import RunFolder
from pytest_retrieval_bench.snapshots.git import ask_git, head_commit

_SPECIAL = r"\*?[ "
# What of the copy's Git directory steers the programs of whoever is asked next.
_STEERING = ("config", "info/exclude", "info/attributes")
_NOT_IN_A_PATTERN = "\r\n"


@dataclass(frozen=True, slots=True, eq=False)
class Workspace:
    """A worktree at `root` with the snapshot's files and one commit of them.

    `folder` watches over the children that run in it. `witness` is a Git directory beside the copy, without objects:
    it has the settings and the index of the beginning, so that nothing done to the copy's own can bend the judgement.
    `names` is what was there at the beginning as `entries_below` has it, Git's own files too.
    """

    root: Path
    folder: RunFolder
    witness: Path
    commit: str
    names: frozenset[str] = field(repr=False)

    def changes(self) -> list[str]:
        """What is no longer as the snapshot has it; empty when the copy is clean.

        Entries of `git status --porcelain -z --untracked-files=all`, or words where Git has none. Never runs code that
        an arm left in the copy; what the copy's `info/exclude` or a `.gitignore` names may be added.
        """
        try:
            entries = self._status()
            if not self._has_still("index"):
                entries += self._staged()
            if not (self._has_still("HEAD") and self._has_still("refs/heads/main")):
                head = head_commit(self.root)
                entries += [] if head == self.commit else [f"HEAD is {head}, no longer {self.commit}"]
            entries += [f".git/{name} was changed" for name in _STEERING if not self._has_still(name)]
            entries += self._odd_entries()
        except (SnapshotError, OSError) as error:
            return [str(error).replace(str(self.root), "{root}")]
        return list(dict.fromkeys(entries))

    def accept_new_files(self) -> int:
        """Adds what is untracked now to the copy's `info/exclude`, whole folders where nothing in them is tracked.

        Returns the bytes of all that was not there at the beginning, ignored files too. Raises SnapshotError when Git
        cannot tell or the copy cannot be read.
        """
        listed = self._status(untracked="normal")
        new = [entry.removeprefix("?? ") for entry in listed if entry.startswith("?? ")]
        try:
            with (self.root / ".git" / "info" / "exclude").open("ab") as stream:
                stream.writelines(map(exclude_line, new))
            shutil.copyfile(self.root / ".git" / "info" / "exclude", self.witness / "info" / "exclude")
            added = [status for name, status in entries_below(self.root) if name not in self.names]
        except OSError as error:
            raise SnapshotError(f"{self.root}: what is new cannot be accepted: {error}") from error
        return sum(status.st_size for status in added if stat.S_ISREG(status.st_mode))

    def _odd_entries(self) -> list[str]:
        """What Git does not show: what cannot be written any more, and what is neither file, folder nor link."""
        found = []
        for name, status in entries_below(self.root):
            if name in self.names and not name.startswith(".git/") and not _is_writable(status.st_mode):
                found.append(f"read-only: {name}")
            if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode) or stat.S_ISLNK(status.st_mode)):
                found.append(f"no file: {name}")
        return found

    def _has_still(self, name: str) -> bool:
        """Whether a file of the copy's Git directory is as it was made."""
        try:
            return filecmp.cmp(self.root / ".git" / name, self.witness / name, shallow=False)
        except FileNotFoundError:
            return False

    def _status(self, untracked: str = "all") -> list[str]:
        """What differs from the snapshot on disk; a repository that an arm made inside is not asked."""
        options = ("--porcelain", "-z", "--no-renames", f"--untracked-files={untracked}", "--ignore-submodules=dirty")
        return self._ask(self.witness / "index", "status", *options)

    def _staged(self) -> list[str]:
        """What differs from the snapshot in the copy's own index."""
        options = ("--cached", "-z", "--no-renames", "--name-status", self.commit)
        fields = self._ask(self.root / ".git" / "index", "diff-index", *options)
        return [f"{state}  {path}" for state, path in zip(fields[::2], fields[1::2], strict=True)]

    def _ask(self, index: Path, *arguments: str) -> list[str]:
        git_directory = self.root / ".git"
        config = {"core.excludesFile": str(git_directory / "info" / "exclude")}
        variables = {
            "GIT_DIR": str(self.witness),
            "GIT_INDEX_FILE": str(index),
            "GIT_OBJECT_DIRECTORY": str(git_directory / "objects"),
        }
        output = ask_git(self.root, *arguments, config=config, variables=variables)
        return [field for field in output.decode("utf-8", "surrogateescape").split("\0") if field]


def exclude_line(path: str) -> bytes:
    """The line of an exclude file that matches this path from the root and, with `?` for a line end, hardly others."""
    escaped = "".join("?" if char in _NOT_IN_A_PATTERN else f"\\{char}" if char in _SPECIAL else char for char in path)
    return f"/{escaped}\n".encode("utf-8", "surrogateescape")


def entries_below(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    """The root (named `.`) and everything below it with its status, links not followed."""
    yield ".", root.lstat()
    folders = [""]
    while folders:
        folder = folders.pop()
        with os.scandir(f"{root}/{folder}") as entries:
            for entry in entries:
                name, status = folder + entry.name, entry.stat(follow_symlinks=False)
                yield name, status
                if stat.S_ISDIR(status.st_mode):
                    folders.append(f"{name}/")


def _is_writable(mode: int) -> bool:
    needed = stat.S_IRWXU if stat.S_ISDIR(mode) else stat.S_IRUSR | stat.S_IWUSR
    return mode & needed == needed
