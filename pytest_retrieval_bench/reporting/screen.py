"""How lines and tables come to the user's eyes: tables drawn by rich on a terminal, plain text anywhere else."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pytest_retrieval_bench.reporting.layout import Grid, Shown, aligned

if TYPE_CHECKING:
    import pytest

# What a column of names needs at least to be read, in characters.
_NAME_WIDTH = 16
_GAP = 2
# A rule below the head. In ASCII, as pytest's own are, so that no terminal lacks the characters.
_BOX = "    \n    \n -- \n" + "    \n" * 5


def show(reporter: pytest.TerminalReporter, shown: Shown) -> None:
    """Writes lines and tables.

    A terminal is what pytest takes for one, but for TERM=dumb; it gets colours where pytest writes in colour, which
    `--color` and NO_COLOR decide.
    """
    on_terminal = bool(reporter.isatty) and os.environ.get("TERM") != "dumb"
    width = reporter.config.get_terminal_writer().fullwidth
    for part in shown:
        if isinstance(part, str):
            lines = [part]
        elif on_terminal:
            lines = drawn(part, width, colour=reporter.hasmarkup)
        else:
            lines = aligned(part.rows, part.names)
        for line in lines:
            reporter.write_line(line)


def drawn(grid: Grid, width: int, *, colour: bool) -> list[str]:
    """The lines of a table; where the terminal is too narrow, heads and names are folded, and no figure is ever cut."""
    from rich.box import Box  # heavy, and wanted by a run on a terminal only
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=Box(_BOX, ascii=True), show_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    columns = list(zip(*grid.rows, strict=True))
    fits = sum(max(map(len, column)) + _GAP for column in columns) <= width
    for number, column in enumerate(columns):
        if number in grid.names:
            table.add_column(Text(column[0]), overflow="fold", min_width=min(_least_width(column), _NAME_WIDTH))
        else:
            table.add_column(Text(column[0]), justify="right", width=None if fits else _least_width(column))
    for row in grid.rows[1:]:
        table.add_row(*map(Text, row))
    least = sum((column.width or column.min_width or 0) + _GAP for column in table.columns)
    console = Console(
        file=io.StringIO(),
        width=max(width, least),
        force_terminal=colour,
        no_color=not colour,
        color_system="standard" if colour else None,
        legacy_windows=False,
    )
    with console.capture() as captured:
        console.print(table, crop=False)
    return [line.rstrip() for line in captured.get().splitlines()]


def _least_width(column: Sequence[str]) -> int:
    """What the cells of a column need, and the longest word of its head."""
    head, *cells = column
    return max(map(len, [*cells, *head.split()]), default=0)
