"""Pages of small reports, and what a reader of their bytes finds in them."""

from __future__ import annotations

import base64
import gzip
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.reporting.html.page import html_page
from pytest_retrieval_bench.reporting.html.texts import SampleTexts
from pytest_retrieval_bench.reporting.merge import merge
from tests.reporting.small_reports import report, written

MARKUP = "</script><script>window.hurt = 1</script><img src=x onerror='window.hurt = 1'>]]>-->"
BIDI = "\u202egnp.exe\u2066"


def whole(folder: Path, rows: Sequence[Mapping[str, Any]], **members: Any) -> dict[str, Any]:
    """The whole report of some rows, as a page shows it."""
    return merge([written(folder / "small.json", report(rows, **members))])


def page(whole_report: Mapping[str, Any], texts: Mapping[str, SampleTexts] | None = None, **beside: Any) -> str:
    return html_page(whole_report, texts, **beside).decode()


def unpacked(packed: str) -> dict[str, Any]:
    """What `browser_data` packed."""
    data: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed)))
    return data


class Seen(HTMLParser):
    """The tags of a page with their counts, the names of all attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data
