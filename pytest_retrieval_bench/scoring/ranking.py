"""Metrics of a ranking against the gold files of a sample (PROTOCOL 5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

RECALL_DEPTHS = (5, 10, 20)


def kept(ranking: Iterable[str], given: Collection[str], limit: int) -> tuple[str, ...]:
    """What is scored of a whole ranking: distinct paths, given files removed, the first `limit` of them."""
    removed = set(given)
    return tuple(path for path in dict.fromkeys(ranking) if path not in removed)[:limit]


def metric_names(limit: int) -> list[str]:
    """The names of the ranking metrics at a limit; `@k` is literal, k is the limit."""
    recalls = [f"recall@{depth}" for depth in RECALL_DEPTHS if depth <= limit]
    return [*recalls, "mrr@k", "precision@k", "f1@k", "hit@k", "hard_negative_hits@k"]


def ranking_metrics(
    ranked: Sequence[str], gold: Collection[str], hard_negatives: Collection[str], limit: int
) -> dict[str, float]:
    """Each metric of `metric_names` for a sample with gold; `ranked` holds at most `limit` distinct paths.

    Recall is over all gold files, mrr@k is the inverse rank of the first hit, precision@k divides by what was answered,
    hard_negative_hits@k counts.
    """
    hits = [path in gold for path in ranked]
    found = sum(hits)
    recall = found / len(gold)
    precision = found / len(ranked) if ranked else 0
    values = {f"recall@{depth}": sum(hits[:depth]) / len(gold) for depth in RECALL_DEPTHS if depth <= limit}
    return values | {
        "mrr@k": 1 / (hits.index(True) + 1) if found else 0,
        "precision@k": precision,
        "f1@k": 2 * precision * recall / (precision + recall) if found else 0,
        "hit@k": int(found > 0),
        "hard_negative_hits@k": sum(path in hard_negatives for path in ranked),
    }
