"""The registration: bound before the first retrieval, kept whatever happens, checked again at the end."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_retrieval_bench import __version__
from tests.conftest import Run
from tests.small_benchmark import SmallBenchmark

ANSWER = "return Answer()"
STOP = """
from pytest_retrieval_bench import Answer
class Stop:
    name = "stop"
    def answer(self, query, snapshot, limit):
        {body}
def pytest_retrieval_bench_arms(config):
    return [Stop()]
"""


def sidecar(small: SmallBenchmark, name: str = "report.json.registration.json") -> dict[str, Any]:
    registration: dict[str, Any] = json.loads((small.folder / name).read_text(encoding="utf-8"))
    return registration


def test_the_sidecar_is_what_the_report_says(run: Run, small: SmallBenchmark) -> None:
    report = run(*small.options, "--rb-max-samples=3", "--rb-arms=bm25").report
    registration = sidecar(small)
    assert registration == report["registration"]
    assert registration["arms"] == ["bm25:all", "bm25:ident"]
    assert registration["sample_ids"] == ["cart-test", "wrong-sum", "tick"]
    assert (registration["limit"], registration["max_samples"]) == (20, 3)
    assert registration["corvint_sha256"] == "NOT_RUN"
    fold_map = "8d439eb6f7cb2471e90ee905684a0054bce49462859d52db01031f7cabc8f004"
    assert registration["fold_map_sha256"] == fold_map
    assert registration["plugin"]["version"] == __version__
    assert registration["samples_sha256"] == report["samples_sha256"]


def test_the_sidecar_is_there_before_the_first_retrieval(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    path = str(small.folder / "report.json.registration.json")
    body = f"import json; assert json.load(open({path!r}))['limit'] == 20; {ANSWER}"
    pytester.makeconftest(STOP.format(body=body))
    assert run(*small.options, "--rb-arms=stop").report["arms"]["stop"]["errors"] == 0


def test_an_existing_registration_is_refused_and_left_as_it_was(run: Run, small: SmallBenchmark) -> None:
    path = small.folder / "report.json.registration.json"
    path.write_text("an earlier run")
    finished = run(*small.options)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert (
        "registration.json exists: it belongs to an earlier run; give another --rb-output or --rb-registration"
        in finished.text
    )
    assert path.read_text() == "an earlier run"
    assert not finished.output.exists()


def test_a_registration_can_be_put_elsewhere(run: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options, f"--rb-registration={small.folder / 'bound.json'}")
    assert sidecar(small, "bound.json") == finished.report["registration"]
    assert not (small.folder / "report.json.registration.json").exists()


def test_a_registration_alone_is_written_without_a_report(run: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options, f"--rb-registration={small.folder / 'bound.json'}", output=None)
    assert finished.status == 0
    assert sidecar(small, "bound.json")["sample_ids"] == ["cart-test", "wrong-sum", "tick", "nothing-here"]
    assert not finished.output.exists()


def test_the_environment_that_can_change_a_ranking_is_bound(
    run: Run, small: SmallBenchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CORVINT_CONTEXT_ANCHORS", "on")
    report = run(*small.options).report
    assert report["registration"]["environment"] == ["CORVINT_CONTEXT_ANCHORS=on"]


def test_a_samples_file_that_changes_under_way_gives_no_report_and_no_green(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    body = f"import os; os.system('echo >> {small.samples}'); {ANSWER}"
    pytester.makeconftest(STOP.format(body=body))
    finished = run(*small.options, "--rb-arms=stop")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert "no report was written: samples_sha256 changed while the run went on; run it again" in finished.text
    assert not finished.output.exists()
    assert sidecar(small)["arms"] == ["stop"]


def test_a_report_that_has_become_the_registration_is_not_written(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    report = str(small.folder / "report.json")
    body = f"import os; os.path.exists({report!r}) or os.link({report + '.registration.json'!r}, {report!r}); {ANSWER}"
    pytester.makeconftest(STOP.format(body=body))
    finished = run(*small.options, "--rb-arms=stop")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert "has become the same file as the registration" in finished.text
    assert sidecar(small)["arms"] == ["stop"]


def test_a_collection_error_registers_nothing(run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_mine="def")
    finished = run_plain("test_mine.py", *small.options)
    assert finished.status == pytest.ExitCode.INTERRUPTED
    assert list(small.folder.glob("report*")) == []
