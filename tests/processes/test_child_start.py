"""What cannot be started says why, in words, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from pytest_retrieval_bench.errors import ChildError
from pytest_retrieval_bench.processes.child import Finished, run_child
from tests.processes.conftest import open_files, own_children


class Start(Protocol):
    def __call__(
        self, *command: str, directory: Path | None = None, environment: dict[str, str] | None = None
    ) -> Finished: ...


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Runs a command. After the test no child and no open file of it may be left."""

    def run(*command: str, directory: Path | None = None, environment: dict[str, str] | None = None) -> Finished:
        variables = {"PATH": os.environ["PATH"], **(environment or {})}
        return run_child(command, directory=directory or tmp_path, environment=variables)

    before = open_files(), own_children()
    yield run
    assert (open_files(), own_children()) == before


def test_a_name_that_is_not_on_the_path(start: Start) -> None:
    with pytest.raises(ChildError, match=r"^'no-such-tool': cannot be started: no program of this name is on PATH"):
        start("no-such-tool")


def test_a_name_is_looked_up_on_the_path_of_the_child(start: Start, tmp_path: Path) -> None:
    program(tmp_path / "bin" / "tool", "#!/bin/sh\necho found\n")
    assert start("tool", environment={"PATH": str(tmp_path / "bin")}).stdout == b"found\n"


def test_a_relative_name_is_one_in_the_directory_of_the_child(start: Start, tmp_path: Path) -> None:
    program(tmp_path / "copy" / "tool", "#!/bin/sh\necho found\n")
    assert start("./tool", directory=tmp_path / "copy").stdout == b"found\n"
    with pytest.raises(ChildError, match="there is no such file"):
        start("./other", directory=tmp_path / "copy")


@pytest.mark.parametrize(
    ("content", "mode", "words"),
    [
        ("#!/bin/sh\n", 0o644, "not executable"),
        ("#!/no/such/interpreter\n", 0o755, "the interpreter that its first line names does not exist"),
        ("echo\n", 0o755, "no program for this system; a script needs a first line"),
        ("", 0o755, "no program for this system"),
    ],
)
def test_a_file_that_is_no_program(start: Start, tmp_path: Path, content: str, mode: int, words: str) -> None:
    file = program(tmp_path / "tool", content)
    file.chmod(mode)
    with pytest.raises(ChildError, match=words):
        start(str(file))


def test_a_directory(start: Start, tmp_path: Path) -> None:
    with pytest.raises(ChildError, match="it is a directory"):
        start(str(tmp_path))


def test_no_directory_to_run_in(start: Start, tmp_path: Path) -> None:
    for absent in (tmp_path / "absent", program(tmp_path / "file", "")):
        with pytest.raises(ChildError, match=f"{absent} is no directory to run it in"):
            start("/bin/sh", directory=absent)


def test_arguments_that_are_too_long_give_their_size(start: Start) -> None:
    with pytest.raises(ChildError, match=r"too long \(\d+ bytes, the longest 20000000\); pass the text in a file"):
        start("/bin/sh", "x" * 20_000_000)


@pytest.mark.parametrize("argument", ["a\0b", "\ud800"], ids=["NUL", "surrogate"])
def test_an_argument_that_cannot_be_passed_on(start: Start, argument: str) -> None:
    with pytest.raises(ChildError, match="'/bin/sh': cannot be started: an argument or a variable"):
        start("/bin/sh", argument)


@pytest.mark.parametrize("variable", [{"a=b": "c"}, {"a": "b\0c"}], ids=["=", "NUL"])
def test_a_variable_that_cannot_be_passed_on(start: Start, variable: dict[str, str]) -> None:
    with pytest.raises(ChildError, match="an argument or a variable of its environment"):
        start("/bin/sh", environment=variable)


@pytest.mark.parametrize("command", [(), ("",)], ids=["nothing", "empty name"])
def test_an_empty_command(start: Start, command: tuple[str, ...]) -> None:
    with pytest.raises(ChildError, match="cannot be started"):
        start(*command)


def test_an_exit_status_that_the_system_throws_away_is_not_taken_for_success(start: Start) -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        with pytest.raises(ChildError, match="SIGCHLD must not be ignored"):
            start("/bin/sh", "-c", "exit 3")
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_windows_is_refused_in_words() -> None:
    code = """
import os, pathlib, subprocess, sys, tempfile
sys.modules["fcntl"] = None
pathlib.Path()
os.name = "nt"
from pytest_retrieval_bench.errors import ChildError, RunFolderError
from pytest_retrieval_bench.processes.child import run_child
from pytest_retrieval_bench.processes.run_folder import RunFolder
for start in (lambda: run_child(["tool"], directory=None, environment={}), RunFolder):
    try:
        start()
    except (ChildError, RunFolderError) as error:
        print(error)
"""
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert finished.stdout.count("on Linux and macOS only; on Windows, use WSL") == 2


def program(path: Path, content: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)
    path.chmod(0o755)
    return path
