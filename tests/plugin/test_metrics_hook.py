"""Metrics of a user's own, added by a hook beside the protocol's."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench import load_report
from tests.conftest import Run, without_time
from tests.small_benchmark import SmallBenchmark

HOOK = """
def tests_ranked(sample, record):
    return sum(path.startswith("tests/") for path in record.ranked)

def place_of_gold(sample, record):
    places = [record.ranked.index(path) for path in sample.gold if path in record.ranked]
    return min(places, default=None)

def pytest_retrieval_bench_metrics(config):
    return {"tests ranked": tests_ranked, "place": place_of_gold}
"""
FAILING_HOOK = """
def bad(sample, record):
    return 1 / 0 if sample.id == "tick" else float("inf") if sample.id == "wrong-sum" else 1

def pytest_retrieval_bench_metrics(config):
    return {"bad": bad}
"""
ARMS = "--rb-arms=grep,bm25:all"


def test_values_stand_beside_the_protocols_own_which_stay_as_they_are(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    plain = run(*small.options, ARMS, output="plain.json").report
    pytester.makeconftest(HOOK)
    finished = run(*small.options, ARMS)
    report = finished.report
    kept = {row["id"]: row["measures"]["grep"]["own"]["values"] for row in report["details"]}
    assert kept["cart-test"] == {"tests ranked": 1, "place": 1}
    assert "place" not in kept["nothing-here"]
    assert report["measures"]["own"]["grep"]["all"]["tests ranked"]["n"] == 4
    having = [values["place"] for values in kept.values() if "place" in values]
    assert report["measures"]["own"]["grep"]["all"]["place"] == {
        "n": len(having),
        "mean": pytest.approx(sum(having) / len(having), abs=1e-6),
    }
    assert report["registration"]["own_metrics"] == ["place", "tests ranked"]
    assert "metrics of your own:" in finished.text
    rows = list(load_report(finished.output).rows())
    assert rows[0]["tests ranked"] == 1
    for holder in (report, *report["details"]):
        del holder["measures"]
    assert without_time(report) == without_time(plain)


def test_they_go_with_the_measures_of_agent_retrieval_bench_and_are_merged(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(HOOK)
    both = run_plain(*small.options, ARMS, "--rb-metrics=arb,ir", "--rb-view-csv=views.csv", output="both.json").report
    assert set(both["details"][0]["measures"]["grep"]) == {"arb", "own"}
    views = (pytester.path / "views.csv").read_text(encoding="utf-8").splitlines()
    assert "grep,own,all,tests ranked,4,0.25" in views
    run_plain(*small.options, "--rb-arms=grep-ident", output="one.json")
    merged = run_plain("--rb-summarize=both.json", "--rb-summarize=one.json").report
    assert set(merged["measures"]["own"]) == {"grep", "grep-ident", "bm25:all"}
    assert merged["measures"]["own"]["grep"] == both["measures"]["own"]["grep"]


def test_a_metric_that_fails_is_an_error_of_the_sample_and_the_run_goes_on(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(FAILING_HOOK)
    finished = run(*small.options, "--rb-arms=grep")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    answers = {row["id"]: row["arms"]["grep"] for row in finished.report["details"]}
    assert answers["tick"]["error"] == "the metric 'bad' failed: ZeroDivisionError: division by zero"
    assert "a finite number or None, this is inf" in answers["wrong-sum"]["error"]
    assert answers["cart-test"]["outcome"] == "answered"
    assert finished.report["arms"]["grep"]["errors"] == 2


def test_a_run_is_not_resumed_with_other_metrics(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    run_plain(*small.options, ARMS)
    pytester.makeconftest(HOOK)
    finished = run_plain(*small.options, ARMS, "--rb-resume")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "own_metrics changed since the run began" in finished.text


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        ("[len]", "return a dict of functions by name"),
        ("{'mrr@k': len}", "there is a metric 'mrr@k' already"),
        ("{'nDCG@20': len}", "there is a metric 'nDCG@20' already"),
        ("{' ': len}", "' ' cannot be the name of a metric"),
        ("{'x': 1}", "'x' must be a function of a sample and a record"),
        ("1 / 0", "pytest_retrieval_bench_metrics failed at "),
    ],
)
def test_what_cannot_be_a_metric_is_refused(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester, returned: str, words: str
) -> None:
    pytester.makeconftest(f"def pytest_retrieval_bench_metrics(config):\n    return {returned}\n")
    finished = run_plain(*small.options)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text
