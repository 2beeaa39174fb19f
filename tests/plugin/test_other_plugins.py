"""Beside plugins that run items again, shuffle them, bound their time or write reports: the same records, each once."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.conftest import without_time
from tests.small_benchmark import SmallBenchmark

OPTIONS = {
    "rerunfailures": ["--reruns=2"],
    "randomly": ["--randomly-seed=1"],
    "timeout": ["--timeout=60"],
    "html": ["--html=page.html", "--self-contained-html"],
}
GATES = ["--rb-gate=grep-ident hit@k >= 0.6", "--rb-gate=grep-ident hit@k >= 0.7"]


def _without_all_but(plugin: str) -> str:
    return " ".join(f"-p no:{name}" for name in OPTIONS if name != plugin)


def _run(pytester: pytest.Pytester, small: SmallBenchmark, name: str, *arguments: str) -> dict[str, Any]:
    result = pytester.runpytest_subprocess(
        *small.options, "--rb-arms=grep,grep-ident", "--rb-judge=strict", *GATES, f"--rb-output={name}.json",
        f"--junitxml={name}.xml", *arguments,
    )  # fmt: skip
    outcomes = result.parseoutcomes()
    # `tick` for one arm, what has no answer for the other, and one gate.
    assert (result.ret, outcomes["failed"], outcomes["passed"]) == (1, 3, 7)
    report: dict[str, Any] = json.loads((pytester.path / f"{name}.json").read_text(encoding="utf-8"))
    return report


@pytest.mark.parametrize("mode", [[], ["-n2"]])
@pytest.mark.parametrize("plugin", OPTIONS)
def test_the_report_is_the_one_of_a_run_without_it(
    pytester: pytest.Pytester, small: SmallBenchmark, monkeypatch: pytest.MonkeyPatch, plugin: str, mode: list[str]
) -> None:
    alone = _run(pytester, small, "alone", *mode)
    monkeypatch.setenv("PYTEST_ADDOPTS", _without_all_but(plugin))
    beside = _run(pytester, small, "beside", *mode, *OPTIONS[plugin])
    assert without_time(alone) == without_time(beside)
    suite = ElementTree.parse(pytester.path / "beside.xml").getroot().find("testsuite")
    assert suite is not None
    assert (suite.attrib["tests"], suite.attrib["failures"]) == ("10", "3")
    for case in suite.iter("testcase"):
        names = [entry.attrib["name"] for entry in case.iter("property")]
        assert len(names) == len(set(names))


def test_an_item_that_runs_again_counts_as_it_ended(
    pytester: pytest.Pytester, small: SmallBenchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", _without_all_but("rerunfailures"))
    pytester.makeconftest(
        """
        from pytest_retrieval_bench import Answer
        class Flaky:
            name = "flaky"
            asked = set()
            def answer(self, query, snapshot, limit):
                first = query.text not in self.asked
                self.asked.add(query.text)
                if first:
                    raise OSError("not yet")
                return Answer(list(snapshot.paths))
        def pytest_retrieval_bench_arms(config):
            return [Flaky()]
        """
    )
    options = ["--rb-arms=flaky", "--rb-gate=flaky hit@k > 0.9", "--reruns=1", "--rb-output=r.json"]
    result = pytester.runpytest_subprocess(*small.options, *options)
    assert result.parseoutcomes() == {"passed": 5, "rerun": 4}
    report = json.loads((pytester.path / "r.json").read_text(encoding="utf-8"))
    assert (report["arms"]["flaky"]["errors"], report["arms"]["flaky"]["all"]["n"]) == (0, 4)
