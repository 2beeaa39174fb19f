"""Nothing is lost in silence: what has no record is named, and the run is red."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import Run
from tests.small_benchmark import CLOCK, COMMIT, SmallBenchmark


def _missing(report: dict[str, Any]) -> dict[tuple[str, str], str]:
    return {(pair["id"], pair["arm"]): pair["why"] for pair in report["incomplete"]}


def test_a_run_that_stops_at_the_first_failure_says_what_it_did_not_do(run_plain: Run, small: SmallBenchmark) -> None:
    small.write_snapshot("acme/clock", CLOCK | {"large.txt": "first, because it is large\n" * 99})
    finished = run_plain(*small.options, "-x", "--rb-judge=strict", "--rb-arms=grep-ident")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    why = "the run stopped before it"
    assert set(_missing(finished.report).values()) == {why}
    assert [sample for sample, _ in _missing(finished.report)] == ["cart-test", "wrong-sum", "nothing-here"]
    assert [row["id"] for row in finished.report["details"] if row["arms"]] == ["tick"]
    assert "incomplete: 3 results missing" in finished.text


def test_an_interrupted_run_keeps_what_it_has(run_apart: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        class Mine:
            name = "mine"
            def answer(self, query, snapshot, limit):
                raise KeyboardInterrupt
        def pytest_retrieval_bench_arms(config):
            return [Mine()]
        """
    )
    finished = run_apart(*small.options, "--rb-arms=grep,mine")
    assert finished.status == pytest.ExitCode.INTERRUPTED
    assert [row["id"] for row in finished.report["details"] if "grep" in row["arms"]] == ["cart-test"]
    assert len(_missing(finished.report)) == 7


def test_a_user_who_leaves_by_exit_gets_what_there_is(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(
        """
        import pytest
        def pytest_runtest_teardown(item):
            pytest.exit("enough")
        """
    )
    finished = run_plain(*small.options, "--rb-arms=grep")
    assert finished.status == pytest.ExitCode.INTERRUPTED
    assert len(_missing(finished.report)) == 3


def test_a_skip_by_the_user_is_named_with_its_reason(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(
        """
        import pytest
        def pytest_runtest_setup(item):
            if "tick" in item.name:
                pytest.skip("not today")
        """
    )
    finished = run(*small.options, "--rb-arms=grep")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert _missing(finished.report) == {("tick", "grep"): "it was skipped: Skipped: not today"}


def test_a_record_that_does_not_arrive_turns_the_run_red(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(
        """
        import pytest
        @pytest.hookimpl(wrapper=True, tryfirst=True)
        def pytest_runtest_makereport(item):
            report = yield
            if "tick" in item.name:
                vars(report).pop("rb_record", None)
            return report
        """
    )
    finished = run(*small.options, "--rb-arms=grep")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert _missing(finished.report) == {("tick", "grep"): "it never reported"}


def test_a_record_that_cannot_be_read_turns_the_run_red(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(
        """
        import pytest
        @pytest.hookimpl(wrapper=True, tryfirst=True)
        def pytest_runtest_makereport(item, call):
            report = yield
            if "tick" in item.name and call.when == "call":
                report.rb_record = report.rb_record[:-9]
            return report
        """
    )
    finished = run(*small.options, "--rb-arms=grep")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert "its record cannot be read" in _missing(finished.report)["tick", "grep"]


def test_a_missing_snapshot_fails_its_items_at_set_up_and_the_others_run(run: Run, small: SmallBenchmark) -> None:
    small.chunk_file("acme/clock").unlink()
    finished = run(*small.options, "--rb-arms=grep-ident")
    finished.result.assert_outcomes(passed=2, errors=2)
    rows = {row["id"]: row for row in finished.report["details"]}
    error = rows["tick"]["arms"]["grep-ident"]["error"]
    assert error.startswith(f"setup: no snapshot of acme/clock at {COMMIT}: looked for ")
    assert f"acme__clock/{COMMIT}.chunks.jsonl" in error
    assert "whose name has 'clock' and 'aaaaaaaaaaaa' in it (found none)" in error
    assert set(rows["tick"]["metrics"]["grep-ident"].values()) == {0}
    assert finished.report["arms"]["grep-ident"]["errors"] == 2
    assert finished.report["arms"]["grep-ident"]["all"]["n"] == 4
    assert finished.report["latency"]["grep-ident"]["UNRECORDED"]["n"] == 2
    assert "incomplete" not in finished.report


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"kind": "file", "path": "a", "text": "x"}\n{"kind":', ":2: not JSON: "),
        ('{"kind": "symbol", "path": "a", "text": "x"}\n', ": no row of kind `file`"),
        ('{"kind": "file", "path": "a", "text": null}\n', ":1: a file row needs the strings `path` and `text`"),
        ('{"kind": "file", "path": "a", "text": "\\ud800"}\n', ":1: not JSON: "),
        ('{"kind": "file", "path": "a", "text": ""}\n{"kind": "file", "path": "a/b", "text": ""}\n', "'a' is a file"),
    ],
)
def test_a_broken_chunk_file_is_an_error_of_its_samples_with_file_and_line(
    run: Run, small: SmallBenchmark, content: str, words: str
) -> None:
    small.chunk_file("acme/clock").write_text(content)
    finished = run(*small.options, "--rb-arms=grep")
    finished.result.assert_outcomes(passed=2, failed=2)
    rows = {row["id"]: row["arms"]["grep"] for row in finished.report["details"]}
    assert f"acme__clock/{COMMIT}.chunks.jsonl{words}" in rows["tick"]["error"] or words in rows["tick"]["error"]
    assert "error" not in rows["cart-test"]
    assert "Traceback" not in finished.text


def test_unsafe_paths_are_left_out_with_a_warning_that_no_filter_turns_into_a_failure(
    run: Run, small: SmallBenchmark
) -> None:
    with small.chunk_file("acme/shop").open("a", encoding="utf-8") as stream:
        for path in ("../outside.py", "/etc/passwd", "a//b", ".git/config", "\\\\host\\x"):
            stream.write(json.dumps({"kind": "file", "path": path, "text": "totalPrice"}) + "\n")
    finished = run(*small.options, "-W", "error")
    assert finished.status == 0
    assert "left out 5 file rows whose path is empty, absolute, leaves the tree or enters its .git" in finished.text
    row = next(row for row in finished.report["details"] if row["id"] == "wrong-sum")
    assert row["arms"]["grep-ident"]["ranked"] == ["shop/price.py"]
