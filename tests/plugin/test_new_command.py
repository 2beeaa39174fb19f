"""`python -m pytest_retrieval_bench new`, from a repository's history to a measured run."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.__main__ import main
from tests.conftest import Run
from tests.schemas import faults
from tests.small_benchmark import SHOP
from tests.snapshots.worktree import git, make_worktree, state_of, write_tree

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def commit(folder: Path, message: str, **files: str) -> str:
    write_tree(folder, {path.replace("__", "/").replace("_py", ".py"): text.encode() for path, text in files.items()})
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", f"--message={message}")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def shop(pytester: pytest.Pytester) -> Path:
    """A clone with a history of two candidates and of commits that are none."""
    folder = pytester.path / "shop"
    make_worktree(folder, {path: text.encode() for path, text in SHOP.items()})
    commit(folder, "Bump the version of the shop to 2", shop__version_py="version = 2\n")
    commit(
        folder,
        "fix: the total of an empty cart is wrong (#12)\n\nSigned-off-by: Ann Lee <ann@example.org>",
        shop__price_py="def totalPrice(cart):\n    total = sum(cart, 0)\n",
        tests__test_cart_py="import shop\n",
    )
    commit(folder, "Items are lost when add_item is called twice", shop__cart_py="def add_item(cart, item): ...\n")
    commit(folder, "typo", README="A shop!\n")
    return folder


def new(shop: Path, suite: Path, *arguments: str) -> int:
    return main(["new", str(suite), f"--git={shop}", "--repo=acme/shop", *arguments])


def rows(suite: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (suite / "samples.jsonl").read_text(encoding="utf-8").splitlines()]


def test_a_new_suite_runs_and_says_that_nobody_reviewed_it(
    shop: Path, run: Run, pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    before, suite = state_of(shop), pytester.path / "bench"
    assert new(shop, suite) == 0
    assert state_of(shop) == before
    told = capsys.readouterr().out
    assert f"{suite}: 2 candidates from 5 commits of acme/shop; left out: " in told
    for reason in ("releases and version bumps (1)", "formatting and typos (1)", "without a parent (1)"):
        assert reason in told
    assert faults("suite", tomllib.loads((suite / "suite.toml").read_text(encoding="utf-8"))) == []
    assert [fault for row in rows(suite) for fault in faults("sample", row)] == []
    finished = run("--rb-suite=bench", "--rb-arms=grep")
    assert finished.status == 0
    assert "2 of 2 samples not reviewed" in finished.text
    assert finished.report["arms"]["grep"]["all"]["hit@k"] == 1


def test_a_row_holds_the_question_the_files_and_the_commit_before_and_no_person(
    shop: Path, pytester: pytest.Pytester
) -> None:
    assert new(shop, pytester.path / "bench") == 0
    twice, empty = rows(pytester.path / "bench")
    assert empty["query"] == {"text": "the total of an empty cart is wrong"}
    assert empty["gold"] == {"files": ["shop/price.py"]}
    assert empty["base_commit"] == git(shop, "rev-parse", "HEAD~3")
    assert empty["metadata"]["tests"] == ["tests/test_cart.py"]
    assert twice["metadata"]["identifiers_of_the_answer"] == ["add_item"]
    assert "ann" not in (pytester.path / "bench" / "samples.jsonl").read_text(encoding="utf-8").lower()


def test_the_same_history_gives_the_same_bytes(shop: Path, pytester: pytest.Pytester) -> None:
    suites = [pytester.path / "one" / "bench", pytester.path / "two" / "bench"]
    assert [new(shop, suite) for suite in suites] == [0, 0]
    contents = [{path.name: path.read_bytes() for path in suite.iterdir()} for suite in suites]
    assert contents[0] == contents[1]
    assert set(contents[0]) == {"README.md", "samples.jsonl", "suite.toml"}


def test_count_and_commits_choose_among_the_candidates(shop: Path, pytester: pytest.Pytester) -> None:
    assert new(shop, pytester.path / "newest", "--count=1") == 0
    assert [row["query"]["text"][:5] for row in rows(pytester.path / "newest")] == ["Items"]
    assert new(shop, pytester.path / "older", "--commits=HEAD~2") == 0
    assert [row["query"]["text"][:9] for row in rows(pytester.path / "older")] == ["the total"]
    assert new(shop, pytester.path / "range", "--commits=HEAD~2..") == 0
    assert [row["query"]["text"][:5] for row in rows(pytester.path / "range")] == ["Items"]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("git@example.org:acme/shop.git", "acme/shop"),
        ("https://user:secret@example.org/group/acme/shop/", "acme/shop"),
        (None, "local/shop"),
    ],
)
def test_the_name_of_the_repository_is_that_of_its_origin(
    shop: Path, pytester: pytest.Pytester, url: str | None, name: str
) -> None:
    if url is not None:
        git(shop, "remote", "add", "origin", url)
    suite = pytester.path / "bench"
    assert main(["new", str(suite), f"--git={shop}"]) == 0
    assert {row["repo"] for row in rows(suite)} == {name}
    assert "secret" not in (suite / "suite.toml").read_text(encoding="utf-8")


def test_nothing_is_overwritten_and_nothing_is_half_written(
    shop: Path, pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = pytester.path / "bench"
    suite.mkdir()
    (suite / "README.md").write_text("mine")
    assert new(shop, suite) == 1
    assert f"{suite / 'README.md'}: is there already, and nothing is overwritten" in capsys.readouterr().err
    assert [path.name for path in suite.iterdir()] == ["README.md"]
    assert (suite / "README.md").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--count=0"], "--count: must be at least 1, this is 0"),
        (["--repo=shop"], "--repo: 'shop' is not OWNER/NAME"),
        (["--commits=nowhere"], "does not hold commit 'nowhere'"),
        (["--commits=HEAD~1..HEAD"], "none of 1 commit makes a candidate; left out: formatting and typos (1)"),
        (["--git=shop/tests"], "is no Git repository that can be read"),
    ],
)
def test_what_makes_no_suite_is_refused_and_leaves_nothing(
    shop: Path, pytester: pytest.Pytester, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert new(shop, pytester.path / "bench", *arguments) == 1
    assert words in capsys.readouterr().err
    assert not (pytester.path / "bench").exists()
