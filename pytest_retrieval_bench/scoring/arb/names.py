"""The names of the measures of the set `arb`; light, for command lines and tables."""

from __future__ import annotations

from typing import Final

ARB: Final = "arb"

DEPTHS: Final = (5, 10, 20)
_AT_DEPTH: Final = ("Recall", "Precision", "F0.5", "Any", "irrelevant_files", "hard_negative_hits")
FILE_MEASURES: Final = (
    "MRR", "nDCG@20", "coverage_auc@20", *(f"{name}@{depth}" for name in _AT_DEPTH for depth in DEPTHS),
)  # fmt: skip

BUDGETS: Final = (4000, 8000, 16000, 32000)
TAUS: Final = (1, 16, 32, 64, 128)
PACKING_FIGURES: Final = ("used_tokens", "packed_files", "partial_files", "missing_ranked_files")


def yield_name(budget: int, tau: int = 1) -> str:
    """The name of the yield at a budget where a file counts from `tau` tokens on: `BCY@8k`, `BCY@8k/16`."""
    return f"BCY@{budget // 1000}k" + (f"/{tau}" if tau > 1 else "")


def packing_name(what: str, budget: int) -> str:
    """The name of a figure about the packing: `BCY_used_tokens@8k`."""
    return f"BCY_{what}@{budget // 1000}k"


YIELD_MEASURES: Final = (
    *(yield_name(budget, tau) for budget in BUDGETS for tau in TAUS),
    *(packing_name(what, budget) for budget in BUDGETS for what in PACKING_FIGURES),
)

PACKING_MEASURES: Final = (
    "gold_coverage@8k", "context_pollution_tokens@8k", "gold_token_ratio@8k", "context_efficiency@8k", "redundancy@8k",
)  # fmt: skip

SHARES: Final = ("recall", "precision", "f1", "f0.5")
LINE_MEASURES: Final = (
    *(f"line_{name}@8k" for name in SHARES), "line_gold_count", "line_predicted_count", "line_overlap_count",
)  # fmt: skip
BLOCK_MEASURES: Final = (
    *(f"block_{name}@8k" for name in SHARES), "gold_blocks", "predicted_blocks", "matched_blocks",
)  # fmt: skip

MEASURES: Final = (*FILE_MEASURES, *YIELD_MEASURES, *PACKING_MEASURES, *LINE_MEASURES, *BLOCK_MEASURES)
