"""From an answer to its record: the one place that decides what counts (PROTOCOL 4 and 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pytest_retrieval_bench.model import LEXICAL_ARMS, Answer, Lines, Outcome, Record, Sample
from pytest_retrieval_bench.scoring.lines import line_metrics
from pytest_retrieval_bench.scoring.ranking import kept, metric_names, ranking_metrics
from pytest_retrieval_bench.statistics.rounding import rounded


def score(
    sample: Sample,
    arm: str,
    answer: Answer,
    limit: int,
    wall_ms: float | None,
    line_count: Callable[[str], int | None],
) -> Record:
    """Scores an answer. `line_count` is asked only for samples whose gold are spans (see `line_metrics`)."""
    if answer.error is not None or not answer.applicable:
        return failed(sample, arm, answer, limit, wall_ms)
    ranked = kept(answer.ranking, sample.given, limit)
    lines = None if answer.lines is None else _lines_of(ranked, answer.ranking, answer.lines)
    abstained = not ranked if answer.abstained is None else answer.abstained
    metrics: dict[str, float] = {"abstained": int(abstained)}
    if sample.stratum == "positive":
        metrics |= ranking_metrics(ranked, sample.gold, sample.hard_negatives, limit)
        metrics["selective_success"] = int(not abstained and metrics["hit@k"] > 0)
    else:
        metrics["selective_success"] = int(abstained)
    if sample.gold_spans is not None:
        metrics |= line_metrics(ranked, sample.gold_spans, line_count)
    return Record(
        sample_id=sample.id,
        arm=arm,
        outcome="abstained" if abstained else "answered",
        ranked=ranked,
        abstained=abstained,
        state=answer.state,
        top_score=_top_score(sample, arm, answer),
        packet_bytes=answer.packet_bytes,
        cache_state=answer.cache_state,
        wall_ms=wall_ms,
        cold_wall_ms=answer.cold_wall_ms,
        index=answer.index,
        lines=lines,
        figures=answer.figures,
        metrics=metrics,
    )


def failed(sample: Sample, arm: str, answer: Answer, limit: int, wall_ms: float | None) -> Record:
    """The record of an arm that gave no answer: it ranks nothing and scores 0 on every metric of its stratum."""
    outcome: Outcome = answer.failure or "error" if answer.applicable else "not applicable"
    return Record(
        sample_id=sample.id,
        arm=arm,
        outcome=outcome,
        ranked=(),
        abstained=False,
        error=answer.error or "the arm does not apply to this sample",
        cache_state=answer.cache_state,
        wall_ms=wall_ms,
        index=answer.index,
        figures=answer.figures,
        metrics=dict.fromkeys(plain_metric_names(sample, limit), 0),
    )


def plain_metric_names(sample: Sample, limit: int) -> list[str]:
    """The metrics that every record of a sample has, whatever its arm answered; those of lines come on top."""
    return ["abstained", "selective_success", *(metric_names(limit) if sample.stratum == "positive" else [])]


def _lines_of(ranked: Iterable[str], ranking: Sequence[str], lines: Lines) -> Lines:
    """The line range of each ranked path: that of its first place in the whole ranking."""
    first = dict(zip(reversed(ranking), reversed(lines), strict=True))
    return tuple(first[path] for path in ranked)


def _top_score(sample: Sample, arm: str, answer: Answer) -> float | None:
    """The score of the first path that is not given, of the lexical arms only."""
    if arm not in LEXICAL_ARMS or answer.scores is None:
        return None
    scored, given = zip(answer.ranking, answer.scores, strict=True), set(sample.given)
    return next((rounded(value) for path, value in scored if path not in given), None)
