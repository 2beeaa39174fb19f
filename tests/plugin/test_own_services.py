"""Services of the user's own as arms of a run, asked on loopback."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.arms.http.loopback import BODY, Handler, Service, in_turn, says
from tests.conftest import Run
from tests.plugin.own_arms import answers, write_arms
from tests.processes.conftest import eventually
from tests.small_benchmark import ROWS, SmallBenchmark

FOUND = {"results": [{"path": "shop/price.py", "score": 2}, {"path": "gone.py", "score": 1}]}
TOKEN = "s3cret-of-the-shop"
HEADERS = {"Authorization": "Bearer {env:SHOP_TOKEN}"}


@pytest.fixture(autouse=True)
def own_temporary_folder(temporary_folder: Path) -> Path:
    """Where processes that ask share their bounds."""
    return temporary_folder


def options(small: SmallBenchmark, service: Service, **keys: Any) -> list[str]:
    """The options for one arm that asks the service about two samples of one snapshot."""
    small.write_samples(ROWS[:2])
    table = {"kind": "http", "url": f"{service.url}/search", "body": BODY, "results": "results", "retry_wait": 0.01}
    return [*small.options, write_arms(small.folder, {"mine": {**table, **keys}}), "--rb-arms=mine"]


def test_a_service_is_asked_each_question_and_its_answers_are_scored(
    run: Run, small: SmallBenchmark, service: Service
) -> None:
    service.answer = says(200, FOUND)
    finished = run(*options(small, service))
    finished.result.assert_outcomes(passed=2)
    assert {request.value["q"] for request in service.received} == {
        '{"changed_file": "shop/cart.py", "pr_title": "add_item keeps the order"}',
        '{"raw_signal": "totalPrice is wrong"}',
    }
    assert [request.value["k"] for request in service.received] == [20, 20]
    answer = answers(finished.report, "wrong-sum")["mine"]
    assert (answer["outcome"], answer["ranked"]) == ("answered", ["shop/price.py", "gone.py"])
    assert answer["figures"] == {"retries": 0, "unknown_paths": 1}
    assert finished.report["details"][1]["metrics"]["mine"]["mrr@k"] == 1


def test_each_process_ends_its_one_connection(run: Run, small: SmallBenchmark, service: Service) -> None:
    service.answer = says(200, FOUND)
    run(*options(small, service)).result.assert_outcomes(passed=2)
    assert 1 <= service.connections <= (2 if run.mode == ("-n2",) else 1)
    assert eventually(lambda: service.ended == service.connections)


def test_a_retry_is_recorded_and_a_failure_is_told(run: Run, small: SmallBenchmark, service: Service) -> None:
    def answer(handler: Handler) -> None:
        about_price = b"totalPrice" in service.received[-1].body
        (says(400, b"no such index") if about_price else patient)(handler)

    patient = in_turn(says(503, b""), says(200, FOUND))
    service.answer = answer
    finished = run(*options(small, service, concurrency=1))
    finished.result.assert_outcomes(passed=1, failed=1)
    assert answers(finished.report, "cart-test")["mine"]["figures"]["retries"] == 1
    failed = answers(finished.report, "wrong-sum")["mine"]
    assert (failed["outcome"], failed["error"]) == ("error", "HTTP 400 Bad Request: no such index")


def test_a_service_that_takes_too_long_is_a_timeout(run_plain: Run, small: SmallBenchmark, service: Service) -> None:
    service.answer = lambda handler: time.sleep(1)
    finished = run_plain(*options(small, service, timeout=0.2))
    finished.result.assert_outcomes(failed=2)
    answer = answers(finished.report, "cart-test")["mine"]
    assert (answer["outcome"], answer["error"]) == ("timeout", "no whole reply within 0.2 s")


def test_what_comes_from_the_environment_is_in_no_file_and_not_on_the_terminal(
    run: Run, small: SmallBenchmark, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def echo(handler: Handler) -> None:
        said = handler.headers["Authorization"]
        about_price = b"totalPrice" in service.received[-1].body
        found = {"results": [*FOUND["results"], {"path": f"{said}.py"}]}
        (says(200, found) if about_price else says(401, f"no such key: {said}".encode()))(handler)

    monkeypatch.setenv("SHOP_TOKEN", TOKEN)
    service.answer = echo
    finished = run(*options(small, service, headers=HEADERS), f"--junitxml={small.folder / 'junit.xml'}", "-vv", "-l")
    finished.result.assert_outcomes(passed=1, failed=1)
    assert {request.headers["authorization"] for request in service.received} == {f"Bearer {TOKEN}"}
    words = "HTTP 401 Unauthorized: no such key: Bearer {env:SHOP_TOKEN}"
    assert answers(finished.report, "cart-test")["mine"]["error"] == words
    assert answers(finished.report, "wrong-sum")["mine"]["ranked"][2] == "Bearer {env:SHOP_TOKEN}.py"
    described = finished.report["registration"]["retrievers"]["mine"]
    assert (described["headers"], described["environment"]) == (["Authorization"], ["SHOP_TOKEN"])
    assert TOKEN not in finished.text
    written = [file for file in small.folder.rglob("*") if file.is_file()]
    assert {"report.json", "report.json.journal.jsonl", "report.json.registration.json", "junit.xml"} <= {
        file.name for file in written
    }
    assert [file.name for file in written if TOKEN.encode() in file.read_bytes()] == []


def test_a_missing_variable_is_refused_before_anything_is_asked(
    run: Run, small: SmallBenchmark, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SHOP_TOKEN", raising=False)
    finished = run(*options(small, service, headers=HEADERS))
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert (
        f"{small.folder / 'arms.toml'}: [arms.mine]: headers: the environment variable SHOP_TOKEN is missing or empty"
        in finished.text
    )
    assert service.received == []
    assert list(small.folder.glob("report*")) == []


def test_a_service_may_keep_its_index_in_a_copy_of_the_snapshot(
    run_plain: Run, small: SmallBenchmark, service: Service
) -> None:
    def answer(handler: Handler) -> None:
        request = service.received[-1]
        if request.target == "/index":
            copy = Path(json.loads(request.body)["at"])
            (copy / "names.idx").write_text(",".join(sorted(path.name for path in copy.iterdir())))
        says(200, FOUND)(handler)

    service.answer = answer
    prepare = {"url": f"{service.url}/index", "body": {"at": "{root}"}}
    finished = run_plain(*options(small, service, prepare=prepare))
    finished.result.assert_outcomes(passed=2)
    assert [request.target for request in service.received] == ["/index", "/search", "/search"]
    costs = [row["arms"]["mine"]["index"] for row in finished.report["details"]]
    assert [cost["bytes"] for cost in costs] == [len(".git,README.md,shop,tests")] * 2
    assert all(cost["wall_ms"] > 0 for cost in costs)
