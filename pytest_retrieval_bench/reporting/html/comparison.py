"""The page of two reports: what changed, flips first, and then the newer one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_retrieval_bench.reporting.comparison_text import plain_tables
from pytest_retrieval_bench.reporting.html.figures import Table
from pytest_retrieval_bench.reporting.html.page import html_page
from pytest_retrieval_bench.reporting.html.texts import SampleTexts


def comparison_page(
    comparison: Mapping[str, Any], newer: Mapping[str, Any], texts: Mapping[str, SampleTexts] | None
) -> bytes:
    """The page; `newer` is the whole newer report.

    Raises ReportError as `html_page` does.
    """
    changes = [(title, Table(head, rows)) for title, head, rows in plain_tables(comparison)]
    return html_page(newer, texts, title="Retrieval benchmark: what changed", changes=changes)
