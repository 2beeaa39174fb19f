"""The wheel: what is in it, and that the demo suite runs from it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    code = (
        f"import sys; sys.argv = ['hatchling', 'build', '-t', 'wheel', '-d', {str(folder)!r}]; "
        "from hatchling.cli import hatchling; hatchling()"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_the_types_the_suites_the_page_and_the_licence_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "pytest_retrieval_bench/py.typed" in names
    assert "pytest_retrieval_bench/benchmark_suites/demo/suite.toml" in names
    assert {"assets/browser.js", "assets/page.css", "templates/page.html.j2"} <= {
        name.removeprefix("pytest_retrieval_bench/reporting/html/") for name in names
    }
    assert [name for name in names if name.endswith("licenses/LICENSE")]
    assert not [name for name in names if name.startswith(("tests", "conftest"))]


def test_the_demo_suite_runs_from_an_installed_wheel(wheel: Path, tmp_path: Path) -> None:
    installed, project = tmp_path / "site", tmp_path / "project"
    zipfile.ZipFile(wheel).extractall(installed)
    project.mkdir()
    environment = os.environ | {"PYTHONPATH": str(installed)}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--rb-suite=demo",
        "--rb-output=report.json",
        "--junitxml=junit.xml",
        "-q",
    ]
    finished = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    report = json.loads((project / "report.json").read_text(encoding="utf-8"))
    assert (report["samples"], "incomplete" in report) == (70, False)
    assert str(installed) not in (project / "junit.xml").read_text(encoding="utf-8")
