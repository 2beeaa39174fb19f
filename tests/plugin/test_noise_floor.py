"""`--rb-noise-floor` over reports of identical runs, and `--rb-noise` beside gates and comparisons."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from pytest_retrieval_bench.reporting.canonical import canonical
from tests.conftest import Run
from tests.house.pages import steps
from tests.schemas import faults
from tests.small_benchmark import SmallBenchmark

# Every run of it finds the gold of some samples, by a file that counts the runs.
ARMS = """
from pathlib import Path
from pytest_retrieval_bench import Answer

class Noisy:
    name = "noisy"
    found = int(Path("found").read_text())

    def prepare(self, snapshot):
        pass

    def answer(self, query, snapshot, limit):
        gold = ["tests/test_cart.py", "shop/price.py", "src/zone.ts"][: self.found]
        return Answer([path for path in gold if path in snapshot.paths])

def pytest_retrieval_bench_arms(config):
    return [Noisy()]
"""
ARM = "--rb-arms=noisy,grep"


@pytest.fixture
def reports(run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> list[Path]:
    """Four runs in which `noisy` finds one, two, one and all three golds."""
    pytester.makeconftest(ARMS)
    return [measured(run_plain, small, found, f"run{number}.json") for number, found in enumerate((1, 2, 1, 3))]


def measured(run: Run, small: SmallBenchmark, found: int, name: str, *options: str) -> Path:
    (small.folder / "found").write_text(str(found))
    return run(*small.options, ARM, *options, output=name).output


def floor_of(run: Run, reports: list[Path]) -> Path:
    return run(*(f"--rb-noise-floor={report}" for report in reports), output="floor.json").output


def test_the_floor_of_identical_runs_is_shown_and_written(run: Run, reports: list[Path]) -> None:
    finished = run(*(f"--rb-noise-floor={report}" for report in reports), "--rb-margin=0.1", output="floor.json")
    assert finished.status == 0
    finished.result.assert_outcomes()
    floor = json.loads(finished.output.read_text(encoding="utf-8"))
    assert finished.output.read_bytes() == canonical(floor)
    assert faults("noise", floor) == []
    assert floor["margin"] == 0.1
    noisy = floor["arms"]["noisy"]["fresh index"]["groups"]["all"]["hit@k"]
    assert (noisy["n"], noisy["mean"]) == (3, pytest.approx(7 / 12, abs=1e-6))
    assert floor["arms"]["grep"]["index not told"]["deterministic"]
    assert "run0.json, sha256" in finished.text
    assert "index not told: grep; fresh index: noisy" in finished.text
    assert "grep, index not told: deterministic, the same answers in all 4 runs" in finished.text


def test_a_difference_within_the_floor_is_said_to_be_noise(run: Run, reports: list[Path]) -> None:
    floor = floor_of(run, reports)
    finished = run("--rb-compare", reports[0], reports[1], f"--rb-noise={floor}", output="changes.json")
    assert finished.status == 0
    metrics = finished.report["arms"]["noisy"]["groups"]["all"]["metrics"]
    assert metrics["hit@k"]["noise"]["within"]
    assert finished.report["arms"]["grep"]["groups"]["all"]["metrics"]["hit@k"]["noise"] == {
        "smallest": 0,
        "within": False,
    }
    assert "within 1." in finished.text
    assert "none seen" in finished.text


def test_a_loss_that_is_noise_turns_no_gate_red_and_a_win_that_is_noise_none_green(
    run: Run, run_plain: Run, small: SmallBenchmark, reports: list[Path]
) -> None:
    floor = floor_of(run_plain, reports)
    (small.folder / "found").write_text("1")
    alarm = ["--rb-gate=grep no-regression hit@k by 0.9", f"--rb-gate-report={reports[3]}"]
    red = run(*small.options, ARM, *alarm, "--rb-gate=noisy no-regression hit@k by 0.9", output="red.json")
    assert "gate failed: noisy no-regression hit@k by 0.9" in red.text
    held = json.loads(floor.read_text(encoding="utf-8"))
    for metrics in held["arms"]["noisy"]["fresh index"]["groups"].values():
        metrics["hit@k"] = {**metrics.get("hit@k", {}), "sd": 0.19}
    floor.write_bytes(canonical(held))
    options = [*alarm, "--rb-gate=noisy no-regression hit@k by 0.9", f"--rb-noise={floor}"]
    finished = run(*small.options, ARM, *options, output="new.json")
    assert finished.status == 0, finished.text
    finished.result.assert_outcomes(passed=9, skipped=1)
    assert "gate skipped: noisy no-regression hit@k by 0.9: difference -0.666667" in finished.text
    assert "within the noise, 0.855" in finished.text
    merged = run(f"--rb-summarize={finished.output}", *options, output="merged.json")
    merged.result.assert_outcomes(passed=1, skipped=1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--rb-gate=grep hit@k >= 0.1"], "--rb-noise: no gate compares"),
        (["--rb-gate=grep beats noisy hit@k", "--rb-limit=5"], "its limit is 20, here 5"),
        (["--rb-gate=grep beats noisy hit@k", "--rb-max-samples=3"], "another part of the samples"),
        (["--rb-gate=bm25:all beats grep hit@k", "--rb-arms=grep,bm25:all"], "it has no figure of bm25:all in hit@k"),
    ],
)
def test_a_floor_of_something_else_is_a_usage_error(
    run_plain: Run, small: SmallBenchmark, reports: list[Path], options: list[str], words: str
) -> None:
    floor = floor_of(run_plain, reports)
    finished = run_plain(*small.options, ARM, *options, f"--rb-noise={floor}", output="refused.json")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text
    assert not finished.output.exists()


def test_a_floor_of_other_samples_is_refused_by_gates_and_comparisons(
    run_plain: Run, small: SmallBenchmark, reports: list[Path]
) -> None:
    floor = floor_of(run_plain, reports)
    small.samples.write_text(small.samples.read_text().replace("src/zone.ts", "src/clock.ts"))
    gate = run_plain(*small.options, ARM, "--rb-gate=grep beats noisy hit@k", f"--rb-noise={floor}", output="gate.json")
    assert gate.status == pytest.ExitCode.USAGE_ERROR
    assert "it is about other samples" in gate.text
    new = measured(run_plain, small, 1, "new.json")
    finished = run_plain("--rb-compare", new, new, f"--rb-noise={floor}", output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert f"--rb-noise: {floor} says nothing of {new}: it is about other samples" in finished.text


def test_a_shard_judges_no_gate_and_needs_no_floor_of_its_own(
    run: Run, run_plain: Run, small: SmallBenchmark, reports: list[Path]
) -> None:
    floor = floor_of(run_plain, reports)
    gate = ["--rb-gate=grep beats noisy hit@k", f"--rb-noise={floor}", "--rb-shard=1/2"]
    finished = run(*small.options, ARM, *gate, output="shard.json")
    assert finished.status == 0
    assert "gate skipped: grep beats noisy hit@k: not judged: shard 1 of 2" in finished.text


def test_other_options_beside_are_refused(run_plain: Run, reports: list[Path]) -> None:
    for options, words in (
        (["--rb-corpus=x"], "runs nothing; leave out --rb-corpus"),
        (["--rb-margin=2"], "--rb-margin: must be a number between 0 and 1"),
        ([f"--rb-noise-floor={reports[0]}"], "hold the same run"),
    ):
        finished = run_plain(*(f"--rb-noise-floor={report}" for report in reports), *options, output=None)
        assert finished.status == pytest.ExitCode.USAGE_ERROR
        assert words in finished.text


MINE = """
import random
from pytest_retrieval_bench import Answer

class Mine:
    name = "mine"

    def prepare(self, snapshot):
        self.random = random.Random()

    def answer(self, query, snapshot, limit):
        words = set(query.plain.lower().split())
        scores = {path: sum(word in path.lower() for word in words) + self.random.random() for path in snapshot.paths}
        return Answer(sorted(scores, key=scores.__getitem__, reverse=True)[:limit])

def pytest_retrieval_bench_arms(config):
    return [Mine()]
"""


def test_the_commands_of_the_page_work_as_they_stand(run_apart: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(MINE)
    page = (Path(__file__).parents[2] / "docs" / "noise.md").read_text(encoding="utf-8")
    commands = [step.text for step in steps(page) if step.kind == "command"]
    floor, comparison, gate = (
        next(command for command in commands if option in command)
        for option in ("--rb-noise-floor=run1", "--rb-compare old", "--rb-gate=")
    )
    for name in ("run1", "run2", "run3", "run4", "run5", "old", "new"):
        run_apart("--rb-suite=demo", "--rb-arms=mine", output=f"{name}.json")
    measured = run_apart(*shlex.split(floor)[1:], output=None)
    assert measured.status == 0
    assert "5 identical runs over 70 samples, limit 20:" in measured.text
    assert "mine  fresh index     5  recall@20  53" in measured.text
    compared = run_apart(*shlex.split(comparison)[1:], output=None)
    assert compared.status == 0
    assert "noise floor: sha256" in compared.text
    judged = run_apart(*shlex.split(gate.replace("grep no-", "mine no-"))[1:], "--rb-arms=mine", output=None)
    assert "gate " in judged.text or "asks for less than the noise of" in judged.text
