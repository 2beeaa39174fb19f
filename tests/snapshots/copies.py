"""What a disposable copy holds, seen from outside."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.snapshots.worktree import git


def on_disk(root: Path) -> dict[str, bytes]:
    """Every file of the copy but Git's own, path -> content."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and path.relative_to(root).parts[0] != ".git"
    }


def committed(root: Path) -> dict[str, tuple[str, str]]:
    """Path -> mode and blob id of every file of the copy's commit."""
    listed = git(root, "ls-tree", "-r", "-z", "HEAD").split("\0")
    entries = [entry.partition("\t") for entry in listed if entry]
    return {path: (meta.split()[0], meta.split()[2]) for meta, _, path in entries}


def blobs(tree: Mapping[str, bytes]) -> dict[str, tuple[str, str]]:
    """What `committed` says of plain files with exactly these contents."""
    return {
        path: ("100644", hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest())
        for path, content in tree.items()
    }


def seen_by_others(root: Path) -> str:
    """`git status` as any program in the copy runs it, under the caller's own settings."""
    command = ["git", "-C", str(root), "status", "--porcelain", "--untracked-files=all"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout
