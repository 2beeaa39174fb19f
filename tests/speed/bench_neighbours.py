"""A hundred neighbouring commits of one clone as snapshots, with and without their indexes, against as many worktrees.

    pytest tests/speed/bench_neighbours.py

Ratio wanted: opening and reading the snapshots at least 10 times faster than `git worktree add` for each.
"""

from __future__ import annotations

import itertools
import random
import subprocess
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from pytest_retrieval_bench.index.store import IndexStore
from pytest_retrieval_bench.snapshots.git_commit import Clone

FILES, COMMITS, CHANGED, WORDS = 1_500, 100, 6, 700
IDENTITY = ("-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "gc.auto=0")

pytestmark = pytest.mark.benchmark(group="100 neighbouring commits", min_rounds=1, max_time=1, warmup=False)


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *IDENTITY, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A repository of 1,500 files and 10 MB, and 100 commits of it, each with six files changed."""
    folder, chance = tmp_path_factory.mktemp("history"), random.Random(1)
    git(folder, "init", "-q")

    def write(number: int) -> None:
        path = folder / f"package_{number % 30}" / f"module_{number}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(" ".join(f"word_{chance.randrange(20_000)}" for _ in range(WORDS)))

    for number in range(FILES):
        write(number)
    commits = []
    for _ in range(COMMITS):
        for number in chance.sample(range(FILES), CHANGED):
            write(number)
        git(folder, "add", ".")
        git(folder, "commit", "-qm", "change")
        commits.append(git(folder, "rev-parse", "HEAD").strip())
    git(folder, "repack", "-adq")
    return folder, commits


def test_worktrees(benchmark: BenchmarkFixture, history: tuple[Path, list[str]], tmp_path: Path) -> None:
    folder, commits = history
    numbers = itertools.count()

    def check_out() -> int:
        places = [str(tmp_path / str(next(numbers))) for _ in commits]
        for place, commit in zip(places, commits, strict=True):
            git(folder, "worktree", "add", "--detach", "-q", place, commit)
        return len(places)

    assert benchmark(check_out) == COMMITS


def test_snapshots_read_whole(benchmark: BenchmarkFixture, history: tuple[Path, list[str]]) -> None:
    folder, commits = history

    def read() -> int:
        clone, last, size = Clone(folder), None, 0
        for commit in commits:
            last, before = clone.snapshot("acme/shop", commit), last
            size += sum(len(last.read(path)) for path in last.paths)
            del before
        return size

    assert benchmark(read) > COMMITS * FILES * WORDS


def test_snapshots_with_their_indexes(benchmark: BenchmarkFixture, history: tuple[Path, list[str]]) -> None:
    folder, commits = history

    def index() -> int:
        clone, indexes, last, files = Clone(folder), IndexStore(None), None, 0
        for commit in commits:
            last, before = clone.snapshot("acme/shop", commit), last
            files += len(indexes.of(last).paths)
            del before
        return files

    assert benchmark(index) == COMMITS * FILES
