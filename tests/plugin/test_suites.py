"""A suite in a team's own repository: `pytest --rb-suite .` with nothing else given."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.small_benchmark import ROWS, SHOP, SmallBenchmark
from tests.snapshots.worktree import commit_all, git, make_worktree, write_tree

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

SUITE = """\
title = "Questions about our shop"
samples = "samples.jsonl"
git = {"acme/shop" = "."}
arms = ["grep-ident", "bm25"]
licence = "CC0-1.0"
citation = "The shop's own questions."
"""


@dataclass(frozen=True)
class Shop:
    """A repository whose suite asks about its first commit; it has gone on since then."""

    folder: Path
    first: str

    def suite(self, more: str = "", text: str = SUITE) -> None:
        (self.folder / "suite.toml").write_text(text + more, encoding="utf-8")


@pytest.fixture
def shop(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """The current folder is the repository."""
    folder = pytester.path / "shop"
    first = make_worktree(folder, {path: text.encode() for path, text in SHOP.items()})
    found = Shop(folder, first)
    found.suite()
    SmallBenchmark(folder).write_samples({**row, "base_commit": first} for row in ROWS[:2])
    write_tree(folder, {"shop/price.py": b"renamed = 1\n"})
    commit_all(folder)
    monkeypatch.chdir(folder)
    return found


def ranked(report: dict[str, Any]) -> dict[str, list[str]]:
    return {row["id"]: row["arms"]["grep-ident"]["ranked"] for row in report["details"]}


def test_the_teams_own_repository_is_its_corpus(run: Run, shop: Shop) -> None:
    finished = run("--rb-suite", ".")
    assert finished.status == 0
    assert ranked(finished.report)["wrong-sum"] == ["shop/price.py"]
    assert set(finished.report["arms"]) == {"grep-ident", "bm25:all", "bm25:ident"}


def test_a_gate_that_holds_is_green_and_one_that_does_not_is_red(run: Run, shop: Shop) -> None:
    shop.suite('gates = ["bm25:all hit@k >= 0.5"]\n')
    assert run("--rb-suite=.", output="green.json").status == pytest.ExitCode.OK
    shop.suite('gates = ["bm25:all hit@k >= 0.5", "grep-ident mrr@k > 0.9999"]\n')
    finished = run("--rb-suite=.", output="red.json")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert "gate failed: grep-ident mrr@k > 0.9999: " in finished.text


def test_results_lie_beside_the_suite_but_never_in_gits_folder(run: Run, shop: Shop) -> None:
    beside = run("--rb-suite=.", output="shop/report.json")
    assert beside.status == 0
    assert ranked(beside.report)["wrong-sum"] == ["shop/price.py"]
    inside = run("--rb-suite=.", output="shop/.git/report.json")
    assert inside.status == pytest.ExitCode.USAGE_ERROR
    assert "lies in a snapshot, which is never written to" in inside.text


def test_the_teams_own_tests_and_arms_run_where_they_are_named(run: Run, shop: Shop) -> None:
    (shop.folder / "tests" / "test_own.py").write_text("def test_own(): pass\n", encoding="utf-8")
    run("--rb-suite=.", "--rb-arms=grep-ident", "tests/test_own.py", output="a.json").result.assert_outcomes(passed=3)
    run("--rb-suite=.", "--rb-arms=grep-ident", output="b.json").result.assert_outcomes(passed=2)


def test_tests_in_a_clone_that_is_not_the_suites_own_are_not_collected(
    run: Run, shop: Shop, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shop.folder / "tests" / "test_theirs.py").write_text("def test_theirs(): assert False\n", encoding="utf-8")
    (shop.folder / "suite.toml").unlink()
    monkeypatch.chdir(pytester.path)
    shop.suite()
    bench = pytester.path / "bench"
    bench.mkdir()
    (shop.folder / "samples.jsonl").rename(bench / "samples.jsonl")
    (bench / "suite.toml").write_text(SUITE.replace('"."', '"../shop"'), encoding="utf-8")
    finished = run("--rb-suite=bench", "--rb-arms=grep-ident", "shop/tests", output="out.json")
    finished.result.assert_outcomes(passed=2)
    assert run("--rb-suite=bench", output="shop/in.json").status == pytest.ExitCode.USAGE_ERROR


def test_a_clone_of_the_command_line_comes_before_that_of_the_suite(
    run_plain: Run, shop: Shop, pytester: pytest.Pytester
) -> None:
    git(pytester.path, "clone", "--quiet", "--bare", str(shop.folder), str(pytester.path / "bare"))
    shop.suite(text=SUITE.replace('"."', '"nowhere"'))
    refused = run_plain("--rb-suite=.")
    assert refused.status == pytest.ExitCode.USAGE_ERROR
    assert "suite.toml: git: " in refused.text
    assert "nowhere is no Git repository that can be read" in refused.text
    assert run_plain("--rb-suite=.", "--rb-git=acme/shop=../bare").status == 0


def test_a_shallow_clone_is_told_to_fetch_all_history(
    run_plain: Run, shop: Shop, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit_all(shop.folder)
    git(pytester.path, "clone", "--quiet", "--depth=1", f"file://{shop.folder}", str(pytester.path / "shallow"))
    monkeypatch.chdir(pytester.path / "shallow")
    finished = run_plain("--rb-suite=.", "--rb-arms=grep-ident")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert "it is a shallow clone; a CI job asks for whole history: fetch-depth: 0 (GitHub)" in finished.text
    assert finished.report["arms"]["grep-ident"]["errors"] == 2


def test_the_report_says_what_the_suite_says_of_itself(run: Run, shop: Shop) -> None:
    shop.suite('metrics = ["mrr@k", "recall@5"]\n')
    markdown = shop.folder / "result.md"
    finished = run("--rb-suite=.", "-v", f"--rb-markdown={markdown}")
    assert finished.report["registration"]["suite"] == {
        "title": "Questions about our shop",
        "licence": "CC0-1.0",
        "citation": "The shop's own questions.",
        "metrics": ["mrr@k", "recall@5"],
    }
    assert "retrieval-bench: samples under CC0-1.0" in finished.text
    assert "retrieval-bench: cite The shop's own questions." in finished.text
    assert "`samples under CC0-1.0`" in markdown.read_text(encoding="utf-8")
    merged = run("--rb-summarize", finished.output, output="merged.json")
    assert merged.report["registration"]["suite"] == finished.report["registration"]["suite"]


def test_the_tables_show_the_metrics_that_the_suite_chose(run_plain: Run, shop: Shop) -> None:
    usual = run_plain("--rb-suite=.", output="usual.json")
    assert head(usual.text)[:8] == ["arm", "n", "pos.", "hit@20", "[95%]", "mrr", "r@5", "r@10"]
    shop.suite('metrics = ["mrr@k", "precision@k", "recall@5"]\n')
    markdown = shop.folder / "result.md"
    chosen = run_plain("--rb-suite=.", f"--rb-markdown={markdown}", output="chosen.json")
    assert head(chosen.text)[:7] == ["arm", "n", "pos.", "mrr", "precision@20", "r@5", "silent,"]
    assert "| arm | n | pos. | mrr | precision@20 | r@5 | silent" in markdown.read_text(encoding="utf-8")


def head(text: str) -> list[str]:
    return next(line for line in text.splitlines() if line.startswith("arm ")).split()


def test_baselines_and_verdict_come_from_the_suite_unless_they_are_given(run_plain: Run, shop: Shop) -> None:
    shop.suite('baseline_arms = "grep-ident"\njudge = "strict"\n')
    SmallBenchmark(shop.folder).write_samples(
        [{**ROWS[1], "base_commit": shop.first, "gold": {"files": ["README.md"]}}]
    )
    (shop.folder / "pytest.ini").write_text("[pytest]\nrb_judge = record\nrb_baseline_arms = bm25:all\n")
    strict = run_plain("--rb-suite=.", "--rb-arms=grep-ident", output="strict.json")
    assert strict.status == pytest.ExitCode.TESTS_FAILED
    assert strict.report["registration"]["baseline_arms"] == ["grep-ident"]
    given = run_plain("--rb-suite=.", "--rb-judge=record", "--rb-baseline-arms=bm25:ident", output="given.json")
    assert given.status == 0
    assert given.report["registration"]["baseline_arms"] == ["bm25:ident"]


def test_gold_that_nobody_checked_is_said_everywhere(run: Run, shop: Shop) -> None:
    rows = [{**row, "base_commit": shop.first} for row in ROWS[:2]]
    rows[1] = {**rows[1], "metadata": {"reviewed": False}}
    SmallBenchmark(shop.folder).write_samples(rows)
    markdown = shop.folder / "result.md"
    finished = run("--rb-suite=.", f"--rb-markdown={markdown}")
    assert finished.report["registration"]["unreviewed_ids"] == ["wrong-sum"]
    words = "1 of 2 samples not reviewed"
    assert f"retrieval-bench: Questions about our shop: 2 samples; {words}; arms" in finished.text
    assert f"{words}: their gold is a guess, and so are these figures" in finished.text
    assert words in markdown.read_text(encoding="utf-8")
    merged = run("--rb-summarize", finished.output, output="merged.json")
    assert merged.report["registration"]["unreviewed_ids"] == ["wrong-sum"]
    assert words in merged.text


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("metrik = 1\n", "unknown key 'metrik'; did you mean 'metrics'?"),
        ('metrics = ["recal@5"]\n', "suite.toml: metrics: unknown metric 'recal@5'; did you mean 'recall@5'?"),
        ('metrics = "recall@20"\nlimit = 5\n', "suite.toml: metrics: unknown metric 'recall@20'"),
        ("metrics = 3\n", "suite.toml: metrics must be a string or a list of strings, this is 3"),
        ('judge = "harsh"\n', "suite.toml: judge: unknown verdict 'harsh'"),
        ("judge = true\n", "suite.toml: judge must be a string, this is True"),
        ('baseline_arms = ["gerp"]\n', "suite.toml: baseline_arms: not in this run: unknown arm 'gerp'"),
        ("limit = 51\n", "suite.toml: limit: must be a whole number from 1 to 50, this is 51"),
        ("title = 3 4\n", "line 7"),
    ],
)
def test_a_key_that_cannot_be_used_is_refused_by_name(run_plain: Run, shop: Shop, more: str, words: str) -> None:
    shop.suite(more)
    finished = run_plain("--rb-suite=.")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ('"."', 'git must be a table such as {"acme/shop" = "."}, this is \'.\''),
        ('{"acme/shop" = 1}', "git must be a table"),
        ('{shop = "."}', "git: 'shop' is not OWNER/NAME; write it in quotation marks"),
        ('{acme.shop = "."}', "git must be a table"),
    ],
)
def test_a_clone_that_is_written_wrong_is_refused(run_plain: Run, shop: Shop, value: str, words: str) -> None:
    shop.suite(text=SUITE.replace('{"acme/shop" = "."}', value))
    finished = run_plain("--rb-suite=.")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text
