"""A report as the properties of a JUnit test suite: what was measured, and the means of each arm with their n."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_retrieval_bench.plan import printable
from pytest_retrieval_bench.reporting.canonical import canonical

PREFIX = "rb."
METRICS = ("hit@k", "mrr@k", "recall@20", "abstained", "selective_success")
_OF_EVERY_SAMPLE = ("abstained", "selective_success")


def suite_properties(report: Mapping[str, Any]) -> dict[str, str]:
    """The properties, in printable ASCII, such as `rb.bm25:all.mrr@k`: `0.5 (n=12)`.

    `rb.registration_sha256` is that of the registration's file; what is merged of several runs has none.
    """
    return {f"{PREFIX}{name}": value for name, value in _properties(report)}


def _properties(report: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    registration = {name: value for name, value in report["registration"].items() if name != "resumed"}
    if "source_reports_sha256" not in registration:
        yield "registration_sha256", hashlib.sha256(canonical(registration)).hexdigest()
    yield "samples_sha256", printable(report["samples_sha256"])
    yield "samples", str(report["samples"])
    yield "limit", str(report["limit"])
    yield "missing", str(len(report.get("incomplete", ())))
    for arm, section in report["arms"].items():
        means = section.get("all", {})
        for metric in METRICS:
            if metric in means:
                n = means["n" if metric in _OF_EVERY_SAMPLE else "positives"]
                yield f"{printable(arm)}.{metric}", f"{means[metric]:.6g} (n={n})"
        yield f"{printable(arm)}.errors", f"{section['errors']} (n={means.get('n', 0)})"
