"""Runs, arms and files that get in each other's way."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Run
from tests.small_benchmark import COMMIT, ROWS, SmallBenchmark

MEDDLING = """
from pytest_retrieval_bench import Answer
class Meddling:
    name = "a-meddling"
    def answer(self, query, snapshot, limit):
        query.fields.clear()
        return Answer()
class Reading:
    name = "z-reading"
    def answer(self, query, snapshot, limit):
        return Answer(list(snapshot.paths) if query.fields else [])
def pytest_retrieval_bench_arms(config):
    return [Meddling(), Reading()]
"""


def test_an_arm_cannot_change_what_another_one_sees(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(MEDDLING)
    arms = run(*small.options, "--rb-arms=a-meddling,z-reading,grep-ident").report["arms"]
    assert arms["z-reading"]["all"]["abstained"] == 0
    assert arms["grep-ident"]["all"]["hit@k"] == pytest.approx(2 / 3, abs=1e-6)


def test_a_run_that_cannot_be_registered_writes_no_report(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    # Another run takes the name between the first look and the registration.
    sidecar = small.folder / "report.json.registration.json"
    pytester.makeconftest(f"def pytest_collection_modifyitems(): open({str(sidecar)!r}, 'a').close()")
    (small.folder / "report.json").touch()
    finished = run(*small.options)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "belongs to an earlier run" in finished.text
    assert finished.output.read_bytes() == b""


def test_last_failed_runs_failed_items_beside_a_users_own_tests(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.mkdir("data")
    small.samples.rename(small.folder / "data" / "samples.jsonl")
    options = [f"--rb-samples={small.folder / 'data' / 'samples.jsonl'}", f"--rb-corpus={small.corpus}"]
    options += ["--rb-judge=strict", "--rb-arms=grep-ident"]
    pytester.makepyfile(test_mine="def test_mine(): pass")
    assert run("test_mine.py", *options, output="first.json").status == pytest.ExitCode.TESTS_FAILED
    again = run("test_mine.py", *options, "--lf", output="again.json")
    assert again.status == pytest.ExitCode.TESTS_FAILED
    assert [row["id"] for row in again.report["details"]] == ["tick"]


def test_a_report_that_was_asked_for_and_not_measured_is_not_green(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    small.write_samples([])
    pytester.makepyfile(test_mine="def test_mine(): pass")
    finished = run("test_mine.py", *small.options)
    assert finished.status == pytest.ExitCode.NO_TESTS_COLLECTED
    assert "no report was written: no item of the benchmark was selected" in finished.text


def test_an_output_in_a_snapshot_is_refused(run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    tree = pytester.mkdir("tree")
    (tree / "a.py").write_text("x")
    finished = run_plain(*small.options, f"--rb-snapshot=acme/shop@{COMMIT}={tree}", output="tree/report.json")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "lies in a snapshot, which is never written to" in finished.text
    assert [path.name for path in tree.iterdir()] == ["a.py"]


def test_an_output_where_its_journal_would_be_read_as_samples_is_refused(run: Run, small: SmallBenchmark) -> None:
    small.samples.rename(small.folder / "rows.jsonl")
    finished = run(f"--rb-samples={small.folder}", f"--rb-corpus={small.corpus}", "--rb-arms=grep")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert f"every *.jsonl file in {small.folder} is read as samples; give a path elsewhere" in finished.text


@pytest.mark.parametrize("raised", ["ValueError('\\ud800')", "Unprintable()"])
def test_an_exception_that_cannot_be_shown_is_an_error_of_the_arm(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester, raised: str
) -> None:
    unprintable = "class Unprintable(Exception):\n    def __str__(self): raise RuntimeError\n"
    arms = MEDDLING.replace("query.fields.clear()", f"raise {raised}")
    pytester.makeconftest(unprintable + arms)
    finished = run(*small.options, "--rb-arms=a-meddling,grep")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert (finished.report["arms"]["a-meddling"]["errors"], finished.report["arms"]["grep"]["errors"]) == (4, 0)
    assert "incomplete" not in finished.report


def test_bm25_is_the_protocols_double_to_the_last_digit(run: Run, small: SmallBenchmark) -> None:
    texts = {"a.txt": "alpha beta gamma gamma", "b.txt": "alpha beta beta gamma", "z.txt": "other " * 9}
    small.write_snapshot("acme/shop", texts)
    small.write_samples([{**ROWS[0], "query": {"q": "alpha beta gamma"}, "gold": {"files": ["b.txt"]}}])
    report = run(*small.options, "--rb-arms=bm25:all", "--rb-limit=1").report
    assert report["details"][0]["arms"]["bm25:all"]["ranked"] == ["b.txt"]


def test_a_packet_size_that_json_cannot_keep_is_an_error_of_the_arm(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(MEDDLING.replace("return Answer()", "return Answer(packet_bytes=2**60)"))
    report = run(*small.options, "--rb-arms=a-meddling").report
    assert report["arms"]["a-meddling"]["errors"] == 4
    assert json.dumps(report["details"][0]["arms"]["a-meddling"]).count("packet_bytes is 1152921504606846976") == 1
