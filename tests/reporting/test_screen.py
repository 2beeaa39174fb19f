"""Tables on a terminal: what they hold is what plain text holds, however narrow the terminal is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.reporting.layout import Grid, aligned
from pytest_retrieval_bench.reporting.screen import drawn

HEAD = ["arm", "n", "hit@20 [95%]", "silent, natural no-gold", "because"]
ROWS = [
    ["bm25:all", "70", "0.887 [0.774 0.947]", "0.000 (n=11)", "cart 1.953 = 0.981 * 1.990 (5x); [red]no markup[/red]"],
    ["  trace2code", "7", "-", "", ":smile: a/path/that/is/longer/than/any/column/has/room/for.py"],
]
GRID = Grid([HEAD, *ROWS], names=(0, 4))
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def cells(lines: list[str]) -> list[list[str]]:
    return [re.split(r" {2,}", line.strip()) for line in lines if not re.fullmatch(r"[- ]*", line)]


def test_where_there_is_room_the_cells_are_those_of_plain_text() -> None:
    assert cells(drawn(GRID, 200, colour=False)) == cells(aligned(GRID.rows, GRID.names))


def test_colour_adds_nothing_but_colour() -> None:
    coloured = drawn(GRID, 200, colour=True)
    assert any(ESCAPE.search(line) for line in coloured)
    assert [ESCAPE.sub("", line).rstrip() for line in coloured] == drawn(GRID, 200, colour=False)


@settings(deadline=None)
@given(width=st.integers(1, 200))
def test_no_figure_is_cut_and_no_name_is_lost_however_narrow_the_terminal(width: int) -> None:
    lines = drawn(GRID, width, colour=False)
    for row in ROWS:
        for number, cell in enumerate(row):
            if number not in GRID.names:
                assert any(cell in line for line in lines)
    letters = "".join(lines).replace(" ", "")
    for letter in set("".join(map("".join, GRID.rows))) - {" ", "-"}:
        assert letters.count(letter) == sum(cell.count(letter) for row in GRID.rows for cell in row)


def test_a_table_fits_the_terminal_by_folding_heads_and_names() -> None:
    assert max(map(len, drawn(GRID, 80, colour=False))) <= 80 < max(map(len, aligned(GRID.rows, GRID.names)))


@pytest.mark.parametrize("variable", ["FORCE_COLOR", "TTY_COMPATIBLE", "CLICOLOR_FORCE"])
def test_what_is_not_to_be_coloured_is_not(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "1")
    assert "\x1b" not in "".join(drawn(GRID, 200, colour=False))
