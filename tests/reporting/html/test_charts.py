"""Charts: whole SVG elements in the page's colours, the same for the same figures, whatever the names."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pytest_retrieval_bench.reporting.html.charts import curves, spreads, whiskers
from pytest_retrieval_bench.reporting.html.figures import Estimate
from tests.reporting.html.pages import BIDI, MARKUP

SPREAD = {"n": 30, "min_ms": 0.0, "p50_ms": 2.0, "p95_ms": 3.0, "max_ms": 40.0}


def bars(name: str) -> str:
    return whiskers("Rates", [Estimate(name, 0.5, 0.4, 0.7, 9)], bars=True)


def forest(name: str) -> str:
    return whiskers("Differences", [Estimate(name, -0.1, -0.2, 0.1, 9)], bars=False, zero=True)


def lines(name: str) -> str:
    return curves("Recall", {f"{name}{number}": [(1, 0.1), (2, 0.4), (3, 0.5)] for number in range(9)}, "files read")


def powers(name: str) -> str:
    return curves("Yield", {name: [(4000, 0.1), (8000, 0.4)]}, "tokens", {4000: "4k", 8000: "8k"})


def times(name: str) -> str:
    return spreads("Times", {name: SPREAD})


CHARTS = pytest.mark.parametrize("chart", [bars, forest, lines, powers, times])


@CHARTS
@pytest.mark.parametrize("name", ["mine", MARKUP, BIDI, "検索", "$x^2$", "\ud800", "a" * 10_000, "", "_hidden"])
def test_whatever_the_name_it_is_one_element_without_a_tag_of_the_name(chart: Callable[[str], str], name: str) -> None:
    root = ElementTree.fromstring(chart(name))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert {element.tag.partition("}")[2] for element in root.iter()} <= {
        "svg", "defs", "style", "g", "path", "use", "text", "clipPath", "rect", "metadata",
    }  # fmt: skip
    assert max(len("".join(element.itertext())) for element in root.iter() if element.tag.endswith("text")) < 70


@CHARTS
def test_it_is_named_and_has_the_colours_of_the_page_alone(chart: Callable[[str], str]) -> None:
    drawn = chart("mine")
    assert re.match(r'<svg role="img" aria-label="\w+"', drawn)
    assert "var(--ink)" in drawn
    assert set(re.findall(r"#[0-9a-f]{6}\b", drawn)) <= {"#ffffff"}  # of the frame, which is transparent


@CHARTS
def test_the_same_figures_give_the_same_bytes_whatever_the_users_settings(
    chart: Callable[[str], str], tmp_path: Path
) -> None:
    code = f"from {chart.__module__} import {chart.__name__} as chart; print(chart('mine'), end='')"
    (tmp_path / "matplotlibrc").write_text("axes.linewidth: 9\nxtick.labelsize: 30\n")
    environment = os.environ | {"MATPLOTLIBRC": str(tmp_path)}
    command = [sys.executable, "-c", code]
    again = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert again.stdout == chart("mine")


def test_no_two_charts_of_a_page_share_an_id() -> None:
    ids = [name for chart in (bars, forest, lines, times) for name in re.findall(r' id="([^"]*)"', chart("mine"))]
    assert len(set(ids)) == len(ids) > 0


def test_what_a_chart_refers_to_is_in_it() -> None:
    for chart in (bars, forest, lines, times):
        drawn = chart("mine")
        named = set(re.findall(r' id="([^"]*)"', drawn))
        assert set(re.findall(r'(?:url\(#|href="#)([^")]*)', drawn)) <= named


def test_each_line_has_its_name_and_lines_differ_by_more_than_colour() -> None:
    drawn = lines("arm ")
    assert all(f"> arm {number}<" in drawn for number in range(9))
    assert len(set(re.findall(r"stroke-dasharray: ([\d., ]+)", drawn))) == 3
