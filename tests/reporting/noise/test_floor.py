"""The noise floor of reports: what is one kind of run, what is deterministic, what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.reporting.canonical import canonical
from pytest_retrieval_bench.reporting.noise.floor import noise_floor
from pytest_retrieval_bench.reporting.noise.stored_floor import read_floor
from pytest_retrieval_bench.statistics.noise import noise_of
from tests.reporting.noise.runs import run
from tests.reporting.small_reports import HIT, LIMIT, report, row, written

FRESH, FOUND = {"index": {"wall_ms": 2.5}}, {"cache_state": "OBSERVED_HIT"}


def test_the_noise_of_an_arm_is_that_of_the_means_of_its_runs(tmp_path: Path) -> None:
    floor = noise_floor([run(tmp_path / f"{hits}.json", hits) for hits in (2, 3, 5)], 0.05)
    found = floor["arms"]["mine"]["index not told"]["groups"]["all"]["hit@k"]
    noise = noise_of([2 / 6, 3 / 6, 5 / 6])
    assert (found["n"], found["mean"], found["sd"]) == (6, 0.555556, noise.sd)
    assert found["smallest"] == pytest.approx(noise.smallest, abs=1e-6)
    assert (found["low"], found["high"]) == pytest.approx(noise.interval, abs=1e-6)
    assert found["samples_needed"] == noise.samples_needed(6, 0.05)
    assert floor["arms"]["mine"]["index not told"]["groups"]["task:trace2code"]["hit@k"] == found


def test_an_arm_that_answers_the_same_in_all_runs_is_called_deterministic(tmp_path: Path) -> None:
    arms = noise_floor([run(tmp_path / f"{hits}.json", hits) for hits in (2, 3, 5)], 0.05)["arms"]
    assert not arms["mine"]["index not told"]["deterministic"]
    steady = arms["steady"]["index not told"]
    assert steady["deterministic"]
    assert steady["groups"]["all"]["hit@k"] == {"n": 6, "mean": 0.5, "sd": 0, "smallest": 0}


def test_other_rankings_with_the_same_scores_are_not_deterministic(tmp_path: Path) -> None:
    rankings = (["gold.py", "a.py"], ["gold.py", "b.py"], ["gold.py", "c.py"])
    reports = [
        written(tmp_path / f"{place}.json", report([row("s", {"mine": ranked})], {"registered_at": str(place)}))
        for place, ranked in enumerate(rankings)
    ]
    block = noise_floor(reports, 0.05)["arms"]["mine"]["index not told"]
    assert not block["deterministic"]
    assert block["groups"]["all"]["mrr@k"]["sd"] == 0


def test_runs_with_a_fresh_index_and_with_the_same_one_are_kept_apart(tmp_path: Path) -> None:
    reports = [run(tmp_path / f"fresh{hits}.json", hits, FRESH) for hits in (1, 3, 5)]
    reports += [run(tmp_path / f"same{hits}.json", hits, FOUND) for hits in (3, 4, 3)[:2]]
    floor = noise_floor(reports, 0.05)
    assert list(floor["arms"]["mine"]) == ["fresh index"]
    assert floor["not_enough"] == [{"arm": "mine", "index": "same index", "runs": 2}]
    told = [one["index"] for one in floor["reports"]]
    assert [kinds["mine"] for kinds in told] == ["fresh index"] * 3 + ["same index"] * 2
    both = noise_floor([*reports, run(tmp_path / "third.json", 4, FOUND)], 0.05)["arms"]["mine"]
    assert both["fresh index"]["groups"]["all"]["hit@k"]["sd"] == noise_of([1 / 6, 3 / 6, 5 / 6]).sd
    assert both["same index"]["groups"]["all"]["hit@k"]["sd"] == noise_of([3 / 6, 4 / 6, 4 / 6]).sd


def test_a_run_that_built_only_some_of_its_indexes_is_of_neither_kind(tmp_path: Path) -> None:
    reports = []
    for number in range(3):
        rows = [row("a", {"mine": HIT}), row("b", {"mine": HIT}, repo="o/other")]
        rows[0]["arms"]["mine"] |= {"cache_state": "COLD_UNIQUE"}
        rows[1]["arms"]["mine"] |= FOUND
        reports.append(written(tmp_path / f"{number}.json", report(rows, {"registered_at": str(number)})))
    assert list(noise_floor(reports, 0.05)["arms"]["mine"]) == ["partly fresh index"]


def test_an_index_that_the_first_question_built_is_fresh_for_all(tmp_path: Path) -> None:
    reports = []
    for number in range(3):
        rows = [row("a", {"mine": HIT}), row("b", {"mine": HIT})]
        rows[0]["arms"]["mine"] |= {"cache_state": "COLD_UNIQUE"}
        rows[1]["arms"]["mine"] |= {"cache_state": "PRIMED_SHARED"}
        reports.append(written(tmp_path / f"{number}.json", report(rows, {"registered_at": str(number)})))
    assert list(noise_floor(reports, 0.05)["arms"]["mine"]) == ["fresh index"]


def test_stored_answers_are_left_out_for_reading_them_again_is_no_run(tmp_path: Path) -> None:
    bound = {"steady": {"kind": "replay"}}
    floor = noise_floor([run(tmp_path / f"{hits}.json", hits, retrievers=bound) for hits in (2, 3, 5)], 0.05)
    assert list(floor["arms"]) == ["mine"]
    assert list(floor["left_out"]) == ["steady"]


def test_fewer_than_three_runs_of_a_kind_are_refused(tmp_path: Path) -> None:
    two = [run(tmp_path / f"{hits}.json", hits) for hits in (2, 3)]
    for reports in (two, two[:1]):
        with pytest.raises(ReportError, match=r"no arm has 3 runs of one kind \(mine: \d with index not told"):
            noise_floor(reports, 0.05)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"samples_sha256": "6" * 64}, "samples_sha256"),
        ({"retrievers": {"mine": {"kind": "command", "sha256": "b"}}}, "retrievers.mine.sha256"),
        ({"environment": ["CORVINT_X=2"]}, "environment"),
        ({"snapshots": {"o/r@c": "chunks:2"}}, "snapshots.o/r@c"),
        ({"plugin": {"version": "2", "sha256": "b"}}, "plugin.version, plugin.sha256"),
    ],
)
def test_runs_that_were_bound_to_something_else_are_refused(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    bound: dict[str, Any] = {
        "retrievers": {"mine": {"kind": "command", "sha256": "a"}},
        "environment": ["CORVINT_X=1"],
        "snapshots": {"o/r@c": "chunks:1"},
        "plugin": {"version": "1", "sha256": "a"},
    }
    reports = [run(tmp_path / "a.json", 2, **bound), run(tmp_path / "b.json", 3, **bound | change)]
    with pytest.raises(ReportError, match=rf"not of identical runs: they differ in .*{words}"):
        noise_floor(reports, 0.05)


def test_other_gold_is_refused(tmp_path: Path) -> None:
    reports = [
        written(tmp_path / f"{place}.json", report([row("s", {"mine": HIT}, given=[place])], {"registered_at": place}))
        for place in "abc"
    ]
    with pytest.raises(ReportError, match="the samples or their gold"):
        noise_floor(reports, 0.05)


@pytest.mark.parametrize("merged", [False, True])
def test_one_run_counts_once_under_any_name(tmp_path: Path, merged: bool) -> None:
    first = run(tmp_path / "a.json", 2)
    again = tmp_path / "again.json"
    if merged:
        run(again, 2, source_reports_sha256=[first.sha256])
    else:
        again.write_bytes(first.path.read_bytes() + b"\n")
    from pytest_retrieval_bench.reporting.load import load_report

    with pytest.raises(ReportError, match=r"again\.json hold the same run; give each run once"):
        noise_floor([first, run(tmp_path / "b.json", 3), load_report(again)], 0.05)


def test_an_incomplete_report_is_refused(tmp_path: Path) -> None:
    whole = report([row("s", {"mine": HIT})])
    part = written(tmp_path / "part.json", {**whole, "incomplete": [{"id": "s", "arm": "other", "why": "stopped"}]})
    with pytest.raises(ReportError, match="it is incomplete, 1 result missing"):
        noise_floor([part], 0.05)


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    floor = noise_floor([run(tmp_path / f"{hits}.json", hits) for hits in (2, 3, 5)], 0.05)
    (tmp_path / "floor.json").write_bytes(canonical(floor))
    stored = read_floor(tmp_path / "floor.json")
    noise = noise_of([2 / 6, 3 / 6, 5 / 6])
    assert stored.between_runs("mine", ["index not told"], ("all", "hit@k")) == noise.smallest
    assert stored.between_runs("steady", ["index not told"], ("all", "hit@k")) == 0
    assert stored.between_runs("mine", ["same index"], ("all", "hit@k")) is None
    assert stored.limit == LIMIT


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda floor: floor.update(profile="x"), "the profile is 'x'"),
        (lambda floor: floor.pop("arms"), "'arms' is missing"),
        (lambda floor: floor["arms"]["mine"]["index not told"].update(runs=2), "at least 3, this is 2"),
        (
            lambda floor: floor["arms"]["mine"]["index not told"]["groups"]["all"]["hit@k"].update(sd=-1),
            "sd must be a number of at least 0",
        ),
    ],
)
def test_what_is_no_noise_floor_is_refused(tmp_path: Path, change: Any, words: str) -> None:
    floor = noise_floor([run(tmp_path / f"{hits}.json", hits) for hits in (2, 3, 5)], 0.05)
    change(floor)
    (tmp_path / "floor.json").write_bytes(canonical(floor))
    with pytest.raises(ReportError, match=words):
        read_floor(tmp_path / "floor.json")
