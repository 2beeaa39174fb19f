"""`build issues` and `build ident`, from data sets to measured runs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pytest_retrieval_bench.__main__ import main
from tests.conftest import Run
from tests.schemas import faults
from tests.snapshots.worktree import git, make_worktree, state_of

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

PATCH = "--- a/shop/cart.py\n+++ b/shop/cart.py\n@@ -1 +1 @@\n-x\n+y\n"


@pytest.fixture
def shop(pytester: pytest.Pytester) -> Path:
    """A clone, and beside it a data set of one issue."""
    folder = pytester.path / "shop"
    make_worktree(folder, {"shop/cart.py": b"def cart_total(): ...\n", "shop/price.py": b"price = 1\n"})
    row = {
        "instance_id": "acme__shop-7", "repo": "acme/shop", "base_commit": git(folder, "rev-parse", "HEAD").strip(),
        "problem_statement": "cart_total is wrong for `carts` without lines", "patch": PATCH,
    }  # fmt: skip
    (pytester.path / "swe.jsonl").write_text(f"{json.dumps(row)}\n")
    return folder


def test_a_suite_of_issues_runs_and_so_do_its_identifiers(
    shop: Path, run: Run, pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    before, folder = state_of(shop), pytester.path
    data, out = folder / "swe.jsonl", folder / "bench"
    assert main(["build", "issues", f"verified={data}", f"--git=acme/shop={shop}", f"--out={out}"]) == 0
    assert capsys.readouterr().out == f"{folder / 'bench'}: 1 question; verified: 1 kept of 1\n"
    assert json.loads((folder / "bench" / "drop-report.json").read_text()) == {"verified": {"all": 1, "kept": 1}}
    assert main(["build", "ident", str(folder / "bench"), f"--out={folder / 'names'}"]) == 0
    assert "1 of 1 question in four forms; left out: 0 without identifiers" in capsys.readouterr().out
    assert state_of(shop) == before
    rows = [json.loads(line) for line in (folder / "names" / "samples.jsonl").read_text().splitlines()]
    assert [faults("sample", row) for row in rows] == [[]] * 4
    report = run("--rb-suite=names", "--rb-arms=bm25:all").report
    gold = [(row["task_type"], row["gold"]) for row in report["details"]]
    assert gold == [(name, ["shop/cart.py"]) for name in ("prose", "ident", "ident-mangled", "ident-intent")]
    assert report["arms"]["bm25:all"]["task:ident"]["hit@k"] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--git=acme/shop"], "--git: 'acme/shop' is not OWNER/NAME=DIR"),
        (["--git=acme/other=shop"], "no issue has gold in the clones: swe: 1 no clone of 1"),
        (["--git=acme/shop=nowhere"], "nowhere"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_is_written(
    shop: Path, pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    arguments: list[str], words: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(pytester.path)
    assert main(["build", "issues", "swe.jsonl", "--out=bench", *arguments]) == 1
    assert words in capsys.readouterr().err
    assert not (pytester.path / "bench").exists()
