"""Gates on merged reports: the parts of a run skip them, their whole is judged as one run would be."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Run
from tests.plugin.test_gates import FAILING, FOUND, PASSING
from tests.small_benchmark import SmallBenchmark

ARM = "--rb-arms=grep-ident"


@pytest.fixture
def shards(run_plain: Run, small: SmallBenchmark) -> list[Path]:
    return [run_plain(*small.options, ARM, f"--rb-shard={part}/2", output=f"{part}.json").output for part in (1, 2)]


def test_the_shards_of_a_run_are_judged_once_they_are_merged(
    run: Run, small: SmallBenchmark, shards: list[Path]
) -> None:
    gates = [f"--rb-gate={PASSING}", f"--rb-gate={FAILING}", "--rb-gate=completion >= 1"]
    merged = run(*(f"--rb-summarize={shard}" for shard in shards), *gates)
    merged.result.assert_outcomes(passed=2, failed=1)
    assert merged.status == pytest.ExitCode.TESTS_FAILED
    whole = run(*small.options, ARM, *gates, output="whole.json")
    verdicts = [f"gate passed: {PASSING}: {FOUND}; must be >= 0.6", f"gate failed: {FAILING}: {FOUND}; must be > 0.7"]
    for verdict in verdicts:
        assert verdict in merged.text
        assert verdict in whole.text
    assert merged.report["details"]


def test_a_merge_of_gates_that_hold_ends_green(run: Run, shards: list[Path]) -> None:
    merged = run(*(f"--rb-summarize={shard}" for shard in shards), f"--rb-gate={PASSING}")
    merged.result.assert_outcomes(passed=1)
    assert merged.status == 0


def test_a_shard_that_is_not_there_fails_every_gate(run_plain: Run, shards: list[Path]) -> None:
    merged = run_plain(f"--rb-summarize={shards[0]}", "--rb-gate=grep-ident hit@k >= 0.1")
    assert merged.status == pytest.ExitCode.TESTS_FAILED
    assert "not judged: shard 2 of 2 is not among them; merge it as well" in merged.text


def test_a_missing_result_fails_a_gate_of_a_merge(run_apart: Run, small: SmallBenchmark) -> None:
    stopped = run_apart(*small.options, "-x", "--rb-judge=strict", "--rb-arms=grep", output="part.json")
    assert stopped.report["incomplete"]
    merged = run_apart(f"--rb-summarize={stopped.output}", "--rb-gate=grep recall@5 >= 0.1", output=None)
    assert merged.status == pytest.ExitCode.TESTS_FAILED
    assert "the run is incomplete" in merged.text


def test_gates_of_a_suite_and_of_the_ini_file_are_judged(
    run_plain: Run, small: SmallBenchmark, shards: list[Path], pytester: pytest.Pytester
) -> None:
    pytester.makeini(f"[pytest]\nrb_gates =\n    {FAILING}\n")
    suite = small.folder / "suite.toml"
    suite.write_text(f'title = "Mine"\nsamples = "{small.samples.name}"\ngates = ["{PASSING}"]\n', encoding="utf-8")
    merged = run_plain(*(f"--rb-summarize={shard}" for shard in shards), f"--rb-suite={small.folder}", output=None)
    merged.result.assert_outcomes(passed=1, failed=1)


def test_times_taken_side_by_side_fail_a_gate_and_those_of_a_plain_run_merged_in_are_judged(
    run_plain: Run, small: SmallBenchmark
) -> None:
    rows = "".join(small.samples.read_text().replace('"id": "', f'"id": "{number}-') for number in range(8))
    small.samples.write_text(rows)
    parallel = run_plain(*small.options, ARM, "-n2", output="parallel.json")
    gate = "--rb-gate=grep-ident p50_ms <= 60000"
    alone = run_plain(f"--rb-summarize={parallel.output}", gate, output=None)
    assert alone.status == pytest.ExitCode.TESTS_FAILED
    assert "2 workers measured side by side, which spoils times, n=32" in alone.text
    plain = run_plain(*small.options, ARM, output="plain.json")
    options = [f"--rb-summarize={parallel.output}", f"--rb-summarize={plain.output}"]
    merged = run_plain(*options, gate, output=None)
    assert merged.status == 0, merged.text


def test_a_merge_is_held_against_an_older_report(run_plain: Run, small: SmallBenchmark, shards: list[Path]) -> None:
    old = run_plain(*small.options, ARM, output="old.json").output
    options = [*(f"--rb-summarize={shard}" for shard in shards), "--rb-gate=no-regression mrr@k by 0.1"]
    merged = run_plain(*options, f"--rb-gate-report={old}", output=None)
    merged.result.assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--rb-gate=bm25:all hit@k >= 0.5"], "not in this run: unknown arm 'bm25:all'"),
        (["--rb-gate=grep-ident no-regression mrr@k by 0.1"], "there is no report to compare with"),
        (["--rb-gate-report=1.json"], "no gate compares with it"),
    ],
)
def test_a_gate_without_sense_is_a_usage_error(
    run_plain: Run, shards: list[Path], options: list[str], words: str
) -> None:
    finished = run_plain(*(f"--rb-summarize={shard}" for shard in shards), *options, output="merged.json")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text
    assert not finished.output.exists()
