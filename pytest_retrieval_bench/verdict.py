"""Whether an item passes (DESIGN, decision 6)."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.case import Measured, has_failed
from pytest_retrieval_bench.errors import BenchmarkError
from pytest_retrieval_bench.model import Sample
from pytest_retrieval_bench.reporting.explanation_text import query_lines
from pytest_retrieval_bench.reporting.terminal import counted
from pytest_retrieval_bench.text.visible import visible

_RANKED_LINES = 10
_ERROR_CHARS = 2000


def judge(sample: Sample, measured: Measured, *, strict: bool, tolerated: bool) -> None:
    """Passes an answer, skips what the arm does not apply to, fails an error; `strict` also fails a wrong answer.

    An error that is `tolerated` passes: a gate counts it.
    """
    __tracebackhide__ = True
    record = measured.record
    if record.outcome == "not applicable":
        pytest.skip(visible(f"{record.arm}: {record.error}", _ERROR_CHARS))
    if record.error is not None and tolerated:
        return
    if record.error is not None:
        if measured.exception is not None and _can_be_shown(measured.exception):
            raise measured.exception
        pytest.fail(visible(f"{record.arm}: {record.error}", _ERROR_CHARS), pytrace=False)
    if has_failed(record, strict=strict):
        pytest.fail(explanation(sample, measured), pytrace=False)


def _can_be_shown(exception: Exception) -> bool:
    """Whether the traceback helps, and its words can cross to another process."""
    try:
        str(exception).encode()
    except Exception:  # noqa: BLE001 - the words are a stranger's code
        return False
    return not isinstance(exception, BenchmarkError)


def explanation(sample: Sample, measured: Measured) -> str:
    """What was asked, what should have been found and where it stands, and what was found instead."""
    record, scores = (
        measured.record,
        dict(zip(measured.answer.ranking, measured.answer.scores or (), strict=False)),
    )
    whole = [path for path in dict.fromkeys(measured.answer.ranking) if path not in sample.given]
    ranks = {path: rank for rank, path in enumerate(whole, start=1)}
    ranked = [
        f"  {ranks[path]:>5}  {visible(path)}" + (f"  ({scores[path]:g})" if path in scores else "")
        for path in record.ranked[:_RANKED_LINES]
    ]
    snapshot = f"{visible(sample.repo)} at {sample.base_commit[:12]}"
    gold = [f"  {ranks.get(path, 'none'):>5}  {visible(path)}" for path in sample.gold]
    return "\n".join(
        [
            f"{record.arm} {_fault(sample, measured)}: {visible(sample.id)}, {snapshot}",
            "query:",
            *query_lines(sample.query.plain),
            "gold, by rank:" if gold else "gold: none, the repository holds no answer",
            *gold,
            f"ranking, the first {len(ranked)} of {len(whole)}:" if ranked else "ranking: empty",
            *ranked,
        ]
    )


def _fault(sample: Sample, measured: Measured) -> str:
    if sample.stratum != "positive":
        return "answered where nothing is to be found"
    ranked = counted(len(measured.record.ranked), "file")
    return "abstained" if measured.record.abstained else f"found no gold in the {ranked} that it ranked"
