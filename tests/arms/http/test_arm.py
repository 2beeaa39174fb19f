"""A service under test: what it is asked, and what becomes of what it says."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.arms.http.loopback import FOUND, SNAPSHOT, Service, ask, in_turn, make_arm, question, says
from tests.memory_snapshot import MemorySnapshot

HOSTILE = [
    "../../admin?x=1#y",
    "a&b=c",
    '"} , {"',
    "%2e%2e/",
    "\r\nX-Injected: 1",
    "{limit} {{root}}",
    "größe \U0001f40d",
]


def test_a_post_sends_the_question_as_json_and_the_limit_as_a_number(service: Service) -> None:
    answer = ask(make_arm(service.url), limit=7)
    (request,) = service.received
    assert (request.method, request.target) == ("POST", "/search")
    assert request.headers["content-type"] == "application/json"
    assert request.value == {"q": '{"text": "total is wrong"}', "k": 7}
    assert (answer.error, list(answer.ranking)) == (None, ["shop/cart.py", "shop/tax.py"])


def test_a_get_sends_parameters_and_no_body(service: Service) -> None:
    arm = make_arm(service.url, method="GET", body=None, params={"q": "{query}", "n": "{limit}", "all": True})
    assert list(ask(arm, limit=3).ranking) == ["shop/cart.py", "shop/tax.py"]
    (request,) = service.received
    assert (request.method, request.body) == ("GET", b"")
    assert parse_qsl(urlsplit(request.target).query) == [
        ("q", '{"text": "total is wrong"}'),
        ("n", "3"),
        ("all", "true"),
    ]


def test_plain_is_the_question_as_a_person_would_paste_it(service: Service) -> None:
    ask(make_arm(service.url, query="plain"))
    assert service.received[0].value["q"] == "text: total is wrong"


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_question_stays_one_value_of_a_body(service: Service, text: str) -> None:
    ask(make_arm(service.url, body={"deep": [{"q": "<{query}>"}]}, query="plain"), text)
    assert service.received[0].value == {"deep": [{"q": f"<text: {text}>"}]}


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_question_stays_one_part_of_a_path(service: Service, text: str) -> None:
    ask(make_arm(f"{service.url}/find/{{query}}/top", method="GET", body=None, query="plain"), text)
    (request,) = service.received
    parts = urlsplit(request.target)
    before, part, after = parts.path.removeprefix("/").split("/")
    assert (before, after, parts.query) == ("find", "top", "")
    assert part == quote(f"text: {text}", safe="")


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_question_arrives_as_it_was_asked(service: Service, text: str) -> None:
    service.received.clear()
    ask(make_arm(service.url, params={"q": "{query}"}, body={"q": "{query}"}, query="plain"), text)
    (request,) = service.received
    in_url = parse_qsl(urlsplit(request.target).query, keep_blank_values=True)
    assert (in_url, request.value) == ([("q", f"text: {text}")], {"q": f"text: {text}"})


def test_repository_commit_and_values_of_the_snapshot_are_filled_in(service: Service) -> None:
    snapshots: Any = {"acme/shop": {"project": 7, "skip": ["docs/**"]}, f"acme/shop@{'a' * 40}": {"project": 8}}
    body = {"q": "{query}", "of": "{repo}@{commit}", "skip": "{skip}", "as": "{{project}}"}
    ask(make_arm(f"{service.url}/v0/{{project}}/search", body=body, snapshots=snapshots))
    (request,) = service.received
    assert request.target == "/v0/8/search"
    assert request.value["of"] == f"acme/shop@{'a' * 40}"
    assert request.value["skip"] == ["docs/**"]
    assert request.value["as"] == "{project}"


def test_a_body_may_be_json_text(service: Service) -> None:
    ask(make_arm(service.url, body='{"q": "{query}", "cursor": null}', query="plain"))
    assert service.received[0].value == {"q": "text: total is wrong", "cursor": None}


def test_a_question_without_a_changed_file_does_not_apply(service: Service) -> None:
    answer = ask(make_arm(service.url, body={"file": "{changed_file}"}))
    assert (answer.applicable, answer.error, service.received) == (False, "no changed_file in query", [])


def test_a_changed_file_is_sent_as_it_is(service: Service) -> None:
    ask(make_arm(service.url, body={"file": "{changed_file}"}), changed_file="größe/a b.py")
    assert service.received[0].value == {"file": "größe/a b.py"}


def test_paths_beyond_ascii_are_found(service: Service) -> None:
    snapshot = MemorySnapshot({"größe/\U0001f40d.py": b""})
    service.answer = says(200, json.dumps({"results": [{"path": "größe/\U0001f40d.py"}]}, ensure_ascii=False).encode())
    arm = make_arm(service.url)
    answer = arm.answer(question(), snapshot, 5)
    arm.close()
    assert list(answer.ranking) == ["größe/\U0001f40d.py"]


def test_an_empty_answer_leaves_abstention_to_the_ranking(service: Service) -> None:
    service.answer = says(200, {"results": []})
    answer = ask(make_arm(service.url))
    assert (list(answer.ranking), answer.error, answer.abstained) == ([], None, None)


def test_a_status_that_means_nothing_found_is_an_empty_answer(service: Service) -> None:
    service.answer = says(404, b"no hits")
    answer = ask(make_arm(service.url, empty_statuses=[404]))
    assert (list(answer.ranking), answer.error) == ([], None)


def test_another_status_is_an_error_with_its_first_words(service: Service) -> None:
    service.answer = says(400, b"bad\n  query " + b"x" * 10**6)
    answer = ask(make_arm(service.url))
    assert answer.error is not None
    assert answer.error.startswith("HTTP 400 Bad Request: bad query xxx")
    assert len(answer.error) < 400
    assert len(service.received) == 1


@pytest.mark.parametrize("body", [b"<html>", b'{"results": [', b"\xff\xfe", b'{"hits": []}'])
def test_what_cannot_be_read_is_an_error(service: Service, body: bytes) -> None:
    service.answer = says(200, body)
    assert ask(make_arm(service.url)).error is not None


def test_only_unknown_paths_are_an_error(service: Service) -> None:
    service.answer = says(200, {"results": [{"path": "elsewhere.py"}]})
    assert "elsewhere.py" in (ask(make_arm(service.url)).error or "")


def test_a_redirect_is_not_followed(service: Service) -> None:
    service.answer = says(302, b"", Location=f"{service.url}/other")
    answer = ask(make_arm(service.url))
    assert answer.error == (
        f"HTTP 302 Found, a redirect to '{service.url}/other', which is not followed; give the final url"
    )
    assert len(service.received) == 1


def test_gzip_is_read_though_it_was_not_asked_for(service: Service) -> None:
    service.answer = says(200, gzip.compress(json.dumps(FOUND).encode()), Content_Encoding="gzip")
    assert list(ask(make_arm(service.url)).ranking) == ["shop/cart.py", "shop/tax.py"]
    assert service.received[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("body", [b"no gzip", gzip.compress(b"{}", mtime=0)[:-5]], ids=["no gzip", "torn"])
def test_gzip_that_is_none_is_an_error(service: Service, body: bytes) -> None:
    service.answer = says(200, body, Content_Encoding="gzip")
    assert "gzip" in (ask(make_arm(service.url)).error or "")


def test_one_connection_serves_many_questions(service: Service) -> None:
    arm = make_arm(service.url)
    for _ in range(5):
        assert arm.answer(question(), SNAPSHOT, 5).error is None
    arm.close()
    assert (service.connections, len(service.received)) == (1, 5)


def test_a_cookie_is_not_sent_back(service: Service) -> None:
    service.answer = says(200, FOUND, Set_Cookie="session=1; Path=/")
    arm = make_arm(service.url)
    for _ in range(2):
        arm.answer(question(), SNAPSHOT, 5)
    arm.close()
    assert "cookie" not in service.received[1].headers


def test_a_proxy_of_the_environment_is_not_asked_for_loopback(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert ask(make_arm(service.url)).error is None


def test_the_measured_time_is_that_of_the_last_attempt_alone(service: Service) -> None:
    service.answer = in_turn(says(503, b""), says(200, FOUND))
    began = time.monotonic()
    answer = ask(make_arm(service.url, retry_wait=0.5))
    assert answer.wall_ms is not None
    assert 0 < answer.wall_ms < (time.monotonic() - began) * 1000 - 250


def test_a_forked_process_asks_on_a_connection_of_its_own(service: Service) -> None:
    code = f"""
import os
from tests.arms.http.loopback import SNAPSHOT, make_arm, question
arm = make_arm({service.url!r})
def ask(): return arm.answer(question(), SNAPSHOT, 5).error is None
assert ask()
child = os.fork()
if not child:
    fine = ask()
    arm.close()
    os._exit(0 if fine else 1)
assert os.waitpid(child, 0)[1] == 0
assert ask()
"""
    subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=True, timeout=60)
    assert (service.connections, len(service.received)) == (2, 3)
