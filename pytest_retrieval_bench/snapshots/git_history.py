"""The history of a local clone: its commits, what each says, and what each changed. Nothing is written or run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.snapshots.git_objects import ask_clone, commit_id

_DIFF = ("diff-tree", "--no-renames", "--ignore-all-space", "--ignore-blank-lines", "--no-ext-diff", "--no-textconv")
_RANGE = re.compile(r"(.*?)\.\.(?!\.)(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: its id, those of its parents, who wrote it (`NAME <EMAIL>`), and its message."""

    identity: str
    parents: tuple[str, ...]
    author: str
    message: str


@dataclass(frozen=True, slots=True)
class Change:
    """A path that a commit changed against its parent.

    `was_file` says whether it was a regular file before, `differs` whether more than white space changed.
    """

    path: str
    was_file: bool
    differs: bool


def list_commits(clone: Path, revisions: str) -> list[str]:
    """The ids of the commits that lead to a revision, or of a range `A..B`, newest first.

    Raises SnapshotError when the clone does not hold what is named.
    """
    named = _RANGE.fullmatch(revisions)
    first, last = (named[1] or "HEAD", named[2] or "HEAD") if named else ("", revisions)
    wanted = [commit_id(clone, last), *([f"^{commit_id(clone, first)}"] if first else [])]
    return ask_clone(clone, "rev-list", *wanted, "--").decode().split()


def read_commits(clone: Path, identities: Sequence[str]) -> Iterator[Commit]:
    """The commits of these ids, in their order.

    Raises SnapshotError when the clone lacks one.
    """
    output = ask_clone(clone, "cat-file", "--batch", stdin="".join(f"{one}\n" for one in identities).encode())
    position = 0
    for identity in identities:
        end_of_head = output.index(b"\n", position)
        head = output[position:end_of_head].split()
        if len(head) != 3:
            raise SnapshotError(f"{clone}: the clone lacks commit {identity}")
        position = end_of_head + 1 + int(head[2]) + 1
        yield _commit(identity, output[end_of_head + 1 : position - 1])


def read_changes(clone: Path, identities: Sequence[str]) -> dict[str, tuple[Change, ...]]:
    """What each commit with one parent changed, by its id; one without a parent, or with two, changed nothing.

    Raises SnapshotError when the clone lacks a file.
    """
    asked = "".join(f"{one}\n" for one in identities).encode()
    output = ask_clone(clone, *_DIFF, "-r", "-z", "--raw", "--numstat", "--stdin", stdin=asked)
    was_file: dict[str, dict[bytes, bool]] = {identity: {} for identity in identities}
    differing: dict[str, set[bytes]] = {identity: set() for identity in identities}
    current = ""
    fields = iter(output.split(b"\0"))
    for field in filter(None, fields):
        if field.startswith(b":"):
            was_file[current][next(fields)] = field.startswith(b":100")
        elif b"\t" in field:
            added, removed, path = field.split(b"\t", 2)
            if (added, removed) != (b"0", b"0"):
                differing[current].add(path)
        else:
            current = field.decode()
    return {
        identity: tuple(
            Change(path.decode("utf-8", "replace"), before, path in differing[identity])
            for path, before in was_file[identity].items()
        )
        for identity in identities
    }


def changed_lines(clone: Path, identity: str) -> str:
    """The lines that a commit took away and put in, of all its files.

    Raises SnapshotError when the clone lacks a file.
    """
    patch = ask_clone(clone, *_DIFF, "-p", "--unified=0", identity).decode("utf-8", "replace")
    lines = [line for line in patch.split("\n") if line.startswith(("+", "-")) and not line.startswith(("+++", "---"))]
    return "\n".join(line[1:] for line in lines)


def origin_url(clone: Path) -> str | None:
    """Where the clone came from, as its configuration says; None where it does not."""
    listed = ask_clone(clone, "config", "--list", "-z").decode("utf-8", "replace").split("\0")
    entries = (entry.partition("\n") for entry in listed)
    return next((value for name, _, value in entries if name == "remote.origin.url"), None)


def _commit(identity: str, data: bytes) -> Commit:
    head, _, message = data.partition(b"\n\n")
    # Lines of a member that goes on, such as a signature, begin with a space.
    members = [line.partition(b" ") for line in head.split(b"\n")]
    values = {name: value for name, _, value in members if name in (b"author", b"encoding")}
    parents = tuple(value.decode() for name, _, value in members if name == b"parent")
    author = values.get(b"author", b"").rpartition(b">")[0].decode("utf-8", "replace") + ">"
    return Commit(identity, parents, author, _decoded(message, values.get(b"encoding", b"utf-8")))


def _decoded(message: bytes, encoding: bytes) -> str:
    try:
        return message.decode(encoding.decode("ascii", "replace"), "replace")
    except LookupError:
        return message.decode("utf-8", "replace")
