"""`--rb-compare OLD NEW`: what changed, in the terminal, as JSON and as Markdown; nothing is collected or run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_retrieval_bench.reporting.canonical import canonical
from tests.conftest import Run
from tests.small_benchmark import SHOP, SmallBenchmark

ARM = """
from pytest_retrieval_bench import Answer

class Mine:
    name = "mine"

    def answer(self, query, snapshot, limit):
        if "{broken}" in query.plain:
            raise RuntimeError("it broke")
        return Answer([path for path in snapshot.paths if path.endswith("{suffix}")])

def pytest_retrieval_bench_arms(config):
    return [Mine()]
"""


@pytest.fixture
def reports(run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> tuple[Path, Path]:
    """The reports of one arm before and after it was changed, beside a lexical one."""
    paths = []
    for name, suffix, broken in (("old", ".py", "tickClock"), ("new", ".ts", "deploy")):
        pytester.makeconftest(ARM.format(suffix=suffix, broken=broken))
        paths.append(run_plain(*small.options, "--rb-arms=mine,grep", output=f"{name}.json").output)
    return paths[0], paths[1]


def test_flips_are_told_in_the_terminal_as_json_and_as_markdown(
    run: Run, reports: tuple[Path, Path], pytester: pytest.Pytester
) -> None:
    finished = run("--rb-compare", *reports, "--rb-markdown=changes.md", output="changes.json")
    assert finished.status == 0
    finished.result.assert_outcomes()
    found = finished.report
    assert finished.output.read_bytes() == canonical(found)
    mine = found["arms"]["mine"]
    assert mine["flips"]["hit@k"] == {"wins": ["tick"], "losses": ["cart-test", "wrong-sum"]}
    assert (mine["newly_errored"], mine["newly_answered"]) == (["nothing-here"], ["tick"])
    assert mine["groups"]["repo:acme/shop"]["metrics"]["hit@k"]["losses"] == 2
    assert found["arms"]["grep"]["flips"]["hit@k"] == {"wins": [], "losses": []}
    assert "wrong-sum" in finished.text
    text = (pytester.path / "changes.md").read_text(encoding="utf-8")
    assert "| `mine` | hit@20 lost | 2 | `cart-test`, `wrong-sum` |" in text
    assert str(pytester.path) not in text
    assert "workers" not in finished.text


def test_the_two_runs_are_tested_without_being_asked_and_as_asked(run: Run, reports: tuple[Path, Path]) -> None:
    names = run("--rb-compare", *reports, output="changes.json").report["inference"]["names"]
    assert names == ["clustered", "randomization", "mcnemar", "holm"]
    asked = run("--rb-compare", *reports, "--rb-inference=bca,power", "--rb-margin=0.2", output="asked.json")
    section = asked.report["inference"]
    assert (section["names"], section["margin"]) == (["bca", "power"], 0.2)
    assert section["groups"]["all"]["mine"]["old"]["hit@k"]["n"] == 3
    assert "Whether the two runs differ (margin 0.2; p values not corrected):" in asked.text
    assert run("--rb-compare", *reports, "--rb-margin=0.3", output="margin.json").report["inference"]["margin"] == 0.3


def test_a_report_beside_itself_shows_no_flip(run: Run, reports: tuple[Path, Path]) -> None:
    finished = run("--rb-compare", reports[0], reports[0], output="changes.json")
    assert finished.status == 0
    assert "No sample flipped." in finished.text
    for section in finished.report["arms"].values():
        assert section["flips"]["hit@k"] == {"wins": [], "losses": []}


def test_another_corpus_under_the_same_commit_is_refused(run: Run, small: SmallBenchmark) -> None:
    old = run(*small.options, "--rb-arms=bm25", output="old.json").output
    small.write_snapshot("acme/shop", SHOP | {"shop/price.py": SHOP["shop/price.py"] + "# one word more\n"})
    new = run(*small.options, "--rb-arms=bm25", output="new.json").output
    finished = run("--rb-compare", old, new, output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert f"{old} and {new} cannot be compared, they differ in the content of the snapshots" in finished.text
    assert "acme/shop@aaaaaaaaaaaa" in finished.text


def test_other_samples_are_refused(run: Run, small: SmallBenchmark) -> None:
    old = run(*small.options, "--rb-arms=grep", output="old.json").output
    small.samples.write_text(small.samples.read_text().replace("src/zone.ts", "src/clock.ts"))
    new = run(*small.options, "--rb-arms=grep", output="new.json").output
    finished = run("--rb-compare", old, new, output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert f"{old} and {new} cannot be compared, they differ in the samples (" in finished.text
    assert "the gold (1 sample: tick)" in finished.text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rb-compare", "old.json", "absent.json"], "absent.json: cannot be read as a report"),
        (["--rb-compare", "old.json", "new.json", "--rb-corpus=x"], "runs nothing; leave out --rb-corpus"),
        (["--rb-compare", "old.json", "new.json", "--rb-summarize=old.json"], "leave out --rb-compare"),
        (["--rb-compare", "old.json", "new.json", "--rb-markdown=old.json"], "old.json exists; give a new path"),
        (
            ["--rb-compare", "old.json", "new.json", "--rb-markdown=x", "--rb-output=x"],
            "x is also what --rb-output writes; give another path",
        ),
    ],
)
def test_what_cannot_be_done_is_a_usage_error(
    run_plain: Run, reports: tuple[Path, Path], arguments: list[str], words: str
) -> None:
    finished = run_plain(*arguments, output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text


def test_the_comparison_of_a_report_with_a_merge_of_it_shows_no_flip(
    run_plain: Run, reports: tuple[Path, Path]
) -> None:
    merged = run_plain(f"--rb-summarize={reports[0]}", output="merged.json").output
    finished = run_plain("--rb-compare", reports[0], merged, output="changes.json")
    assert "No sample flipped." in finished.text
    assert json.loads(finished.output.read_text())["samples"] == 4
