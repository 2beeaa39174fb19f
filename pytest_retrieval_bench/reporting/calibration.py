"""Thresholds for selective retrieval that were found on other samples (protocol A of Agent Retrieval Bench)."""

from __future__ import annotations

from pathlib import Path

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.reporting.load import load_report
from pytest_retrieval_bench.reporting.metric_choice import Calibration

_POINT = "best_balanced_accuracy"


def read_calibration(path: Path | None) -> Calibration | None:
    """The threshold of the best balanced accuracy of each arm of a report, over all its samples; None without a path.

    Raises ReportError, naming the file, for one that cannot be read or has no thresholds.
    """
    if path is None:
        return None
    report = load_report(path)
    try:
        selective = report.data["measures"]["arb"]["selective"]
        thresholds = {
            arm: section["mixed"]["operating_points"][_POINT]["threshold"]
            for arm, section in selective.items()
            if "operating_points" in section.get("mixed", {})
        }
    except (KeyError, TypeError, AttributeError):
        thresholds = {}
    if not thresholds:
        what = "it has no thresholds: its run had no --rb-metrics=arb, or no arm with scores on samples of both kinds"
        raise ReportError(f"--rb-calibration: {path}: {what}")
    if not all(value is None or isinstance(value, int | float) for value in thresholds.values()):
        raise ReportError(f"--rb-calibration: {path}: a threshold in it is no number")
    return Calibration(report.sha256, thresholds)
