"""What a table of kind "http" may say; what it may not is refused with the file, the arm and the key."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from typing import Any

import pytest

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.http.arm import http_arm
from pytest_retrieval_bench.errors import SettingsError

URL = "https://search.example.org/find"
LEAST = {"kind": "http", "url": URL, "body": {"q": "{query}"}}


def test_a_url_and_a_body_are_enough() -> None:
    arm = http_arm("mine", LEAST, "suite.toml: [arms.mine]")
    assert isinstance(arm, Arm)
    assert arm.name == "mine"


def test_an_arm_that_is_not_asked_does_not_load_httpx() -> None:
    code = (
        "import sys; from pytest_retrieval_bench.arms.http.arm import http_arm; "
        f"http_arm('mine', {LEAST!r}, 'here').describe(); print('httpx' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"False\n"


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"urll": URL}, "unknown key 'urll'; did you mean 'url'?"),
        ({"url": None}, "url is missing"),
        ({"url": 7}, "url must be a string"),
        ({"url": "ftp://example.org"}, "url must be an http:// or https:// address"),
        ({"url": "search.example.org"}, "url must be an http:// or https:// address"),
        ({"url": "http:///find"}, "url must be an http:// or https:// address"),
        ({"url": "http://a:99999/"}, "url must be an http:// or https:// address"),
        ({"url": "http://a/b c"}, "url must be an http:// or https:// address"),
        ({"url": "http://a/\nb"}, "url must be an http:// or https:// address"),
        ({"url": "http://{repo}.example.org/"}, "url must not have a placeholder in its host"),
        ({"url": "http://me:secret@example.org/"}, "url must not hold a user"),
        ({"url": "http://example.org/#top"}, "url must not have a fragment"),
        ({"url": "http://example.org/{comit}"}, "unknown placeholder 'comit'; did you mean 'commit'?"),
        ({"method": "PUT"}, "unknown method 'PUT'"),
        ({"method": "GET"}, 'body goes with method = "POST"'),
        ({"body": {"q": "all"}}, "all questions would be one"),
        ({"body": {"q": "{query}", "p": "{env:TOKEN}"}}, "unknown placeholder 'env:TOKEN'"),
        ({"body": {"q": "{query}", "d": date(2026, 1, 1)}}, "body must hold what JSON can hold; 2026-01-01"),
        ({"body": {"q": ["{query}", float("inf")]}}, "body must hold what JSON can hold; inf"),
        ({"body": "{query}"}, "body must be a table, a list or JSON text"),
        ({"body": '{"q": "{query}", "n": NaN}'}, "body must hold what JSON can hold; nan"),
        ({"params": {"q": ["a"]}}, "params must be a table of strings and numbers"),
        ({"params": "q={query}"}, "params must be a table of strings and numbers"),
        ({"query": "text"}, "unknown query 'text'"),
        ({"timeout": 0}, "timeout must be a number of seconds above 0"),
        ({"timeout": True}, "timeout must be a number of seconds above 0"),
        ({"retries": 1.5}, "retries must be a whole number from 0 to 10"),
        ({"retries": 11}, "retries must be a whole number from 0 to 10"),
        ({"retry_wait": "2"}, "retry_wait must be a number of seconds above 0"),
        ({"rate": 0}, "rate must be a number of requests a second"),
        ({"rate": "1/s"}, "rate must be a number of requests a second"),
        ({"rate": float("nan")}, "rate must be a number of requests a second"),
        ({"concurrency": 0}, "concurrency must be a whole number from 1 to 64"),
        ({"concurrency": True}, "concurrency must be a whole number from 1 to 64"),
        ({"verify": "yes.pem"}, "verify: "),
        ({"verify": 1}, "verify must be true, false or the file of a CA certificate"),
        ({"empty_statuses": 404}, "empty_statuses must be a list of numbers"),
        ({"empty_statuses": ["404"]}, "empty_statuses must be a list of numbers"),
        ({"snapshots": {"acme": {"id": 1}}}, "snapshots: 'acme' is not OWNER/NAME"),
        ({"snapshots": {"acme/shop@main": {"id": 1}}}, "snapshots: 'acme/shop@main' is not OWNER/NAME"),
        ({"snapshots": {"acme/shop": {"repo": 1}}}, "snapshots: 'repo' must be lower-case, and none of"),
        ({"snapshots": {"acme/shop": {"id": date(2026, 1, 1)}}}, "snapshots: acme/shop: id must be"),
        ({"snapshots": {"acme/shop": 7}}, "snapshots must be a table"),
        ({"prepare": "http://a/"}, "prepare must be a table with a url"),
        ({"prepare": {}}, "prepare: url is missing"),
        ({"prepare": {"url": URL, "retries": 1}}, "prepare: unknown key 'retries'"),
        ({"prepare": {"url": f"{URL}/{{query}}"}}, "prepare: unknown placeholder 'query'"),
        ({"prepare": {"url": "https://other.example.org/"}}, "prepare must go to the scheme, host and port of url"),
        ({"results": 7}, "results must be a string"),
    ],
)
def test_a_bad_key_is_refused(keys: dict[str, Any], words: str) -> None:
    table = {key: value for key, value in {**LEAST, **keys}.items() if value is not None}
    with pytest.raises(SettingsError) as refused:
        http_arm("mine", table, "suite.toml: [arms.mine]")
    assert str(refused.value).startswith("suite.toml: [arms.mine]: ")
    assert words in str(refused.value)
