"""`fts5:TOKENIZER`: BM25 as SQLite's own full text search has it (MINDEX 12)."""

from __future__ import annotations

import re
import sqlite3
import weakref
from collections.abc import Iterator
from typing import Final

from pytest_retrieval_bench.arms.floor.settings import FullTextSettings
from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.index.per_snapshot import PerSnapshot
from pytest_retrieval_bench.model import Answer, Json, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

_TERM: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]+")
_LEAST_CHARS: Final = 3
# Those that the seed of this arm leaves out of a query.
_STOP: Final = frozenset([
    "all", "also", "and", "are", "been", "boy", "but", "can", "day", "did", "for", "from", "get", "has", "have",
    "her", "him", "his", "how", "into", "its", "may", "more", "most", "new", "not", "now", "old", "one", "only",
    "other", "our", "out", "over", "see", "some", "such", "than", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "those", "two", "use", "was", "way", "what", "when", "which", "who", "will", "with",
    "would", "you",
])  # fmt: skip


class _Table:
    """A database in memory that is closed when nobody holds it any more."""

    def __init__(self) -> None:
        self.database = sqlite3.connect(":memory:")
        weakref.finalize(self, self.database.close)


class FullTextSearch:
    """Ranks files by FTS5's bm25 with its own weights (k1 1.2, b 0.75); of chunks, by the best one; ties by path.

    The query's terms are its words of three characters or more, without the most common ones, in lower case, each once
    and in quotes, any of which may occur. A word with underscores is a phrase to `unicode61`, a substring to `trigram`.
    Paths are not searched.
    """

    timeout_s: float | None = None
    prepare_timeout_s: float | None = None

    def __init__(self, name: str, settings: FullTextSettings) -> None:
        self.name = name
        self._settings = settings
        self._tables = PerSnapshot(self._table)

    def describe(self) -> dict[str, Json]:
        """What the registration binds the arm to, SQLite included."""
        return self._settings.describe() | {"sqlite": sqlite3.sqlite_version}

    def prepare(self, snapshot: Snapshot) -> None:
        """Indexes the snapshot, in memory."""
        self._tables.of(snapshot)

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """The files of the best rows; none where no term is left of the query."""
        wanted = match_expression(query.plain)
        if not wanted:
            return Answer()
        rows = self._tables.of(snapshot).database.execute(
            "SELECT path, -bm25(texts) FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), rowid LIMIT ?",
            (wanted, self._settings.depth),
        )
        best: dict[str, float] = {}
        for path, score in rows:
            best.setdefault(path, score)
        return Answer(tuple(best), tuple(best.values()))

    def _table(self, snapshot: Snapshot) -> _Table:
        table = _Table()
        try:
            table.database.execute(
                f"CREATE VIRTUAL TABLE texts USING fts5(path UNINDEXED, body, tokenize='{self._settings.tokenizer}')"
            )
        except sqlite3.OperationalError as error:
            raise SettingsError(f"{self.name}: SQLite {sqlite3.sqlite_version} of this Python: {error}") from error
        with table.database:
            table.database.executemany("INSERT INTO texts (path, body) VALUES (?, ?)", self._rows(snapshot))
        return table

    def _rows(self, snapshot: Snapshot) -> Iterator[tuple[str, str]]:
        for path in filter(self._settings.searches, sorted(snapshot.paths)):
            if b"\0" in snapshot.read(path):
                continue  # no text
            yield from ((path, piece) for piece in pieces(snapshot.text(path), self._settings.chunk_lines))


def pieces(text: str, lines: int | None) -> list[str]:
    """The text, cut after each so many lines; whole where that is None."""
    if lines is None:
        return [text]
    every = text.splitlines(keepends=True)
    return ["".join(every[start : start + lines]) for start in range(0, len(every), lines)]


def match_expression(text: str) -> str:
    """The query in FTS5's own syntax; empty where no term is left.

    >>> match_expression("Why does the cart_total differ? The CART_TOTAL!")
    '"why" OR "does" OR "cart_total" OR "differ"'
    """
    words = (word.lower() for word in _TERM.findall(text) if len(word) >= _LEAST_CHARS)
    return " OR ".join(f'"{word}"' for word in dict.fromkeys(words) if word not in _STOP)
