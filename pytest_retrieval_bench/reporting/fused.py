"""Fusions of the rankings that a report holds, as further arms of it (ARB 3.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_retrieval_bench.arms.fusion import DEPTH, K, reciprocal_rank_fusion
from pytest_retrieval_bench.errors import ReportError, unknown
from pytest_retrieval_bench.model import Answer, Query, Sample, arm_rank
from pytest_retrieval_bench.reporting.details import Row, answer_row
from pytest_retrieval_bench.reporting.report import Missing, report_of
from pytest_retrieval_bench.scoring.score import score
from pytest_retrieval_bench.text.arm_names import components

# A report does not say which files a sample takes for hard negatives.
_NOT_STORED = "hard_negative_hits@k"


def with_fusions(report: Mapping[str, Any], fusions: Sequence[str]) -> dict[str, Any]:
    """The report with each of the fusions, `rrf(A,B)`, as an arm that answers what all its arms have answered.

    Stored rankings are cut at the limit and hold no given files, so that the fusion of a run may differ. A sample that
    one of the arms has no answer to is missing; one on which it failed is an error.

    Raises ReportError for a name that is no fusion of arms of the report.
    """
    for name in fusions:
        _check(name, report)
    incomplete = [Missing(pair["id"], pair["arm"], pair["why"]) for pair in report.get("incomplete", ())]
    rows = []
    for row in report["details"]:
        fused = {name: answer for name in fusions if (answer := _fused(name, row, report["limit"])) is not None}
        incomplete += [Missing(row["id"], name, "an arm of it has no answer") for name in fusions if name not in fused]
        rows.append(_with_answers(row, fused, report["limit"]))
    registration = report["registration"]
    bound = {
        name: {"kind": "rrf", "k": K, "depth": DEPTH, "arms": components(name), "of": "report"} for name in fusions
    }
    return report_of(
        registration
        | {
            "arms": sorted({*registration["arms"], *fusions}, key=arm_rank),
            "retrievers": registration["retrievers"] | bound,
        },
        rows,
        skipped_unlabelled=report["skipped"]["no_gold_unlabeled"],
        missing=incomplete,
    )


def _check(name: str, report: Mapping[str, Any]) -> None:
    parts = components(name)
    if parts is None:
        raise ReportError(f"{name}: only a fusion, rrf(A,B), can be made of stored rankings; measure it in a run")
    if len(parts) < 2 or len(set(parts)) < len(parts):
        raise ReportError(f"{name}: a fusion is made of two arms or more, each once")
    if name in report["arms"]:
        raise ReportError(f"{name}: the report has it already")
    for part in parts:
        if part not in report["arms"] and components(part) is None:
            raise ReportError(f"{name}: not in the report: {unknown('arm', part, report['arms'])}")
        if part not in report["arms"]:
            _check(part, report)


def _fused(name: str, row: Row, limit: int) -> Answer | None:
    """The fusion of what is stored; None where something is missing."""
    parts = [_stored(part, row, limit) for part in components(name) or ()]
    if None in parts:
        return None
    answers = [part for part in parts if part is not None]
    failed = next((answer for answer in answers if answer.error is not None), None)
    if failed is not None:
        return failed
    ranked = reciprocal_rank_fusion(() if answer.abstained else answer.ranking for answer in answers)
    return Answer([path for path, _ in ranked], [value for _, value in ranked])


def _stored(name: str, row: Row, limit: int) -> Answer | None:
    stored = row["arms"].get(name)
    if stored is None:
        return _fused(name, row, limit) if components(name) else None
    if "error" in stored:
        return Answer(error=f"{name}: {stored['error']}", applicable=stored.get("outcome") != "not applicable")
    return Answer(stored["ranked"], abstained=stored["abstained"])


def _with_answers(row: Row, answers: Mapping[str, Answer], limit: int) -> Row:
    """The row with the scored answers, the arms in the order of lists."""
    sample = _sample(row)
    records = {name: score(sample, name, answer, limit, None, lambda path: None) for name, answer in answers.items()}
    arms = row["arms"] | {name: answer_row(record) for name, record in records.items()}
    metrics = row["metrics"] | {
        name: {metric: value for metric, value in record.metrics.items() if metric != _NOT_STORED}
        for name, record in records.items()
    }
    ordered = sorted(arms, key=arm_rank)
    return row | {"arms": {name: arms[name] for name in ordered}, "metrics": {name: metrics[name] for name in ordered}}


def _sample(row: Row) -> Sample:
    """What a row tells of its sample, which is enough for scoring files."""
    return Sample(
        id=row["id"],
        task_type=row["task_type"],
        repo=row["repo"],
        base_commit=row["base_commit"],
        query=Query({}, "", ""),
        gold=tuple(row["gold"]),
        given=tuple(row["given"]),
        hard_negatives=(),
        stratum=row["stratum"],
        partition=row["partition"],
    )
