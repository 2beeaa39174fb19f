"""The conformance inputs, what the re-statement makes of them, and the expected values beside it."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from .arms import Ranking, lexical_rankings
from .metrics import contextbench_metrics, keep, metrics, top_score
from .samples import (
    Row,
    fold,
    given,
    gold,
    is_contextbench,
    is_skipped,
    query_text,
    read_samples,
    sample_id,
    stratum,
    task_type,
    text_member,
)
from .snapshot import read_chunk_file, readable
from .summaries import Scored, round_six
from .text import anchor_bearing

CONFORMANCE = Path(__file__).parent.parent / "conformance"
LEXICAL_ARMS = ("grep", "grep-ident", "bm25:all", "bm25:ident")
ALL_ARMS = (*LEXICAL_ARMS, "corvint", "context", "impact", "affected")
LIMIT = 20

# A report as `json.load` gives it; the tests only compare what is in it.
Report = dict[str, Any]


class Answered(NamedTuple):
    """One sample, the tree it asks, and the whole rankings of the four lexical arms."""

    row: Row
    snapshot: dict[str, bytes]
    rankings: dict[str, Ranking]


def snapshot_of(row: Row) -> Path:
    """The chunk file of a sample's repository and commit (PROTOCOL 2, resolution order)."""
    folder = text_member(row, "repo").replace("/", "__")
    return CONFORMANCE / "corpus" / folder / f"{text_member(row, 'base_commit')}.chunks.jsonl"


def answer_all(samples_name: str) -> list[Answered]:
    """Answer every sample of a file that is not skipped."""
    trees: dict[Path, dict[str, bytes]] = {}
    answered: list[Answered] = []
    for row in read_samples(CONFORMANCE / samples_name):
        if is_skipped(row):
            continue
        path = snapshot_of(row)
        if path not in trees:
            trees[path] = read_chunk_file(path)
        answered.append(Answered(row, trees[path], lexical_rankings(row, readable(trees[path]))))
    return answered


def read_report(name: str) -> Report:
    """An expected report."""
    report: Report = json.loads((CONFORMANCE / name).read_text(encoding="utf-8"))
    return report


def details_row(row: Row) -> Report:
    """What a details row says of a sample, arms aside."""
    text = query_text(row)
    return {
        "id": sample_id(row),
        "task_type": task_type(row),
        "repo": text_member(row, "repo"),
        "base_commit": text_member(row, "base_commit"),
        "stratum": stratum(row),
        "partition": fold(text_member(row, "repo")),
        "query_chars": len(text),
        "query_truncated": len(text) > 2_000,
        "gold": gold(row),
        "given": given(row),
        "anchor_bearing": anchor_bearing(text),
    }


def answer_record(answered: Answered, arm: str) -> Report:
    """The record of a lexical arm's answer."""
    taken = given(answered.row)
    score = top_score(answered.rankings[arm], taken)
    kept = keep(answered.rankings[arm], taken, LIMIT)
    record: Report = {"ranked": kept, "abstained": not kept}
    return record if score is None else {**record, "top_score": round_six(score)}


def scores(answered: Answered, record: Report) -> dict[str, float]:
    """All metrics of one answer, from its record alone."""
    kept = record["ranked"] or []  # the reference tool writes null for an empty ranking
    errored = "error" in record
    values = metrics(answered.row, kept, record["abstained"], LIMIT, errored)
    if is_contextbench(answered.row) and not errored:
        values.update(contextbench_metrics(answered.row, kept, answered.snapshot))
    return values


def scored(answered: Answered, record: Report) -> Scored:
    """One answer as the summaries take it."""
    row = answered.row
    return Scored(
        task_type(row),
        stratum(row),
        fold(text_member(row, "repo")),
        anchor_bearing(query_text(row)),
        scores(answered, record),
    )
