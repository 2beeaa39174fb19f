"""`--rb-snapshot-latency`: context measured without and with corvint's index, in a run of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.corvint_program import write_corvint
from tests.small_benchmark import ROWS, SmallBenchmark

MODE = ("--rb-snapshot-latency", "--rb-arms=context,grep")
COUNT = "open('calls', 'a').write(verb + ' ' + str(hit) + chr(10))"


def corvint(small: SmallBenchmark, awkward: str = COUNT) -> str:
    return f"--rb-corvint={write_corvint(small.folder / 'corvint', awkward)}"


def contexts(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [row["arms"]["context"] for row in report["details"]]


def test_every_sample_is_a_matched_pair_in_a_copy_that_is_indexed_once(run_plain: Run, small: SmallBenchmark) -> None:
    small.write_samples([dict(ROWS[index % 4], id=f"s{index}") for index in range(32)])
    finished = run_plain(*small.options, corvint(small), *MODE)
    finished.result.assert_outcomes(passed=64)
    calls = (small.folder / "calls").read_text().splitlines()
    assert sorted(calls) == [*["context False"] * 32, *["context True"] * 32, *["index False"] * 2]
    report = finished.report
    assert report["registration"]["snapshot_latency"] is True
    for answer in contexts(report):
        assert answer["cache_state"] == "OBSERVED_HIT"
        assert 0 < answer["wall_ms"] < 60_000
        assert 0 < answer["cold_wall_ms"] < 60_000
    latency = report["latency"]["context"]
    assert list(latency) == ["OBSERVED_HIT", "OBSERVED_MISS"]
    for label, member in (("OBSERVED_HIT", "wall_ms"), ("OBSERVED_MISS", "cold_wall_ms")):
        times = sorted(answer[member] for answer in contexts(report))
        assert set(latency[label]) == {"n", "min_ms", "p50_ms", "p95_ms", "max_ms", "mad_ms"}
        assert latency[label]["n"] == 32
        # Nearest rank: of 32 times the 16th and the 31st.
        found = [latency[label][name] for name in ("min_ms", "p50_ms", "p95_ms", "max_ms")]
        assert found == [pytest.approx(times[place], abs=1e-6) for place in (0, 15, 30, 31)]
    assert not any("cold_wall_ms" in row["arms"]["grep"] for row in report["details"])


def test_under_thirty_samples_no_distribution_is_told(run_plain: Run, small: SmallBenchmark) -> None:
    latency = run_plain(*small.options, corvint(small), *MODE).report["latency"]["context"]
    few = {"n": 4, "state": "NOT_RUN"}
    assert latency == {"OBSERVED_HIT": few, "OBSERVED_MISS": few}


def test_the_ranking_is_that_of_an_ordinary_run(run_plain: Run, small: SmallBenchmark) -> None:
    ordinary = run_plain(*small.options, corvint(small), "--rb-arms=context,grep", output="ordinary.json").report
    matched = run_plain(*small.options, corvint(small), *MODE, output="matched.json").report
    times = ("wall_ms", "cold_wall_ms", "cache_state")
    answers = [
        [{name: value for name, value in answer.items() if name not in times} for answer in contexts(report)]
        for report in (ordinary, matched)
    ]
    assert answers[0] == answers[1]
    assert ordinary["arms"] == matched["arms"]
    assert ordinary["registration"]["snapshot_latency"] is False
    assert all("cold_wall_ms" not in answer for answer in contexts(ordinary))


def test_the_other_verbs_keep_their_own_copy_without_an_index(run_plain: Run, small: SmallBenchmark) -> None:
    report = run_plain(*small.options, corvint(small), "--rb-snapshot-latency", "--rb-arms=corvint,context").report
    assert {row["arms"]["corvint"]["cache_state"] for row in report["details"]} == {"COLD_UNIQUE"}


def test_a_pair_that_does_not_match_is_an_error_of_its_sample_alone(run_plain: Run, small: SmallBenchmark) -> None:
    one_hit_lies = "if verb == 'context' and 'totalPrice' in rest[1] and hit:\n    hit = False"
    finished = run_plain(*small.options, corvint(small, one_hit_lies), *MODE)
    finished.result.assert_outcomes(passed=7, failed=1)
    report = finished.report
    answers = {row["id"]: row["arms"]["context"] for row in report["details"]}
    bad = answers.pop("wrong-sum")
    assert bad["error"] == "hit call: the index was not used"
    assert (bad["ranked"], bad["cache_state"]) == ([], "PRIMED_SHARED")
    assert "cold_wall_ms" not in bad
    assert {answer["cache_state"] for answer in answers.values()} == {"OBSERVED_HIT"}
    assert report["latency"]["context"]["OBSERVED_MISS"]["n"] == 3
    assert report["arms"]["context"]["errors"] == 1


def test_a_call_that_dirties_its_copy_is_an_error_and_the_new_copy_is_indexed(
    run_plain: Run, small: SmallBenchmark
) -> None:
    harm = f"{COUNT}\nif verb == 'context' and 'add_item' in rest[1]:\n    (root / 'note').write_text('x')"
    finished = run_plain(*small.options, corvint(small, harm), *MODE, "-k", "acme/shop")
    finished.result.assert_outcomes(passed=3, failed=1, deselected=4)
    bad, good = contexts(finished.report)
    assert (
        bad["error"] == "the cold and the hit call answered differently; the copy was changed and is made anew: ?? note"
    )
    assert good["cache_state"] == "OBSERVED_HIT"
    assert (small.folder / "calls").read_text().splitlines().count("index False") == 2


def test_the_corpus_is_as_it_was(run_plain: Run, small: SmallBenchmark) -> None:
    before = {path: path.stat().st_mtime_ns for path in [small.corpus, *small.corpus.rglob("*")]}
    run_plain(*small.options, corvint(small), *MODE)
    after: dict[Path, int] = {path: path.stat().st_mtime_ns for path in [small.corpus, *small.corpus.rglob("*")]}
    assert after == before


@pytest.mark.parametrize("option", ["--rb-snapshot-latency", "--rb-context-packets=capture.jsonl"])
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rb-arms=corvint,grep", "--rb-output=r.json"], "it is about the arm context, which does not run"),
        (["--rb-arms=context"], "it belongs to a registered run; give --rb-output or --rb-registration"),
        (["-n2", "--rb-output=r.json"], "cannot be used with -n: calls side by side spoil times and order; leave -n"),
        (["-n2", "--dist=no", "--rb-output=r.json"], "cannot be used with -n"),
        (["--tx=2*popen", "--dist=load", "--rb-output=r.json"], "cannot be used with -n"),
    ],
)
def test_a_mode_of_context_is_refused_where_it_makes_no_sense(
    run_plain: Run, small: SmallBenchmark, option: str, arguments: list[str], words: str
) -> None:
    finished = run_plain(*small.options, corvint(small), option, *arguments, output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert f"{option.partition('=')[0]}: {words}" in finished.text
    assert not (small.folder / "calls").exists()
    assert not [path.name for path in small.folder.iterdir() if path.name.startswith(("r.json", "capture"))]


@pytest.mark.parametrize("option", ["--rb-snapshot-latency", "--rb-context-packets=capture.jsonl"])
def test_a_mode_of_context_without_samples_is_a_usage_error(run_plain: Run, option: str) -> None:
    finished = run_plain(option, output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert f"{option.partition('=')[0]}: there is nothing to measure; give --rb-samples" in finished.text


def test_no_workers_are_no_distribution_and_a_registration_alone_is_enough(
    run_plain: Run, small: SmallBenchmark
) -> None:
    finished = run_plain(*(*small.options, corvint(small), *MODE, "-n0", "--rb-registration=bound.json"), output=None)
    finished.result.assert_outcomes(passed=8)
    assert (small.folder / "bound.json").exists()
