"""The registration: bound before the first retrieval, kept whatever happens, checked again at the end."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench import __version__
from tests.conftest import Finished, Run
from tests.plugin.own_arms import write_arms, write_program
from tests.small_benchmark import SmallBenchmark

ANSWER = "return Answer()"
DESCRIBED = """
import os
from pytest_retrieval_bench import Answer
class Described:
    name = "described"
    def describe(self):
        return {describe}
    def answer(self, query, snapshot, limit):
        {body}
def pytest_retrieval_bench_arms(config):
    return [Described()]
"""
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


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_arms_of_ones_own_are_bound_by_what_they_are_made_of(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEL", "small")
    pytester.makeconftest(DESCRIBED.format(describe="{'kind': 'model', 'weights': [1, 2.5]}", body=ANSWER))
    find, index = (write_program(small.folder, name, "print('find 1.2')") for name in ("find", "index"))
    rows = small.write_samples([{"id": "tick", "ranked": []}], "rows.jsonl")
    command = {"command": "./find {root}", "index": "./index", "version": "./find", "environment": ["MODEL"]}
    service: dict[str, Any] = {
        "kind": "http",
        "url": "http://127.0.0.1:9/search",
        "body": {"q": "{query}"},
        "headers": {"X": "typed"},
        "retries": 0,
    }
    option = write_arms(small.folder, {"mine": command, "served": service})
    # No question reaches the service: nothing listens there.
    arms = ["--rb-arms=mine,served,stored,described,grep", "--rb-replay=stored=rows.jsonl", "--rb-max-samples=1"]
    retrievers = run(*small.options, option, *arms).report["registration"]["retrievers"]
    assert retrievers == {
        "mine": {
            "kind": "command",
            "command": "./find {root}",
            "definition": {name: value for name, value in command.items() if name != "command"},
            "sha256": sha256(find),
            "files": {},
            "index_sha256": sha256(index),
            "version": "find 1.2",
            "environment": {"MODEL": "small"},
        },
        "served": {**service, "method": "POST", "headers": ["X"], "environment": []},
        "stored": {"kind": "replay", "file": "rows.jsonl", "sha256": sha256(rows)},
        "described": {"kind": "model", "weights": [1, 2.5]},
    }


def assert_no_report(finished: Finished, changed: str) -> None:
    """Red, in words, without a report; the registration stays."""
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert f"no report was written: {changed} changed while the run went on; run it again" in finished.text
    assert not finished.output.exists()
    assert finished.output.with_name("report.json.registration.json").exists()


@pytest.mark.parametrize(("program", "changed"), [("find", "sha256"), ("index", "index_sha256")])
def test_a_program_that_changes_under_way_gives_no_report(
    run: Run, small: SmallBenchmark, program: str, changed: str
) -> None:
    path = str(small.folder / program)
    write_program(small.folder, "index", "")
    write_program(small.folder, "find", f"open({path!r}, 'a').write('# rebuilt')\nprint('shop/price.py')")
    option = write_arms(small.folder, {"mine": {"command": "./find", "index": "./index"}})
    assert_no_report(run(*small.options, option, "--rb-arms=mine"), f"retrievers.mine.{changed}")


def test_a_program_that_is_gone_at_the_end_gives_no_report(run_plain: Run, small: SmallBenchmark) -> None:
    write_program(small.folder, "find", "os.remove(sys.argv[0])")
    finished = run_plain(*small.options, "--rb-command=mine=./find", "--rb-arms=mine", "--rb-max-samples=1")
    assert_no_report(finished, "retrievers.mine.sha256")


def test_stored_answers_that_change_under_way_give_no_report(run: Run, small: SmallBenchmark) -> None:
    path = str(small.write_samples([{"id": "tick", "ranked": []}], "rows.jsonl"))
    write_program(small.folder, "find", f"open({path!r}, 'a').write('\\n')")
    options = ["--rb-command=mine=./find", "--rb-replay=stored=rows.jsonl", "--rb-arms=mine,stored"]
    assert_no_report(run(*small.options, *options), "retrievers.stored.sha256")


def test_a_listed_variable_that_changes_under_way_gives_no_report(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEL", "small")
    pytester.makeconftest(STOP.format(body=f"import os; os.environ['MODEL'] = 'large'; {ANSWER}"))
    write_program(small.folder, "find", "")
    option = write_arms(small.folder, {"mine": {"command": "./find", "environment": ["MODEL"]}})
    finished = run_plain(*small.options, option, "--rb-arms=mine,stop")
    assert_no_report(finished, "retrievers.mine.environment.MODEL")


def test_what_an_arm_says_of_itself_is_asked_again_at_the_end(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    body = f"self.count = getattr(self, 'count', 0) + 1; {ANSWER}"
    pytester.makeconftest(DESCRIBED.format(describe="{'asked': getattr(self, 'count', 0)}", body=body))
    assert_no_report(run_plain(*small.options, "--rb-arms=described"), "retrievers.described.asked")


@pytest.mark.parametrize(
    ("describe", "words"),
    [
        ("{'weights': {1, 2}}", "describe() of the arm 'described' is not JSON: Object of type set"),
        ("{'weights': float('nan')}", "describe() of the arm 'described' is not JSON: Out of range float values"),
        ("['weights']", "describe() of the arm 'described' must be an object, this is ['weights']"),
        ("None", "describe() of the arm 'described' must be an object, this is None"),
        ("{}['weights']", "describe() of the arm 'described' failed: KeyError: 'weights'"),
    ],
)
def test_a_description_that_is_none_is_refused_before_anything_runs(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester, describe: str, words: str
) -> None:
    pytester.makeconftest(DESCRIBED.format(describe=describe, body="open('asked', 'w').close()"))
    finished = run_plain(*small.options, "--rb-arms=described")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text
    assert list(small.folder.glob("report*")) == []
    assert not (small.folder / "asked").exists()


def test_a_description_that_fails_at_the_end_gives_no_report_and_no_traceback(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    describe = "{'weights': {0: 'small'}[getattr(self, 'count', 0)]}"
    pytester.makeconftest(DESCRIBED.format(describe=describe, body=f"self.count = 1; {ANSWER}"))
    finished = run_plain(*small.options, "--rb-arms=described")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert "no report was written: describe() of the arm 'described' failed: KeyError: 1" in finished.text
    assert "INTERNALERROR" not in finished.text
