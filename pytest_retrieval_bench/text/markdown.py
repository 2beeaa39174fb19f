"""GitHub's Markdown, safe for strangers' names: each stands as code, where nothing is a link, a mention or a tag."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pytest_retrieval_bench.text.visible import visible


def code(name: str) -> str:
    """A code span whose fence is longer than any run of backticks in the name."""
    text = visible(name)
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    return f"{fence} {text} {fence}" if "`" in text or text != text.strip() else f"{fence}{text}{fence}"


def in_table(cell: str) -> str:
    """A cell whose bars do not end it."""
    return cell.replace("|", "\\|")


def table(head: Sequence[str], rows: Sequence[Sequence[str]], names: Collection[int] = (0,)) -> str:
    """A table whose columns `names` stand to the left, figures to the right; the cells are Markdown already."""
    marks = ["---" if column in names else "---:" for column in range(len(head))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, marks, *rows])
