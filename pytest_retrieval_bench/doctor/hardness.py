"""How hard a sample is for a search by words, by the rules of Agent Retrieval Bench (ARB 7.8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

LABELS: Final = {
    "hard": "a gold file is not among the first 20 of arb:lexical, or none is among the first 4",
    "medium": "neither hard nor easy",
    "too_easy_lexical": "all gold files are among the first 5",
    "too_easy_hint": "the query names a gold file",
    "unknown_lexical": "arb:lexical has no answer to it",
    "invalid_missing_gold": "gold that cannot be found: no snapshot, or not in it",
}
_HARD_BELOW: Final = 0.25


def hardness(measures: Mapping[str, float] | None, *, gold_is_there: bool, named: bool) -> str:
    """One of `LABELS`.

    `measures` are those of `arb:lexical` over its whole ranking, None where it has no answer; `named` says whether the
    query has a gold path or file name in it.
    """
    if not gold_is_there:
        return "invalid_missing_gold"
    if measures is None:
        return "unknown_lexical"
    if named:
        return "too_easy_hint"
    if measures["Recall@20"] < 1 or measures["MRR"] < _HARD_BELOW:
        return "hard"
    return "too_easy_lexical" if measures["Recall@5"] >= 1 else "medium"
