"""The rows of the report: what is known of a sample, and what each arm answered (PROTOCOL 8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pytest_retrieval_bench.model import MAX_CORVINT_CHARS, Record, Sample, arm_rank
from pytest_retrieval_bench.reporting.record import members_of
from pytest_retrieval_bench.text.anchors import anchor_bearing

Row = dict[str, Any]

_ANSWER_MEMBERS = (
    "outcome", "ranked", "lines", "abstained", "state", "top_score", "packet_bytes", "figures", "error", "cache_state",
    "index", "wall_ms", "cold_wall_ms",
)  # fmt: skip


def sample_row(sample: Sample) -> Row:
    """A details row without answers."""
    row: Row = {
        "id": sample.id,
        "task_type": sample.task_type,
        "repo": sample.repo,
        "base_commit": sample.base_commit,
        "stratum": sample.stratum,
        "partition": sample.partition,
        "query_chars": len(sample.query.text),
        "query_truncated": len(sample.query.text) > MAX_CORVINT_CHARS,
        "gold": list(sample.gold),
        "given": list(sample.given),
    }
    return row | ({"anchor_bearing": True} if anchor_bearing(sample.query.text) else {})


def relevance_member(sample: Sample) -> Row:
    """The relations between a question and its gold, as a member of a details row; nothing where there is none."""
    labels, primary = sample.annotations.relevance, sample.annotations.primary
    return {"relevance": {"labels": list(labels), "primary": primary}} if primary else {}


def details(rows: Sequence[Row], records: Iterable[Record]) -> list[Row]:
    """The rows with the answers and metrics of the records; of two records of one pair the later one counts."""
    by_sample: dict[str, dict[str, Record]] = {row["id"]: {} for row in rows}
    for record in records:
        by_sample[record.sample_id][record.arm] = record
    return [row | _answers(by_sample[row["id"]]) for row in rows]


def _answers(records: Mapping[str, Record]) -> Row:
    ordered = [records[arm] for arm in sorted(records, key=arm_rank)]
    measures = {record.arm: dict(record.measures) for record in ordered if record.measures}
    return {
        "arms": {record.arm: answer_row(record) for record in ordered},
        "metrics": {record.arm: dict(record.metrics) for record in ordered},
        **({"measures": measures} if measures else {}),
    }


def answer_row(record: Record) -> Row:
    """An answer as a row holds it: what is not known is absent."""
    members = members_of(record)
    return {name: members[name] for name in _ANSWER_MEMBERS if name in members}
