"""`python -m pytest_retrieval_bench agents`: from logs and a report to tables and a document."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.__main__ import main
from tests.conftest import Run
from tests.schemas import faults
from tests.small_benchmark import ROWS, SmallBenchmark

GOLD = {"cart-test": "tests/test_cart.py", "wrong-sum": "shop/price.py", "tick": "src/zone.ts"}


def agents(*arguments: object) -> int:
    return main(["agents", *map(str, arguments)])


def log(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def document(path: Path) -> dict[str, Any]:
    """The document, which is as its schema says."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    assert faults("agents", found) == []
    return found


@pytest.fixture
def walk(small: SmallBenchmark) -> Path:
    """The log of an agent that sees the gold of each sample at its second step; it also tried what has no gold."""
    steps = [{"path": "README.md"}, {"path": "GOLD"}]
    rows = [
        {"sample_id": row["id"], "trajectory": [{"path": step["path"].replace("GOLD", GOLD.get(row["id"], "x"))}
                                                for step in steps]}
        for row in ROWS
    ]  # fmt: skip
    return log(small.folder / "walk.jsonl", rows)


def test_a_log_is_joined_with_the_arms_of_a_report(
    run: Run, small: SmallBenchmark, walk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = run(*small.options, "--rb-arms=grep,grep-ident", "--rb-metrics=arb")
    capsys.readouterr()
    output = small.folder / "agents.json"
    assert agents(walk, f"--report={report.output}", f"--output={output}") == 0
    found = document(output)
    assert found["agents"]["walk"]["n"] == 3
    assert found["agents"]["walk"]["left_out"] == {"no gold": ["nothing-here"]}
    assert found["agents"]["walk"]["cost"]["all"]["first_gold"] == {"n": 3, "mean": 2, "median": 2}
    ranks = {row["id"]: row["measures"]["grep"]["arb"]["gold_ranks"] for row in report.report["details"] if row["gold"]}
    hits = sum(any(rank is not None and rank <= 20 for rank in found.values()) for found in ranks.values())
    cells = found["joins"]["walk"]["grep"]["complementarity"]["20"]
    assert (cells["both_hit"]["n"], cells["both_hit"]["count"], cells["agent_only"]["count"]) == (3, hits, 3 - hits)
    assert cells["potential_exploration_savings"]["mean"] == pytest.approx(hits / 3, abs=1e-6)
    assert list(found["retrievers"]) == ["grep", "grep-ident"]
    told = capsys.readouterr().out
    assert "walk: 1 left out, no gold: nothing-here" in told
    assert told.endswith(f"written: {output}\n")


def test_gold_comes_from_the_samples_without_a_report(small: SmallBenchmark, walk: Path) -> None:
    output = small.folder / "agents.json"
    assert agents(f"mine={walk}", f"--samples={small.samples}", f"--output={output}") == 0
    found = document(output)
    assert list(found["agents"]) == ["mine"]
    assert found["retrievers"] == found["joins"]["mine"] == {}
    assert len(found["inputs"]["logs"]["mine"]) == len(found["inputs"]["samples"]) == 1


def test_logs_of_one_name_add_up_and_a_control_makes_pairs(small: SmallBenchmark, walk: Path, run_plain: Run) -> None:
    report = run_plain(*small.options, "--rb-arms=grep", "--rb-metrics=arb").output
    seeded = [{"sample_id": name, "path": path, "final": True} for name, path in GOLD.items()]
    parts = [log(small.folder / f"part{number}.jsonl", seeded[number::2]) for number in (0, 1)]
    packets = log(small.folder / "packets.jsonl", [{"sample_id": "tick", "PES@20": 4, "group": "high"}])
    output = small.folder / "agents.json"
    logs = [walk, *(f"seeded={part}" for part in parts)]
    assert agents(*logs, f"--report={report}", "--control=walk", f"--output={output}") == 0
    found = document(output)
    assert found["seed_intervention"]["n"] == 3
    paired = found["seed_intervention"]["agents"]["seeded"]["paired"]
    assert paired["f1_delta"]["mean"] == pytest.approx(1 / 3, abs=1e-6)
    assert paired["first_gold_delta"] == {"n": 3, "mean": -1}
    assert found["calibration"]["seeded"]["grep"]["all"]["n"] == 3
    output.unlink()
    options = ["--control=walk", f"--packets={packets}", f"--output={output}", f"--samples={small.samples}"]
    assert agents(*logs, *options) == 0
    calibration = document(output)["calibration"]["seeded"]["packets"]
    assert calibration["group:high"]["gained_over_predicted"] == {"n": 1, "ratio": 0.25}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gone.jsonl"], "gone.jsonl: cannot be read"),
        (["=walk.jsonl"], "'=walk.jsonl' is not NAME=LOG.jsonl"),
        (["walk.jsonl", "--control=other"], "--control: unknown agent 'other'"),
        (["walk.jsonl", "--control=walk"], "--control: needs another agent"),
        (["walk.jsonl", "--packets=p.jsonl"], "--packets: predicts what seeds save"),
        (["walk.jsonl"], "walk: no sample of walk.jsonl can be judged"),
        (["walk.jsonl", "--report=walk.jsonl"], "walk.jsonl: cannot be read as a report"),
        (["walk.jsonl", "--samples=samples.jsonl", "--output=walk.jsonl"], "walk.jsonl exists; give a new path"),
        (["walk.jsonl", "--samples=samples.jsonl", "--output=gone/a.json"], "gone is no directory"),
        (["torn.jsonl", "--samples=samples.jsonl"], "torn.jsonl:2: not JSON"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_is_written(
    small: SmallBenchmark, walk: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    (small.folder / "torn.jsonl").write_text('{"id": "tick", "path": "a"}\n{"id": "tick", "pa')
    before = sorted(small.folder.rglob("*"))
    assert agents(*arguments) == 4
    told = capsys.readouterr()
    assert (told.out, told.err.startswith(words)) == ("", True), told.err
    assert sorted(small.folder.rglob("*")) == before


def test_the_document_has_the_same_bytes_each_time(small: SmallBenchmark, walk: Path) -> None:
    outputs = [small.folder / f"{number}.json" for number in (1, 2)]
    for output in outputs:
        assert agents(walk, f"--samples={small.samples}", f"--output={output}") == 0
    assert outputs[0].read_bytes() == outputs[1].read_bytes()


def test_names_of_strangers_are_shown_on_one_line(small: SmallBenchmark, capsys: pytest.CaptureFixture[str]) -> None:
    rows: list[dict[str, Any]] = [
        {"sample_id": "\x1b[2Jone", "gold_files": [], "steps": []},
        {"sample_id": "two", "gold_files": ["a"], "steps": [{"path": "a", "tool": "\x1b[2J"}], "task_type": "\x1b[2J"},
    ]
    assert agents(log(small.folder / "odd.jsonl", rows)) == 0
    assert all(line.isprintable() for line in capsys.readouterr().out.splitlines())
