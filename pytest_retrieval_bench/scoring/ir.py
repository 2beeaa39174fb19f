"""The standard measures of ranked retrieval at fixed depths, over what the protocol scores: given files removed.

Those of files follow from a ranking and the gold files alone, and so from any report. They are as ranx and ir_measures
define them, with binary relevance; `map` and `acc` as MINDEX 8 does (see there).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from pytest_retrieval_bench.scoring.functions import FUNCTION_MEASURES
from pytest_retrieval_bench.scoring.gain import discounted_gain

IR: Final = "ir"
_SHARE_DEPTHS: Final = (1, 5, 10, 20)
IR_MEASURES: Final = (
    "ndcg@10", "mrr@10", "map@20", "map_trec@20", *(f"recall@{depth}" for depth in _SHARE_DEPTHS),
    *(f"acc@{depth}" for depth in _SHARE_DEPTHS), *FUNCTION_MEASURES,
)  # fmt: skip


def ir_names(limit: int) -> list[str]:
    """The measures whose depth is within the limit of a report."""
    return [name for name in IR_MEASURES if int(name.partition("@")[2]) <= limit]


def ir_measures(ranked: Sequence[str], gold: Collection[str]) -> dict[str, float]:
    """Each of `IR_MEASURES` that is about files; `ranked` holds distinct paths and `gold` at least one.

    - ndcg@10: gains of 1 / log2(rank + 1), divided by the most that so many gold files can gain.
    - mrr@10: 1 / rank of the first gold file among the first 10, else 0.
    - map@20: the mean over min(gold files, 20) of the precision at each hit; map_trec@20 divides by all gold files.
    - recall@k: the share of gold files among the first k. acc@k: whether all of them are there.
    """
    hits = [path in gold for path in ranked]
    precisions = sum(sum(hits[:rank]) / rank for rank in range(1, min(len(hits), 20) + 1) if hits[rank - 1])
    first = hits.index(True) + 1 if True in hits[:10] else None
    values = {
        "ndcg@10": discounted_gain(hits[:10]) / discounted_gain([True] * min(len(gold), 10)),
        "mrr@10": 0 if first is None else 1 / first,
        "map@20": precisions / min(len(gold), 20),
        "map_trec@20": precisions / len(gold),
    }
    for depth in _SHARE_DEPTHS:
        values[f"recall@{depth}"] = sum(hits[:depth]) / len(gold)
    for depth in _SHARE_DEPTHS:
        values[f"acc@{depth}"] = int(sum(hits[:depth]) == len(gold))
    return values
