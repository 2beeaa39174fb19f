"""The page put together: one file, no network, nothing in it that a stranger's text could make run."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.model import arm_rank
from pytest_retrieval_bench.reporting.html.figures import Table, missing
from pytest_retrieval_bench.reporting.html.texts import SampleTexts

_NO_EXTRA = "an HTML report needs jinja2 and matplotlib: pip install 'pytest-retrieval-bench[html]'"


def html_page(
    report: Mapping[str, Any],
    texts: Mapping[str, SampleTexts] | None,
    *,
    title: str,
    changes: Sequence[tuple[str, Table]] = (),
    notes: Sequence[str] = (),
) -> bytes:
    """The page of a report; `texts` None where samples and corpus were not given, which the page then says.

    `changes` are the titled tables of a comparison with an older report; they and `notes` stand first.

    Raises ReportError where what draws it is not installed.
    """
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined

        from pytest_retrieval_bench.reporting.html.browser_data import browser_data
        from pytest_retrieval_bench.reporting.html.panes import panes

        report = dict(report) | {"arms": {arm: report["arms"][arm] for arm in sorted(report["arms"], key=arm_rank)}}
        shown = panes(report)
    except ImportError as error:
        raise ReportError(_NO_EXTRA) from error
    environment = Environment(
        loader=PackageLoader("pytest_retrieval_bench.reporting.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script = _asset("browser.js")
    text = environment.get_template("page.html.j2").render(
        title=title,
        report=report,
        notes=notes,
        changes=changes,
        missing=missing(report),
        panes=shown,
        has_texts=texts is not None,
        data=browser_data(report, texts),
        style=_asset("page.css"),
        script=script,
        script_digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
    )
    return text.encode("utf-8", "replace")


def _asset(name: str) -> str:
    return files("pytest_retrieval_bench.reporting.html").joinpath("assets", name).read_text(encoding="utf-8")
