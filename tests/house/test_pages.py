"""What the pages show works as it stands there; what is not run is known, each with its reason."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.arms.arb.dense.settings import DenseSettings
from pytest_retrieval_bench.arms.arms_file import read_arms_file
from pytest_retrieval_bench.arms.changes import changes_since, contents
from pytest_retrieval_bench.arms.table import Table
from pytest_retrieval_bench.suites import read_suite
from tests.arms.no_dense import no_dense
from tests.conftest import Run
from tests.house.newcomer import sections
from tests.house.pages import PageError, follow, forms, steps, written
from tests.house.stage import retriever
from tests.memory_snapshot import MemorySnapshot

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}
# In a repository with ten questions of its own: tests/house/test_own_suite_page.py.
ELSEWHERE = {"your-own-suite"}
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
NOT_RUN = {
    ("CONTRIBUTING", "done by tests/house/newcomer.py"),
    ("arb-rankers", "needs an embedding model"),
    ("many-machines", "needs other machines"),
    ("tutorial", "needs the package index"),
}


@pytest.fixture
def shell(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands find the Python that runs the tests and a retriever, and take as many workers as a small machine has."""
    programs = retriever(tmp_path_factory.mktemp("programs") / "mine").parent
    monkeypatch.setenv("PATH", os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]))
    monkeypatch.setenv("PYTEST_XDIST_AUTO_NUM_WORKERS", "2")


def has_commands(page: str) -> bool:
    return any(step.kind == "command" and step.not_run is None for step in steps(page))


@pytest.mark.usefixtures("shell")
@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if has_commands(page) and name not in ELSEWHERE])
def test_a_page_does_what_it_says(name: str, tmp_path: Path) -> None:
    follow(PAGES[name], tmp_path, f"docs/{name}.md")


@pytest.mark.usefixtures("shell")
def test_the_readme_does_what_it_says(tmp_path: Path) -> None:
    _, elsewhere = sections()
    assert len(elsewhere) > 5
    for section in elsewhere:
        follow(section, tmp_path, "README.md")


@pytest.mark.usefixtures("shell")
def test_the_examples_for_contributors_do_what_they_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("pytest_retrieval_bench", "benchmark_suites"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    follow(CONTRIBUTING, tmp_path, "CONTRIBUTING.md")
    examples = [step.text for step in steps(CONTRIBUTING) if step.kind == "python"]
    assert [len(example.splitlines()) for example in examples if len(example.splitlines()) >= 30] == []
    for check in (["ruff", "check", "--no-cache"], ["ruff", "format", "--no-cache", "--check"], ["mypy", "--strict"]):
        command = [sys.executable, "-m", *check, "pytest_retrieval_bench", "--config", str(ROOT / "pyproject.toml")]
        finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert finished.returncode == 0, finished.stdout


def test_what_is_not_run_is_known() -> None:
    pages = PAGES | {"CONTRIBUTING": CONTRIBUTING, "README": README}
    found = {(name, step.not_run) for name, page in pages.items() for step in steps(page) if step.not_run is not None}
    assert found == NOT_RUN


def test_every_program_of_the_project_that_a_page_names_is_there() -> None:
    for page in PAGES.values():
        for module in re.findall(r"`python -m (tests\.[\w.]+)", page):
            assert (ROOT / module.replace(".", "/")).with_suffix(".py").is_file()
        for path in re.findall(r"`pytest (tests/\S+)", page):
            assert (ROOT / path).exists()


def test_the_least_row_and_suite_run(run_apart: Run, pytester: pytest.Pytester) -> None:
    (suite,), (chunk,) = forms(PAGES["samples"], "toml"), forms(PAGES["samples"], "json")
    (row,) = written(PAGES["samples"], "samples.jsonl")
    assert forms(README, "json") == [row]
    (pytester.path / "samples.jsonl").write_text(row)
    (pytester.path / "suite.toml").write_text(suite)
    corpus = pytester.path / "corpus" / "acme__shop"
    corpus.mkdir(parents=True)
    (corpus / f"{json.loads(row)['base_commit']}.chunks.jsonl").write_text(chunk)
    finished = run_apart("--rb-suite=.")
    assert finished.status == 0
    assert "retrieval-bench: Questions about our shop: 1 sample; " in finished.text
    assert finished.report["details"][0]["metrics"]["grep"]["hit@k"] == 1


def test_every_form_that_a_page_shows_has_a_test_of_its_own() -> None:
    shown = {
        (name, language): len(found)
        for name, page in {**PAGES, "README": README, "CONTRIBUTING": CONTRIBUTING}.items()
        for language in ("json", "toml")
        if (found := forms(page, language))
    }
    assert shown == {
        ("README", "json"): 1,
        ("samples", "json"): 1,
        ("samples", "toml"): 1,
        ("retrievers", "toml"): 2,
        ("arb-rankers", "toml"): 1,
        ("published-tables", "toml"): 1,
        ("agents", "json"): 1,
    }


def test_the_class_of_the_page_on_retrievers_is_brought_up_to_date() -> None:
    (code,) = (step.text for step in steps(PAGES["retrievers"]) if step.file == "conftest.py")
    names: dict[str, Any] = {}
    exec(code, names)
    before, now = MemorySnapshot({"a.py": b"alpha", "b.py": b"beta"}), MemorySnapshot({"b.py": b"gamma", "c.py": b"c"})
    updated, anew = names["Trigrams"](), names["Trigrams"]()
    updated.prepare(before)
    updated.update(now, changes_since(before.commit, contents(before), contents(now)))
    anew.prepare(now)
    assert updated.vectors == anew.vectors


@pytest.mark.parametrize(("page", "arm"), [("arb-rankers", "qwen"), ("published-tables", "qwen3-8b")])
def test_the_model_of_a_page_can_be_asked_for(tmp_path: Path, page: str, arm: str) -> None:
    (text,) = forms(PAGES[page], "toml")
    ((name, table),) = tomllib.loads(text)["arms"].items()
    assert (name, table.pop("kind")) == (arm, "dense")
    model = tmp_path / table["model"] / "modules.json"
    model.parent.mkdir(parents=True)
    model.write_text("[]")
    settings = DenseSettings.from_table(Table(table, f"[arms.{arm}]"), tmp_path)
    assert settings.folder == model.parent


def test_the_service_and_the_kept_index_of_the_page_on_retrievers_can_be_made(tmp_path: Path) -> None:
    file = tmp_path / "arms.toml"
    file.write_text("\n".join(forms(PAGES["retrievers"], "toml")))
    assert [arm.name for arm in read_arms_file(file, tmp_path, no_dense)] == ["search", "kept"]


def test_the_gates_of_their_page_are_read_from_a_suite(tmp_path: Path) -> None:
    (suite,) = written(PAGES["gates"], "suite.toml")
    (tmp_path / "suite.toml").write_text(suite)
    assert len(read_suite(tmp_path / "suite.toml").gates) == 2


def test_a_directive_that_nothing_is_known_of_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PageError, match=r"nothing is known of code in '\{code-block\} python'"):
        follow("```{code-block} python\nraise SystemExit\n```\n", tmp_path, "a page")
