"""The demo suite is what its README says: five tasks, three languages, arms that differ visibly."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from pytest_retrieval_bench.benchmarks.read import read_samples
from pytest_retrieval_bench.snapshots.store import SnapshotStore
from tests.conftest import Run

DEMO = Path(__file__).parents[2] / "benchmark_suites" / "demo"


def test_all_tasks_and_strata_are_there() -> None:
    (file,) = read_samples([DEMO])
    tasks = Counter(sample.task_type for sample in file.samples)
    assert set(tasks) == {"code2test", "comment2context", "trace2code", "edit2ripple", "abstention"}
    assert sum(tasks.values()) >= 40
    strata = Counter(sample.stratum for sample in file.samples)
    assert min(strata["natural_no_gold"], strata["counterfactual_no_gold"]) >= 4
    assert len({sample.repo for sample in file.samples}) == 3


def test_every_path_that_a_sample_names_is_in_its_snapshot() -> None:
    (file,) = read_samples([DEMO])
    store = SnapshotStore(DEMO / "corpus", {})
    for sample in file.samples:
        paths = store.open(sample.repo, sample.base_commit).paths
        named = [*sample.gold, *sample.given, *sample.hard_negatives]
        assert [path for path in named if path not in paths] == [], sample.id


def test_the_arms_differ_visibly(run_plain: Run) -> None:
    finished = run_plain("--rb-suite=demo")
    assert finished.status == 0
    arms = finished.report["arms"]
    for metric in ("hit@k", "mrr@k", "recall@5", "recall@20"):
        values = [section["all"][metric] for section in arms.values()]
        assert max(values) - min(values) > 0.1, metric
        assert 0 < min(values) < max(values) < 1
    natural = {arm: section["stratum:natural_no_gold"]["selective_success"] for arm, section in arms.items()}
    assert natural["grep-ident"] > natural["bm25:ident"] > natural["grep"]


def test_nothing_in_it_points_at_a_real_place() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(DEMO.rglob("*.jsonl")))
    for row in (json.loads(line) for line in (DEMO / "samples.jsonl").read_text(encoding="utf-8").splitlines()):
        assert row["metadata"]["invented"] is True
    hosts = {part.split("/")[0].split("\\")[0].strip("\"'`)>,.") for part in text.split("://")[1:]}
    allowed = ("example.com", "example.test", "example.org", "localhost", "127.0.0.1")
    assert {host for host in hosts if not any(name in host for name in allowed)} == set()
