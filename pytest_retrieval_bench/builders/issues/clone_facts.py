"""What a clone knows of the commits and files of many issues, asked at once."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pytest_retrieval_bench.snapshots.git_objects import ask_clone


def kinds_of(clone: Path, names: Iterable[str]) -> dict[str, str | None]:
    """What each object is that a name stands for, such as `COMMIT:PATH`: `commit`, `blob`, …; None where there is none.

    Raises SnapshotError when the clone cannot be read.
    """
    asked = [name for name in dict.fromkeys(names) if "\n" not in name]
    printed = ask_clone(
        clone, "cat-file", "--batch-check=%(objecttype)", stdin="".join(f"{n}\n" for n in asked).encode()
    )
    lines = printed.decode("utf-8", "replace").split("\n")
    return {name: line if " " not in line else None for name, line in zip(asked, lines, strict=False)}


def committed_at(clone: Path, commits: Iterable[str]) -> dict[str, int]:
    """The time of each commit, in seconds; the clone must hold them all.

    Raises SnapshotError when it does not.
    """
    asked = "".join(f"{commit}\n" for commit in dict.fromkeys(commits))
    if not asked:
        return {}
    printed = ask_clone(clone, "log", "--no-walk=unsorted", "--stdin", "--format=%H %ct", stdin=asked.encode())
    return {commit: int(time) for commit, time in (line.split() for line in printed.decode().splitlines())}
