"""The section `protocol`: each registered hypothesis confirmed, refuted or undecided, and what was not registered.

It is imported only where a protocol is registered: its statistics are slow to load.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.protocol.differences import Differences
from pytest_retrieval_bench.reporting.protocol.hypotheses import HOLM, Hypothesis, Protocol
from pytest_retrieval_bench.statistics.corrections import holm
from pytest_retrieval_bench.statistics.rounding import rounded

CONFIRMED, REFUTED, UNDECIDED = "confirmed", "refuted", "undecided"


def protocol_section(protocol: Protocol, rows: Sequence[Row], arms: Sequence[str], missing: int) -> dict[str, Any]:
    """What the rows of a report say of a protocol; nothing with results missing, or over another number of samples."""
    unsound = _why_not_judged(protocol, len(rows), missing)
    judged = {
        name: block
        for family in protocol.families().values()
        for name, block in _judged(family, protocol, rows, unsound)
    }
    metrics = {metric for row in rows for arm in row["metrics"] for metric in row["metrics"][arm]}
    return {
        "sha256": protocol.sha256,
        "title": protocol.title,
        "alpha": protocol.alpha,
        "correction": protocol.correction,
        "samples": {"registered": protocol.samples, "measured": len(rows)},
        "hypotheses": [judged[hypothesis.name] for hypothesis in protocol.hypotheses],
        "not_registered": {
            "arms": [arm for arm in arms if arm not in set(protocol.arms())],
            "metrics": sorted(metrics - {hypothesis.metric for hypothesis in protocol.hypotheses}),
        },
    }


def _why_not_judged(protocol: Protocol, samples: int, missing: int) -> str | None:
    if samples != protocol.samples:
        return f"the protocol is about {protocol.samples} samples, {samples} are measured"
    return f"{missing} results are missing" if missing else None


def _judged(
    family: Sequence[Hypothesis], protocol: Protocol, rows: Sequence[Row], unsound: str | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The blocks of the hypotheses of a family; one that cannot be tested still counts in the correction."""
    measured = [Differences.of(rows, hypothesis) for hypothesis in family]
    reasons = [unsound or differences.why_untested() for differences in measured]
    tests = [None if why else differences.tested() for why, differences in zip(reasons, measured, strict=True)]
    p_values = [1.0 if test is None else test.p for test in tests]
    adjusted = holm(p_values) if protocol.correction == HOLM else p_values
    for hypothesis, differences, why, test, p in zip(family, measured, reasons, tests, adjusted, strict=True):
        block = asdict(hypothesis) | differences.figures()
        if test is None:
            yield hypothesis.name, block | {"verdict": UNDECIDED, "why": why}
            continue
        decided = CONFIRMED if test.holds else REFUTED
        verdict = decided if p < protocol.alpha else UNDECIDED
        yield hypothesis.name, block | {"p": rounded(test.p), "adjusted": rounded(p), "verdict": verdict}
