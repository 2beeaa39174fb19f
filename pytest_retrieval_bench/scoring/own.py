"""Metrics that users bring: what they make of a record goes with it, beside the protocol's own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from numbers import Real
from typing import Final

from pytest_retrieval_bench.arms.run import described
from pytest_retrieval_bench.model import Answer, Metric, Record, Sample
from pytest_retrieval_bench.scoring.score import failed

OWN: Final = "own"


def with_own_metrics(record: Record, sample: Sample, metrics: Mapping[str, Metric], limit: int) -> Record:
    """The record with the values of these metrics; as it was where there are none.

    Where a metric fails, so does the answer, in words that name the metric.
    """
    values: dict[str, float] = {}
    for name, metric in metrics.items():
        try:
            value = metric(sample, record)
            if value is not None:
                values[name] = _number(value)
        except Exception as error:  # noqa: BLE001 - a user's code
            if record.error is None:
                words = f"the metric {name!r} failed: {described(error)}"
                return failed(sample, record.arm, Answer(error=words), limit, record.wall_ms)
    return replace(record, measures={**record.measures, OWN: {"values": dict(values)}}) if metrics else record


def _number(value: object) -> float:
    if not isinstance(value, Real) or not math.isfinite(value):
        raise ValueError(f"a metric is a finite number or None, this is {value!r}")
    return float(value)
