"""Copies can lie in any temporary folder, and their arms need no home."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.conftest import CONFORMANCE, Finished, Run
from tests.processes.conftest import eventually, listed
from tests.small_benchmark import SmallBenchmark

pytestmark = pytest.mark.skipif(os.name == "nt" or shutil.which("git") is None, reason="needs copies")

ARMS = "corvint,context,impact,affected,inside,named,works,grep"
# One that is told where the copy is, and one that runs in it; both print it when they fail.
FAIL = "import os, sys; sys.exit((sys.argv[1:] or [os.getcwd()])[0] + '/README.md')"
WORK = "import os; print(os.path.realpath('README.md'))"
ARMS_FILE = f"""
[arms.inside]
command = '''{sys.executable} -c "{FAIL}"'''
[arms.named]
command = '''{sys.executable} -c "{FAIL}" {{root}}'''
[arms.works]
command = '''{sys.executable} -c "{WORK}"'''
index = "touch {{root}}/index"
"""


@pytest.fixture(params=["plain", "-n2"])
def run(request: pytest.FixtureRequest, pytester: pytest.Pytester) -> Run:
    return Run(pytester, () if request.param == "plain" else (request.param,), apart=True)


def start(run: Run, small: SmallBenchmark, *options: str) -> Finished:
    (small.folder / "arms.toml").write_text(ARMS_FILE)
    corvint = f"--rb-corvint={CONFORMANCE / 'bin' / 'corvint'}"
    arms = f"--rb-arms-file={small.folder / 'arms.toml'}", f"--rb-arms={ARMS}"
    return run(*small.options, corvint, *arms, "--rb-max-samples=1", *options)


def assert_all_arms_answered(finished: Finished, temporary: Path) -> None:
    """And none of the copies, which were below this folder, is left."""
    answers = finished.report["details"][0]["arms"]
    errors = {arm: answer["error"] for arm, answer in answers.items() if "error" in answer}
    assert errors == dict.fromkeys(["inside", "named"], "exit status 1: {root}/README.md")
    assert set(answers) == set(ARMS.split(","))
    assert answers["works"]["ranked"] == ["README.md"]
    assert answers["corvint"]["ranked"] == ["shop/cart.py", "shop/price.py", "tests/test_cart.py"]
    assert answers["affected"]["ranked"] == ["tests/test_cart.py"]
    base = temporary / f"pytest-retrieval-bench-{os.geteuid()}"
    assert eventually(lambda: listed(base) == [])


@pytest.mark.parametrize("name", ["with a space", "caf\xe9 \u6587\u4ef6", "quo'te\"s $HOME {root}"], ids=ascii)
def test_the_temporary_folder_may_have_any_name(
    run_apart: Run, small: SmallBenchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / name).mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / name))
    assert_all_arms_answered(start(run_apart, small), tmp_path / name)


def test_the_temporary_folder_may_be_a_link(
    run_apart: Run, small: SmallBenchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is on macOS."""
    (tmp_path / "private").mkdir()
    (tmp_path / "link").symlink_to("private")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "link"))
    assert_all_arms_answered(start(run_apart, small), tmp_path / "private")


@pytest.mark.parametrize("home", [None, "/nonexistent", "/proc"], ids=["none", "missing", "read-only"])
def test_no_home_is_needed(
    run_apart: Run, small: SmallBenchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str | None
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME") if home is None else monkeypatch.setenv("HOME", home)
    assert_all_arms_answered(start(run_apart, small), tmp_path)


def test_a_base_folder_for_tests_is_not_ours(
    run: Run, small: SmallBenchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pytest empties it when a test first asks for a folder, while copies may be in use."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    run.pytester.makeconftest("import pytest\n@pytest.fixture(autouse=True)\ndef folder(tmp_path): return tmp_path")
    (tmp_path / "base").mkdir()
    assert_all_arms_answered(start(run, small, f"--basetemp={tmp_path / 'base'}"), tmp_path)
