"""Weights are fitted on one benchmark, and refused on its repositories."""

from __future__ import annotations

import json

import pytest

from pytest_retrieval_bench.__main__ import main
from tests.conftest import Run
from tests.small_benchmark import SmallBenchmark

ARM = "weighted:weights.json"


@pytest.fixture
def fitted(run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(pytester.path)
    run_plain("--rb-suite=demo", "--rb-arms=grep,bm25:all", output="demo.json")
    assert main(["fit", "demo.json", "--arms=grep,bm25:all", "--out=weights.json"]) == 0


@pytest.mark.usefixtures("fitted")
def test_a_fusion_with_weights_runs_on_other_repositories_and_is_bound_to_them(run: Run, small: SmallBenchmark) -> None:
    report = run(*small.options, f"--rb-arms={ARM},rrf(grep,{ARM})").report
    assert report["arms"][ARM]["all"]["n"] == 4
    bound = report["registration"]["retrievers"][ARM]
    assert bound["kind"] == "weighted"
    assert sorted(bound["weights"]) == ["bm25:all", "grep"]
    assert sum(bound["weights"].values()) == pytest.approx(1)
    assert bound["repositories"] == ["acme-labs/formkit", "acme-labs/ledger", "acme-labs/relay"]


@pytest.mark.usefixtures("fitted")
@pytest.mark.parametrize("arm", [ARM, f"rrf(grep-ident,{ARM})"])
def test_it_is_refused_on_what_its_weights_were_fitted_on(run_plain: Run, arm: str) -> None:
    finished = run_plain("--rb-suite=demo", f"--rb-arms={arm}")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    repositories = "acme-labs/formkit, acme-labs/ledger, acme-labs/relay"
    assert f"its weights were fitted on {repositories}, which this run measures" in finished.text
    assert not finished.output.exists()


@pytest.mark.usefixtures("fitted")
def test_weights_are_not_overwritten_and_say_what_they_are_from(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    weights = json.loads((pytester.path / "weights.json").read_text())
    assert (weights["metric"], weights["n"]) == ("mrr@k", 53)
    assert main(["fit", "demo.json", "--arms=grep,bm25:all", "--out=weights.json"]) == 1
    assert "weights.json exists" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"weights": {"grep": 1}}', None])
def test_a_file_that_holds_no_weights_is_refused(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester, content: str | None
) -> None:
    if content is not None:
        (pytester.path / "weights.json").write_text(content)
    finished = run_plain(*small.options, f"--rb-arms={ARM}")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "--rb-arms: weighted:weights.json: " in finished.text
