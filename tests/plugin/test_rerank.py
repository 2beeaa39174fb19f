"""A reranker in a run: its first stage runs with it, and it is held against that."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from pytest_retrieval_bench.arms.named import first_stages
from pytest_retrieval_bench.arms.rerank import Reranker
from pytest_retrieval_bench.model import Answer
from tests.arms.cross_encoder import cross_encoder
from tests.arms.test_rerank import First
from tests.conftest import Run
from tests.small_benchmark import SmallBenchmark


def test_its_first_stage_runs_as_well_and_is_its_baseline(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    (pytester.path / "model").mkdir()
    cross_encoder(pytester.path / "model")
    report = run_plain(*small.options, "--rb-arms=rerank:model(arb:lexical)").report
    assert sorted(report["arms"]) == ["arb:lexical", "rerank:model(arb:lexical)"]
    assert report["registration"]["baseline_arms"] == ["arb:lexical"]
    assert report["paired"]["all"]["rerank:model(arb:lexical)"]["arb:lexical"]["mrr@k"]["n"] == 3
    assert all(report["arms"][arm]["errors"] == 0 for arm in report["arms"])


def test_only_rerankers_have_a_first_stage() -> None:
    first = First(Answer())
    assert first_stages([first]) == []
    assert first_stages([first, Reranker("rerank", [first], Path("model"))]) == [first]


@pytest.mark.parametrize(
    ("arm", "words"),
    [
        ("rerank:nothing(grep)", "nothing has no config.json, and no installed package 'nothing' holds a model"),
        ("rerank:nothing(grpe)", "nothing has no config.json"),
    ],
)
def test_a_model_that_is_not_there_is_refused(run_plain: Run, small: SmallBenchmark, arm: str, words: str) -> None:
    finished = run_plain(*small.options, f"--rb-arms={arm}")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    installed = find_spec("sentence_transformers") is not None
    assert (words if installed else "it needs pip install 'pytest-retrieval-bench[dense]'") in finished.text
