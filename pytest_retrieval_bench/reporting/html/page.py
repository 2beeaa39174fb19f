"""The page put together: one file, no network, nothing in it that a stranger's text could make run."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.model import arm_rank
from pytest_retrieval_bench.reporting.html.comparison import Changes, changes_of
from pytest_retrieval_bench.reporting.html.figures import gates, missing
from pytest_retrieval_bench.reporting.html.texts import SampleTexts
from pytest_retrieval_bench.reporting.judging import Verdict
from pytest_retrieval_bench.reporting.load import Report
from pytest_retrieval_bench.reporting.merge import merge
from pytest_retrieval_bench.reporting.terminal import guesses, of_suite
from pytest_retrieval_bench.text.visible import visible

_NO_EXTRA = "an HTML report needs jinja2 and matplotlib: pip install 'pytest-retrieval-bench[html]'"
_SCRIPTS = ("samples.js", "sample_view.js", "browser.js")
_CELL_CHARS = 2_000


def html_page(
    report: Mapping[str, Any],
    texts: Mapping[str, SampleTexts] | None,
    *,
    name: str = "",
    changes: Changes | None = None,
    verdicts: Sequence[Verdict] = (),
    problems: Sequence[str] = (),
) -> bytes:
    """The page of a report; `texts` None where samples and corpus were not given, which the page then says.

    It is called by `name`, or else by the title of the suite. What went wrong stands first, `problems` included, then
    `changes` since an older report.

    Raises ReportError where what draws it is not installed.
    """
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
        from markupsafe import Markup

        from pytest_retrieval_bench.reporting.html.browser_data import browser_data
        from pytest_retrieval_bench.reporting.html.panes import panes

        ordered = dict(report) | {"arms": {arm: report["arms"][arm] for arm in sorted(report["arms"], key=arm_rank)}}
        shown = panes(ordered)
    except ImportError as error:
        raise ReportError(_NO_EXTRA) from error
    environment = Environment(
        loader=PackageLoader("pytest_retrieval_bench.reporting.html"),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    suite = report["registration"].get("suite", {})
    script = "\n".join(map(_asset, _SCRIPTS))
    text = environment.get_template("page.html.j2").render(
        title=": ".join(filter(None, ("Retrieval benchmark", name or suite.get("title", "")))),
        report=ordered,
        problems=problems,
        gates=gates(verdicts),
        missing=missing(report),
        guesses=guesses(report),
        about=of_suite(suite),
        changes=changes,
        panes=shown,
        has_texts=texts is not None,
        data=Markup(browser_data(ordered, texts)),
        style=Markup(_asset("page.css")),
        script=Markup(script),
        script_digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
    )
    return text.encode()


def comparison_page(
    comparison: Mapping[str, Any], old: str, newer: Report, texts: Mapping[str, SampleTexts] | None
) -> bytes:
    """The page of two reports: what changed since the one of the name `old`, then the newer one.

    Raises ReportError as `html_page` does.
    """
    new, report = newer.path.name, merge([newer])
    changes = changes_of(comparison, report, old, new)
    return html_page(report, texts, name=f"{old} to {new}", changes=changes)


def _shown(value: object) -> object:
    """A stranger's text as a page may show it; markup of our own, which is a string as well, as it is."""
    return visible(value, _CELL_CHARS) if type(value) is str else value


def _asset(name: str) -> str:
    return files("pytest_retrieval_bench.reporting.html").joinpath("assets", name).read_text(encoding="utf-8")
