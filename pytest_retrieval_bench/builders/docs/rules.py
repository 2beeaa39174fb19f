"""What a benchmark is made of, and how."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DocsRules:
    """The repository (OWNER/NAME) at a commit, given by its whole id, and which of its files are read.

    `docs` is the folder of the documentation, None for the only one of `doc` and `docs`. `sources` are the folders
    whose files may be gold; none: all but the documentation. `exclude` are globs of documents that are left out.
    `short` asks the first sentences only.
    """

    repo: str
    commit: str
    docs: str | None = None
    sources: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    short: bool = False
