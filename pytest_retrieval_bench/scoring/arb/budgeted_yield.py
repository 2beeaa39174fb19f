"""Budgeted Context Yield (BCY): the share of the gold files that a context of so many tokens shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from pytest_retrieval_bench.scoring.arb.names import BUDGETS, PACKING_FIGURES, TAUS, packing_name, yield_name

FILES: Final = 20
_TOKEN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[^A-Za-z0-9_\s]")


@lru_cache(maxsize=512)
def count_tokens(text: str) -> int:
    """The tokens of the benchmark's `regex_code_tokenizer_v1`: identifiers, numbers, and each other character.

    White space is none. A letter outside of ASCII is a token of its own, `1abc` are two. Counts are kept: the arms and
    samples of a snapshot have many of their first files in common.
    """
    return len(_TOKEN.findall(text))


def yield_measures(
    ranked: Sequence[str], gold: Collection[str], text_of: Callable[[str], str | None], budgets: Sequence[int] = BUDGETS
) -> dict[str, float]:
    """Each of `YIELD_MEASURES`; `ranked` holds distinct paths, of which the first 20 count, and `gold` at least one.

    Files are written one after the other as `### PATH`, text, line break, until the budget is full; the last one may
    stand there in part. The line break costs a token where there is text, though the tokenizer sees none in it. A file
    without text of its own in the snapshot costs nothing. A gold file is shown from min(`tau`, all its tokens) tokens
    of its text on. Gold that the snapshot lacks is never shown and counts all the same.
    """
    texts = [text_of(path) for path in ranked[:FILES]]
    missing = np.array([text is None for text in texts], bool)
    header = np.array([count_tokens(f"### {path}\n") for path in ranked[:FILES]], np.int64) * ~missing
    content = np.array([count_tokens(text or "") for text in texts], np.int64)
    ends = np.cumsum(header + content + np.array([bool(text) for text in texts], np.int64))
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    wanted = np.array([path in gold for path in ranked[:FILES]], bool) & (content > 0)
    values: dict[str, float] = {}
    for budget in budgets:
        begun = starts < budget
        shown = np.clip(budget - starts - header, 0, content)
        for tau in TAUS:
            values[yield_name(budget, tau)] = int((wanted & (shown >= np.minimum(tau, content))).sum()) / len(gold)
        figures = (
            min(budget, int(ends[-1])) if len(ends) else 0,
            int((begun & ~missing).sum()),
            int((begun & (ends > budget)).sum()),
            int((begun & missing).sum()),
        )
        values |= {packing_name(what, budget): figure for what, figure in zip(PACKING_FIGURES, figures, strict=True)}
    return values
