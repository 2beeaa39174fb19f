"""Metric sets beside the protocol's own: what they keep of an answer goes with its record."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from pytest_retrieval_bench.model import Answer, Json, Record, Sample
from pytest_retrieval_bench.scoring.arb.names import ARB, MEASURES
from pytest_retrieval_bench.scoring.functions import FUNCTION_MEASURES, function_measures
from pytest_retrieval_bench.scoring.ir import IR


def with_measures(
    record: Record, sample: Sample, answer: Answer, names: Collection[str], text_of: Callable[[str], str | None]
) -> Record:
    """The record with those of these measures that need the whole answer; as it was where there are none.

    An answer that failed ranks nothing. `text_of` gives a file of the snapshot as text, None where there is none.
    """
    scored = answer if record.error is None else Answer()
    found: dict[str, Mapping[str, Json]] = {}
    if wanted := [name for name in names if name in MEASURES]:
        from pytest_retrieval_bench.scoring.arb.measure import measure

        found[ARB] = measure(sample, scored, text_of, wanted)
    functions = sample.annotations.blocks
    if functions and (asked := [name for name in FUNCTION_MEASURES if name in names]):
        values = function_measures(scored, functions)
        found[IR] = {"values": {name: values[name] for name in asked}}
    return replace(record, measures={**record.measures, **found}) if found else record
