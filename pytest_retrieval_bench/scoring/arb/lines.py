"""Measures of the lines and blocks of packed chunks against those that the benchmark marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pytest_retrieval_bench.model import Chunk, Span
from pytest_retrieval_bench.scoring.arb.files import f_score
from pytest_retrieval_bench.scoring.arb.names import SHARES
from pytest_retrieval_bench.scoring.lines import Lines, merged


def line_measures(chosen: Sequence[Chunk], gold: Sequence[Span]) -> dict[str, float]:
    """Each of `LINE_MEASURES`: the lines that the chunks name, whole files included, against the lines of the spans.

    A chunk counts with all its lines, although its text may have been cut. The benchmark calls the same numbers
    `span_*` too.
    """
    wanted = _by_path(gold)
    named = _by_path(Span(chunk.path, *chunk.lines) for chunk in chosen if chunk.lines)
    overlap = sum(
        max(0, min(end, last) - max(start, first) + 1)
        for path, lines in wanted.items()
        for start, end in lines
        for first, last in named.get(path, ())
    )
    counts = {"line_gold_count": _count(wanted), "line_predicted_count": _count(named), "line_overlap_count": overlap}
    return _shares("line", overlap, overlap, *list(counts.values())[:2]) | counts


def block_measures(chosen: Sequence[Chunk], gold: Sequence[Chunk]) -> dict[str, float]:
    """Each of `BLOCK_MEASURES`: distinct chunks that are no whole files, against the marked blocks.

    Two match where they share a line of one file, or have the same id.
    """
    named = {replace(chunk, chars=0) for chunk in chosen if chunk.kind != "file" and chunk.lines}
    found = sum(any(_match(block, chunk) for chunk in named) for block in gold)
    right = sum(any(_match(block, chunk) for block in gold) for chunk in named)
    counts = {"gold_blocks": len(gold), "predicted_blocks": len(named), "matched_blocks": found}
    return _shares("block", found, right, len(gold), len(named)) | counts


def _by_path(spans: Iterable[Span]) -> dict[str, Lines]:
    found: dict[str, list[Span]] = {}
    for span in spans:
        found.setdefault(span.path, []).append(span)
    return {path: merged(listed) for path, listed in found.items()}


def _count(lines: dict[str, Lines]) -> int:
    return sum(end - start + 1 for listed in lines.values() for start, end in listed)


def _shares(what: str, found: int, right: int, wanted: int, named: int) -> dict[str, float]:
    recall, precision = found / wanted, right / named if named else 0
    values = (recall, precision, f_score(precision, recall, 1), f_score(precision, recall, 0.5))
    return {f"{what}_{name}@8k": value for name, value in zip(SHARES, values, strict=True)}


def _match(block: Chunk, chunk: Chunk) -> bool:
    if block.path != chunk.path or block.lines is None or chunk.lines is None:
        return False
    touching = max(block.lines[0], chunk.lines[0]) <= min(block.lines[1], chunk.lines[1])
    return touching or (block.id != "" and block.id == chunk.id)
