"""A snapshot from a chunk file inside of a release archive."""

from __future__ import annotations

from typing import BinaryIO

from pytest_retrieval_bench.releases.archive import Archive
from pytest_retrieval_bench.snapshots.chunk_file import ChunkFile


class ArchivedChunkFile(ChunkFile):
    """The chunk file `name` of an archive; everything else is as it is in a file of its own."""

    def __init__(self, repo: str, commit: str, archive: Archive, name: str) -> None:
        super().__init__(repo, commit, archive.path / name)
        self._archive = archive
        self._name = name

    def digest(self) -> str:
        return self._archive.contents()[self._name].digest

    def _open(self) -> BinaryIO:
        return self._archive.open(self._name)
