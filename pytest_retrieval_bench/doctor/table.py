"""A diagnosis as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_retrieval_bench.doctor.checks import Finding
from pytest_retrieval_bench.doctor.examine import Diagnosis
from pytest_retrieval_bench.doctor.hardness import LABELS
from pytest_retrieval_bench.reporting.layout import aligned
from pytest_retrieval_bench.text.visible import visible

_SHOWN = 5


def table(diagnosis: Diagnosis, *, whole: bool) -> Iterator[str]:
    """How many have what, then the findings of each check, the first five unless the `whole` is wanted."""
    among, found = diagnosis.among, diagnosis.findings
    rows = [
        [check.name, "fatal" if check.fatal else "", str(len(found[check])), f"of {among[check.among]}", check.about]
        for check in found
    ]
    yield from aligned([["check", "", "found", "n", "a finding is a row that"], *rows], (0, 1, 4))
    for check, listed in found.items():
        if listed:
            yield f"{check.name}:"
            yield from _lines(listed, None if whole else _SHOWN)
    gold = among["samples with gold"]
    rows = [[label, str(diagnosis.labels[label]), f"of {gold}", about] for label, about in LABELS.items()]
    yield from aligned([["hardness", "samples", "n", "means"], *rows], (0, 3))


def _lines(listed: Sequence[Finding], shown: int | None) -> Iterator[str]:
    for one in listed[:shown]:
        yield f"  {visible(one.where, 500)} {visible(one.identity)}: {visible(one.words, 500)}"
    if shown is not None and len(listed) > shown:
        yield f"  and {len(listed) - shown} more (--all shows them)"
