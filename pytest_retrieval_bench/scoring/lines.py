"""ContextBench's coverage and precision of files and lines (arXiv 2602.05892; PROTOCOL 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pytest_retrieval_bench.model import Span

LINE_METRICS = ("cb_file_coverage", "cb_file_precision", "cb_line_coverage", "cb_line_precision")

Lines = list[tuple[int, int]]


def count_lines(content: bytes) -> int:
    """Line feeds, and one more for a last line without one; an empty file has no line."""
    return content.count(b"\n") + (not content.endswith(b"\n") if content else 0)


def line_metrics(
    ranked: Sequence[str], gold: Sequence[Span], line_count: Callable[[str], int | None]
) -> dict[str, float]:
    """Each metric of `LINE_METRICS`. A ranked file predicts all of its lines.

    `line_count` gives the lines of a regular file of the snapshot and None for any other path, which counts as a
    predicted file without lines.
    """
    spans: dict[str, list[Span]] = {}
    for span in gold:
        spans.setdefault(span.path, []).append(span)
    gold_lines = {path: merged(listed) for path, listed in spans.items()}
    predicted = {path: line_count(path) or 0 for path in ranked}
    shared_files = sum(path in gold_lines for path in predicted)
    shared_lines = sum(
        max(0, min(end, predicted[path]) - start + 1)
        for path, lines in gold_lines.items()
        if path in predicted
        for start, end in lines
    )
    gold_total = sum(end - start + 1 for lines in gold_lines.values() for start, end in lines)
    values = (
        _share(shared_files, len(gold_lines)),
        _share(shared_files, len(predicted)),
        _share(shared_lines, gold_total),
        _share(shared_lines, sum(predicted.values())),
    )
    return dict(zip(LINE_METRICS, values, strict=True))


def merged(spans: Iterable[Span]) -> Lines:
    """The lines of spans of one file as intervals that neither overlap nor touch, ascending."""
    merged: Lines = []
    for start, end in sorted((span.start, span.end) for span in spans):
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _share(shared: int, whole: int) -> float:
    return shared / whole if whole else 1
