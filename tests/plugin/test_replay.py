"""Stored answers as arms of a run: they are scored again as they were."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import CONFORMANCE, Run
from tests.plugin.own_arms import answers, write_arms, write_program
from tests.small_benchmark import ROWS, SmallBenchmark

# An answer of each kind, for the four samples.
VARIED = """
query = sys.stdin.read()
if "add_item" in query: print(json.dumps({"hits": [{"file": "tests/test_cart.py", "line": 1}], "tokens": 7}))
elif "totalPrice" in query: sys.exit("no such index")
elif "tickClock" in query: time.sleep(100)
else: print('{"hits": []}')
"""
TABLES: dict[str, dict[str, Any]] = {
    "varied": {
        "command": "./varied",
        "index": "./index",
        "timeout": 1.5,
        "results": "hits",
        "path": "file",
        "start_line": "line",
        "tokens": "tokens",
    },
    "about-changes": {"command": "./changed {changed_file}"},
}
LOOKING = """
from dataclasses import asdict
from pytest_retrieval_bench import Answer
class Looking:
    name = "looking"
    def answer(self, query, snapshot, limit):
        return Answer(state=repr((asdict(query), dir(query), {name: str(value) for name, value in vars(self).items()})))
def pytest_retrieval_bench_arms(config):
    return [Looking()]
"""
PACKS = [("samples.jsonl", "expected.json"), ("contextbench.jsonl", "expected-contextbench.json")]


def test_a_replayed_report_has_the_same_answers_metrics_and_times(
    run: Run, run_plain: Run, small: SmallBenchmark
) -> None:
    write_program(small.folder, "varied", VARIED)
    write_program(small.folder, "changed", "print(sys.argv[1])")
    write_program(small.folder, "index", "open('names.idx', 'w').write('x' * 100)")
    arms = ["varied", "about-changes", "grep"]
    first = run_plain(
        *small.options, write_arms(small.folder, TABLES), f"--rb-arms={','.join(arms)}", output="first.json"
    ).report
    replays = [f"--rb-replay=again {arm}=first.json#{arm}" for arm in arms]
    selected = f"--rb-arms={','.join(f'again {arm}' for arm in arms)}"
    finished = run(*small.options, *replays, selected)
    finished.result.assert_outcomes(passed=7, failed=2, skipped=3)
    for before, after in zip(first["details"], finished.report["details"], strict=True):
        for arm in arms:
            stored = {name: value for name, value in before["arms"][arm].items() if name != "top_score"}
            assert after["arms"][f"again {arm}"] == stored
            assert after["metrics"][f"again {arm}"] == before["metrics"][arm]
    for section in ("arms", "latency"):
        assert {arm: finished.report[section][f"again {arm}"] for arm in arms} == first[section]


@pytest.mark.parametrize(("samples", "expected"), PACKS)
def test_each_arm_of_a_stored_report_is_scored_as_it_was(run_plain: Run, samples: str, expected: str) -> None:
    stored = json.loads((CONFORMANCE / expected).read_text(encoding="utf-8"))
    replays = [f"--rb-replay=again {arm}={CONFORMANCE / expected}#{arm}" for arm in stored["arms"]]
    report = run_plain(
        f"--rb-samples={CONFORMANCE / samples}",
        f"--rb-corpus={CONFORMANCE / 'corpus'}",
        *replays,
        f"--rb-arms={','.join(f'again {arm}' for arm in stored['arms'])}",
    ).report
    for before, after in zip(stored["details"], report["details"], strict=True):
        for arm, metrics in before["metrics"].items():
            assert after["metrics"][f"again {arm}"] == pytest.approx(metrics, abs=1e-9)
    for arm, section in stored["arms"].items():
        assert report["arms"][f"again {arm}"]["errors"] == section["errors"]
        assert report["arms"][f"again {arm}"]["all"] == pytest.approx(section["all"], abs=1e-9)


def test_a_replay_takes_the_place_of_the_arm_of_its_name(run: Run, run_plain: Run, small: SmallBenchmark) -> None:
    write_program(small.folder, "find", "print('shop/price.py')")
    small.write_samples(ROWS[:2])
    run_plain(*small.options, "--rb-command=mine=./find", output="first.json")
    report = run(*small.options, "--rb-replay=mine=first.json", "--rb-arms=mine,grep").report
    assert answers(report, "wrong-sum")["mine"]["ranked"] == ["shop/price.py"]
    assert list(report["paired"]["all"]) == ["mine"]
    assert report["registration"]["retrievers"]["mine"]["kind"] == "replay"


def test_what_has_no_time_gets_none(run: Run, small: SmallBenchmark) -> None:
    (small.folder / "run.trec").write_text("wrong-sum Q0 shop/price.py 1 3.5 mine\n")
    small.write_samples([ROWS[1]])
    finished = run(*small.options, "--rb-replay=mine=run.trec", "--rb-arms=mine")
    answer = answers(finished.report, "wrong-sum")["mine"]
    assert (answer["ranked"], answer["outcome"]) == (["shop/price.py"], "answered")
    assert "wall_ms" not in answer
    assert finished.report["latency"]["mine"] == {"UNRECORDED": {"n": 1, "state": "UNRECORDED"}}


def test_a_sample_without_an_answer_is_an_error(run: Run, small: SmallBenchmark) -> None:
    (small.folder / "rows.jsonl").write_text('{"id": "tick", "ranked": ["src/zone.ts"]}\n')
    finished = run(*small.options, "--rb-replay=mine=rows.jsonl", "--rb-arms=mine")
    finished.result.assert_outcomes(passed=1, failed=3)
    assert answers(finished.report, "tick")["mine"]["ranked"] == ["src/zone.ts"]
    answer = answers(finished.report, "cart-test")["mine"]
    assert (answer["outcome"], answer["error"]) == ("error", "rows.jsonl has no answer to this sample")


@pytest.mark.parametrize(
    ("stored", "words"),
    [
        ("tick Q0 a.py", "line 1: neither JSON nor a line of a TREC run: ID Q0 PATH RANK SCORE TAG"),
        ('{"limit": 5, "details": [{"arms": {"mine": {}}}]}', "its rankings were cut at 5, this run's limit is 20"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_before_anything_runs(
    run: Run, small: SmallBenchmark, stored: str, words: str
) -> None:
    (small.folder / "stored").write_text(stored)
    finished = run(*small.options, "--rb-replay=mine=stored")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert f"--rb-replay: {small.folder / 'stored'}: {words}" in finished.text
    assert not finished.output.exists()


def test_a_name_that_is_taken_is_refused(run_plain: Run, small: SmallBenchmark) -> None:
    (small.folder / "rows.jsonl").write_text('{"id": "tick", "ranked": []}\n')
    finished = run_plain(*small.options, "--rb-replay=grep=rows.jsonl")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "--rb-replay: two arms have the name 'grep'; rename one" in finished.text


def test_a_replay_tells_no_other_arm_which_sample_it_is(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(LOOKING)
    small.write_samples([{**ROWS[2], "id": "the-name-of-the-sample"}])
    (small.folder / "rows.jsonl").write_text('{"id": "the-name-of-the-sample", "ranked": ["src/zone.ts"]}\n')
    finished = run_plain(*small.options, "--rb-replay=mine=rows.jsonl", "--rb-arms=mine,looking")
    found = answers(finished.report, "the-name-of-the-sample")
    assert found["mine"]["ranked"] == ["src/zone.ts"]
    assert "see tickClock in the log" in found["looking"]["state"]
    assert "the-name-of-the-sample" not in found["looking"]["state"]
