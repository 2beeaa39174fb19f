"""From what a retriever printed to the path of a file in the snapshot.

Bytes are compared as they are: no folding of case or of Unicode forms.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path

from pytest_retrieval_bench.snapshots.snapshot import Snapshot

Lines = tuple[int, int]

_WITH_LINES = re.compile(r"(.+):([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class RepositoryPaths:
    """The files of a snapshot, and the ways in which a retriever may spell them.

    `roots` are the spellings of the copy's own path (none where there is no copy), `prefixes` what a retriever may put
    before a path, shortest first; both as parts.
    """

    files: Set[str]
    roots: tuple[list[str], ...]
    prefixes: tuple[list[str], ...]

    @classmethod
    def of(cls, snapshot: Snapshot, root: Path | None) -> RepositoryPaths:
        """For what a retriever printed of the snapshot, whose copy, if it worked on one, lies at `root`."""
        owner_and_name = snapshot.repo.split("/")
        prefixes = [owner_and_name[-1:], owner_and_name]
        roots = []
        if root is not None:
            # A temporary folder is often a link, and a retriever may print either spelling.
            roots = [parts for path in (root, root.resolve()) if (parts := _parts(path.as_posix()))]
            prefixes.insert(1, [root.name])
        return cls(frozenset(snapshot.paths), tuple(roots), tuple(prefixes))

    def known(self, printed: str) -> str | None:
        """The path of the file that was meant; None where the snapshot has no such file.

        A path that exists as it stands wins; then backslashes count as slashes too; a prefix is taken off only
        where the whole does not exist and the rest does.
        """
        if printed in self.files:
            return printed
        spellings = dict.fromkeys((printed, printed.replace("\\", "/")))
        candidates = [parts for spelling in spellings if (parts := self._inside(spelling))]
        shortened = [
            parts[len(prefix) :] for parts in candidates for prefix in self.prefixes if parts[: len(prefix)] == prefix
        ]
        found = ("/".join(parts) for parts in (*candidates, *shortened))
        return next((path for path in found if path in self.files), None)

    def located(self, printed: str) -> tuple[str | None, Lines | None]:
        """As `known`; where the whole is no file, `path:line` and `path:start-end` are tried."""
        whole = self.known(printed)
        match = _WITH_LINES.fullmatch(printed) if whole is None else None
        before = self.known(match[1]) if match else None
        if match is None or before is None:
            return whole, None
        start, end = int(match[2]), int(match[3] or match[2])
        return (before, (start, end)) if start <= end else (None, None)

    def _inside(self, text: str) -> list[str] | None:
        """The parts below the repository's root; None for a folder, and for what lies outside."""
        parts = None if text.endswith(("/", "/.", "/..")) else _parts(text)
        for root in self.roots:
            if parts and parts[: len(root)] == root:
                return parts[len(root) :]
        return parts


def without_root(text: str, root: Path | None) -> str:
    """A text for a report, with `{root}` and `{run}` for the copy's path and the run's folder: others in each run."""
    if root is None:
        return text
    # The copy lies in a folder of its own below the run's; the longer first, as one holds the other.
    for place, word in ((root, "{root}"), (root.parent.parent, "{run}")):
        if place.name and place.name in text:  # the links are looked at only where it matters
            for path in sorted({str(place), str(place.resolve())}, key=len, reverse=True):
                text = text.replace(path, word)
    return text


def _parts(text: str) -> list[str] | None:
    """The parts of a path without `.`, `..` and doubled slashes, `/` first where it is absolute; None if it escapes."""
    parts = ["/"] if text.startswith("/") else []
    for part in text.split("/"):
        if part == "..":
            if parts in ([], ["/"]):
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return parts
