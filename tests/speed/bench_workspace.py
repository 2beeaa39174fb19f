"""A disposable copy of 1,500 files and 10 MB, first `git status` included, against the plain way to make one.

    pytest tests/speed/bench_workspace.py

The plain way: write, `git init`, `git add -A`, `git commit`, `git status`. Ratio wanted: at most 0.75. Dirtying and
restoring a file and asking for the changes, on a settled copy: at most 25 ms.
"""

from __future__ import annotations

import itertools
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from pytest_retrieval_bench.processes.run_folder import RunFolder
from pytest_retrieval_bench.snapshots.workspaces import Workspaces
from tests.memory_snapshot import MemorySnapshot
from tests.snapshots.worktree import git, write_tree
from tests.speed.corpus import library_files

COPIES = pytest.mark.benchmark(group="a copy of 1,500 files", min_rounds=10, max_time=1, warmup=False)


@pytest.fixture(scope="module")
def snapshot() -> MemorySnapshot:
    return MemorySnapshot({path: text.encode() for path, text in library_files(1500, 10_000_000)})


@pytest.fixture
def workspaces(tmp_path: Path) -> Iterator[Workspaces]:
    made = Workspaces(lambda: RunFolder(tmp_path / "base"))
    yield made
    made.close()


def first_status(root: Path) -> str:
    return git(root, "status", "--porcelain")


@COPIES
def test_the_plain_way(benchmark: BenchmarkFixture, snapshot: MemorySnapshot, tmp_path: Path) -> None:
    tree = {path: snapshot.read(path) for path in snapshot.paths}
    numbers = itertools.count()

    def make() -> str:
        root = tmp_path / str(next(numbers))
        write_tree(root, tree)
        git(root, "init", "--quiet")
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--message=all")
        return first_status(root)

    assert benchmark(make) == ""


@COPIES
def test_a_workspace(benchmark: BenchmarkFixture, snapshot: MemorySnapshot, workspaces: Workspaces) -> None:
    owners = map(str, itertools.count())
    assert benchmark(lambda: first_status(workspaces.of(snapshot, next(owners)).root)) == ""


@pytest.mark.benchmark(group="dirty, restore, check", min_rounds=50)
@pytest.mark.parametrize("before", [["--version"], ["status"]], ids=["as made", "after a status of an arm"])
def test_the_check(
    benchmark: BenchmarkFixture, snapshot: MemorySnapshot, workspaces: Workspaces, before: list[str]
) -> None:
    workspace = workspaces.of(snapshot, "")
    path = workspace.root / snapshot.paths[700]
    content = path.read_bytes()
    path.touch()
    subprocess.run(["git", "-C", workspace.root, *before], stdout=subprocess.DEVNULL, check=True)

    def check() -> list[str]:
        with path.open("ab") as stream:
            stream.write(b"\n\n")
        path.write_bytes(content)
        return workspace.changes()

    assert benchmark(check) == []
