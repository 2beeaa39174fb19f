"""What the README shows works as it stands there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pytest_retrieval_bench.arms.arms_file import read_arms_file
from pytest_retrieval_bench.suites import read_suite
from tests.arms.no_dense import no_dense
from tests.conftest import Run

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def blocks(language: str, page: str = README) -> list[str]:
    """The code blocks of a language, without the indentation of the list they stand in."""
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```", page, re.DOTALL | re.MULTILINE)
    return [re.sub(rf"^{indentation}", "", text, flags=re.MULTILINE) for indentation, text in found]


def test_the_retriever_the_test_and_the_notebook_run(run_apart: Run, pytester: pytest.Pytester) -> None:
    notebook, retriever, own_test = blocks("python")
    pytester.makeconftest(retriever)
    pytester.makepyfile(test_own=own_test)
    finished = run_apart("--rb-suite=demo", "--rb-arms=path-words,bm25:all")
    finished.result.assert_outcomes(passed=140)
    assert finished.report["arms"]["path-words"]["errors"] == 0
    run_apart("--rb-suite=demo", "test_own.py", "-m", "not rb", output=None).result.assert_outcomes(passed=70)
    rows: dict[str, object] = {}
    exec(notebook, rows)
    assert isinstance(rows["rows"], list)
    assert len(rows["rows"]) == 140


def test_the_least_row_and_suite_run(run_apart: Run, pytester: pytest.Pytester) -> None:
    (row,), (suite,) = blocks("json"), blocks("toml")
    (pytester.path / "samples.jsonl").write_text(row)
    (pytester.path / "suite.toml").write_text(suite)
    tree = pytester.path / "corpus" / f"shop-{json.loads(row)['base_commit'][:12]}" / "shop"
    tree.mkdir(parents=True)
    (tree / "cart.py").write_text("def total(): ...\n")
    finished = run_apart("--rb-suite=.")
    assert finished.status == 0
    assert "retrieval-bench: Questions about our shop: 1 sample; " in finished.text
    assert finished.report["details"][0]["metrics"]["grep"]["hit@k"] == 1


def test_every_option_is_explained(run_apart: Run) -> None:
    text = run_apart("--help", output=None).text
    options = set(re.findall(r"--rb-[a-z-]+", text))
    assert options
    assert options <= set(re.findall(r"--rb-[a-z-]+", README))
    ini = set(re.findall(r"^  (rb_[a-z_]+)", text, re.MULTILINE))
    assert ini == set(re.findall(r"`(rb_[a-z_]+)` \|", README))


def test_the_command_runs(run_apart: Run) -> None:
    ((option,),) = (re.findall(r"--rb-command='(.*)'", README),)
    finished = run_apart("--rb-suite=demo", f"--rb-command={option}", "--rb-arms=all-tests")
    finished.result.assert_outcomes(passed=70)
    assert finished.report["arms"]["all-tests"]["all"]["hit@k"] > 0


def test_the_arms_of_the_page_on_retrievers_can_be_made(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "retrievers.md").read_text(encoding="utf-8")
    file = tmp_path / "arms.toml"
    file.write_text("\n".join(blocks("toml", page)))
    assert [arm.name for arm in read_arms_file(file, tmp_path, no_dense)] == ["mine", "search", "kept"]


def test_the_gates_of_their_page_are_judged(run_apart: Run, pytester: pytest.Pytester) -> None:
    page = (Path(__file__).parents[2] / "docs" / "gates.md").read_text(encoding="utf-8")
    gates = list(dict.fromkeys(re.findall(r"--rb-gate='(.*)'", page)))
    finished = run_apart("--rb-suite=demo", "--rb-arms=grep,bm25:all", *(f"--rb-gate={gate}" for gate in gates))
    told = [line for line in finished.result.outlines if line.startswith(("gate passed: ", "gate failed: "))]
    assert len(told) == len(gates) == 4
    (suite,) = blocks("toml", page)
    (pytester.path / "suite.toml").write_text(suite)
    assert len(read_suite(pytester.path / "suite.toml").gates) == 2
