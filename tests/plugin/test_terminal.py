"""What people read: the header, the verdicts, the table."""

from __future__ import annotations

import re

import pytest

from pytest_retrieval_bench.reporting.registration import cores
from tests.conftest import Run
from tests.small_benchmark import ROWS, SmallBenchmark

TABLE = """\
arm         n  pos.         hit@20 [95%]    mrr    r@5   r@10   r@20  silent, natural no-gold  err.   p50 ms
grep-ident  4     3  0.667 [0.208 0.939]  0.500  0.667  0.667  0.667              1.000 (n=1)     0  - (n=4)"""


def test_one_header_line_names_samples_arms_and_what_does_not_run(run: Run, small: SmallBenchmark) -> None:
    unlabelled = {**ROWS[1], "id": "no-label", "gold": {"files": []}}
    small.write_samples([*ROWS, unlabelled])
    finished = run(*small.options, "--rb-arms=bm25")
    header = [line for line in finished.result.outlines if line.startswith("retrieval-bench:")]
    assert header == [
        "retrieval-bench: 4 samples (1 more have no gold); arms bm25:all, bm25:ident; "
        "not run grep, grep-ident (not selected); corvint, context, impact, affected (no --rb-corvint); "
        f"limit 20; {run.how} on {cores()}"
    ]
    assert finished.report["skipped"] == {"no_gold_unlabeled": 1}


def test_the_table_and_the_place_of_the_report(run_plain: Run, small: SmallBenchmark) -> None:
    finished = run_plain(*small.options, "--rb-arms=grep-ident")
    assert TABLE in finished.text
    assert f"report: {finished.output}" in finished.text
    assert "\x1b" not in finished.text


@pytest.mark.parametrize(
    ("flag", "table", "tasks"), [("-q", True, False), ("-qq", False, False), ("-v", True, True), ("-vv", True, True)]
)
def test_quiet_and_verbose(run: Run, small: SmallBenchmark, flag: str, table: bool, tasks: bool) -> None:
    finished = run(*small.options, "--rb-arms=grep-ident", flag)
    assert ("hit@20 [95%]" in finished.text) is table
    assert bool(re.search(r"^  trace2code +2 +2 +0\.500 ", finished.text, re.MULTILINE)) is tasks


def test_even_the_quietest_run_says_that_something_is_missing(run_plain: Run, small: SmallBenchmark) -> None:
    finished = run_plain(*small.options, "-qqq", "-x", "--rb-judge=strict", "--rb-arms=grep-ident")
    assert "incomplete: 1 result missing" in finished.text


def test_a_strict_miss_shows_query_gold_and_ranking_without_a_traceback(run: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options, "--rb-judge=strict", "--rb-arms=grep-ident")
    finished.result.assert_outcomes(passed=3, failed=1)
    finished.result.stdout.fnmatch_lines(
        [
            "grep-ident found no gold in the 1 file that it ranked: tick, acme/clock at aaaaaaaaaaaa",
            "query:",
            "  raw signal: see tickClock in the log",
            "gold, by rank:",
            "   none  src/zone.ts",
            "ranking, the first 1 of 1:",
            "      1  src/clock.ts  (1)",
        ],
        consecutive=True,
    )
    assert "Traceback" not in finished.text
    assert "retrieval_test.py" not in finished.text


def test_a_strict_answer_to_what_has_none_is_a_failure(run: Run, small: SmallBenchmark) -> None:
    small.write_samples([{**ROWS[3], "query": {"text": "the function that ticks"}}])
    finished = run(*small.options, "--rb-judge=strict", "--rb-arms=grep")
    finished.result.assert_outcomes(failed=1)
    assert "grep answered where nothing is to be found: nothing-here, acme/clock" in finished.text
    assert "gold: none, the repository holds no answer" in finished.text


def test_a_gold_file_below_the_cut_is_shown_with_its_rank(run_plain: Run, small: SmallBenchmark) -> None:
    small.write_snapshot(
        "acme/shop", {f"shop/{name}.py": "totalPrice\n" for name in "abcdefgh"} | {"shop/price.py": "x"}
    )
    small.write_samples([ROWS[1]])
    finished = run_plain(*small.options, "--rb-judge=strict", "--rb-arms=grep", "--rb-limit=3")
    assert "grep found no gold in the 3 files that it ranked" in finished.text
    assert "      9  shop/price.py" in finished.text


def test_by_default_a_miss_passes(run: Run, small: SmallBenchmark) -> None:
    run(*small.options, "--rb-arms=grep-ident").result.assert_outcomes(passed=4)


def test_controls_in_ids_and_paths_are_not_obeyed_by_the_terminal(run: Run, small: SmallBenchmark) -> None:
    row = {**ROWS[2], "id": "red\x1b[31m" + "x" * 10_000, "gold": {"files": ["a\x1b[2Jb"]}}
    small.write_samples([row])
    finished = run(*small.options, "--rb-judge=strict", "--rb-arms=grep-ident")
    finished.result.assert_outcomes(failed=1)
    assert "\x1b[31m" not in finished.text
    assert "   none  a\\x1b[2Jb" in finished.text
    assert "x" * 1000 not in finished.text
