"""What the snapshots of a run hold, as digests that a run is bound to."""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.index.store import content_digest
from pytest_retrieval_bench.model import Sample
from pytest_retrieval_bench.reporting.registration import core_count
from pytest_retrieval_bench.snapshots.archived_chunk_file import ArchivedChunkFile
from pytest_retrieval_bench.snapshots.chunk_file import ChunkFile
from pytest_retrieval_bench.snapshots.directory import Directory
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.snapshots.store import SnapshotKey, SnapshotStore

_KINDS = {ChunkFile: "chunks-blake3", ArchivedChunkFile: "chunks-blake3", Directory: "files"}


class Fingerprints:
    """The digests of snapshots; a chunk file that the system says is untouched is not read a second time.

    Chunk files are digested by threads, outside of the interpreter's lock. What asks Git is not: no process may be
    started by a thread while the main one starts xdist's workers (see `processes.orphans`).
    """

    def __init__(self, store: SnapshotStore) -> None:
        self._store = store
        self._known: dict[Path, tuple[os.stat_result, str]] = {}
        self._threads = ThreadPoolExecutor(core_count() or 1)
        self._begun: dict[SnapshotKey, Future[str | None]] = {}

    def begin(self, samples: Iterable[Sample]) -> None:
        """Starts on the chunk files, of which some may not be asked for."""
        self._begun = self._of_chunk_files(_keys(samples))

    def close(self) -> None:
        """Stops what was begun."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def of(self, samples: Iterable[Sample]) -> dict[str, str]:
        """`OWNER/NAME@COMMIT` -> what the snapshot is read from and its digest; without those that cannot be used."""
        keys, begun = _keys(samples), self._begun
        for key in begun.keys() - set(keys):
            begun[key].cancel()
        self._begun = {}
        of_files = begun | self._of_chunk_files(key for key in keys if key not in begun)
        digests = ((key, of_files[key].result() if key in of_files else self._of_other(key)) for key in keys)
        return {f"{repo}@{commit}": digest for (repo, commit), digest in digests if digest is not None}

    def _of_chunk_files(self, keys: Iterable[SnapshotKey]) -> dict[SnapshotKey, Future[str | None]]:
        places = {key: path for key in keys if (path := self._place(key)) is not None and path.is_file()}
        return {key: self._threads.submit(self._of_chunk_file, key, path) for key, path in places.items()}

    def _of_chunk_file(self, key: SnapshotKey, path: Path) -> str | None:
        try:
            before = path.stat()
            if path not in self._known or not _same(self._known[path][0], before):
                self._known[path] = (before, fingerprint(ChunkFile(*key, path)))
        except (SnapshotError, OSError):
            return None  # its items fail at set-up and say why
        return self._known[path][1]

    def _of_other(self, key: SnapshotKey) -> str | None:
        try:
            return fingerprint(self._store.open(*key))
        except (SnapshotError, OSError):
            return None

    def _place(self, key: SnapshotKey) -> Path | None:
        try:
            return self._store.locate(*key)
        except (SnapshotError, OSError):
            return None


def _keys(samples: Iterable[Sample]) -> list[SnapshotKey]:
    return list(dict.fromkeys((sample.repo, sample.base_commit) for sample in samples))


def fingerprint(snapshot: Snapshot) -> str:
    """A word for what the snapshot is read from, and the digest; of one word, equal content has equal digests.

    Raises SnapshotError when it cannot be read.
    """
    return f"{_KINDS.get(type(snapshot), 'git')}:{content_digest(snapshot)}"


def _same(before: os.stat_result, now: os.stat_result) -> bool:
    """Whether a file was not written to: a program can set every other time, but not that of the last change."""
    members = ("st_dev", "st_ino", "st_size", "st_mtime_ns", "st_ctime_ns")
    return all(getattr(before, member) == getattr(now, member) for member in members)
