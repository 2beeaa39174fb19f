"""What is released, a wheel and a source archive: what is in them, and that the demo suite runs from the wheel."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import pytest_retrieval_bench

ROOT = Path(__file__).parents[2]
PACKAGE = "pytest_retrieval_bench"
OF_THE_SOURCE = {
    PACKAGE,
    "benchmark_suites",
    "docs",
    "tests",
    "conftest.py",
    "pyproject.toml",
    ".gitignore",
    "PKG-INFO",
}
OF_THE_SOURCE |= {".ci", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", "LICENSE"}


def build(tree: Path, folder: Path, kind: str) -> Path:
    """The one file that a tree gives, made without a network."""
    code = (
        f"import sys; sys.argv = ['hatchling', 'build', '-t', {kind!r}, '-d', {str(folder)!r}]; "
        "from hatchling.cli import hatchling; hatchling()"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tree, check=True, capture_output=True)
    (built,) = folder.iterdir()
    return built


def files(folder: Path) -> set[str]:
    """The files below a folder, relative to its parent, but for what Python caches."""
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder.parent).as_posix() for path in found}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("source"), "sdist")


def test_the_wheel_holds_every_file_of_the_package_the_suites_the_licence_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"{PACKAGE}/py.typed", f"{PACKAGE}/benchmark_suites/demo/suite.toml"} <= names
    about = {name for name in names if ".dist-info/" in name}
    assert [name for name in about if name.endswith("licenses/LICENSE")]
    suites = {f"{PACKAGE}/{name}" for name in files(ROOT / "benchmark_suites")}
    assert names - about == files(ROOT / PACKAGE) | suites


def test_the_source_archive_holds_what_the_tests_need_and_nothing_of_this_machine(source: Path) -> None:
    with tarfile.open(source) as archive:
        members = [member for member in archive.getmembers() if member.isfile()]
        texts = {member.name.partition("/")[2]: archive.extractfile(member) for member in members}
        assert {name.partition("/")[0] for name in texts} == OF_THE_SOURCE
        for folder in (PACKAGE, "benchmark_suites", "docs", "tests"):
            assert files(ROOT / folder) <= texts.keys()
        here = os.fsencode(f"{ROOT}/")
        assert [name for name, text in texts.items() if text is not None and here in text.read()] == []
        assert {(member.uid, member.gid) for member in members} == {(0, 0)}


def test_the_wheel_of_the_source_archive_is_that_of_the_tree(wheel: Path, source: Path, tmp_path: Path) -> None:
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (tree,) = (tmp_path / "source").iterdir()
    assert build(tree, tmp_path / "wheel", "wheel").read_bytes() == wheel.read_bytes()


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


def test_the_types_of_every_public_name_hold_for_those_who_install_the_wheel(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    python = environment / "bin" / "python"
    (site,) = environment.glob("lib/python*/site-packages")
    zipfile.ZipFile(wheel).extractall(site)
    (site / "dependencies.pth").write_text("\n".join(path for path in sys.path if path.endswith("site-packages")))
    code = (Path(__file__).parent / "user_of_the_types.py").read_text(encoding="utf-8")
    assert [
        name for name in pytest_retrieval_bench.__all__ if not re.search(rf"^    {name},$", code, re.MULTILINE)
    ] == []
    user = tmp_path / "user.py"
    user.write_text(code)
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from pytest_retrieval_bench import load_report\n\nload_report(3)\n")

    def mypy(file: Path) -> str:
        check = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache"]
        command = [*map(str, check), f"--python-executable={python}", file.name]
        clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
        return subprocess.run(
            command, cwd=tmp_path, env=clean, capture_output=True, text=True, check=False
        ).stdout.strip()

    assert mypy(user) == "Success: no issues found in 1 source file"
    assert "incompatible type" in mypy(wrong)
