"""The measures of Agent Retrieval Bench against what its own toolkit wrote, where that is at hand.

`RB_REAL` names a folder with `samples.jsonl`, `corpus/` and `toolkit/` (details of the toolkit for these samples), and
with `published/`, the `data` folder of the toolkit's repository.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.benchmarks.read import read_samples
from pytest_retrieval_bench.model import Answer, Query, Sample
from pytest_retrieval_bench.reporting.arb.depth import rank_depth
from pytest_retrieval_bench.reporting.arb.positives import Positive, means
from pytest_retrieval_bench.scoring.arb.measure import measure
from pytest_retrieval_bench.scoring.arb.names import FILE_MEASURES, PACKING_MEASURES
from pytest_retrieval_bench.snapshots.chunk_file import ChunkFile

REAL = Path(os.environ.get("RB_REAL") or "absent")
TOOLKIT = sorted((REAL / "toolkit").glob("*.jsonl"))
FILTERED = REAL / "published" / "eval" / "v1_1_candidate_filter_ablation"
# Recall@5, @10, @20, MRR: the published table of candidate filters.
PUBLISHED = {
    "lexical_code_only": (0.2143, 0.3711, 0.5732, 0.1620),
    "lexical_tests_only": (0.1754, 0.2764, 0.3613, 0.1562),
    "repomap_code_only": (0.3276, 0.5094, 0.6686, 0.2283),
    "repomap_tests_only": (0.2295, 0.3063, 0.3783, 0.1984),
}
BY_TASK = {
    "lexical_code_only": (0.0789, 0.1613, 0.2498),
    "lexical_tests_only": (0.2771, 0.1934, 0.0000),
    "repomap_code_only": (0.2284, 0.1590, 0.2829),
    "repomap_tests_only": (0.3875, 0.1984, 0.0000),
}
TASKS = ("code2test", "comment2context", "trace2code")


def details(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def ranking(row: dict[str, Any]) -> list[str]:
    """A ranking with the first twenty files of the row, and its gold files at their ranks."""
    deep = {rank: path for path, rank in row["gold_ranks"].items() if rank}
    deep |= dict(enumerate(row["top_files"], start=1))
    return [deep.get(rank, f"filler/{rank}") for rank in range(1, max(deep, default=0) + 1)]


@cache
def samples() -> dict[str, Sample]:
    return {sample.id: sample for file in read_samples([REAL / "samples.jsonl"]) for sample in file.samples}


@cache
def snapshot(repo: str, commit: str) -> ChunkFile:
    return ChunkFile(repo, commit, REAL / "corpus" / repo.replace("/", "__") / f"{commit}.chunks.jsonl")


def kept(row: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, float]]]:
    sample = samples()[row["sample_id"]]
    files = snapshot(sample.repo, sample.base_commit)

    def text_of(path: str) -> str | None:
        return None if files.size(path) is None else files.text(path)

    found: Any = measure(sample, Answer(ranking(row)), text_of)
    yield found, found["values"]


@pytest.mark.skipif(not TOOLKIT, reason="RB_REAL has no details of the toolkit")
@pytest.mark.parametrize("path", TOOLKIT, ids=lambda path: path.stem)
def test_each_measure_of_a_file_ranking_is_the_one_that_the_toolkit_gives(path: Path) -> None:
    # What fits into 8,000 characters can only be told from a ranking of files where the ranker ranks files.
    packing = PACKING_MEASURES if path.stem.startswith("repomap") else ()
    compared = 0
    for row in details(path):
        for found, values in kept(row):
            assert found["gold_ranks"] == row["gold_ranks"]
            names = {name for name in row["metrics"] if name in FILE_MEASURES or name in packing}
            assert {name: values[name] for name in names} == pytest.approx(
                {name: row["metrics"][name] for name in names}, abs=1e-9
            ), row["sample_id"]
            assert names >= {"MRR", "F0.5@20", "coverage_auc@20", "hard_negative_hits@5"}
            compared += 1
    assert compared == 26


@pytest.mark.skipif(not FILTERED.is_dir(), reason="RB_REAL has no published details of candidate filters")
@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_table_of_candidate_filters_comes_out(name: str) -> None:
    positives = []
    for row in details(FILTERED / f"{name}_details.jsonl"):
        gold = tuple(dict.fromkeys(row["gold_files"]))
        sample = Sample(
            row["sample_id"], row["task_type"], row["repo"], row["base_commit"], Query({}, "", ""), gold, (), (),
            "positive", "A",
        )  # fmt: skip
        found: Any = measure(sample, Answer(ranking(row)), lambda path: None, FILE_MEASURES)
        for metric in ("Recall@5", "Recall@10", "Recall@20", "MRR"):
            assert found["values"][metric] == pytest.approx(row["metrics"][metric], abs=1e-9)
        positives.append(Positive(sample.id, sample.task_type, sample.repo, "", found["values"], found["gold_ranks"]))
    whole = means(positives)
    assert whole["n"] == 287
    assert tuple(round(whole[metric], 4) for metric in ("Recall@5", "Recall@10", "Recall@20", "MRR")) == PUBLISHED[name]
    by_task = [means([one for one in positives if one.task == task])["MRR"] for task in TASKS]
    assert tuple(round(value, 4) for value in by_task) == BY_TASK[name]
    depth = rank_depth(positives)
    assert depth["recall"]["20"] == whole["Recall@20"]
    assert depth["any"]["20"] == whole["Any@20"]
