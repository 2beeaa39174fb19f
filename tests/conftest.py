"""What the tests share: a small benchmark, and a run of it in each of the ways that people run pytest."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# pytester drops what an in-process run imports, and neither numpy nor httpx with its httpcore can be imported twice.
import httpcore  # noqa: F401
import pytest

import pytest_retrieval_bench.arms.http.service
import pytest_retrieval_bench.measuring  # noqa: F401
from tests.arms.http.loopback import Service, serving
from tests.schemas import faults
from tests.small_benchmark import SmallBenchmark, write_small_benchmark

CONFORMANCE = Path(__file__).parent / "conformance"
LEXICAL = "grep,grep-ident,bm25:all,bm25:ident"
_TIMES = ("wall_ms", "cold_wall_ms")


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
        """What was written, a report or a comparison, which is as its schema says."""
        report: dict[str, Any] = json.loads(self.output.read_text(encoding="utf-8"))
        assert faults("comparison" if "old" in report else "report", report) == []
        return report

    @property
    def text(self) -> str:
        return f"{self.result.stdout}\n{self.result.stderr}"


@dataclass(frozen=True)
class Run:
    """Runs pytest in the test's folder with the arguments and `--rb-output`."""

    pytester: pytest.Pytester
    mode: tuple[str, ...] = ()
    apart: bool = False

    @property
    def how(self) -> str:
        """What the header says of the mode."""
        return "2 workers" if self.mode == ("-n2",) else "1 process"

    def __call__(self, *arguments: str | Path, output: str | None = "report.json") -> Finished:
        outputs = [f"--rb-output={self.pytester.path / output}"] if output else []
        in_process = not self.apart and self.mode != ("-n2",)
        start = self.pytester.runpytest_inprocess if in_process else self.pytester.runpytest_subprocess
        result = start(*map(str, arguments), *outputs, *self.mode)
        return Finished(result, self.pytester.path / (output or "report.json"))


@pytest.fixture(autouse=True)
def no_other_plugins(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps the plugins that `test_other_plugins` is about out of the runs of all other tests."""
    if "pytester" in request.fixturenames:
        request.getfixturevalue("pytester")  # clears the variable
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:html -p no:randomly -p no:rerunfailures -p no:timeout")


@pytest.fixture(autouse=True)
def own_cache_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps tests out of the user's cache, and out of each other's."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, of the test alone; child processes have it too."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


@pytest.fixture
def service() -> Iterator[Service]:
    """A server on loopback, for arms that ask one."""
    with serving() as running:
        yield running


@pytest.fixture
def heeds_signals() -> Iterator[None]:
    """Lets started programs be ended by SIGINT and SIGHUP, also where the tests run in the background or by `nohup`."""
    interrupt = signal.signal(signal.SIGINT, signal.default_int_handler)
    hang_up = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGHUP, hang_up)


@pytest.fixture
def small(pytester: pytest.Pytester) -> SmallBenchmark:
    """Four samples over two repositories, in the test's own folder."""
    return write_small_benchmark(pytester.path)


@pytest.fixture(params=["plain", "-n0", "-n2"])
def run(request: pytest.FixtureRequest, pytester: pytest.Pytester) -> Run:
    """Runs pytest with the arguments and `--rb-output`: plain, with -n0, and on two workers."""
    return Run(pytester, () if request.param == "plain" else (request.param,))


@pytest.fixture
def run_plain(pytester: pytest.Pytester) -> Run:
    """Runs pytest in one process, for what cannot differ between the ways to run."""
    return Run(pytester)


@pytest.fixture
def run_apart(pytester: pytest.Pytester) -> Run:
    """Runs pytest in a process of its own, for what ends a process."""
    return Run(pytester, apart=True)


def without_time(report: dict[str, Any]) -> str:
    """A report as text, but for what may differ between two runs."""
    rows = [
        row | {"arms": {arm: _without_time(answer) for arm, answer in row["arms"].items()}} for row in report["details"]
    ]
    return json.dumps({**report, "details": rows, "latency": None, "registration": None})


def _without_time(answer: dict[str, Any]) -> dict[str, Any]:
    index = {"index": {**answer["index"], "wall_ms": None}} if "index" in answer else {}
    return answer | dict.fromkeys(_TIMES) | index
