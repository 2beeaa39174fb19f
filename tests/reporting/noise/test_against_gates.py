"""Gates beside a noise floor: no claim rests on noise, and no alarm rings on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_retrieval_bench.reporting.gates import Comparison
from pytest_retrieval_bench.reporting.judging import judge
from pytest_retrieval_bench.reporting.noise.against_gates import why_unusable
from pytest_retrieval_bench.reporting.noise.stored_floor import Floor
from pytest_retrieval_bench.statistics.noise import Noise, smallest_between
from tests.reporting.noise.runs import run

UNTOLD = "index not told"


def floor(sd: float, kind: str = UNTOLD) -> Floor:
    """A floor in which both arms move by this SD in five runs."""
    noise = {("all", "hit@k"): Noise(sd, 5)}
    return Floor(Path("floor.json"), "f" * 64, "5" * 64, "r" * 64, 5, {"mine": {kind: noise}, "steady": {kind: noise}})


def alarm(margin: float) -> Comparison:
    return Comparison("mine", None, "hit@k", None, margin)


@pytest.mark.parametrize(
    ("hits", "sd", "outcome", "words"),
    [
        (2, 0.0, "failed", "identical runs did not differ"),
        (2, 0.001, "failed", "beyond the noise, 0.00392"),
        (2, 0.2, "skipped", "within the noise, 0.785"),
        (4, 0.01, "passed", "within the noise, 0.0392"),
    ],
)
def test_an_alarm_does_not_ring_on_noise(tmp_path: Path, hits: int, sd: float, outcome: str, words: str) -> None:
    old, new = run(tmp_path / "old.json", 4).data, run(tmp_path / "new.json", hits).data
    verdict = judge(alarm(0.2), new, old, floor(sd))
    assert verdict.outcome == outcome
    assert words in verdict.message
    assert judge(alarm(0.2), new, old).outcome == ("failed" if hits == 2 else "passed")


def test_an_alarm_that_is_finer_than_the_noise_is_never_green(tmp_path: Path) -> None:
    same = run(tmp_path / "same.json", 4).data
    assert judge(alarm(0.2), same, same, floor(0.2)).outcome == "skipped"


@pytest.mark.parametrize(("sd", "outcome"), [(0.0, "passed"), (0.01, "passed"), (0.5, "failed")])
def test_no_win_rests_on_noise(tmp_path: Path, sd: float, outcome: str) -> None:
    report = run(tmp_path / "new.json", 6).data
    verdict = judge(Comparison("mine", "steady", "hit@k", None, 0), report, None, floor(sd))
    assert verdict.outcome == outcome
    noise = Noise(sd, 5)
    bound = f"{smallest_between(noise, noise):g}"
    assert (f"beyond the noise, {bound}" in verdict.message) == (sd == 0.01)
    assert (f"within the noise, {bound}" in verdict.message) == (sd == 0.5)


def test_a_run_of_another_kind_than_the_floor_knows_is_not_judged(tmp_path: Path) -> None:
    report = run(tmp_path / "new.json", 6).data
    verdict = judge(alarm(0.2), report, report, floor(0.01, "fresh index"))
    assert verdict.outcome == "failed"
    assert "floor.json has no figure of mine, index not told, and the older run, index not told" in verdict.message


@pytest.mark.parametrize(
    ("gate", "words"),
    [
        (alarm(0.01), "asks for less than the noise of 0.0785"),
        (Comparison("other", None, "hit@k", None, 0.5), "it has no figure of other in hit@k over all"),
        (Comparison("mine", None, "mrr@k", None, 0.5), "it has no figure of mine in mrr@k over all"),
        (Comparison("mine", "other", "hit@k", None, 0.5), "it has no figure of other in hit@k over all"),
    ],
)
def test_a_gate_that_the_floor_cannot_bear_is_refused(gate: Comparison, words: str) -> None:
    why = why_unusable(floor(0.02), [alarm(0.5), gate])
    assert why is not None
    assert words in why
    assert why_unusable(floor(0.02), [alarm(0.5)]) is None
