"""The canonical report: a pure function of the registration, the samples' rows and the records (PROTOCOL 8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_retrieval_bench.model import Record, arm_rank
from pytest_retrieval_bench.reporting.details import Row, details
from pytest_retrieval_bench.reporting.inference_choice import registered_choice
from pytest_retrieval_bench.reporting.metric_choice import of_set
from pytest_retrieval_bench.reporting.own_measures import own_section
from pytest_retrieval_bench.reporting.paired import paired_section
from pytest_retrieval_bench.reporting.protocol.hypotheses import registered_protocol
from pytest_retrieval_bench.reporting.registration import corvint
from pytest_retrieval_bench.reporting.sections import arm_names, arms_section, latency_section
from pytest_retrieval_bench.scoring.arb.names import ARB
from pytest_retrieval_bench.scoring.ir import IR, ir_names
from pytest_retrieval_bench.scoring.own import OWN

PROFILE = "pytest-retrieval-bench/1"


@dataclass(frozen=True, slots=True)
class Missing:
    """A (sample, arm) pair that was to be measured and has no record, and why."""

    sample_id: str
    arm: str
    why: str


def build_report(
    registration: Mapping[str, Any],
    rows: Sequence[Row],
    records: Iterable[Record],
    *,
    skipped_unlabelled: int,
    missing: Sequence[Missing] = (),
) -> dict[str, Any]:
    """The report of a run. `rows` are the selected samples in the order of the samples file (see `sample_row`)."""
    return report_of(registration, details(rows, records), skipped_unlabelled=skipped_unlabelled, missing=missing)


def report_of(
    registration: Mapping[str, Any], answered: Sequence[Row], *, skipped_unlabelled: int, missing: Sequence[Missing]
) -> dict[str, Any]:
    """The report's members, from the rows of its details.

    The members `measures`, `inference` and `protocol` are there only when the registration asks for them, `incomplete`
    only when something is missing.
    """
    arms = sorted({*registration["arms"], *arm_names(answered)}, key=arm_rank)
    report = {
        "profile": PROFILE,
        "samples_sha256": registration["samples_sha256"],
        "samples": len(answered),
        "skipped": {"no_gold_unlabeled": skipped_unlabelled},
        "limit": registration["limit"],
        "corvint": corvint(registration["retrievers"]),
        "registration": dict(registration),
        "arms": arms_section(answered, arms, registration["limit"]),
        "paired": paired_section(answered, arms, registration["baseline_arms"], registration["limit"]),
        "latency": latency_section(answered, arms, registration["machine"]["workers"]),
        "details": list(answered),
    }
    measures = _measures(registration, answered, arms)
    if measures:
        report["measures"] = measures
    if "inference" in registration:
        report["inference"] = _inference(registration, answered, arms)
    if "protocol" in registration:
        report["protocol"] = _protocol(registration, answered, arms, len(missing))
    if missing:
        place = {row["id"]: number for number, row in enumerate(answered)}
        listed = sorted(missing, key=lambda pair: (place[pair.sample_id], arm_rank(pair.arm)))
        report["incomplete"] = [{"id": pair.sample_id, "arm": pair.arm, "why": pair.why} for pair in listed]
    return report


def _measures(registration: Mapping[str, Any], answered: Sequence[Row], arms: Sequence[str]) -> dict[str, Any]:
    measures: dict[str, Any] = {OWN: own_section(answered, arms)} if "own_metrics" in registration else {}
    if "metrics" not in registration:
        return measures
    from pytest_retrieval_bench.reporting.arb.section import arb_section
    from pytest_retrieval_bench.reporting.ir.section import ir_section

    asked, limit = registration["metrics"], registration["limit"]
    if of_set(asked["names"], ARB):
        measures[ARB] = arb_section(answered, arms, asked.get("calibration", {}).get("thresholds", {}))
    if names := of_set(asked["names"], IR):
        measures[IR] = ir_section(answered, arms, limit, [name for name in ir_names(limit) if name in names])
    return measures


def _protocol(
    registration: Mapping[str, Any], answered: Sequence[Row], arms: Sequence[str], missing: int
) -> dict[str, Any]:
    from pytest_retrieval_bench.reporting.protocol.section import protocol_section

    return protocol_section(registered_protocol(registration["protocol"]), answered, arms, missing)


def _inference(registration: Mapping[str, Any], answered: Sequence[Row], arms: Sequence[str]) -> dict[str, Any]:
    # Its statistics take a second to import, which a report without them must not pay.
    from pytest_retrieval_bench.reporting.inference import inference_section

    choice = registered_choice(registration["inference"])
    return inference_section(answered, arms, registration["baseline_arms"], registration["limit"], choice)
