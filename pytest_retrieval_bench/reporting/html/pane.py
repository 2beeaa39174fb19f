"""One section of the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pytest_retrieval_bench.reporting.html.figures import Table


@dataclass(frozen=True, slots=True)
class Pane:
    """One section of the page; `charts` go with their captions; tables that are `folded` stand closed at first."""

    identity: str
    heading: str
    words: str
    charts: Sequence[tuple[str, Markup]] = ()
    tables: Sequence[Table] = ()
    folded: bool = False
