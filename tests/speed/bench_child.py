"""A child call, spawn to result, against a bare `subprocess.run` of the same command.

    pytest tests/speed/bench_child.py

Read the column of ratios in each group: `run_child`, with a guard that is told of it, at most 1.5.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from pytest_retrieval_bench.processes.child import run_child
from pytest_retrieval_bench.processes.run_folder import RunFolder

COMMANDS = {
    "true": ["true"],
    "1 MB of output": ["/bin/sh", "-c", "exec head -c 1000000 /dev/zero"],
    "a Python program": [sys.executable, "-I", "-S", "-c", "print('a.py')"],
}
every_command = pytest.mark.parametrize("name", COMMANDS)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[RunFolder]:
    folder = RunFolder(tmp_path / "base")
    yield folder
    folder.close()


@every_command
def test_subprocess_run(benchmark: BenchmarkFixture, tmp_path: Path, name: str) -> None:
    benchmark.group = name
    command, environment = COMMANDS[name], dict(os.environ)
    finished = benchmark(subprocess.run, command, capture_output=True, cwd=tmp_path, env=environment)
    assert finished.returncode == 0


@every_command
def test_run_child(benchmark: BenchmarkFixture, folder: RunFolder, tmp_path: Path, name: str) -> None:
    benchmark.group = name
    command, environment = COMMANDS[name], dict(os.environ)
    finished = benchmark(run_child, command, directory=tmp_path, environment=environment, watcher=folder)
    assert finished.status == 0
