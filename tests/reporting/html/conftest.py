"""A real browser, and the pages that it opens."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.conformance_packs import CORVINT, pack
from tests.conftest import CONFORMANCE

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
_QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
          "--disable-sync", "--no-first-run")  # fmt: skip
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 400, "height": 800}


@dataclass(frozen=True)
class Opened:
    """A page in the browser; `noise` is what it said on the console, `requests` what it asked for."""

    page: Any
    noise: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    def listed(self) -> list[str]:
        """The ids of the samples in the list, from top to bottom."""
        return [str(text) for text in self.page.locator("#list tbody th").all_inner_texts()]

    def choose(self, **values: str) -> None:
        """Sets filters by their ids."""
        for name, value in values.items():
            self.page.select_option(f"#{name}", label=value)

    def show(self, number: int) -> None:
        """Opens a sample of the list."""
        self.page.locator("#list tbody a").nth(number).click()
        self.page.wait_for_selector("#sample h3")


@dataclass(frozen=True)
class Chromium:
    """A running browser."""

    browser: Any

    @contextmanager
    def opened(self, path: Path, *, size: dict[str, int] = WIDE, scheme: str = "light") -> Iterator[Opened]:
        """A file, opened and ready; closed at the end."""
        page = self.browser.new_page(viewport=size, color_scheme=scheme)
        opened = Opened(page)
        page.on("console", lambda message: opened.noise.append(message.text))
        page.on("pageerror", lambda error: opened.noise.append(str(error)))
        page.on("request", lambda request: opened.requests.append(request.url))
        try:
            page.goto(path.as_uri())
            page.wait_for_selector("html[data-ready]")
            yield opened
        finally:
            page.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    """The system's Chromium; a test that wants it is skipped where there is none."""
    if CHROMIUM is None:
        pytest.skip("no chromium on PATH: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(_QUIET))
        yield Chromium(browser)
        browser.close()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a run of the demo suite with all that a page can show, beside its `report.json`."""
    return _run(tmp_path_factory.mktemp("demo"), ["--rb-suite=demo", "--rb-metrics=arb"], 0)


@pytest.fixture(scope="module")
def conformance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a run of the conformance pack: odd ids and texts, failures, arms that do not apply."""
    assert CONFORMANCE.is_dir()
    return _run(tmp_path_factory.mktemp("conformance"), [*pack("samples.jsonl"), CORVINT], 1)


@pytest.fixture(scope="module")
def screenshots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pictures of pages go: RB_SCREENSHOTS, or else a temporary folder."""
    given = os.environ.get("RB_SCREENSHOTS")
    folder = Path(given) if given else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _run(folder: Path, options: Sequence[str], status: int) -> Path:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rb-output=report.json"]
    command += ["--rb-html=page.html", "--rb-no-cache", *options]
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert finished.returncode == status, finished.stdout + finished.stderr
    return folder / "page.html"
