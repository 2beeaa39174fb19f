"""`python -m pytest_retrieval_bench build docs`, from a clone to a measured run."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.__main__ import main
from tests.conftest import Run
from tests.schemas import faults
from tests.snapshots.worktree import git, make_worktree, state_of

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

WORDS = "somebody wants to buy until it is paid for, and forgets it when that takes more than a day, or two, or three."
FILES = {
    "docs/carts.rst": f"Carts\n=====\n\n:class:`shop.cart.Cart` holds what {WORDS}\n",
    "docs/pricing.rst": f"Prices\n======\n\n:func:`~shop.price.total` adds up what {WORDS}\n",
    "docs/releases/1.rst": f"News\n====\n\n:func:`~shop.price.total` is new: what {WORDS}\n",
    "shop/cart.py": "class Cart:\n    '''Holds what somebody wants to buy.'''\n",
    "shop/price.py": "def total(cart):\n    '''Adds up the prices.'''\n",
}


@pytest.fixture
def shop(pytester: pytest.Pytester) -> Path:
    """A clone with documentation."""
    folder = pytester.path / "shop"
    make_worktree(folder, {path: text.encode() for path, text in FILES.items()})
    git(folder, "tag", "v1")
    return folder


def build(shop: Path, suite: Path | str, *arguments: str) -> int:
    return main(["build", "docs", f"--git={shop}", "--commit=v1", f"--out={suite}", *arguments])


def rows(suite: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (suite / "samples.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_suite_runs_and_no_ranking_is_credited_with_the_page_of_the_question(
    shop: Path, run: Run, pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    before, suite = state_of(shop), pytester.path / "bench"
    assert build(shop, suite, "--repo=acme/shop", "--exclude=docs/releases/**") == 0
    assert state_of(shop) == before
    assert capsys.readouterr().out == f"{suite}: 2 of 2 sections; dropped: none\n"
    assert [faults("sample", row) for row in rows(suite)] == [[], []]
    report = run("--rb-suite=bench", "--rb-arms=bm25:all").report
    ranked = {row["id"]: row["arms"]["bm25:all"]["ranked"] for row in report["details"]}
    pages = {"shop:docs/carts.rst#1": "docs/carts.rst", "shop:docs/pricing.rst#1": "docs/pricing.rst"}
    assert {name: page in ranked[name] for name, page in pages.items()} == dict.fromkeys(pages, False)
    assert all(page in ranked[name] for name, page in zip(ranked, reversed(pages.values()), strict=True))
    assert {row["task_type"] for row in report["details"]} == {"docs2code"}
    assert report["arms"]["bm25:all"]["all"]["positives"] == 2


def test_equal_commits_give_equal_bytes_and_the_report_adds_up(shop: Path, pytester: pytest.Pytester) -> None:
    for name in ("one", "two"):
        assert build(shop, pytester.path / name, "--source=shop", "--short") == 0
    first, second = (
        {file.name: file.read_bytes() for file in (pytester.path / name).iterdir()} for name in ("one", "two")
    )
    assert first == second
    assert sorted(first) == ["drop-report.json", "samples.jsonl", "suite.toml"]
    report = json.loads(first["drop-report.json"])
    for kind in ("documents", "sources", "sections", "references"):
        assert report[kind].pop("all") == sum(report[kind].values())
    assert report["sections"] == {"kept": 3}
    assert report["rules"]["short"] is True


def test_an_audit_shows_question_gold_and_why_of_the_instances_that_its_seed_chooses(
    shop: Path, pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    def shown(name: str, *arguments: str) -> str:
        assert build(shop, pytester.path / name, *arguments) == 0
        return capsys.readouterr().out.partition("\n\n")[2]

    everything = shown("all", "--audit=99")
    assert everything.count("\n  gold ") == 3
    assert "  gold shop/cart.py: shop.cart.Cart (definition)\n" in everything
    assert "Carts. Cart holds what somebody" in everything
    one = [shown(f"one-{number}", "--audit=1", f"--audit-seed={seed}") for number, seed in enumerate((0, 0, 1))]
    assert one[0] == one[1] != one[2]
    assert all(text.rstrip("\n") in everything for text in one)


def test_what_a_stranger_wrote_cannot_command_a_terminal(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    text = FILES["docs/carts.rst"].replace("holds", "\x1b[31m\u202eholds")
    make_worktree(pytester.path / "shop", {"docs/carts.rst": text.encode(), "shop/cart.py": b"class Cart: ...\n"})
    git(pytester.path / "shop", "tag", "v1")
    assert build(pytester.path / "shop", pytester.path / "bench", "--audit=1") == 0
    told = capsys.readouterr().out
    assert "\\x1b[31m\\u202eholds" in told
    assert told.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--commit=v2"], "does not hold commit 'v2'"),
        (["--docs=handbook"], "'handbook' is no folder of commit"),
        (["--source=lib"], "'lib' is no folder of commit"),
        (["--repo=shop"], "--repo: 'shop' is not OWNER/NAME"),
        (["--audit=-1"], "--audit: must be at least 0, this is -1"),
        (["--exclude=docs/**"], "--docs: no section of the documentation names code that the sources define"),
    ],
)
def test_what_cannot_be_made_is_refused_in_words_and_leaves_nothing(
    shop: Path, pytester: pytest.Pytester, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(shop, pytester.path / "bench", *arguments) == 1
    assert words in capsys.readouterr().err
    assert not (pytester.path / "bench").exists()


def test_a_file_that_is_there_is_not_overwritten(
    shop: Path, pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    (pytester.path / "bench").mkdir()
    (pytester.path / "bench" / "suite.toml").write_text("mine")
    assert build(shop, pytester.path / "bench") == 1
    assert "suite.toml: is there already, and nothing is overwritten" in capsys.readouterr().err
    assert [file.read_text() for file in (pytester.path / "bench").iterdir()] == ["mine"]


def test_without_the_extra_the_command_says_how_to_get_it(
    shop: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith("pytest_retrieval_bench.builders.docs")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "docutils", None)
    assert build(shop, pytester.path / "bench") == 1
    assert "pip install 'pytest-retrieval-bench[build]'" in capsys.readouterr().err
