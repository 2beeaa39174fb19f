"""Metric sets beside the protocol's own: what they keep of an answer goes with its record."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from pytest_retrieval_bench.model import Answer, Record, Sample
from pytest_retrieval_bench.scoring.arb.names import ARB, MEASURES


def with_measures(
    record: Record, sample: Sample, answer: Answer, names: Collection[str], text_of: Callable[[str], str | None]
) -> Record:
    """The record with those of these measures that need the whole answer; as it was where there are none.

    An answer that failed ranks nothing. `text_of` gives a file of the snapshot as text, None where there is none.
    """
    wanted = [name for name in names if name in MEASURES]
    if not wanted:
        return record
    from pytest_retrieval_bench.scoring.arb.measure import measure

    scored = answer if record.error is None else Answer()
    return replace(record, measures={**record.measures, ARB: measure(sample, scored, text_of, wanted)})
