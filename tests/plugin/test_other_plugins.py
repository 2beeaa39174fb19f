"""Beside plugins that run items again, shuffle them, bound their time or write reports: the same records, each once."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.conftest import without_time
from tests.small_benchmark import SmallBenchmark

PLUGINS = {
    "pytest_rerunfailures": ["--reruns=2"],
    "pytest_randomly": ["-p", "randomly"],
    "pytest_timeout": ["--timeout=60"],
    "pytest_html": ["--html=page.html", "--self-contained-html"],
}
GATES = ["--rb-gate=grep-ident hit@k >= 0.6", "--rb-gate=grep-ident hit@k >= 0.7"]


def _run(pytester: pytest.Pytester, small: SmallBenchmark, name: str, *arguments: str) -> dict[str, Any]:
    others = [] if "randomly" in arguments else ["-p", "no:randomly"]
    result = pytester.runpytest_subprocess(
        *small.options, "--rb-arms=grep,grep-ident", "--rb-judge=strict", *GATES, f"--rb-output={name}.json",
        f"--junitxml={name}.xml", *others, *arguments,
    )  # fmt: skip
    outcomes = result.parseoutcomes()
    # `tick` for one arm, what has no answer for the other, and one gate.
    assert (result.ret, outcomes["failed"], outcomes["passed"]) == (1, 3, 7)
    report: dict[str, Any] = json.loads((pytester.path / f"{name}.json").read_text(encoding="utf-8"))
    return report


@pytest.mark.parametrize("mode", [[], ["-n2"]])
@pytest.mark.parametrize("plugin", PLUGINS)
def test_the_report_is_the_one_of_a_run_without_it(
    pytester: pytest.Pytester, small: SmallBenchmark, plugin: str, mode: list[str]
) -> None:
    if find_spec(plugin) is None:
        pytest.skip(f"{plugin} is not installed")
    alone = _run(pytester, small, "alone", *mode)
    beside = _run(pytester, small, "beside", *mode, *PLUGINS[plugin])
    assert without_time(alone) == without_time(beside)
    suite = ElementTree.parse(pytester.path / "beside.xml").getroot().find("testsuite")
    assert suite is not None
    assert (suite.attrib["tests"], suite.attrib["failures"]) == ("10", "3")
    for case in suite.iter("testcase"):
        names = [entry.attrib["name"] for entry in case.iter("property")]
        assert len(names) == len(set(names))


def test_an_item_that_runs_again_counts_as_it_ended(pytester: pytest.Pytester, small: SmallBenchmark) -> None:
    if find_spec("pytest_rerunfailures") is None:
        pytest.skip("pytest_rerunfailures is not installed")
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
    options = [
        "--rb-arms=flaky",
        "--rb-gate=flaky hit@k > 0.9",
        "--reruns=1",
        "--rb-output=r.json",
        "-p",
        "no:randomly",
    ]
    result = pytester.runpytest_subprocess(*small.options, *options)
    assert result.parseoutcomes() == {"passed": 5, "rerun": 4}
    report = json.loads((pytester.path / "r.json").read_text(encoding="utf-8"))
    assert (report["arms"]["flaky"]["errors"], report["arms"]["flaky"]["all"]["n"]) == (0, 4)
