"""`python -m pytest_retrieval_bench corpus`, from the command line to a measured run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pytest_retrieval_bench.__main__ import main
from tests.conftest import Run
from tests.small_benchmark import ROWS, SHOP, SmallBenchmark
from tests.snapshots.worktree import git, make_worktree, state_of

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone of the shop, in a folder of its own; the current folder is another."""
    (tmp_path / "current").mkdir()
    monkeypatch.chdir(tmp_path / "current")
    make_worktree(tmp_path / "shop", {path: text.encode() for path, text in SHOP.items()})
    git(tmp_path / "shop", "tag", "v1")
    return tmp_path / "shop"


def corpus(shop: Path, *arguments: str, commit: str = "v1", repo: str = "acme/shop") -> int:
    return main(["corpus", f"--git={shop}", f"--commit={commit}", f"--repo={repo}", *arguments])


def test_the_file_lies_where_a_run_looks_for_it(
    shop: Path, small: SmallBenchmark, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    commit = git(shop, "rev-parse", "HEAD")
    before = state_of(shop)
    folder = small.folder / "own"
    folder.mkdir()
    assert corpus(shop, f"--out-dir={folder}") == 0
    assert state_of(shop) == before
    out = folder / "acme__shop" / f"{commit}.chunks.jsonl"
    assert capsys.readouterr().out == f"{out}: 4 files, 3 symbols\n"
    small.write_samples({**row, "base_commit": commit} for row in ROWS[:2])
    report = run(f"--rb-samples={small.samples}", f"--rb-corpus={folder}", "--rb-arms=grep-ident").report
    rows = {row["id"]: row["arms"]["grep-ident"]["ranked"] for row in report["details"]}
    assert rows["wrong-sum"] == ["shop/price.py"]


def test_without_a_place_the_current_folder_is_the_corpus(shop: Path) -> None:
    commit = git(shop, "rev-parse", "HEAD")
    assert corpus(shop) == 0
    assert [str(path) for path in Path().rglob("*.jsonl")] == [f"acme__shop/{commit}.chunks.jsonl"]


@pytest.mark.parametrize("revision", ["HEAD", "v1", "HEAD@{0}", ":/all", "short"])
def test_a_revision_of_any_kind_names_the_commit_and_the_rows_have_its_whole_id(shop: Path, revision: str) -> None:
    commit = git(shop, "rev-parse", "HEAD")
    name = commit[:9] if revision == "short" else revision
    assert corpus(shop, "--out=out.jsonl", commit=name) == 0
    rows = [json.loads(line) for line in Path("out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {row["base_commit"] for row in rows} == {commit}


def test_a_file_that_is_there_is_not_overwritten(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.jsonl").write_text("mine")
    Path("link.jsonl").symlink_to("nowhere")
    for name in ("mine.jsonl", "link.jsonl"):
        assert corpus(shop, f"--out={name}") == 1
        assert f"{name}: is there already, and nothing is overwritten; move it away" in capsys.readouterr().err
    assert Path("mine.jsonl").read_text() == "mine"
    assert sorted(path.name for path in Path().iterdir()) == ["link.jsonl", "mine.jsonl"]


@pytest.mark.parametrize(
    ("arguments", "commit", "repo", "words"),
    [
        (["--out=absent/out.jsonl"], "v1", "acme/shop", "absent is no directory; make it first"),
        ([], "v2", "acme/shop", "does not hold commit 'v2'; fetch it: git -C "),
        ([], "", "acme/shop", "does not hold commit ''"),
        ([], "--all", "acme/shop", "does not hold commit '--all'"),
        ([], "v1", "shop", "--repo: 'shop' is not OWNER/NAME"),
        ([], "v1", "a/b/c", "--repo: 'a/b/c' is not OWNER/NAME"),
    ],
)
def test_what_cannot_be_written_is_refused_in_words_and_leaves_nothing(
    shop: Path, arguments: list[str], commit: str, repo: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert corpus(shop, *arguments, commit=commit, repo=repo) == 1
    assert words in capsys.readouterr().err
    assert list(Path().iterdir()) == []


def test_a_folder_that_is_no_clone_is_refused(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert corpus(shop.parent) == 1
    assert "is no Git repository that can be read" in capsys.readouterr().err
