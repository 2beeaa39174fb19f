"""What a floor searches, and how."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pytest_retrieval_bench.arms.table import Table
from pytest_retrieval_bench.errors import SettingsError, unknown
from pytest_retrieval_bench.model import Json
from pytest_retrieval_bench.text.globs import any_of

Tokenizer = Literal["unicode61", "trigram"]

TOKENIZERS: tuple[Tokenizer, ...] = ("unicode61", "trigram")
FTS5 = "fts5:"
_KEYS = ("tokenizer", "chunk_lines", "exclude", "depth")
_DEPTH, _MAX_DEPTH, _MAX_LINES = 100, 100_000, 100_000
_NAME = re.compile(r"fts5:([^:]*)(?::([1-9][0-9]{0,5}))?")


@dataclass(frozen=True, slots=True)
class FullTextSettings:
    """How SQLite's FTS5 is asked.

    `chunk_lines` None takes whole files, else pieces of so many lines. Paths that match `exclude` (see `text.globs`)
    are neither searched nor counted. The best `depth` files or pieces are ranked.
    """

    tokenizer: Tokenizer
    chunk_lines: int | None = None
    exclude: tuple[str, ...] = ()
    depth: int = _DEPTH

    @classmethod
    def from_name(cls, name: str) -> FullTextSettings:
        """The settings of `fts5:TOKENIZER` and `fts5:TOKENIZER:LINES`.

        Raises SettingsError for another name.
        """
        match = _NAME.fullmatch(name)
        if match is None:
            raise SettingsError(f"{name}: it is not fts5:TOKENIZER or fts5:TOKENIZER:LINES")
        tokenizer = next((word for word in TOKENIZERS if word == match[1]), None)
        if tokenizer is None:
            raise SettingsError(f"{name}: {unknown('tokenizer', match[1], TOKENIZERS)}")
        return cls(tokenizer, int(match[2]) if match[2] else None)

    @classmethod
    def from_table(cls, table: Table) -> FullTextSettings:
        """The settings of an `[arms.NAME]` table of kind `fts5`.

        Raises SettingsError, naming the table and the key.
        """
        table.check_keys(_KEYS)
        tokenizer = table.choice("tokenizer", TOKENIZERS)
        if tokenizer is None:
            table.refuse(f"it needs the key tokenizer: {' or '.join(TOKENIZERS)}")
        return cls(
            tokenizer,
            table.whole_number("chunk_lines", None, _MAX_LINES),
            table.texts("exclude"),
            table.whole_number("depth", _DEPTH, _MAX_DEPTH),
        )

    def searches(self, path: str) -> bool:
        """Whether a path is searched at all."""
        return any_of(self.exclude).fullmatch(path) is None

    def describe(self) -> dict[str, Json]:
        """What the registration binds the arm to."""
        return {
            "kind": "fts5",
            "tokenizer": self.tokenizer,
            "chunk_lines": self.chunk_lines,
            "exclude": list(self.exclude),
            "depth": self.depth,
        }
