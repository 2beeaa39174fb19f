"""Tables of plain text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of a table, its head first; the columns `names` stand to the left, figures to the right."""

    rows: Sequence[Sequence[str]]
    names: Collection[int] = (0,)


Shown = Iterable[str | Grid]


def aligned(rows: Sequence[Sequence[str]], names: Collection[int] = (0,)) -> list[str]:
    """The lines of a table whose columns `names` stand to the left, figures to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(_justified(row, widths, names)).rstrip() for row in rows]


def _justified(row: Sequence[str], widths: Sequence[int], names: Collection[int]) -> list[str]:
    return [
        cell.ljust(width) if column in names else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
