"""The site of the documentation: builds without a warning, loads nothing from elsewhere, has every option and name."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pytest_retrieval_bench
from tests.conftest import Run

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built with warnings as errors."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-d", str(folder / "doctrees")]
    built = subprocess.run(
        [*command, str(ROOT / "docs"), str(folder / "html")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    return folder / "html"


def text_of(page: Path) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8")))


def test_every_page_is_built_and_loads_nothing_from_elsewhere(site: Path) -> None:
    for page in (ROOT / "docs").glob("*.md"):
        built = (site / f"{page.stem}.html").read_text(encoding="utf-8")
        assert re.findall(r"<(?:script|link|img|iframe)[^>]*\s(?:src|href)=\"(?:https?:)?//[^\"]*", built) == []


def test_every_option_and_ini_value_is_on_its_page(site: Path, run_apart: Run) -> None:
    helped, page = run_apart("--help", output=None).text, text_of(site / "options.html")
    options = set(re.findall(r"--rb-[a-z-]+", helped))
    inis = set(re.findall(r"^  (rb_[a-z_]+)", helped, re.MULTILINE))
    assert options
    assert options <= set(re.findall(r"--rb-[a-z-]+", page))
    assert inis
    assert inis == set(re.findall(r"\brb_[a-z_]+", page))


def test_every_public_name_is_on_its_page(site: Path) -> None:
    page = text_of(site / "api.html")
    public = set(pytest_retrieval_bench.__all__) - {"__version__"}
    assert public <= set(re.findall(r"pytest_retrieval_bench\.(\w+)", page))
