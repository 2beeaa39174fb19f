"""From a whole answer to what the metric set `arb` keeps of it."""

from __future__ import annotations

from collections.abc import Collection

from pytest_retrieval_bench.model import Answer, Json, Sample
from pytest_retrieval_bench.scoring.arb.budgeted_yield import yield_measures
from pytest_retrieval_bench.scoring.arb.files import file_measures, ranks
from pytest_retrieval_bench.scoring.arb.lines import block_measures, line_measures
from pytest_retrieval_bench.scoring.arb.names import (
    BLOCK_MEASURES,
    LINE_MEASURES,
    MEASURES,
    PACKING_MEASURES,
    YIELD_MEASURES,
)
from pytest_retrieval_bench.scoring.arb.packing import TextOf, chunks_of, packed, packing_measures


def measure(sample: Sample, answer: Answer, text_of: TextOf, names: Collection[str] = MEASURES) -> dict[str, Json]:
    """What is kept of an answer: `values` of the measures in `names`, `gold_ranks`, `confidence`.

    The rank of a gold file is None where it is not ranked. `confidence` is the score of the best chunk or file, and
    absent where the answer has no scores or ranks nothing. A sample without gold has nothing but that. Lines and blocks
    are measured where the sample marks some. `text_of` gives a file of the snapshot as text, None where there is none.
    """
    kept: dict[str, Json] = {"confidence": float(answer.scores[0])} if answer.scores else {}
    if sample.stratum != "positive":
        return kept
    # Measures that nobody asked for are not worth the reading of files.
    wanted = set(names)
    ranked, marked = tuple(dict.fromkeys(answer.ranking)), sample.annotations
    values = file_measures(ranked, sample.gold, marked.hard_negatives)
    if not wanted.isdisjoint(YIELD_MEASURES):
        values |= yield_measures(ranked, sample.gold, text_of)
    if not wanted.isdisjoint((*PACKING_MEASURES, *LINE_MEASURES, *BLOCK_MEASURES)):
        chosen = packed(chunks_of(answer, text_of))
        values |= packing_measures(chosen, sample.gold)
        values |= line_measures(chosen, marked.spans) if marked.spans else {}
        values |= block_measures(chosen, marked.blocks) if marked.blocks else {}
    return kept | {
        "values": {name: values[name] for name in MEASURES if name in wanted and name in values},
        "gold_ranks": {**ranks(ranked, sample.gold)},
    }
