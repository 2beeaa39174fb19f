"""The page of two reports: what changed, flips first, and then the newer one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_retrieval_bench.reporting.comparison_text import flipped_samples, plain_notes, plain_tables
from pytest_retrieval_bench.reporting.html.figures import Table


@dataclass(frozen=True, slots=True)
class Flips:
    """The samples of an arm that flipped in one way: their ids, with their places in the newer report."""

    arm: str
    what: str
    samples: Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed between two reports, as the page shows it."""

    notes: Sequence[str]
    flips: Sequence[Flips]
    tables: Sequence[Table]


def changes_of(comparison: Mapping[str, Any], newer: Mapping[str, Any], old: str, new: str) -> Changes:
    """What the page shows of a comparison; `newer` are the newer report's members, `old` and `new` the files' names."""
    places = {row["id"]: place for place, row in enumerate(newer["details"])}
    flips = [
        Flips(arm, what, [(places[identity], identity) for identity in ids])
        for arm, what, ids in flipped_samples(comparison)
    ]
    tables = [Table(title, head, rows, names) for title, head, rows, names in plain_tables(comparison)]
    return Changes(list(plain_notes(comparison, old, new)), flips, tables)
