"""Ways in which a gated run could be green although something is wrong with it: each is red, with the gate in words."""

from __future__ import annotations

import pytest

from tests.conftest import Run
from tests.small_benchmark import ROWS, SmallBenchmark

# It holds in every sound run of the small benchmark.
GATE = "--rb-gate=grep hit@k >= 0.5"


def _is_red(run: Run, small: SmallBenchmark, *options: str, words: str) -> None:
    finished = run(*small.options, "--rb-arms=grep", GATE, *options)
    assert finished.status not in (pytest.ExitCode.OK, None)
    assert words in finished.text


def test_without_a_mutation_the_run_is_green(run: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options, "--rb-arms=grep", GATE)
    finished.result.assert_outcomes(passed=5)
    assert finished.status == 0


def test_a_report_that_was_dropped(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
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
    _is_red(run, small, words="gate failed: grep hit@k >= 0.5: the run is incomplete: 1 result missing")


@pytest.mark.parametrize("restarts", [[], ["--max-worker-restart=0"]])
def test_a_worker_that_was_killed(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester, restarts: list[str]
) -> None:
    pytester.makeconftest(
        """
        import os, signal
        def pytest_runtest_call(item):
            if "tick" in item.name:
                os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    in_workers = Run(run_plain.pytester, ("-n2",))
    _is_red(in_workers, small, *restarts, words="gate failed: grep hit@k >= 0.5: the run is incomplete: ")


@pytest.mark.parametrize("value", ["float('nan')", "float('inf')", "numpy.int64(1)", "numpy.float32(1)"])
def test_a_metric_that_is_no_plain_number(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester, value: str
) -> None:
    pytester.makeconftest(
        f"""
        import dataclasses, numpy
        from pytest_retrieval_bench import case
        score = case.score
        def spoilt(sample, *arguments):
            record = score(sample, *arguments)
            if sample.id == "tick":
                return dataclasses.replace(record, metrics={{**record.metrics, "mrr@k": {value}}})
            return record
        def pytest_collection_finish():
            case.score = spoilt
        def pytest_unconfigure():
            case.score = score
        """
    )
    _is_red(run, small, words="gate failed: grep hit@k >= 0.5: the run is incomplete: ")


@pytest.mark.parametrize("value", ["NaN", "Infinity"])
def test_a_metric_that_is_spoilt_on_its_way(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester, value: str
) -> None:
    pytester.makeconftest(
        f"""
        import pytest, re
        @pytest.hookimpl(wrapper=True, tryfirst=True)
        def pytest_runtest_makereport(item):
            report = yield
            if "tick" in item.name and hasattr(report, "rb_record"):
                report.rb_record = re.sub('"mrr@k": [0-9.]+', '"mrr@k": {value}', report.rb_record)
            return report
        """
    )
    _is_red(run, small, words="gate failed: grep hit@k >= 0.5: the run is incomplete: 1 result missing")


def test_two_items_of_one_id(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makeconftest("def pytest_collection_modifyitems(items): items.append(items[0])")
    _is_red(run, small, words="two items are called samples.jsonl::test_retrieval[")


def test_an_item_that_took_the_id_of_another(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makeconftest("def pytest_collection_modifyitems(items): items[1] = items[0]")
    _is_red(run, small, words="two items are called samples.jsonl::test_retrieval[")


def test_items_under_other_ids(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        def pytest_generate_tests(metafunc):
            metafunc.fixturenames.append("step")
            metafunc.parametrize("step", [1])
        """
    )
    _is_red(run, small, words="gate failed: grep hit@k >= 0.5: not judged: ")


def test_a_selection_of_nothing(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    _is_red(run, small, "-k", "nothing_of_this_name", words="4 of 4 results were left out by -k")


def test_all_items_left_out_beside_a_test_that_passes(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makepyfile(test_own="def test_own(): pass")
    pytester.makeconftest("def pytest_collection_modifyitems(items): items[:] = [i for i in items if 'own' in i.name]")
    _is_red(run, small, "test_own.py", words="gate failed: grep hit@k >= 0.5: not judged: ")


def test_samples_without_one_that_can_be_judged(run: Run, small: SmallBenchmark) -> None:
    small.write_samples([{**ROWS[1], "gold": {"files": []}}])
    _is_red(run, small, words="'grep hit@k >= 0.5': no sample is selected, so that there is nothing to judge")


def test_a_gate_on_an_arm_that_does_not_run(run: Run, small: SmallBenchmark) -> None:
    _is_red(run, small, "--rb-gate=bm25:all hit@k >= 0.1", words="not in this run: unknown arm 'bm25:all'")


def test_gates_without_samples(run_plain: Run) -> None:
    finished = run_plain(GATE, output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "--rb-gate: there is nothing to measure; give --rb-samples" in finished.text


def test_a_broken_test_of_ones_own_that_stops_the_run(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makepyfile(test_own="import nothing_of_this_name")
    _is_red(run_plain, small, "test_own.py", words="gate failed: grep hit@k >= 0.5: not judged: ")


def test_samples_that_change_while_the_run_goes_on(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        f"""
        from pathlib import Path
        def pytest_runtest_teardown(item):
            if "tick" in item.name:
                Path({str(small.samples)!r}).open("a").write("\\n")
        """
    )
    _is_red(
        run, small, words="gate failed: grep hit@k >= 0.5: not judged: no report was written: samples_sha256 changed"
    )
