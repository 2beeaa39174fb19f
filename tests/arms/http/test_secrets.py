"""What comes from the environment goes into headers, and nowhere else."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.arms.http.headers import Secrets
from pytest_retrieval_bench.errors import SettingsError
from tests.arms.http.loopback import FOUND, Answering, Service, ask, make_arm, says

TOKEN = 's3cret/Key+with%odd"chars<é>'
HEADERS = {"Authorization": "Bearer {env:SHOP_TOKEN}", "X-Team": "search"}


@pytest.fixture(autouse=True)
def token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_TOKEN", TOKEN)


def test_a_variable_is_sent_in_its_header(service: Service) -> None:
    assert ask(make_arm(service.url, headers=HEADERS)).error is None
    headers = service.received[0].headers
    assert headers["authorization"].encode("latin-1") == f"Bearer {TOKEN}".encode()
    assert headers["x-team"] == "search"


def test_a_variable_is_read_when_a_question_is_asked(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    arm = make_arm(service.url, headers=HEADERS)
    monkeypatch.setenv("SHOP_TOKEN", "another")
    ask(arm)
    assert service.received[0].headers["authorization"] == "Bearer another"


@pytest.mark.parametrize(
    "echo",
    [
        TOKEN,
        f"x{TOKEN}y",
        json.dumps(TOKEN),
        json.dumps(TOKEN).replace("/", "\\/"),
        json.dumps(TOKEN).replace("<", "\\u003c").replace(">", "\\u003e"),
        quote(TOKEN),
        quote(TOKEN, safe="").lower(),
        TOKEN.upper(),
        "s3cret/Key+with%odd&quot;chars&lt;é&gt;",
    ],
)
def test_an_echo_in_an_error_is_hidden(service: Service, echo: str) -> None:
    service.answer = says(401, f"no such key: {echo}".encode())
    error = ask(make_arm(service.url, headers=HEADERS)).error or ""
    assert error.startswith("HTTP 401 Unauthorized: no such key: ")
    assert "{env:SHOP_TOKEN}" in error
    assert "cret" not in error.lower()


def test_a_part_of_a_value_is_hidden_as_well(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_TOKEN", "Bearer abcdef123")
    service.answer = says(403, b"abcdef123 is not allowed")
    answer = ask(make_arm(service.url, headers={"Authorization": "{env:SHOP_TOKEN}"}))
    assert answer.error == "HTTP 403 Forbidden: {env:SHOP_TOKEN} is not allowed"


@pytest.mark.parametrize(
    "answering",
    [
        says(200, TOKEN.encode()),
        says(200, {"results": TOKEN}),
        says(200, {"results": [{"path": TOKEN}]}),
        says(200, {"results": [{"path": "x" * 70 + TOKEN}]}),
        says(200, b'{"results": "' + b"x" * 60 + TOKEN.encode()),
        says(302, b"", Location=f"http://elsewhere/?key={quote(TOKEN)}"),
        says(500, b" " * 5000 + TOKEN.encode()),
        says(500, b"x" * 290 + TOKEN.encode()),
    ],
)
def test_no_error_holds_it(service: Service, answering: Answering) -> None:
    service.answer = answering
    answer = ask(make_arm(service.url, headers=HEADERS, retries=0))
    assert answer.error
    assert "s3cret/key" not in answer.error.lower()


def test_an_unknown_path_does_not_hold_it(service: Service) -> None:
    service.answer = says(200, {"results": [*FOUND["results"], {"path": f"{TOKEN}.py"}]})
    answer = ask(make_arm(service.url, headers=HEADERS))
    assert list(answer.ranking) == ["shop/cart.py", "shop/tax.py", "{env:SHOP_TOKEN}.py"]


def test_the_registration_has_names_only(service: Service) -> None:
    arm = make_arm(service.url, headers={**HEADERS, "X-Own": "typed in"}, rate=100)
    described = arm.describe()
    assert described["headers"] == ["Authorization", "X-Own", "X-Team"]
    assert described["environment"] == ["SHOP_TOKEN"]
    assert described["url"] == f"{service.url}/search"
    assert (described["kind"], described["method"], described["rate"]) == ("http", "POST", 100)
    assert not [value for value in (TOKEN, "typed in", "Bearer") if value in json.dumps(described, ensure_ascii=False)]


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_variable_is_refused_before_the_run(
    service: Service, monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv("SHOP_TOKEN") if value is None else monkeypatch.setenv("SHOP_TOKEN", value)
    arm = make_arm(service.url, headers=HEADERS)
    words = r"suite.toml: \[arms.mine\]: headers: the environment variable SHOP_TOKEN is missing or empty"
    with pytest.raises(SettingsError, match=words):
        arm.describe()
    with pytest.raises(SettingsError, match=words):
        ask(arm)
    assert service.received == []


def test_a_variable_of_two_lines_is_refused_without_being_shown(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_TOKEN", "first\r\nX-Injected: second")
    with pytest.raises(SettingsError) as refused:
        ask(make_arm(service.url, headers=HEADERS))
    assert "SHOP_TOKEN is more than one line" in str(refused.value)
    assert "first" not in str(refused.value)


def test_a_line_end_around_a_variable_is_dropped(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_TOKEN", "from-a-file\n")
    ask(make_arm(service.url, headers=HEADERS))
    assert service.received[0].headers["authorization"] == "Bearer from-a-file"


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({"X Y": "a"}, "no name of a header"),
        ({"X": "a\nb"}, "X must be one line"),
        ({"X": "{query}"}, "only placeholders {env:NAME}"),
        ({"X": "{env:}"}, "only placeholders {env:NAME}"),
        ({"X": 1}, "a table of strings"),
        ([], "a table of strings"),
    ],
)
def test_headers_that_cannot_be_are_refused(headers: Any, words: str) -> None:
    with pytest.raises(SettingsError) as refused:
        make_arm("http://127.0.0.1", headers=headers)
    assert words in str(refused.value)


@given(
    value=st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="{}"), min_size=8),
    around=st.text(max_size=8),
)
def test_no_value_survives_in_any_text(value: str, around: str) -> None:
    assert value not in Secrets({"A": value}).hidden(f"{around}{value}{around}")


def test_secrets_do_not_show_themselves() -> None:
    assert repr(Secrets({"A": TOKEN})) == "Secrets(A)"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("sécret-token", "s\xc3\xa9cret-token"),
        ("it's-a-secret", "it's-a-secret"),
        ("dXNlcjpUT1BTRUNSRVQ=", "hello user:TOPSECRET"),
        ("dXNlcjpUT1BTRUNSRVQ=", "wrong password TOPSECRET"),
    ],
    ids=["misread as Latin-1", "as it is", "decoded", "the password of it"],
)
def test_a_value_is_hidden_however_the_service_reads_it(value: str, shown: str) -> None:
    assert "{env:TOKEN}" in Secrets({"TOKEN": value}).hidden(shown)
