"""A row of a chunk file, as benchmark releases cut files into parts (ARB 1.2)."""

from __future__ import annotations

from typing import NamedTuple


class ChunkRow(NamedTuple):
    """A whole file, whose text may be cut (`kind` is `file`), or what follows a line that looks like a definition.

    `symbol` is the name on that line, empty for a file; lines count from 1, both included, 0 where they are not known;
    `id` is the release's own name of the row, empty where it has none. There are tens of thousands a snapshot, and a
    named tuple is made in a quarter of the time of a frozen dataclass.
    """

    path: str
    kind: str
    symbol: str
    text: str
    start_line: int = 0
    end_line: int = 0
    id: str = ""
