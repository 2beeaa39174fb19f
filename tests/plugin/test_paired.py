"""The paired section of a run, and which arms are its baselines."""

from __future__ import annotations

import pytest

from tests.conftest import Run
from tests.small_benchmark import SmallBenchmark

ARMS = """
from pytest_retrieval_bench import Answer

class Fixed:
    def __init__(self, name, *ranking):
        self.name, self.ranking = name, ranking

    def answer(self, query, snapshot, limit):
        return Answer([path for path in self.ranking if path in snapshot.paths])

def pytest_retrieval_bench_arms(config):
    return [Fixed("new", "src/zone.ts", "shop/price.py"), Fixed("old", "shop/cart.py", "shop/price.py")]
"""


def test_every_arm_of_ones_own_is_held_against_each_lexical_one(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(ARMS)
    report = run(*small.options, "--rb-arms=new,grep,bm25:all").report
    assert report["registration"]["baseline_arms"] == ["grep", "bm25:all"]
    assert sorted(report["paired"]["all"]["new"]) == ["bm25:all", "grep"]


def test_named_baselines_take_the_place_of_the_lexical_ones(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(ARMS)
    report = run(*small.options, "--rb-arms=new,old,grep", "--rb-baseline-arms=old").report
    assert list(report["paired"]["all"]) == ["new"]
    assert list(report["paired"]["all"]["new"]) == ["old"]
    block = report["paired"]["all"]["new"]["old"]["mrr@k"]
    # `new` finds zone.ts first where `old` finds nothing, and price.py first where `old` has it second.
    assert (block["n"], block["mean_diff"], block["wins"], block["losses"], block["ties"]) == (3, 0.5, 2, 0, 1)


def test_a_baseline_that_does_not_run_is_a_usage_error(run_plain: Run, small: SmallBenchmark) -> None:
    finished = run_plain(*small.options, "--rb-arms=grep", "--rb-baseline-arms=bm25:all")
    assert finished.result.ret == pytest.ExitCode.USAGE_ERROR
    assert "--rb-baseline-arms: not in this run: unknown arm 'bm25:all'; known: grep" in finished.result.stderr.str()


def test_baselines_can_stand_in_the_ini_file(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(ARMS)
    pytester.makeini("[pytest]\nrb_baseline_arms = old\n")
    report = run(*small.options).report
    assert report["registration"]["baseline_arms"] == ["old"]
