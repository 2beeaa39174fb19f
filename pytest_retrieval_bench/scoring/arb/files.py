"""Measures of a whole ranking of files: nothing is cut, given files stay and take up ranks."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pytest_retrieval_bench.scoring.arb.names import DEPTHS
from pytest_retrieval_bench.scoring.gain import discounted_gain


def ranks(ranked: Sequence[str], gold: Collection[str]) -> dict[str, int | None]:
    """The rank of each gold file, counted from 1; None for one that is not ranked."""
    found = {path: rank for rank, path in enumerate(ranked, start=1) if path in gold}
    return {path: found.get(path) for path in gold}


def file_measures(ranked: Sequence[str], gold: Collection[str], hard_negatives: Collection[str]) -> dict[str, float]:
    """Each of `FILE_MEASURES`; `ranked` holds distinct paths and `gold` at least one.

    MRR is the inverse rank of the first gold file, however deep it stands. Precision divides by what was answered where
    that is less than the depth. coverage_auc@20 is the mean of the recalls at the depths 1 to 20. irrelevant_files and
    hard_negative_hits are counts.
    """
    hits = [path in gold for path in ranked]
    values: dict[str, float] = {
        "MRR": 1 / (hits.index(True) + 1) if True in hits else 0,
        "nDCG@20": discounted_gain(hits[:20]) / discounted_gain([True] * min(len(gold), 20)),
        "coverage_auc@20": sum(sum(hits[:depth]) / len(gold) for depth in range(1, 21)) / 20,
    }
    for depth in DEPTHS:
        found, answered = sum(hits[:depth]), len(hits[:depth])
        recall, precision = found / len(gold), found / answered if answered else 0
        values |= {
            f"Recall@{depth}": recall,
            f"Precision@{depth}": precision,
            f"F0.5@{depth}": f_score(precision, recall, 0.5),
            f"Any@{depth}": int(found > 0),
            f"irrelevant_files@{depth}": answered - found,
            f"hard_negative_hits@{depth}": sum(path in hard_negatives for path in ranked[:depth]),
        }
    return values


def f_score(precision: float, recall: float, beta: float) -> float:
    """The weighted harmonic mean of the two, recall counting `beta` times as much; 0 where both are."""
    weight = beta * beta
    return (1 + weight) * precision * recall / max(weight * precision + recall, 1e-12)
