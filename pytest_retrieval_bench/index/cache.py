"""Indexes on disk, shared by parallel workers and by runs: an entry a snapshot, found by the digest of its content.

An entry is a NumPy archive without pickles, whose members carry checksums. What is torn, damaged or made by another
version is no entry; the index is then built anew, with the same words in it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import time
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import platformdirs
from scipy import sparse

from pytest_retrieval_bench.index.postings import ListedPostings, Postings
from pytest_retrieval_bench.index.snapshot_index import SnapshotIndex

# Whatever changes what is counted, or how it is stored, needs a new number.
FORMAT = 1
MAX_BYTES = 2 * 2**30
_STALE_SECONDS = 3600
_PARTS = ("words", "compounds", "tokens", "pieces", "path_tokens")
# What a reader meets in a file that was cut off, overwritten or written by somebody else.
_DAMAGE = (OSError, ValueError, KeyError, EOFError, IndexError, RuntimeError, zipfile.BadZipFile, zlib.error)
_ENTRY = re.compile(r"\.?[0-9a-f]{64}\.(npz|contents\.json)(\.\d+\.partial)?")

Arrays = dict[str, npt.NDArray[Any]]


def default_folder() -> Path:
    """The folder of the user's own cache."""
    return platformdirs.user_cache_path("pytest-retrieval-bench", appauthor=False) / "indexes"


@dataclass(frozen=True, slots=True)
class Entry:
    """The index of a snapshot, and the remarks that reading the snapshot gave."""

    index: SnapshotIndex
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What a cache folder holds."""

    folder: Path
    entries: int
    size: int


class IndexCache:
    """Entries in one folder, at most `max_bytes` of them; those not used for longest go first."""

    def __init__(self, folder: Path, max_bytes: int = MAX_BYTES) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._notes: dict[str, bool] = {}

    def load(self, digest: str) -> Entry | None:
        """The entry of the content with this digest, None where there is no sound entry."""
        path = self._path(digest)
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
                entry = _entry(archive, digest)
            os.utime(path)
        except _DAMAGE:
            return None
        return entry

    def store(self, digest: str, entry: Entry) -> None:
        """Keeps an entry. A folder that cannot be written to is noted once, and stops nothing."""
        path = self._path(digest)
        beside = path.with_name(f".{path.name}.{os.getpid()}.partial")
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with beside.open("xb") as stream:
                np.savez(stream, allow_pickle=False, **_arrays(entry, digest))
            beside.replace(path)
            self._make_room()
        except OSError as error:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)
            note = f"{self._folder}: indexes cannot be kept: {error.strerror or error}; see --rb-cache-dir"
            self._notes.setdefault(note, False)

    def new_notes(self) -> list[str]:
        """What a user should know and was not told yet."""
        new = [note for note, told in self._notes.items() if not told]
        self._notes |= dict.fromkeys(new, True)
        return new

    def info(self) -> CacheInfo:
        """How many entries there are, and their bytes."""
        sizes = [size for _, _, size in self._entries()]
        return CacheInfo(self._folder, len(sizes), sum(sizes))

    def clear(self) -> CacheInfo:
        """Removes every entry, and says what was removed; other files in the folder stay."""
        info = self.info()
        for _, path, _ in self._entries():
            with contextlib.suppress(FileNotFoundError):
                path.unlink()
        return info

    def _path(self, digest: str) -> Path:
        return self._folder / f"{hashlib.sha256(f'{FORMAT}:{digest}'.encode()).hexdigest()}.npz"

    def _make_room(self) -> None:
        entries = sorted(self._entries())
        size = sum(size for _, _, size in entries)
        for used, path, bytes_of_entry in entries:
            stale = path.suffix == ".partial" and used < time.time() - _STALE_SECONDS
            if size > self._max_bytes or stale:
                with contextlib.suppress(FileNotFoundError):
                    path.unlink()
                size -= bytes_of_entry

    def _entries(self) -> Iterator[tuple[float, Path, int]]:
        """When last used, path, bytes; of entries and of what an interrupted writer left."""
        try:
            listed = [path for path in self._folder.iterdir() if _ENTRY.fullmatch(path.name)]
        except FileNotFoundError:
            return
        for path in listed:
            with contextlib.suppress(FileNotFoundError):
                status = path.stat()
                yield status.st_mtime, path, status.st_size


def _arrays(entry: Entry, digest: str) -> Arrays:
    index = entry.index
    parts: list[Postings] = [getattr(index, name) for name in _PARTS]
    return {
        "digest": _bytes_array(digest.encode()),
        "notes": _bytes_array("\0".join(entry.notes).encode()),
        "paths": _bytes_array("\0".join(index.paths).encode()),
        "words": _bytes_array(b"\0".join(b"\n".join(part.words) for part in parts)),
        "sizes": np.array([len(index.paths), *(size for part in parts for size in (len(part.words), part.matrix.nnz))]),
        "starts": np.concatenate([part.matrix.indptr for part in parts]),
        "files": _narrowed(np.concatenate([part.matrix.indices for part in parts])),
        "counts": _narrowed(np.concatenate([part.matrix.data for part in parts])),
    }


def _entry(archive: Mapping[str, npt.NDArray[Any]], digest: str) -> Entry:
    """The entry in an archive.

    Raises one of `_DAMAGE` for anything that is not one, or not the one of this digest.
    """
    if archive["digest"].tobytes() != digest.encode():
        raise ValueError("an entry of other content")
    count, *sizes = archive["sizes"].tolist()
    starts, words = archive["starts"], archive["words"].tobytes().split(b"\0")
    files, counts = archive["files"].astype(np.int32), archive["counts"].astype(np.int32)
    parts, first_start, first_hit = [], 0, 0
    for text, length, hits in zip(words, sizes[::2], sizes[1::2], strict=True):
        arrays = (
            counts[first_hit : first_hit + hits],
            files[first_hit : first_hit + hits],
            starts[first_start : first_start + length + 1],
        )
        matrix = sparse.csr_matrix(arrays, shape=(length, count))
        parts.append(ListedPostings(text.split(b"\n") if length else [], matrix))
        first_start, first_hit = first_start + length + 1, first_hit + hits
    paths = archive["paths"].tobytes().decode().split("\0") if count else []
    notes = filter(None, archive["notes"].tobytes().decode().split("\0"))
    return Entry(SnapshotIndex(paths, *parts), tuple(notes))


def _bytes_array(data: bytes) -> npt.NDArray[np.uint8]:
    return np.frombuffer(data, np.uint8)


def _narrowed(numbers: npt.NDArray[np.int32]) -> npt.NDArray[np.generic]:
    """The numbers in two bytes each where they fit."""
    return numbers.astype(np.uint16) if not len(numbers) or numbers.max() < 2**16 else numbers
