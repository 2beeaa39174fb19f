"""`--rb-shard`: parts that know nothing of each other are the whole."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.model import Query, Sample
from pytest_retrieval_bench.sharding import shard_of
from tests.conftest import Run
from tests.small_benchmark import SmallBenchmark

GROUPS = st.lists(st.tuples(st.integers(1, 4), st.integers(0, 10**6)), min_size=1, max_size=12)


def samples_of(groups: list[tuple[int, int]]) -> tuple[list[Sample], dict[tuple[str, str], int]]:
    """Samples of one snapshot a group, in turn; and the snapshots' sizes."""
    keys = [("o/r", f"{number:040x}") for number in range(len(groups))]
    sizes = {key: size for key, (_, size) in zip(keys, groups, strict=True)}
    turns = [(turn, key) for key, (count, _) in zip(keys, groups, strict=True) for turn in range(count)]
    return [
        Sample(f"{key[1]}-{turn}", "t", *key, Query({}, "", ""), ("a",), (), (), "positive", "A")
        for turn, key in sorted(turns)
    ], sizes


@given(GROUPS, st.integers(1, 5))
def test_the_shards_hold_each_sample_once_and_keep_snapshots_together(groups: list[tuple[int, int]], of: int) -> None:
    samples, sizes = samples_of(groups)
    shards = [shard_of(samples, number, of, 2, lambda *key: sizes[key]).ordinals for number in range(1, of + 1)]
    assert sorted(ordinal for shard in shards for ordinal in shard) == list(range(len(samples)))
    commits = [{samples[ordinal].base_commit for ordinal in shard} for shard in shards]
    assert sum(map(len, commits)) == len(groups)


@given(GROUPS, st.integers(1, 5))
def test_no_shard_costs_more_than_a_third_above_what_is_possible(groups: list[tuple[int, int]], of: int) -> None:
    samples, sizes = samples_of(groups)
    cost = {key: sizes[key] + 200_000 * 2 * count for key, (count, _) in zip(sizes, groups, strict=True)}
    loads = [
        sum(
            cost[key]
            for key in {
                (samples[ordinal].repo, samples[ordinal].base_commit)
                for ordinal in shard_of(samples, number, of, 2, lambda *key: sizes[key]).ordinals
            }
        )
        for number in range(1, of + 1)
    ]
    at_least = max(max(cost.values()), sum(cost.values()) / of)
    assert max(loads) <= at_least * 2  # 4/3 of the best division, which may be above this lower bound
    assert min(loads) == 0 or max(loads) - min(loads) <= max(cost.values())


def answered(report: dict[str, Any]) -> set[str]:
    return {row["id"] for row in report["details"]}


def test_the_parts_of_a_run_are_the_whole(run: Run, small: SmallBenchmark) -> None:
    parts = [run(*small.options, f"--rb-shard={number}/2", output=f"{number}.json") for number in (1, 2)]
    assert [part.status for part in parts] == [0, 0]
    reports = [part.report for part in parts]
    assert answered(reports[0]) ^ answered(reports[1]) == {"cart-test", "wrong-sum", "tick", "nothing-here"}
    assert sorted(report["registration"]["shard"]["ordinals"] for report in reports) == [[0, 1], [2, 3]]
    assert "shard 1 of 2" in parts[0].text


@pytest.mark.parametrize("shard", ["0/2", "3/2", "1", "1/", "/2", "a/b", "1/2/3", "-1/2"])
def test_what_is_no_shard_is_a_usage_error(run_plain: Run, small: SmallBenchmark, shard: str) -> None:
    finished = run_plain(*small.options, f"--rb-shard={shard}", output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert f"--rb-shard: {shard!r} is not K/N" in finished.result.stderr.str()


def test_a_shard_without_a_sample_is_an_empty_selection(run_plain: Run, small: SmallBenchmark) -> None:
    finished = run_plain(*small.options, "--rb-shard=3/3", output=None)
    assert finished.status == pytest.ExitCode.NO_TESTS_COLLECTED


def test_times_of_a_parallel_run_say_so(run: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options, "--rb-arms=grep")
    report = finished.report
    workers = report["registration"]["machine"]["workers"]["grep"]
    assert workers == (2 if run.how == "2 workers" else 1)
    blocks = [block for labels in report["latency"].values() for block in labels.values()]
    assert [block.get("workers") for block in blocks] == [2 if workers == 2 else None]
    assert report["registration"]["machine"]["cores"] >= 1
    assert ("p50 ms (2 workers)" in finished.text) == (workers == 2)


def test_a_shard_judges_no_gate_and_excuses_no_error(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(
        """
        class Mine:
            name = "mine"
            def answer(self, query, snapshot, limit):
                raise OSError("no model")
        def pytest_retrieval_bench_arms(config):
            return [Mine()]
        """
    )
    finished = run(*small.options, "--rb-arms=mine", "--rb-gate=mine errors <= 9", "--rb-shard=1/2")
    finished.result.assert_outcomes(failed=2, skipped=1)
    assert "shard 1 of 2 is a part of the run" in finished.text
