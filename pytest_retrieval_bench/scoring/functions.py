"""Whether the functions that matter are found, not only their files: what Loc-Bench's gold asks for (MINDEX 8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from pytest_retrieval_bench.model import Answer, Chunk

_DEPTHS: Final = (1, 5, 10, 20)
FUNCTION_MEASURES: Final = (
    "function_mrr@10", *(f"function_recall@{depth}" for depth in _DEPTHS),
    *(f"function_acc@{depth}" for depth in _DEPTHS),
)  # fmt: skip


def function_measures(answer: Answer, functions: Sequence[Chunk]) -> dict[str, float]:
    """Each of `FUNCTION_MEASURES`; `functions` are the blocks that the sample marks, one at least.

    A function is found by the first entry of the answer that shares a line with it: a chunk, or a file with its lines.
    What names no lines finds no function.
    """
    entries = list(islice(_entries(answer), max(_DEPTHS)))
    ranks = [
        next((rank for rank, entry in enumerate(entries, start=1) if _overlap(entry, one)), None) for one in functions
    ]
    first = min((rank for rank in ranks if rank is not None and rank <= 10), default=None)
    found = {depth: sum(rank is not None and rank <= depth for rank in ranks) for depth in _DEPTHS}
    return {
        "function_mrr@10": 0 if first is None else 1 / first,
        **{f"function_recall@{depth}": found[depth] / len(functions) for depth in _DEPTHS},
        **{f"function_acc@{depth}": int(found[depth] == len(functions)) for depth in _DEPTHS},
    }


def _entries(answer: Answer) -> Iterable[Chunk]:
    if answer.chunks is not None:
        return answer.chunks
    lines = answer.lines or [None] * len(answer.ranking)
    pairs = dict.fromkeys(zip(answer.ranking, lines, strict=True))
    return (Chunk(path, None if found is None else (found[0], found[1])) for path, found in pairs)


def _overlap(one: Chunk, other: Chunk) -> bool:
    if one.path != other.path or one.lines is None or other.lines is None:
        return False
    return one.lines[0] <= other.lines[1] and other.lines[0] <= one.lines[1]
