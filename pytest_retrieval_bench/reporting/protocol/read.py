"""Reads a protocol file strictly: what is misspelt or left open is refused before anything runs."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.arms.table import Table
from pytest_retrieval_bench.errors import SettingsError, reason, unknown
from pytest_retrieval_bench.reporting.protocol.hypotheses import (
    BETTER,
    CORRECTIONS,
    DIRECTIONS,
    HOLM,
    Hypothesis,
    Protocol,
)

_KEYS = ("title", "alpha", "correction", "samples", "hypotheses")
_HYPOTHESIS_KEYS = ("name", "family", "arm", "baseline", "metric", "direction", "margin")
_FAMILY = "main"


def read_protocol(path: Path) -> Protocol:
    """The protocol of a TOML file.

    Raises SettingsError, naming the file, the hypothesis and the key.
    """
    try:
        raw = path.read_bytes()
        values = tomllib.loads(raw.decode())
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(f"--rb-protocol: {path}: {reason(error)}") from error
    table = Table(values, f"--rb-protocol: {path}")
    table.check_keys(_KEYS)
    listed = values.get("hypotheses")
    if not isinstance(listed, list) or not listed or not all(isinstance(stated, dict) for stated in listed):
        table.refuse("there is no [[hypotheses]] table in it")
    hypotheses = [
        _hypothesis(stated, f"{table.source}: hypothesis {number}") for number, stated in enumerate(listed, start=1)
    ]
    _check_distinct(hypotheses, table)
    samples = values.get("samples")
    if type(samples) is not int or samples < 1:
        table.refuse(f"samples must be how many are measured before it is judged, this is {samples!r}")
    return Protocol(
        sha256=hashlib.sha256(raw).hexdigest(),
        title=table.text("title") or path.stem,
        alpha=_number(table, "alpha", 0.05, least=1e-6, most=0.5),
        correction=table.choice("correction", CORRECTIONS) or HOLM,
        samples=samples,
        hypotheses=tuple(hypotheses),
    )


def check_protocol(protocol: Protocol, source: Path, arms: Collection[str], metrics: Collection[str]) -> None:
    """Refuses a hypothesis about what the run does not measure, or in a metric by which no arm can win.

    Raises SettingsError, naming the hypothesis and the nearest arm or metric.
    """
    for hypothesis in protocol.hypotheses:
        table = Table({}, f"--rb-protocol: {source}: hypothesis {hypothesis.name!r}")
        for arm in (hypothesis.arm, hypothesis.baseline):
            if arm not in arms:
                table.refuse(f"not in this run: {unknown('arm', arm, arms)}")
        if hypothesis.metric not in metrics:
            table.refuse(unknown("metric", hypothesis.metric, metrics))


def _hypothesis(values: dict[str, Any], source: str) -> Hypothesis:
    table = Table(values, source)
    table.check_keys(_HYPOTHESIS_KEYS)
    name, arm, baseline, metric = (_must(table, key) for key in ("name", "arm", "baseline", "metric"))
    direction = table.choice("direction", DIRECTIONS)
    if direction is None:
        table.refuse(f"direction is missing; write one of {', '.join(DIRECTIONS)}")
    if arm == baseline:
        table.refuse(f"{arm} is held against itself; name another arm as the baseline")
    if direction != BETTER and "margin" not in values:
        table.refuse(f"{direction} needs a margin, the largest difference that does not matter")
    margin = _number(table, "margin", 0, least=0 if direction == BETTER else 1e-6, most=1)
    return Hypothesis(name, table.text("family") or _FAMILY, arm, baseline, metric, direction, margin)


def _check_distinct(hypotheses: list[Hypothesis], table: Table) -> None:
    names: set[str] = set()
    for hypothesis in hypotheses:
        if hypothesis.name in names:
            table.refuse(f"two hypotheses are called {hypothesis.name!r}; rename one")
        names.add(hypothesis.name)


def _must(table: Table, key: str) -> str:
    value = table.text(key)
    if value is None:
        table.refuse(f"{key} is missing")
    return value


def _number(table: Table, key: str, default: float, *, least: float, most: float) -> float:
    value = table.values.get(key, default)
    if type(value) not in (int, float) or not least <= value < most:
        table.refuse(f"{key} must be a number from {least:g} to below {most:g}, this is {value!r}")
    return float(value)
