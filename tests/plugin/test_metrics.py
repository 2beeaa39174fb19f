"""`--rb-metrics`, `--rb-view`, `--rb-view-csv` and `--rb-calibration` in runs and over reports."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from pytest_retrieval_bench import load_report
from tests.conftest import Run, without_time
from tests.schemas import faults
from tests.small_benchmark import ROWS, SmallBenchmark

ARMS = """
from pytest_retrieval_bench import Answer

class Scored:
    name = "scored"

    def answer(self, query, snapshot, limit):
        if "deploy" in query.text:
            return Answer(["src/clock.ts"], [0.5])
        if "add_item" in query.text:
            raise OSError("no model")
        return Answer(sorted(snapshot.paths), [9.0] * len(snapshot.paths), lines=[(1, 1)] * len(snapshot.paths))

class Unscored:
    name = "unscored"

    def answer(self, query, snapshot, limit):
        return list(snapshot.paths)

def pytest_retrieval_bench_arms(config):
    return [Scored(), Unscored()]
"""


@pytest.fixture
def marked(small: SmallBenchmark, pytester: pytest.Pytester) -> SmallBenchmark:
    """The small benchmark with lines and a given file that is gold's rival, and two arms of one's own."""
    pytester.makeconftest(ARMS)
    cart, price, tick, nothing = ROWS
    spans = [{"path": "shop/price.py", "start_line": 1, "end_line": 2}]
    small.write_samples(
        [cart, {**price, "gold_spans": spans, "gold": {**price["gold"], "given_files": ["README.md"]}}, tick, nothing]
    )
    return small


def kept(report: dict[str, Any], sample: str, arm: str) -> Any:
    (row,) = (row for row in report["details"] if row["id"] == sample)
    return row["measures"][arm]["arb"]


def test_whole_rankings_are_measured_beside_the_protocol(run: Run, marked: SmallBenchmark) -> None:
    report = run(*marked.options, "--rb-arms=scored,unscored", "--rb-metrics=arb", "--rb-view=all").report
    (row,) = (row for row in report["details"] if row["id"] == "wrong-sum")
    # README.md is given: the protocol removes it, the benchmark's own measures leave it where it is.
    assert row["metrics"]["scored"]["mrr@k"] == 0.5
    found = kept(report, "wrong-sum", "scored")
    assert (found["gold_ranks"], found["confidence"]) == ({"shop/price.py": 3}, 9.0)
    assert found["values"]["MRR"] == pytest.approx(1 / 3)
    assert found["values"]["line_recall@8k"] == 0.5
    assert "block_recall@8k" not in found["values"]
    assert found["values"]["BCY@4k"] == 1
    assert kept(report, "nothing-here", "scored") == {"confidence": 0.5}
    assert report["measures"]["arb"]["views"]["scored"]["sample"]["n"] == 3
    assert report["measures"]["arb"]["views"]["scored"]["sample"]["line_samples"] == 1
    lines = (marked.folder / "report.json.journal.jsonl").read_text().splitlines()
    assert [fault for line in lines for fault in faults("journal", json.loads(line))] == []


def test_an_arm_that_failed_scores_zero_and_stays_in_the_means(run: Run, marked: SmallBenchmark) -> None:
    finished = run(*marked.options, "--rb-arms=scored", "--rb-metrics=MRR,BCY@8k")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert kept(finished.report, "cart-test", "scored") == {
        "values": {"MRR": 0, "BCY@8k": 0}, "gold_ranks": {"tests/test_cart.py": None},
    }  # fmt: skip
    assert finished.report["measures"]["arb"]["views"]["scored"]["sample"]["n"] == 3
    assert finished.report["registration"]["metrics"] == {"names": ["MRR", "BCY@8k"]}


def test_a_sample_whose_snapshot_is_absent_is_measured_as_nothing(run: Run, marked: SmallBenchmark) -> None:
    marked.chunk_file("acme/shop").unlink()
    report = run(*marked.options, "--rb-arms=unscored", "--rb-metrics=arb").report
    found = kept(report, "wrong-sum", "unscored")
    assert found["gold_ranks"] == {"shop/price.py": None}
    assert found["values"]["line_recall@8k"] == found["values"]["BCY@32k"] == found["values"]["MRR"] == 0


def test_a_report_that_nobody_asked_for_more_has_no_trace_of_it(run: Run, marked: SmallBenchmark) -> None:
    finished = run(*marked.options, "--rb-arms=unscored")
    assert "measures" not in finished.report
    assert "metrics" not in finished.report["registration"]
    assert not {"measures", "relevance"} & finished.report["details"][0].keys()
    journal = (marked.folder / "report.json.journal.jsonl").read_text()
    assert "measures" not in journal


def test_the_other_members_are_those_of_a_run_without_it(run_plain: Run, marked: SmallBenchmark) -> None:
    arms = "--rb-arms=unscored,bm25:all"
    plain = run_plain(*marked.options, arms, output="plain.json").report
    more = run_plain(*marked.options, arms, "--rb-metrics=arb", output="more.json").report
    assert more.pop("measures")
    more["registration"].pop("metrics")
    for row in more["details"]:
        row.pop("measures")
        row.pop("relevance", None)
    assert without_time(more) == without_time(plain)


def test_the_relation_between_question_and_gold_is_in_the_details(run_plain: Run, marked: SmallBenchmark) -> None:
    report = run_plain(*marked.options, "--rb-arms=unscored", "--rb-metrics=arb").report
    relations = {row["id"]: row.get("relevance", {}).get("primary") for row in report["details"]}
    assert relations == {"cart-test": "W", "wrong-sum": "C", "tick": "C", "nothing-here": None}
    assert {"relevance:W", "relevance:C"} < report["measures"]["arb"]["groups"]["unscored"].keys()


def test_an_arm_without_scores_says_so_in_the_place_of_thresholds(run_plain: Run, marked: SmallBenchmark) -> None:
    finished = run_plain(*marked.options, "--rb-arms=unscored", "--rb-metrics=arb", "--rb-view=selective")
    assert finished.report["measures"]["arb"]["selective"]["unscored"] == {
        "n": 4, "why": "4 of 4 answers rank files without a score",
    }  # fmt: skip
    assert "unscored: 4 of 4 answers rank files without a score" in finished.text


def test_thresholds_of_another_report_are_frozen(run_plain: Run, marked: SmallBenchmark) -> None:
    selected = (*marked.options, "--rb-arms=bm25:all,scored", "--rb-metrics=arb")
    first = run_plain(*selected, output="first.json").report["measures"]["arb"]["selective"]["bm25:all"]
    threshold = first["mixed"]["operating_points"]["best_balanced_accuracy"]["threshold"]
    report = run_plain(*selected, "--rb-calibration=first.json", output="second.json").report
    registered = report["registration"]["metrics"]["calibration"]
    assert registered["report_sha256"] == load_report(marked.folder / "first.json").sha256
    assert registered["thresholds"]["bm25:all"] == threshold
    assert report["measures"]["arb"]["selective"]["bm25:all"]["mixed"]["frozen"]["threshold"] == threshold
    merged = run_plain("--rb-summarize=first.json", "--rb-calibration=second.json", output="third.json").report
    assert merged["measures"]["arb"]["selective"]["bm25:all"]["mixed"]["frozen"]["threshold"] == threshold


def test_a_merge_gives_what_one_run_gives(run_plain: Run, marked: SmallBenchmark) -> None:
    for arm in ("unscored", "bm25:all"):
        run_plain(*marked.options, f"--rb-arms={arm}", "--rb-metrics=arb", output=f"{arm[:4]}.json")
    whole = run_plain(
        *marked.options, "--rb-arms=unscored,bm25:all", "--rb-metrics=arb", "--rb-view-csv=one.csv", output="whole.json"
    ).report
    merged = run_plain(
        "--rb-summarize=unsc.json", "--rb-summarize=bm25.json", "--rb-view=weighted", "--rb-view-csv=two.csv",
        output="merged.json",
    )  # fmt: skip
    assert merged.report["measures"] == whole["measures"]
    assert merged.report["registration"]["metrics"] == whole["registration"]["metrics"]
    assert "whole rankings, each sample weighs the same:" in merged.text
    assert (marked.folder / "one.csv").read_bytes() == (marked.folder / "two.csv").read_bytes()


def test_measures_of_an_answer_that_was_replaced_go_with_it(run_plain: Run, marked: SmallBenchmark) -> None:
    run_plain(*marked.options, "--rb-arms=unscored", "--rb-metrics=arb", output="first.json")
    run_plain(*marked.options, "--rb-arms=unscored", output="second.json")
    merged = run_plain("--rb-summarize=first.json", "--rb-summarize=second.json", output="merged.json").report
    assert all("measures" not in row for row in merged["details"])
    assert merged["measures"]["arb"]["views"] == {}


def test_the_rows_for_a_data_frame_hold_the_measures(run_plain: Run, marked: SmallBenchmark) -> None:
    run_plain(*marked.options, "--rb-arms=unscored", "--rb-metrics=MRR,nDCG@20")
    report = load_report(marked.folder / "report.json")
    assert {"MRR", "nDCG@20", "mrr@k"} < next(report.rows()).keys()
    assert report.metric("unscored", "MRR").keys() == {"cart-test", "wrong-sum", "tick"}


def test_a_run_is_not_resumed_with_other_measures(run_plain: Run, marked: SmallBenchmark) -> None:
    options = (*marked.options, "--rb-arms=unscored")
    run_plain(*options)
    (marked.folder / "report.json").unlink()
    finished = run_plain(*options, "--rb-resume", "--rb-metrics=arb")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "--rb-resume: metrics changed since the run began; begin a new one" in finished.text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rb-metrics=arbb"], "--rb-metrics: unknown measure 'arbb'; did you mean 'arb'?"),
        (["--rb-metrics=MMR"], "--rb-metrics: unknown measure 'MMR'; did you mean 'MRR'?"),
        (["--rb-metrics=,"], "--rb-metrics: names nothing; give arb or ir, or measures such as MRR"),
        (["--rb-view=depth"], "--rb-view: it is about --rb-metrics; give that as well, such as --rb-metrics=arb"),
        (["--rb-view-csv=x.csv"], "--rb-view-csv: it is about --rb-metrics; give that as well"),
        (["--rb-calibration=x.json"], "--rb-calibration: it is about --rb-metrics; give that as well"),
        (["--rb-metrics=arb", "--rb-view=dept"], "--rb-view: unknown view 'dept'; did you mean 'depth'?"),
        (["--rb-metrics=arb", "--rb-calibration=x.json"], "x.json: cannot be read as a report: No such file"),
        (["--rb-metrics=arb", "--rb-view-csv=samples.jsonl"], "samples.jsonl exists; give a new path or remove it"),
        (["--rb-metrics=arb", "--rb-view-csv=report.json"], "report.json is also the report; give another path"),
    ],
)
def test_nonsense_is_refused_before_anything_runs(
    run_plain: Run, marked: SmallBenchmark, arguments: list[str], words: str
) -> None:
    finished = run_plain(*marked.options, *arguments)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text
    assert "Traceback" not in finished.text


def test_views_of_reports_without_measures_are_refused(run_plain: Run, marked: SmallBenchmark) -> None:
    run_plain(*marked.options, "--rb-arms=unscored")
    for option in ("--rb-view=depth", "--rb-view-csv=x.csv", "--rb-calibration=report.json"):
        finished = run_plain("--rb-summarize=report.json", option, output="merged.json")
        assert finished.status == pytest.ExitCode.USAGE_ERROR
        assert f"{option.partition('=')[0]}: " in finished.text
        assert "--rb-metrics=arb" in finished.text


def test_measures_that_are_none_are_refused_with_their_place(run_plain: Run, marked: SmallBenchmark) -> None:
    report = run_plain(*marked.options, "--rb-arms=unscored", "--rb-metrics=arb").report
    place = "details[0].measures.unscored"
    spoils: list[tuple[Callable[[dict[str, Any]], object], str]] = [
        (
            lambda kept: kept["gold_ranks"].update({"a": 0}),
            f"{place}.arb.gold_ranks must be an object of ranks or null",
        ),
        (lambda kept: kept["gold_ranks"].clear(), f"{place}.arb.gold_ranks must name the gold files, this is empty"),
        (lambda kept: kept["values"].update(MRR="1"), f"{place}.arb.values must be an object of numbers"),
        (lambda kept: kept.update(confidence=None), f"{place}.arb.confidence must be a number"),
        (lambda kept: kept.pop("values"), f"{place}.arb.values is missing"),
    ]
    for spoil, words in spoils:
        spoiled = json.loads(json.dumps(report))
        spoil(spoiled["details"][0]["measures"]["unscored"]["arb"])
        (marked.folder / "spoiled.json").write_text(json.dumps(spoiled))
        finished = run_plain("--rb-summarize=spoiled.json", output="merged.json")
        assert finished.status == pytest.ExitCode.USAGE_ERROR
        assert words in finished.text
