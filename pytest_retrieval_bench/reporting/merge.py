"""Merging reports over the same samples into the report that one run would have given (PROTOCOL 7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.model import BUILT_IN_ARMS, CORVINT_ARMS
from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.inference_choice import InferenceChoice
from pytest_retrieval_bench.reporting.load import Report
from pytest_retrieval_bench.reporting.merged_registration import merged_registration, ordinals, retrievers
from pytest_retrieval_bench.reporting.metric_choice import Calibration
from pytest_retrieval_bench.reporting.registration import NOT_RUN, corvint
from pytest_retrieval_bench.reporting.report import Missing, report_of
from pytest_retrieval_bench.reporting.sections import arm_names
from pytest_retrieval_bench.text.visible import visible

_OF_SAMPLE = ("task_type", "repo", "base_commit", "stratum", "partition", "gold", "given")


def merge(
    reports: Sequence[Report], inference: InferenceChoice | None = None, calibration: Calibration | None = None
) -> dict[str, Any]:
    """The report over all samples of one or more reports: shards in the run's order, others in that of appearance.

    A later report's arm replaces an earlier one's, sample by sample. Everything but the rows is rebuilt from them. What
    a report lacks stays missing unless another one has it. `inference` asks for more evidence than the reports did,
    `calibration` for what comes of its thresholds.

    Raises ReportError, naming both files, for reports that do not belong together.
    """
    # The same file again changes nothing.
    kept = [report for report, before in zip(reports, [None, *reports], strict=False) if not _is_same(report, before)]
    for report in kept:
        _check_arms(report)
    for earlier, later in combinations(kept, 2):
        _check_likeness(earlier, later)
    rows = _rows(kept)
    places = ordinals(kept)
    ids = sorted(rows, key=places.__getitem__) if rows.keys() <= places.keys() else list(rows)
    registration = merged_registration(kept, ids, inference, calibration)
    counted = (report.data["skipped"]["no_gold_unlabeled"] for report in kept)
    return report_of(
        registration,
        [rows[identity] for identity in ids],
        # Reports that do not name them are taken to have skipped the same ones.
        skipped_unlabelled=max(len(registration.get("unlabelled_ids", ())), *counted),
        missing=_missing(kept, rows),
    )


def _is_same(report: Report, before: Report | None) -> bool:
    return before is not None and report.sha256 == before.sha256


def _check_arms(report: Report) -> None:
    known = {*BUILT_IN_ARMS, *report.data["registration"].get("arms", ())}
    for arm in arm_names(report.data["details"]):
        if arm not in known:
            raise ReportError(
                f"{report.path}: the arm {visible(arm)!r} is neither built in nor named in the report's registration"
            )


def _check_likeness(earlier: Report, later: Report) -> None:
    for member, words in (("samples_sha256", "different samples"), ("limit", "different limits")):
        values = (earlier.data[member], later.data[member])
        if values[0] != values[1]:
            raise _unlike(earlier, later, f"they are over {words}, {values[0]} and {values[1]}")
    before, after = retrievers(earlier), retrievers(later)
    executables = corvint(before)["sha256"], corvint(after)["sha256"]
    if executables[0] != executables[1] and NOT_RUN not in executables:
        raise _unlike(earlier, later, f"they measured different corvints, {executables[0]} and {executables[1]}")
    for arm in before.keys() & after.keys():
        if arm not in CORVINT_ARMS and before[arm] != after[arm]:
            members = {*before[arm], *after[arm]}
            differing = sorted(name for name in members if before[arm].get(name) != after[arm].get(name))
            what = f"{visible(arm)!r} is another retriever in each, by its {', '.join(map(visible, differing))}"
            raise _unlike(earlier, later, f"{what}; give the arm another name and measure it again")


def _rows(reports: Iterable[Report]) -> dict[str, Row]:
    """The rows by sample id; what only a later report knows of a sample is taken from it."""
    rows: dict[str, Row] = {}
    first: dict[str, Report] = {}
    for report in reports:
        for row in report.data["details"]:
            identity = row["id"]
            if identity not in rows:
                rows[identity], first[identity] = row, report
                continue
            earlier = rows[identity]
            for member in _OF_SAMPLE:
                if earlier[member] != row[member]:
                    what = f"the sample {visible(identity)!r} has another {member} in each"
                    raise _unlike(first[identity], report, what)
            rows[identity] = (
                row | {name: earlier[name] for name in earlier if name != "measures"} | _answered(earlier, row)
            )
    return rows


def _answered(earlier: Row, later: Row) -> Row:
    """The answers of both, the later one of an arm with all that belongs to it."""
    answered = {name: earlier[name] | later[name] for name in ("arms", "metrics")}
    before = {arm: kept for arm, kept in earlier.get("measures", {}).items() if arm not in later["arms"]}
    measures = before | later.get("measures", {})
    return answered | ({"measures": measures} if measures else {})


def _missing(reports: Iterable[Report], rows: Mapping[str, Row]) -> list[Missing]:
    listed = {
        (pair["id"], pair["arm"]): pair["why"] for report in reports for pair in report.data.get("incomplete", ())
    }
    return [Missing(sample, arm, why) for (sample, arm), why in listed.items() if arm not in rows[sample]["metrics"]]


def _unlike(earlier: Report, later: Report, what: str) -> ReportError:
    return ReportError(f"{earlier.path} and {later.path} cannot be merged: {what}")
