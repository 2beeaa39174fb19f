"""A run on a terminal: its tables are drawn, in colour or not, with the cells that a file gets."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.small_benchmark import SmallBenchmark

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals on this system")
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
RULE = re.compile(r"-{20,}")
TIMES = re.compile(r"\b\d+\.\d\d$")
LAST_LINE = re.compile(r"\n(?:\x1b\[\d+m)*={5,}")
OURS = ("NO_COLOR", "FORCE_COLOR", "PY_COLORS", "TERM", "COLUMNS")


def on_terminal(folder: Path, *arguments: str, **variables: str) -> str:
    """What pytest writes to a terminal from its table on."""
    controller, terminal = pty.openpty()
    with subprocess.Popen(command(*arguments), cwd=folder, env=environment(variables), stdout=terminal) as process:
        os.close(terminal)
        written = b""
        while chunk := _read(controller):
            written += chunk
        process.wait(timeout=120)
    os.close(controller)
    return from_table(written.decode().replace("\r\n", "\n"))


def in_file(folder: Path, *arguments: str) -> str:
    """What pytest writes to a file."""
    finished = subprocess.run(
        command(*arguments), cwd=folder, env=environment({}), stdout=subprocess.PIPE, text=True, check=True
    )
    return finished.stdout


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in OURS}
    return {**kept, "TERM": "xterm-256color", "COLUMNS": "200", **variables}


def from_table(text: str) -> str:
    """The part between the plugin's headline and pytest's last line."""
    after = text.partition("retrieval benchmark")[2].partition("\n")[2]
    return LAST_LINE.split(after)[0]


def cells(text: str) -> list[list[str]]:
    lines = [line.rstrip() for line in ESCAPE.sub("", text).splitlines() if not RULE.match(line)]
    return [re.split(r" {2,}", TIMES.sub("TIME", line)) for line in lines]


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 2**16)
    except OSError:  # the other side is closed
        return b""


@pytest.fixture
def ask(small: SmallBenchmark) -> list[str]:
    return [*small.options, "--rb-arms=grep,bm25", "--rb-top=3", "-v", "--no-header"]


def test_terminal_and_file_hold_the_same_cells(small: SmallBenchmark, ask: list[str]) -> None:
    drawn, plain = on_terminal(small.folder, *ask), from_table(in_file(small.folder, *ask))
    assert RULE.search(drawn)
    assert ESCAPE.search(drawn)
    assert not RULE.search(plain)
    assert not ESCAPE.search(plain)
    assert cells(drawn) == cells(plain)


@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"PY_COLORS": "0"}, {}])
def test_where_colour_is_not_wanted_tables_are_drawn_without(
    small: SmallBenchmark, ask: list[str], variables: dict[str, str]
) -> None:
    text = on_terminal(small.folder, *ask, *([] if variables else ["--color=no"]), **variables)
    assert RULE.search(text)
    assert not ESCAPE.search(text)


def test_a_dumb_terminal_gets_plain_text(small: SmallBenchmark, ask: list[str]) -> None:
    text = on_terminal(small.folder, *ask, TERM="dumb")
    assert not RULE.search(text)
    assert not ESCAPE.search(text)


def test_a_file_in_colour_still_gets_plain_tables(small: SmallBenchmark, ask: list[str]) -> None:
    coloured, plain = (from_table(in_file(small.folder, *ask, *more)) for more in (["--color=yes"], []))
    assert cells(coloured) == cells(plain)


def test_rich_is_loaded_only_for_a_terminal(small: SmallBenchmark, ask: list[str]) -> None:
    (small.folder / "conftest.py").write_text(
        "import sys\ndef pytest_unconfigure(config):\n    print('rich is loaded:', 'rich.table' in sys.modules)\n"
    )
    plugins = ("-p", "no:benchmark", "-p", "no:hypothesispytest")
    assert "rich is loaded: False" in in_file(small.folder, *ask, *plugins)
