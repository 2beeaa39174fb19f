"""Vectors of texts on disk, shared by workers and by runs: a SQLite file for each model and way to ask it.

A vector is found by the BLAKE2 digest of its text. A file that cannot be used is none: texts are then embedded anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from pytest_retrieval_bench.arms.arb.dense.encoder import Vectors

# Whatever changes what a vector is of needs a new number.
FORMAT = 1
_DIGEST_BYTES = 16
_AT_ONCE = 500
_WAIT_S = 60
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"


class VectorCache:
    """The vectors that one model gave to texts; `identity` says which model, and how it was asked."""

    def __init__(self, folder: Path | None, identity: str) -> None:
        name = hashlib.sha256(f"{FORMAT}:{identity}".encode()).hexdigest()
        self._file = None if folder is None else folder / f"embeddings-{name}.sqlite"

    def load(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """The vectors of those texts that have one."""
        by_key = {_key(text): text for text in texts}
        found: dict[str, Vectors] = {}
        with contextlib.suppress(OSError, sqlite3.Error), self._opened() as database:
            keys = list(by_key)
            for start in range(0, len(keys), _AT_ONCE):
                part = keys[start : start + _AT_ONCE]
                marks = ",".join("?" * len(part))
                for key, vector in database.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", part):
                    found[by_key[key]] = np.frombuffer(vector, "<f4")
        return found

    def store(self, vectors: Iterable[tuple[str, Vectors]]) -> None:
        """Keeps vectors, as far as the folder can be written to."""
        rows = [(_key(text), vector.astype("<f4").tobytes()) for text, vector in vectors]
        with contextlib.suppress(OSError, sqlite3.Error), self._opened() as database, database:
            database.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)

    @contextlib.contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        if self._file is not None:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.closing(sqlite3.connect(self._file or ":memory:", timeout=_WAIT_S)) as database:
            database.execute(_TABLE)
            yield database


def stored_vectors(folder: Path) -> list[Path]:
    """The files of vectors in a cache folder."""
    return sorted(folder.glob("embeddings-*.sqlite*"))


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=_DIGEST_BYTES).digest()
