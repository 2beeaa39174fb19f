"""Which items run: what people already know of pytest works on samples and arms."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from tests.conftest import Run
from tests.small_benchmark import ROWS, SmallBenchmark

THREE = ("grep", "bm25:all", "bm25:ident")
NODE = "samples.jsonl::test_retrieval[trace2code-acme/shop-wrong-sum-grep]"


def _pairs(report: dict[str, Any]) -> set[tuple[str, str]]:
    return {(row["id"], arm) for row in report["details"] for arm in row["arms"]}


@pytest.mark.parametrize(
    ("arguments", "pairs"),
    [
        (["-k", "trace2code and bm25"], {(i, f"bm25:{t}") for i in ("wrong-sum", "tick") for t in ("all", "ident")}),
        (["-m", "rb(arm='grep', task='code2test')"], {("cart-test", "grep")}),
        (["-m", "rb(stratum='natural_no_gold')", "--rb-arms=grep"], {("nothing-here", "grep")}),
        (["-m", "rb(repo='acme/shop')", "--rb-arms=grep"], {("cart-test", "grep"), ("wrong-sum", "grep")}),
        (["--rb-task-type=abstention", "--rb-arms=grep"], {("nothing-here", "grep")}),
        (["--rb-max-samples=1", "--rb-arms=grep", "--rb-arms=bm25"], {("cart-test", a) for a in THREE}),
        ([NODE], {("wrong-sum", "grep")}),
        (["--deselect", NODE, "--rb-arms=grep", "--rb-task-type=trace2code"], {("tick", "grep")}),
    ],
)  # fmt: skip
def test_selections_narrow_the_report_and_are_no_loss(
    run: Run, small: SmallBenchmark, arguments: list[str], pairs: set[tuple[str, str]]
) -> None:
    finished = run(*small.options, *arguments)
    assert finished.status == 0
    assert _pairs(finished.report) == pairs
    assert finished.report["samples"] == len({sample for sample, _ in pairs})
    assert set(finished.report["registration"]["sample_ids"]) == {sample for sample, _ in pairs}
    assert set(finished.report["registration"]["arms"]) == {arm for _, arm in pairs}
    assert "incomplete" not in finished.report


def test_last_failed_runs_what_failed(run: Run, small: SmallBenchmark) -> None:
    first = run(*small.options, "--rb-judge=strict", "--rb-arms=grep-ident", output="first.json")
    assert first.status == 1
    failed = {row["id"] for row in first.report["details"] if not row["metrics"]["grep-ident"]["selective_success"]}
    second = run(*small.options, "--rb-judge=strict", "--rb-arms=grep-ident", "--lf", output="second.json")
    assert {sample for sample, _ in _pairs(second.report)} == failed == {"tick"}


def test_without_paths_only_the_benchmark_runs(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_mine="def test_mine(): raise SystemError('not asked for')")
    pytester.makeini("[pytest]\ntestpaths = .")
    finished = run(*small.options)
    finished.result.assert_outcomes(passed=16)


def test_with_paths_both_run(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_mine="def test_mine(): pass")
    finished = run(*small.options, "test_mine.py")
    finished.result.assert_outcomes(passed=17)
    assert len(_pairs(finished.report)) == 16


def test_a_samples_file_may_stand_among_the_paths(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_mine="def test_mine(): pass")
    finished = run("samples.jsonl", "test_mine.py", f"--rb-corpus={small.corpus}")
    finished.result.assert_outcomes(passed=17)


def test_an_item_can_be_named_by_the_path_of_its_file(run: Run, small: SmallBenchmark) -> None:
    finished = run(f"{small.folder / NODE}", f"--rb-corpus={small.corpus}")
    assert _pairs(finished.report) == {("wrong-sum", "grep")}


def test_an_unknown_item_is_a_usage_error(run: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options, f"{NODE[:-1]}-nope]")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "not found: samples.jsonl::test_retrieval[trace2code-acme/shop-wrong-sum-grep-nope]" in finished.text


def test_an_empty_selection_is_no_report(run: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options, "-k", "nothing_has_this_name")
    assert finished.status == pytest.ExitCode.NO_TESTS_COLLECTED
    assert [path.name for path in small.folder.glob("report*")] == []


def test_a_listing_measures_nothing_and_writes_nothing(run: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options, "--co", "-q", "--rb-arms=grep")
    assert finished.status == 0
    assert NODE in finished.result.outlines
    assert [path.name for path in small.folder.glob("report*")] == []


def test_two_samples_files_are_two_modules(run: Run, small: SmallBenchmark) -> None:
    small.write_samples(ROWS[:2], "first/rows.jsonl")
    small.write_samples(ROWS[2:], "second/rows.jsonl")
    options = ["--rb-samples=first/rows.jsonl", "--rb-samples=second/rows.jsonl", f"--rb-corpus={small.corpus}"]
    assert len(_pairs(run(*options).report)) == 16
    finished = run(*options, "second/rows.jsonl::test_retrieval[trace2code-acme/clock-tick-grep]", output="one.json")
    assert _pairs(finished.report) == {("tick", "grep")}


@pytest.mark.parametrize("folder", ["with space", "brackets[1]", "two::colons"])
def test_awkward_folders_are_no_obstacle(run: Run, small: SmallBenchmark, folder: str) -> None:
    path = small.write_samples(ROWS[:1], f"{folder}/samples.jsonl")
    finished = run(f"--rb-samples={path}", f"--rb-corpus={small.corpus}")
    assert finished.status == 0
    assert len(_pairs(finished.report)) == 4


def test_a_users_python_functions_do_not_hide_the_items(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeini("[pytest]\npython_functions = check_*\npython_classes = Check*\ncollect_imported_tests = false")
    finished = run(*small.options)
    finished.result.assert_outcomes(passed=16)


def test_no_code_beside_a_samples_file_runs(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    path = small.write_samples(ROWS[:1], "release/samples.jsonl")
    (path.parent / "conftest.py").write_text("raise SystemError('executed')")
    home = pytester.mkdir("home")
    pytester.chdir()
    finished = run(f"--rb-samples={path}", f"--rb-corpus={small.corpus}", "--rootdir", home)
    assert finished.status == 0
    assert "executed" not in finished.text


def test_without_an_option_the_plugin_does_nothing(pytester: pytest.Pytester, small: SmallBenchmark) -> None:
    pytester.makepyfile(
        test_mine="""
        import sys

        def test_nothing_heavy_is_loaded():
            heavy = {"numpy", "scipy", "orjson", "pytest_retrieval_bench.activation", "pytest_retrieval_bench.bench"}
            assert not heavy & set(sys.modules)
        """
    )
    before = {path for path in pytester.path.rglob("*") if ".pytest_cache" not in path.parts}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:benchmark",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:hypothesispytest",
    ]
    finished = subprocess.run(command, cwd=pytester.path, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout
    assert "retrieval-bench:" not in finished.stdout
    after = {path for path in pytester.path.rglob("*") if "__pycache__" not in path.parts}
    assert after == before


def test_a_bare_run_with_ini_values_runs_the_users_tests_alone(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeini("[pytest]\nrb_corpus = corpus\nrb_arms = grep\nrb_limit = 5\nrb_judge = strict")
    pytester.makepyfile(test_mine="def test_mine(): pass")
    finished = run(output=None)
    finished.result.assert_outcomes(passed=1)
    assert "retrieval-bench:" not in finished.text


def test_items_of_one_snapshot_run_together(run_plain: Run, small: SmallBenchmark) -> None:
    small.write_samples([ROWS[0], ROWS[2], ROWS[1], ROWS[3]])
    finished = run_plain(*small.options, "--co", "-q", "--rb-arms=grep")
    repos = [line.split("-acme/")[1].split("-")[0] for line in finished.result.outlines if "::test_retrieval" in line]
    assert repos == ["shop", "shop", "clock", "clock"]
