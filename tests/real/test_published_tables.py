"""Published figures of Agent Retrieval Bench that follow from what the repository of its toolkit stores.

`RB_REAL` names a folder with `published/`, the `data` folder of that repository. The filters and the measures of
rankings are in `test_arb_measures`, the arithmetic of the leaderboard in `tests/reporting/arb/test_views`.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.benchmarks.agent_retrieval_bench import sample_of
from pytest_retrieval_bench.doctor.entries import Entry, entries
from pytest_retrieval_bench.doctor.examine import Diagnosis, Seen, diagnose
from pytest_retrieval_bench.reporting.arb.positives import Positive, means
from pytest_retrieval_bench.scoring.arb.files import file_measures

PUBLISHED = Path(os.environ.get("RB_REAL") or "absent") / "published"
FIRST = PUBLISHED / "benchmark" / "v0_1"
NO_GOLD = PUBLISHED / "benchmark" / "v2_abstention_pilot" / "abstention.jsonl"
CANDIDATES = PUBLISHED / "provenance" / "edit2ripple_expansion_candidates_v1" / "candidates.jsonl"

pytestmark = pytest.mark.skipif(not FIRST.is_dir(), reason="RB_REAL has no published/")


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def listed(path: Path) -> list[Entry]:
    return list(entries([(path, path.read_bytes())]))


def diagnosis(path: Path, missing: dict[str, tuple[str, ...]] | None = None) -> Diagnosis:
    """What the doctor says, were every snapshot there and lacked these gold files, by sample id."""
    found = listed(path)
    return diagnose(found, {entry.where: Seen(missing=(missing or {}).get(entry.identity, ())) for entry in found})


def found(result: Diagnosis, check: str) -> set[str]:
    (listed,) = [listed for one, listed in result.findings.items() if one.name == check]
    return {one.identity for one in listed}


def test_the_first_lexical_table_comes_out() -> None:
    positives = []
    for row in rows(PUBLISHED / "eval" / "v0_1" / "lexical_details.jsonl"):
        again = file_measures(row["top_files"], row["gold_files"], ())
        # The file has the first twenty of each ranking, and so no later rank.
        names = ["Recall@5", "Recall@10", "Recall@20", *(["MRR"] if again["MRR"] else [])]
        assert {name: again[name] for name in names} == pytest.approx({name: row["metrics"][name] for name in names})
        positives.append(Positive(row["sample_id"], row["task_type"], row["repo"], "", row["metrics"], {}))
    tasks = {task: [one for one in positives if one.task == task] for task in ("code2test", "comment2context")}
    whole = means(positives)
    assert [whole[name] for name in ("n", "Recall@5", "Recall@10", "Recall@20", "MRR", "gold_coverage@8k")] == [
        35, 0.628571, 0.657143, 0.692857, 0.554608, 0.571429,
    ]  # fmt: skip
    assert [means(tasks["code2test"])[name] for name in ("Recall@5", "Recall@20", "MRR")] == [
        0.235294, 0.367647, 0.141839,
    ]  # fmt: skip
    assert means(tasks["comment2context"])["MRR"] == 0.96875


def test_hints_and_missing_gold_of_the_first_samples_are_the_published_ones() -> None:
    told = {row["sample_id"]: row for row in rows(PUBLISHED / "reports" / "v0_1" / "sample_diagnostics.jsonl")}
    missing = {name: tuple(row["missing_gold_files"]) for name, row in told.items()}
    result = diagnosis(FIRST / "samples.jsonl", missing)
    hints = {name: row["query_hints"] for name, row in told.items()}
    assert found(result, "hint: path") == {name for name, hint in hints.items() if hint["has_gold_path_hint"]}
    assert found(result, "hint: file name") == {name for name, hint in hints.items() if hint["has_gold_basename_hint"]}
    assert (len(found(result, "hint: path")), 35 - len(found(result, "gold file"))) == (19, 31)
    assert result.labels["invalid_missing_gold"] == 4


@pytest.mark.parametrize(("path", "count"), [(FIRST / "samples.jsonl", 35), (NO_GOLD, 82), (CANDIDATES, 27)])
def test_no_published_row_breaks_a_rule_of_its_task(path: Path, count: int) -> None:
    result = diagnosis(path)
    assert result.among["rows"] == count
    assert [found(result, check) for check in ("schema", "release form", "duplicate id")] == [set(), set(), set()]


def test_the_samples_without_gold_are_the_published_ones() -> None:
    samples = [(sample_of(row, "row"), row["gold"]["reason"]) for row in rows(NO_GOLD)]
    assert Counter(sample.stratum for sample, _ in samples) == {"natural_no_gold": 50, "counterfactual_no_gold": 32}
    assert Counter(why for sample, why in samples if sample.stratum == "natural_no_gold") == {
        "upstream_dependency": 41, "external_service": 7, "user_error": 2,
    }  # fmt: skip
    by_repository = Counter((sample.repo, sample.stratum[:3]) for sample, _ in samples)
    published = {"pytest-dev/pytest": (14, 5), "vitejs/vite": (14, 2), "numpy/numpy": (5, 1), "pypa/pip": (4, 2)}
    for repo, (natural, counterfactual) in published.items():
        assert (by_repository[repo, "nat"], by_repository[repo, "cou"]) == (natural, counterfactual)


def test_edits_leak_where_their_builder_says_that_they_do() -> None:
    stored = {row["id"]: set(row["metadata"]["leakage"]["fatal"]) for row in rows(CANDIDATES)}
    result = diagnosis(CANDIDATES)
    leaked = set().union(*(found(result, check.name) for check in result.findings if check.name.startswith("leak:")))
    assert leaked == {name for name, fatal in stored.items() if fatal}
