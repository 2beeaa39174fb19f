"""The names of arms in a list: some are made of other names, as `rrf(grep,bm25:all)` is."""

from __future__ import annotations

import re

FUSION = "rrf("
RERANKER = "rerank:"
# What is written around names of other arms: a fusion, or a reranker with its model.
_COMPOSED = re.compile(r"rrf\(|rerank:[^(,]+\(")


def split_names(listed: str) -> list[str]:
    """The names of a comma-separated list, without blanks around them.

    A comma inside of `rrf(…)` or `rerank:MODEL(…)` does not separate.

    >>> split_names("grep, rrf(grep, bm25:all)")
    ['grep', 'rrf(grep,bm25:all)']
    """
    names, rest = [], listed.strip()
    while rest:
        end = _end_of_parentheses(rest) if _COMPOSED.match(rest) else 0
        name, _, behind = rest[end:].partition(",")
        names.append((_tidy(rest[:end]) + name).strip())
        rest = behind.strip()
    return [name for name in names if name]


def components(name: str) -> list[str] | None:
    """The names that a fusion is made of; None for a name that is no fusion.

    >>> components("rrf(grep,rrf(a,b))")
    ['grep', 'rrf(a,b)']
    """
    if not name.startswith(FUSION) or not name.endswith(")"):
        return None
    return split_names(name.removeprefix(FUSION).removesuffix(")"))


def _end_of_parentheses(text: str) -> int:
    """Where the parenthesis is closed that the text opens; its whole length where it is not."""
    depth = 0
    for place, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == ")" and depth == 0:
            return place + 1
    return len(text)


def reranked(name: str) -> tuple[str, str] | None:
    """The model and the first stage of a reranker; None for a name that is no reranker.

    >>> reranked("rerank:models/small(rrf(a,b))")
    ('models/small', 'rrf(a,b)')
    """
    if not name.startswith(RERANKER) or not name.endswith(")"):
        return None
    model, separator, first = name.removeprefix(RERANKER).removesuffix(")").partition("(")
    return (model, first) if separator and model and first else None


def _tidy(composed: str) -> str:
    """A composed name without blanks around the names in it."""
    head = _COMPOSED.match(composed)
    if head is None or not composed.endswith(")"):
        return composed
    return f"{head[0]}{','.join(split_names(composed.removeprefix(head[0]).removesuffix(')')))})"
