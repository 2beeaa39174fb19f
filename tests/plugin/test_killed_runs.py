"""Nothing survives a killed run: no process, no temporary folder, no trace in what belongs to the caller.

`RB_KILLS=54 pytest tests/plugin/test_killed_runs.py` kills as often, six times in each way; otherwise six ways do.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.killable_run import ARMS, Stage, Started, is_clean

pytestmark = [
    pytest.mark.usefixtures("heeds_signals"),
    pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc"),
    pytest.mark.skipif(shutil.which("git") is None, reason="needs git"),
]

KILLS = int(os.environ.get("RB_KILLS", "6"))
WAYS = [
    (signal.SIGTERM, "controller", "plain"),
    (signal.SIGINT, "group", "-n2"),
    (signal.SIGKILL, "controller", "plain"),
    (signal.SIGKILL, "controller", "-n2"),
    (signal.SIGKILL, "worker", "-n2"),
    (signal.SIGTERM, "worker", "-n2"),
    (signal.SIGTERM, "controller", "-n2"),
    (signal.SIGINT, "group", "plain"),
    (signal.SIGINT, "worker", "-n2"),
]


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def way(number: int) -> str:
    how, whom, mode = WAYS[number % len(WAYS)]
    return f"{number}-{how.name}-{whom}-{mode.strip('-')}"


@pytest.mark.parametrize("number", range(KILLS), ids=way)
def test_nothing_survives_a_killed_run(stage: Stage, number: int) -> None:
    chance = random.Random(number)
    how, whom, mode = WAYS[number % len(WAYS)]
    run = stage.start("killed", *([] if mode == "plain" else [mode]))
    run.wait_for_records(chance.randrange(len(stage.samples) * len(ARMS) - 12))
    time.sleep(chance.random() / 5)
    assert run.kill(how, whom), run.end()
    status, printed = run.end()
    assert stage.processes() == []
    if how == signal.SIGKILL and whom == "controller":
        assert status == -signal.SIGKILL
        assert not run.output.exists()
    else:
        missing = missing_pairs(stage, run)
        # A worker may have been killed when its result had just come in, and another one does the rest.
        assert (missing and status > 0) or (not missing and whom == "worker"), printed
    header, *records = map(json.loads, run.journal)
    assert header["registration"] == json.loads(Path(f"{run.output}.registration.json").read_text(encoding="utf-8"))
    assert {record["arm"] for record in records} <= set(ARMS)
    assert_nothing_is_left(stage)


def test_workers_whose_controller_was_killed_end_whatever_they_do(stage: Stage) -> None:
    """One waits for a command, the other one is in code that catches all that can be raised."""
    run = stage.start("killed", "-n2", "--rb-max-samples=1", arms=("slow", "stuck"))
    run.wait_until(lambda: stage.runs("slow"))
    assert len(run.workers()) == 2
    assert run.kill(signal.SIGKILL, "controller"), run.end()
    assert run.end()[0] == -signal.SIGKILL
    assert_nothing_is_left(stage)


def assert_nothing_is_left(stage: Stage) -> None:
    """No process, no temporary folder once somebody else has run, and the caller's own as it was."""
    assert stage.processes() == []
    next_run = stage.start("next", "--rb-max-samples=1", arms=("own",))
    assert next_run.end()[0] == 0
    assert next_run.report["arms"]["own"]["errors"] == 0
    assert stage.temporary_entries() == []
    assert stage.processes() == []
    assert stage.changes_of_the_callers() == []
    assert is_clean(stage.snapshot)


def missing_pairs(stage: Stage, run: Started) -> set[tuple[str, str]]:
    """What the report names as missing; all else is in it, and went through the journal."""
    report = run.report
    there = {(row["id"], arm) for row in report["details"] for arm in row["arms"]}
    missing = {(pair["id"], pair["arm"]) for pair in report.get("incomplete", [])}
    assert there.isdisjoint(missing)
    assert there | missing == {(sample, arm) for sample in stage.samples for arm in ARMS}
    records: list[dict[str, Any]] = [json.loads(line) for line in run.journal[1:]]
    assert there == {(record["sample_id"], record["arm"]) for record in records}
    return missing
