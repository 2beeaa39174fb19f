"""`--rb-git`: snapshots from a local clone, seen from outside."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.small_benchmark import CLOCK, ROWS, SHOP, SmallBenchmark
from tests.snapshots.worktree import commit_all, make_worktree, state_of, write_tree

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@dataclass(frozen=True)
class Clones:
    """Two clones, and the small benchmark's samples on their commits: the shop has two of these."""

    small: SmallBenchmark
    shop: Path
    clock: Path
    snapshots: dict[tuple[str, str], Path]

    @property
    def options(self) -> list[str]:
        return [
            f"--rb-samples={self.small.samples}",
            f"--rb-git=acme/shop={self.shop}",
            f"--rb-git=acme/clock={self.clock}",
        ]

    @property
    def as_directories(self) -> list[str]:
        named = [f"--rb-snapshot={repo}@{commit}={path}" for (repo, commit), path in self.snapshots.items()]
        return [f"--rb-samples={self.small.samples}", *named]


@pytest.fixture
def clones(small: SmallBenchmark) -> Clones:
    shop, clock = small.folder / "clones" / "shop", small.folder / "clones" / "clock"
    shop_files, clock_files = _bytes(SHOP), _bytes(CLOCK)
    first = make_worktree(shop, shop_files)
    changed = shop_files | {"shop/price.py": b"renamed = 1\n", "shop/total.py": b"def totalPrice(): ...\n"}
    write_tree(shop, changed)
    second = commit_all(shop)
    tick = make_worktree(clock, clock_files)
    small.write_samples(
        {**row, "base_commit": commit} for row, commit in zip(ROWS, [first, second, tick, tick], strict=True)
    )
    trees = {
        ("acme/shop", first): shop_files,
        ("acme/shop", second): changed,
        ("acme/clock", tick): clock_files,
    }
    snapshots = {}
    for (repo, commit), files in trees.items():
        snapshots[repo, commit] = small.folder / "plain" / commit
        write_tree(snapshots[repo, commit], files)
    return Clones(small, shop, clock, snapshots)


def _bytes(files: dict[str, str]) -> dict[str, bytes]:
    return {path: text.encode() for path, text in files.items()}


def _answers(report: dict[str, Any]) -> list[tuple[str, str, list[str], list[float]]]:
    return [
        (row["id"], arm, answer["ranked"], answer.get("scores"))
        for row in report["details"]
        for arm, answer in row["arms"].items()
    ]


def test_a_clone_gives_the_answers_that_its_commits_give_as_directories(run: Run, clones: Clones) -> None:
    before = state_of(clones.shop)
    from_clones = run(*clones.options, output="clones.json")
    from_directories = run(*clones.as_directories, output="directories.json")
    assert (from_clones.status, from_directories.status) == (0, 0)
    assert _answers(from_clones.report) == _answers(from_directories.report)
    assert from_clones.report["arms"] == from_directories.report["arms"]
    wrong_sum = next(row for row in from_clones.report["details"] if row["id"] == "wrong-sum")
    assert wrong_sum["arms"]["grep-ident"]["ranked"] == ["shop/total.py"]
    assert state_of(clones.shop) == before


def test_the_index_of_a_commit_is_taken_from_the_cache_without_reading_the_clone(
    run_plain: Run, clones: Clones, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = f"--rb-cache-dir={clones.small.folder / 'cache'}"
    first = run_plain(*clones.options, cache, output="first.json")

    def read(*arguments: object) -> None:
        raise AssertionError("read again")

    monkeypatch.setattr("pytest_retrieval_bench.snapshots.git_commit.read_blobs", read)
    second = run_plain(*clones.options, cache, output="second.json")
    assert second.status == 0
    assert _answers(first.report) == _answers(second.report)


def test_samples_may_stand_among_the_paths_where_a_clone_is_given(run: Run, clones: Clones) -> None:
    finished = run("samples.jsonl", *clones.options[1:], "--rb-arms=grep")
    finished.result.assert_outcomes(passed=4)


def test_samples_in_the_clone_are_measured_and_its_tests_are_not_collected(
    run: Run, clones: Clones, pytester: pytest.Pytester
) -> None:
    clones.small.samples.rename(clones.shop / "samples.jsonl")
    (clones.shop / "test_theirs.py").write_text("def test_theirs(): assert False")
    (clones.shop / "conftest.py").write_text(f"open({str(clones.small.folder / 'executed')!r}, 'w').close()")
    pytester.makepyfile(test_mine="def test_mine(): pass")
    samples = f"--rb-samples={clones.shop / 'samples.jsonl'}"
    finished = run(samples, *clones.options[1:], "--rb-arms=grep", "test_mine.py", "clones", output=None)
    finished.result.assert_outcomes(passed=5)
    assert not (clones.small.folder / "executed").exists()


def test_a_commit_that_the_clone_lacks_is_an_error_of_its_samples_alone(run: Run, clones: Clones) -> None:
    rows = [{**ROWS[0], "base_commit": "f" * 40}, {**ROWS[2], "base_commit": next(reversed(clones.snapshots))[1]}]
    clones.small.write_samples(rows)
    finished = run(*clones.options, "--rb-arms=grep")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert f"does not hold commit '{'f' * 40}'; fetch it: git -C {clones.shop} fetch origin" in finished.text
    assert {row["id"]: row["arms"]["grep"]["ranked"] for row in finished.report["details"]}["tick"]


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("acme=clones/shop", "--rb-git: 'acme=clones/shop' is not OWNER/NAME=DIR"),
        ("acme/shop", "--rb-git: 'acme/shop' is not OWNER/NAME=DIR"),
        ("acme/shop@abc=clones/shop", "is not OWNER/NAME=DIR"),
        ("", "--rb-git: the value is empty"),
        ("acme/shop=clones/shop", "--rb-git: acme/shop has two clones, "),
        ("acme/else=absent", "absent is no Git repository that can be read"),
        ("acme/else=plain", "plain is no Git repository that can be read"),
        ("acme/else=clones/shop/tests", "tests is no Git repository that can be read"),
        ("acme/else=samples.jsonl", "samples.jsonl is no Git repository that can be read"),
    ],
)
def test_a_clone_that_is_none_is_a_usage_error(run_plain: Run, clones: Clones, argument: str, words: str) -> None:
    finished = run_plain(*clones.options, f"--rb-git={argument}")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text
    assert "Traceback" not in finished.text


def test_an_output_in_a_clone_is_refused(run_plain: Run, clones: Clones) -> None:
    before = state_of(clones.shop)
    finished = run_plain(*clones.options, output="clones/shop/report.json")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "lies in a snapshot, which is never written to" in finished.text
    assert state_of(clones.shop) == before
