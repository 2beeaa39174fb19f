"""What a report must look like for the tools that read it: this plugin's own and the reference tool's (PROTOCOL 8).

The reference tool writes null for an empty list, knows no `outcome`, and its older reports lack whole sections.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from pytest_retrieval_bench.benchmarks.folds import fold
from pytest_retrieval_bench.model import CORVINT_ARMS, Stratum
from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.protocol.hypotheses import CORRECTIONS, DIRECTIONS
from pytest_retrieval_bench.scoring.arb.names import ARB
from pytest_retrieval_bench.scoring.ir import IR
from pytest_retrieval_bench.scoring.own import OWN
from pytest_retrieval_bench.scoring.ranking import RECALL_DEPTHS
from pytest_retrieval_bench.text.visible import visible

_METRIC = re.compile(r"[a-z0-9_]+(@[0-9k]+)?")


@dataclass(frozen=True, slots=True)
class _Kind:
    """The words for what a value must be, and whether one is."""

    words: str
    holds: Callable[[Any], bool]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _are_ranks(value: Any) -> bool:
    return isinstance(value, dict) and all(rank is None or (_is_count(rank) and rank > 0) for rank in value.values())


def _is_calibration(value: Any) -> bool:
    thresholds = value.get("thresholds") if isinstance(value, dict) else None
    return isinstance(thresholds, dict) and all(one is None or _is_number(one) for one in thresholds.values())


_TEXT = _Kind("a string", lambda value: isinstance(value, str))
_NAME = _Kind("a string that is not empty", lambda value: isinstance(value, str) and value != "")
_STRATUM = _Kind(f"one of {', '.join(get_args(Stratum))}", lambda value: value in get_args(Stratum))
_DIRECTION = _Kind(f"one of {', '.join(DIRECTIONS)}", lambda value: value in DIRECTIONS)
_CORRECTION = _Kind(f"one of {', '.join(CORRECTIONS)}", lambda value: value in CORRECTIONS)
_FLAG = _Kind("true or false", lambda value: isinstance(value, bool))
_COUNT = _Kind("a whole number of at least 0", _is_count)
_LIMIT = _Kind("a whole number of at least 1", lambda value: _is_count(value) and value > 0)
_NUMBER = _Kind("a number", _is_number)
_TIME = _Kind("a number of at least 0", lambda value: _is_number(value) and value >= 0)
_RATE = _Kind("a number from 0 to 1", lambda value: _is_number(value) and 0 <= value <= 1)
_BIT = _Kind("0 or 1", lambda value: _is_number(value) and value in (0, 1))
_TEXTS = _Kind("a list of strings", _are_texts)
_METRIC_NAMES = _Kind(
    "a list of names of metrics", lambda value: _are_texts(value) and all(_METRIC.fullmatch(name) for name in value)
)
_COUNTS = _Kind(
    "a list of whole numbers of at least 0", lambda value: isinstance(value, list) and all(map(_is_count, value))
)
_LIST = _Kind("a list", lambda value: isinstance(value, list))
_OBJECT = _Kind("an object", lambda value: isinstance(value, dict))

_Kinds = Mapping[str, _Kind]

_REPORT: _Kinds = {"samples_sha256": _NAME, "limit": _LIMIT, "details": _LIST}
_REPORT_MAY: _Kinds = {
    "skipped": _OBJECT, "corvint": _OBJECT, "registration": _OBJECT, "arms": _OBJECT, "incomplete": _LIST,
}  # fmt: skip
_SKIPPED: _Kinds = {"no_gold_unlabeled": _COUNT}
_CORVINT: _Kinds = {"sha256": _TEXT, "version": _TEXT}
_INCOMPLETE: _Kinds = {"id": _NAME, "arm": _NAME, "why": _TEXT}
_REGISTRATION_MAY: _Kinds = {
    "arms": _TEXTS, "baseline_arms": _TEXTS, "environment": _TEXTS, "snapshot_latency": _FLAG, "retrievers": _OBJECT,
    "plugin": _OBJECT, "unlabelled_ids": _TEXTS, "unreviewed_ids": _TEXTS, "source_reports_sha256": _TEXTS,
    "sample_ids": _TEXTS, "machine": _OBJECT, "shard": _OBJECT, "suite": _OBJECT, "inference": _OBJECT,
    "metrics": _OBJECT, "protocol": _OBJECT, "own_metrics": _TEXTS,
}  # fmt: skip
_WORKERS: _Kinds = {"workers": _OBJECT}
_SHARD: _Kinds = {"of": _LIMIT, "ordinals": _COUNTS}
_SHARD_MAY: _Kinds = {"number": _LIMIT, "numbers": _COUNTS}
_SUITE: _Kinds = {"title": _TEXT}
_SUITE_MAY: _Kinds = {"licence": _TEXT, "citation": _TEXT, "metrics": _METRIC_NAMES}
_INFERENCE: _Kinds = {"names": _TEXTS, "margin": _RATE}
_MEASURED: _Kinds = {"names": _TEXTS}
_MEASURED_MAY: _Kinds = {"calibration": _Kind("an object of thresholds", _is_calibration)}
_PROTOCOL: _Kinds = {
    "sha256": _NAME, "title": _NAME, "alpha": _RATE, "correction": _CORRECTION, "samples": _LIMIT, "hypotheses": _LIST,
}  # fmt: skip
_REGISTRATION_PARTS: Mapping[str, tuple[_Kinds, _Kinds]] = {
    "machine": (_WORKERS, {}), "shard": (_SHARD, _SHARD_MAY), "suite": (_SUITE, _SUITE_MAY),
    "inference": (_INFERENCE, {}), "metrics": (_MEASURED, _MEASURED_MAY), "protocol": (_PROTOCOL, {}),
}  # fmt: skip
_HYPOTHESIS: _Kinds = {
    "name": _NAME, "family": _NAME, "arm": _NAME, "baseline": _NAME, "metric": _NAME, "direction": _DIRECTION,
    "margin": _RATE,
}  # fmt: skip
_ROW: _Kinds = {
    "id": _NAME, "task_type": _NAME, "repo": _NAME, "base_commit": _NAME, "stratum": _STRATUM, "arms": _OBJECT,
    "metrics": _OBJECT,
}  # fmt: skip
_ROW_MAY: _Kinds = {
    "partition": _TEXT, "query_chars": _COUNT, "query_truncated": _FLAG, "gold": _TEXTS, "given": _TEXTS,
    "anchor_bearing": _FLAG, "relevance": _OBJECT, "measures": _OBJECT,
}  # fmt: skip
_ANSWER: _Kinds = {"abstained": _FLAG}
_ANSWER_MAY: _Kinds = {
    "ranked": _TEXTS, "outcome": _TEXT, "state": _TEXT, "error": _TEXT, "cache_state": _TEXT,
    "packet_bytes": _COUNT, "top_score": _NUMBER, "wall_ms": _TIME, "cold_wall_ms": _TIME, "index": _OBJECT,
    "figures": _OBJECT, "lines": _LIST,
}  # fmt: skip
_RELEVANCE: _Kinds = {"labels": _TEXTS, "primary": _NAME}
_KEPT_MAY: _Kinds = {"confidence": _NUMBER}
_KEPT_OF_POSITIVE: _Kinds = {
    "values": _Kind(
        "an object of numbers", lambda value: isinstance(value, dict) and all(map(_is_number, value.values()))
    ),
    "gold_ranks": _Kind("an object of ranks or null", _are_ranks),
}
_VALUES: _Kinds = {"values": _KEPT_OF_POSITIVE["values"]}
_METRICS: _Kinds = {"selective_success": _BIT}


def in_shape(report: Mapping[str, Any]) -> dict[str, Any]:
    """The report with what the reference tool leaves out or writes as null: empty lists, counts, the folds.

    Raises ValueError, naming the member and what would be right.
    """
    report = _known(report)
    _check(report, "", _REPORT, _REPORT_MAY)
    registration = _known(report.get("registration", {}))
    _check_registration(registration)
    _check(report.get("skipped", {}), "skipped", {}, _SKIPPED)
    if "corvint" in report:
        _check(report["corvint"], "corvint", _CORVINT)
    rows = list(_rows(report["details"], report["limit"]))
    ids = {row["id"] for row in rows}
    for number, pair in enumerate(report.get("incomplete", ())):
        _check(pair, f"incomplete[{number}]", _INCOMPLETE)
        if pair["id"] not in ids:
            raise ValueError(f"incomplete[{number}].id: no row of details is {visible(pair['id'])!r}")
    whole = {
        "registration": registration,
        "samples": len(rows),
        "skipped": {"no_gold_unlabeled": 0} | report.get("skipped", {}),
        "details": rows,
    }
    return report | whole


def _check_registration(registration: Mapping[str, Any]) -> None:
    _check(registration, "registration", {}, _REGISTRATION_MAY)
    for arm, described in registration.get("retrievers", {}).items():
        _check(described, f"registration.retrievers.{visible(arm)}", _CORVINT if arm in CORVINT_ARMS else {})
    for name, (must, may) in _REGISTRATION_PARTS.items():
        if name in registration:
            _check(registration[name], f"registration.{name}", must, may)
    for number, hypothesis in enumerate(registration.get("protocol", {}).get("hypotheses", ())):
        _check(hypothesis, f"registration.protocol.hypotheses[{number}]", _HYPOTHESIS)
    for arm, count in registration.get("machine", {}).get("workers", {}).items():
        _check_one(count, f"registration.machine.workers.{visible(arm)}", _LIMIT)


def _known(members: Mapping[str, Any]) -> dict[str, Any]:
    """The members that are not null, which is how the reference tool may write an absent one."""
    return {name: value for name, value in members.items() if value is not None}


def _rows(details: list[Any], limit: int) -> Iterator[Row]:
    first: dict[str, int] = {}
    for number, written in enumerate(details):
        place = f"details[{number}]"
        _check_one(written, place, _OBJECT)
        row = {"partition": "", "gold": [], "given": [], "arms": {}, "metrics": {}} | _known(written)
        _check(row, place, _ROW, _ROW_MAY)
        if row["id"] in first:
            raise ValueError(f"{place}.id: {visible(row['id'])!r} is also the id of details[{first[row['id']]}]")
        first[row["id"]] = number
        if row["arms"].keys() != row["metrics"].keys():
            raise ValueError(f"{place}: arms and metrics must name the same arms")
        for arm, metrics in row["metrics"].items():
            _check_metrics(metrics, f"{place}.metrics.{visible(arm)}", row["stratum"] == "positive", limit)
        _check_measures(row, place)
        answers = {arm: _answer(answer, f"{place}.arms.{visible(arm)}") for arm, answer in row["arms"].items()}
        yield row | {"arms": answers, "partition": row["partition"] or fold(row["repo"])}


def _answer(written: Any, place: str) -> Row:
    _check_one(written, place, _OBJECT)
    answer = {"ranked": []} | _known(written)
    _check(answer, place, _ANSWER, _ANSWER_MAY)
    return answer


def _check_metrics(metrics: Any, place: str, positive: bool, limit: int) -> None:
    ranking = {f"recall@{depth}": _RATE for depth in RECALL_DEPTHS if depth <= limit} | {"mrr@k": _RATE, "hit@k": _BIT}
    _check(metrics, place, {**_METRICS, **(ranking if positive else {})})
    for name, value in metrics.items():
        _check_one(value, f"{place}.{visible(name)}", _NUMBER)


def _check_measures(row: Row, place: str) -> None:
    """What a row keeps for further metric sets, of arms that answered."""
    if "relevance" in row:
        _check(row["relevance"], f"{place}.relevance", _RELEVANCE)
    for arm, sets in row.get("measures", {}).items():
        inside = f"{place}.measures.{visible(arm)}"
        if arm not in row["arms"]:
            raise ValueError(f"{inside}: the row has no answer of this arm")
        _check(sets, inside, {}, {ARB: _OBJECT, IR: _OBJECT, OWN: _OBJECT})
        for name in {IR, OWN} & sets.keys():
            _check(sets[name], f"{inside}.{name}", _VALUES)
        if ARB not in sets:
            continue
        _check(sets[ARB], f"{inside}.{ARB}", _KEPT_OF_POSITIVE if row["stratum"] == "positive" else {}, _KEPT_MAY)
        if row["stratum"] == "positive" and not sets[ARB]["gold_ranks"]:
            raise ValueError(f"{inside}.{ARB}.gold_ranks must name the gold files, this is empty")


def _check(value: Any, place: str, must: _Kinds, may: _Kinds | None = None) -> None:
    """An object with all members of `must`; those and members of `may` are of their kinds."""
    _check_one(value, place or "the report", _OBJECT)
    before = f"{place}." if place else ""
    for name in must:
        if name not in value:
            raise ValueError(f"{before}{name} is missing")
    for name, kind in {**must, **(may or {})}.items():
        if name in value:
            _check_one(value[name], f"{before}{name}", kind)


def _check_one(value: Any, place: str, kind: _Kind) -> None:
    if not kind.holds(value):
        raise ValueError(f"{place} must be {kind.words}, this is {visible(repr(value), 60)}")
