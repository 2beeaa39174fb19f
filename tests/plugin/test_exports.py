"""`--rb-markdown`, `--rb-table`, `--rb-trec` and GitHub's job summary, of a run, a merge and a comparison."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from ir_measures import RR, R, SetF, SetP, Success

from pytest_retrieval_bench.reporting.exports.trec import trec_files
from tests.conftest import CONFORMANCE, LEXICAL, Run
from tests.small_benchmark import SmallBenchmark

_read_qrels: Any = ir_measures.read_trec_qrels
_read_run: Any = ir_measures.read_trec_run

EXPORTS = ["--rb-markdown=x.md", "--rb-table=x.csv", "--rb-trec=trec"]


def exported(folder: Path) -> dict[str, bytes]:
    names = ["x.md", "x.csv", *(f"trec/{path.name}" for path in (folder / "trec").iterdir())]
    return {name: (folder / name).read_bytes() for name in names}


def test_a_run_and_a_merge_of_its_report_write_the_same_exports(run: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options, *EXPORTS, "--rb-arms=grep,bm25")
    assert finished.status == 0
    of_run = exported(small.folder)
    assert {
        name.removeprefix("trec/"): data for name, data in of_run.items() if name.startswith("trec/")
    } == trec_files(finished.report)
    with (small.folder / "x.csv").open(encoding="utf-8") as stream:
        assert len(list(csv.DictReader(stream))) == 12
    elsewhere = [option.replace("=", "=merged-") for option in EXPORTS]
    merged = run(f"--rb-summarize={finished.output}", *elsewhere, output=None)
    assert merged.status == 0
    assert (small.folder / "merged-x.md").read_bytes() == of_run["x.md"]
    assert (small.folder / "merged-x.csv").read_bytes() == of_run["x.csv"]
    assert (small.folder / "merged-trec" / "grep.run").read_bytes() == of_run["trec/grep.run"]


def test_a_trec_run_is_an_arm_that_scores_the_same(run_plain: Run, small: SmallBenchmark) -> None:
    first = run_plain(*small.options, "--rb-arms=grep", "--rb-trec=trec")
    again = run_plain(*small.options, "--rb-arms=again", "--rb-replay=again=trec/grep.run", output="again.json")
    for before, row in zip(first.report["details"], again.report["details"], strict=True):
        if before["arms"]["grep"]["ranked"]:
            assert row["metrics"]["again"] == before["metrics"]["grep"]


def test_ir_measures_finds_the_means_of_each_arm(run_plain: Run, pytester: pytest.Pytester) -> None:
    samples, corpus = CONFORMANCE / "samples.jsonl", CONFORMANCE / "corpus"
    failing = "--rb-command=broken=false"
    leave = "not (grep-ident and trace2code)"
    finished = run_plain(
        f"--rb-samples={samples}", f"--rb-corpus={corpus}", f"--rb-arms={LEXICAL},broken", failing, "--rb-trec=trec",
        "-k", leave,
    )  # fmt: skip
    names = {"recall@5": R @ 5, "recall@20": R @ 20, "mrr@k": RR @ 20, "hit@k": Success @ 20}
    names |= {"precision@k": SetP, "f1@k": SetF}
    folder, report = pytester.path / "trec", finished.report
    counts = set()
    for arm, section in report["arms"].items():
        name = arm.replace(":", "_")
        own, run = folder / f"{name}.qrels.txt", list(_read_run(str(folder / f"{name}.run")))
        judged = list(_read_qrels(str(own if own.exists() else folder / "qrels.txt")))
        means = section["all"]
        counts.add(means["positives"])
        assert len({qrel.query_id for qrel in judged}) == means["positives"]
        found = ir_measures.calc_aggregate(list(names.values()), judged, run)
        # The report's means have six digits.
        assert {member: found[measure] for member, measure in names.items()} == pytest.approx(
            {member: means[member] for member in names}, abs=5.1e-7
        )
    assert len(counts) == 2


def test_the_summary_of_a_job_is_added_to(run: Run, small: SmallBenchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = small.folder / "summary.md"
    summary.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    first = run(*small.options, "--rb-arms=grep", "--rb-gate=grep hit@k > 0.99", "--rb-markdown=x.md")
    text = summary.read_text(encoding="utf-8")
    assert text == "before\n" + (small.folder / "x.md").read_text(encoding="utf-8") + "\n"
    assert text.count("❌ failed") == 1
    run("--rb-compare", first.output, first.output, output=None)
    assert "what changed" in summary.read_text(encoding="utf-8")


def test_a_summary_that_cannot_be_written_is_told_and_stops_nothing(
    run_plain: Run, small: SmallBenchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(small.folder))
    finished = run_plain(*small.options, "--rb-arms=grep")
    assert finished.status == 0
    assert "GITHUB_STEP_SUMMARY names" in finished.text


def test_an_export_that_is_lost_turns_the_run_red(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        def pytest_runtest_logreport(report):
            import pathlib
            pathlib.Path("x.md").mkdir(exist_ok=True)
        """
    )
    finished = run(*small.options, "--rb-arms=grep", "--rb-markdown=x.md")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert "--rb-markdown: nothing was written: " in finished.text
    assert finished.report["samples"] == 4


def test_of_a_run_that_goes_on_the_exports_are_made_anew(run: Run, small: SmallBenchmark) -> None:
    options = [*small.options, *EXPORTS, "--rb-arms=grep"]
    stopped = run(*options, "-x", "--rb-judge=strict", "-k", "cart or tick")
    assert stopped.status in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
    before = exported(small.folder)
    finished = run(*options, "--rb-judge=strict", "-k", "cart or tick", "--rb-resume")
    after = exported(small.folder)
    assert after.keys() == before.keys()
    assert after["x.csv"].count(b"\n") == 1 + finished.report["samples"]


def test_figures_of_a_report_that_is_held_back_are_held_back_too(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(
        """
        def pytest_runtest_logreport(report):
            with open("samples.jsonl", "a") as stream:
                stream.write("\\n")
        """
    )
    finished = run(*small.options, *EXPORTS, "--rb-arms=grep", "--junitxml=junit.xml")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert not finished.output.exists()
    for option, path in (("table", "x.csv"), ("trec", "trec")):
        assert f"--rb-{option}: nothing was written, as the report was not" in finished.text
        assert not (small.folder / path).exists()
    assert "samples_sha256 changed while the run went on" in (small.folder / "x.md").read_text(encoding="utf-8")
    assert "rb.samples_sha256" not in (small.folder / "junit.xml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--rb-table=x.xls"], "the name must end in .csv or .parquet"),
        (["--rb-table=samples.csv"], "samples.csv exists; give a new path or remove it"),
        (["--rb-trec=corpus"], "exists; give a new path or remove it"),
        (["--rb-markdown=absent/x.md"], "is no directory; make it first"),
        (["--rb-markdown=report.json"], "is also the report; give another path"),
        (["--rb-markdown=x.csv", "--rb-table=x.csv"], "is also the markdown; give another path"),
        (["--rb-markdown="], "the value is empty"),
    ],
)
def test_a_place_that_cannot_be_used_is_refused_before_anything_runs(
    run_plain: Run, small: SmallBenchmark, options: list[str], words: str
) -> None:
    (small.folder / "samples.csv").write_text("mine", encoding="utf-8")
    finished = run_plain(*small.options, *options)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text
    assert not finished.output.exists()


@pytest.mark.parametrize("option", ["--rb-markdown=x.md", "--rb-table=x.csv", "--rb-trec=x"])
def test_an_export_of_nothing_is_refused(run_plain: Run, option: str) -> None:
    finished = run_plain(option, output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "there is nothing to measure; give --rb-samples" in finished.text
