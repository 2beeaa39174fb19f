"""What the tests share: a small benchmark, and a run of it in each of the ways that people run pytest."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

# pytester drops what an in-process run imports, and numpy cannot be imported twice.
import pytest_retrieval_bench.activation  # noqa: F401
from tests.small_benchmark import SmallBenchmark, write_small_benchmark

CONFORMANCE = Path(__file__).parent / "conformance"
LEXICAL = "grep,grep-ident,bm25:all,bm25:ident"


@dataclass(frozen=True)
class Finished:
    """One finished pytest run: its outcome, and the report that it wrote, if it wrote one."""

    result: pytest.RunResult
    output: Path

    @property
    def status(self) -> int:
        return int(self.result.ret)

    @property
    def report(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self.output.read_text(encoding="utf-8"))
        return report

    @property
    def text(self) -> str:
        return f"{self.result.stdout}\n{self.result.stderr}"


Run = Callable[..., Finished]


@pytest.fixture(autouse=True)
def own_cache_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps tests out of the user's cache, and out of each other's."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def small(pytester: pytest.Pytester) -> SmallBenchmark:
    """Four samples over two repositories, in the test's own folder."""
    return write_small_benchmark(pytester.path)


@pytest.fixture(params=["plain", "-n0", "-n2"])
def run(request: pytest.FixtureRequest, pytester: pytest.Pytester) -> Run:
    """Runs pytest with the arguments and `--rb-output`: plain, with -n0, and on two workers."""
    return _runner(pytester, [] if request.param == "plain" else [request.param])


@pytest.fixture
def run_plain(pytester: pytest.Pytester) -> Run:
    """Runs pytest in one process, for what cannot differ between the ways to run."""
    return _runner(pytester, [])


@pytest.fixture
def run_apart(pytester: pytest.Pytester) -> Run:
    """Runs pytest in a process of its own, for what ends a process."""
    return _runner(pytester, [], apart=True)


def _runner(pytester: pytest.Pytester, mode: Sequence[str], *, apart: bool = False) -> Run:
    def run(*arguments: str | Path, output: str | None = "report.json") -> Finished:
        outputs = [f"--rb-output={pytester.path / output}"] if output else []
        command = [*map(str, arguments), *outputs, *mode, "-p", "no:randomly"]
        start = pytester.runpytest_subprocess if apart or "-n2" in mode else pytester.runpytest_inprocess
        result = start(*command)
        return Finished(result, pytester.path / (output or "report.json"))

    return run
