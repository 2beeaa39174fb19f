"""What is shown, as plain text."""

from __future__ import annotations

from pytest_retrieval_bench.reporting.layout import Shown, aligned


def plain_lines(shown: Shown) -> list[str]:
    """The lines that a file gets."""
    parts = ([part] if isinstance(part, str) else aligned(part.rows, part.names) for part in shown)
    return [line for lines in parts for line in lines]
