"""`--rb-inference` and `--rb-margin` in a run."""

from __future__ import annotations

import pytest

from tests.conftest import Run
from tests.plugin.test_paired import ARMS
from tests.small_benchmark import ROWS, SmallBenchmark

SELECTED = "--rb-arms=new,grep"


@pytest.fixture
def twelve(small: SmallBenchmark, pytester: pytest.Pytester) -> SmallBenchmark:
    """Four times the three positive samples, over two repositories, and two retrievers of one's own."""
    pytester.makeconftest(ARMS)
    small.write_samples([{**row, "id": f"{row['id']}-{number}"} for number in range(4) for row in ROWS[:3]])
    return small


def test_the_section_is_in_the_report_and_the_choice_in_the_registration(run: Run, twelve: SmallBenchmark) -> None:
    finished = run(*twelve.options, SELECTED, "--rb-inference=mcnemar,holm", "--rb-margin=0.1")
    assert finished.status == 0
    report = finished.report
    assert report["registration"]["inference"] == {"names": ["mcnemar", "holm"], "margin": 0.1}
    assert (report["inference"]["names"], report["inference"]["margin"]) == (["mcnemar", "holm"], 0.1)
    block = report["inference"]["groups"]["all"]["new"]["grep"]["hit@k"]
    assert (block["n"], block["repositories"], block["decided_by"]) == (12, 2, "sample")
    assert list(block["tests"]) == ["mcnemar"]
    assert report["inference"]["families"]["mcnemar, all"]["size"] == 1
    assert "evidence (margin 0.1; by task and in full in the report):" in finished.text


def test_all_is_everything_with_a_margin_of_five_points(run_plain: Run, twelve: SmallBenchmark) -> None:
    report = run_plain(*twelve.options, SELECTED, "--rb-inference=all").report
    assert report["inference"]["margin"] == 0.05
    block = report["inference"]["groups"]["all"]["new"]["grep"]["recall@20"]
    assert {"not_inferior", "equivalent", "detectable", "tests", "verdict"} <= block.keys()


def test_a_report_that_nobody_asked_for_more_has_no_trace_of_it(run: Run, twelve: SmallBenchmark) -> None:
    finished = run(*twelve.options, SELECTED)
    assert "inference" not in finished.report
    assert "inference" not in finished.report["registration"]
    assert "evidence" not in finished.text


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--rb-inference=bootstrap", "--rb-inference: unknown evidence 'bootstrap'"),
        ("--rb-margin=0.1", "--rb-margin: it is about --rb-inference; give that as well"),
    ],
)
def test_nonsense_is_a_usage_error(run_plain: Run, twelve: SmallBenchmark, option: str, message: str) -> None:
    finished = run_plain(*twelve.options, option)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert message in finished.text
