"""A sample with a given gold and nothing else of interest."""

from __future__ import annotations

from pytest_retrieval_bench.model import Query, Sample, Span, Stratum


def sample(
    *gold: str,
    given: tuple[str, ...] = (),
    hard_negatives: tuple[str, ...] = (),
    stratum: Stratum = "positive",
    gold_spans: tuple[Span, ...] | None = None,
) -> Sample:
    """A sample of that gold."""
    return Sample(
        id="one",
        task_type="trace2code",
        repo="acme/shop",
        base_commit="0" * 40,
        query=Query({}, "{}", ""),
        gold=gold,
        given=given,
        hard_negatives=hard_negatives,
        stratum=stratum,
        partition="unassigned",
        gold_spans=gold_spans,
    )
