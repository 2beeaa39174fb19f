"""Whom a service must prove to be, and what is said when it does not."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from pytest_retrieval_bench.errors import SettingsError
from tests.arms.http.loopback import Service, ask, make_arm, serving
from tests.arms.http.test_bounds import drip


@pytest.fixture
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def ca_file(authority: trustme.CA, tmp_path: Path) -> str:
    path = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(path))
    return str(path)


def serving_as(authority: trustme.CA, name: str) -> Iterator[Service]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    with serving(context) as running:
        yield running


@pytest.fixture
def secure(authority: trustme.CA) -> Iterator[Service]:
    yield from serving_as(authority, "127.0.0.1")


@pytest.fixture
def impostor(authority: trustme.CA) -> Iterator[Service]:
    yield from serving_as(authority, "search.example.org")


def test_a_certificate_of_the_given_authority_is_trusted(secure: Service, ca_file: str) -> None:
    assert ask(make_arm(secure.url, verify=ca_file)).error is None


def test_a_certificate_of_an_unknown_authority_is_not(secure: Service) -> None:
    answer = ask(make_arm(secure.url))
    assert answer.error is not None
    assert answer.error.startswith(f"{secure.url}: its certificate cannot be verified: ")
    assert answer.error.endswith("; set verify to the file of its CA, or to false")
    assert (answer.figures["retries"], secure.received) == (0, [])


def test_a_certificate_of_another_host_is_not(impostor: Service, ca_file: str) -> None:
    answer = ask(make_arm(impostor.url, verify=ca_file))
    assert "its certificate cannot be verified: IP address mismatch" in (answer.error or "")
    assert impostor.received == []


def test_any_certificate_is_taken_where_that_was_asked_for(impostor: Service) -> None:
    assert ask(make_arm(impostor.url, verify=False)).error is None


def test_a_slow_reply_over_tls_is_a_timeout(secure: Service, ca_file: str) -> None:
    secure.answer = drip
    assert ask(make_arm(secure.url, verify=ca_file, timeout=0.3)).failure == "timeout"


def test_a_service_without_tls_is_an_error_that_says_so(service: Service) -> None:
    answer = ask(make_arm(service.url.replace("http", "https"), verify=False))
    assert "SSL" in (answer.error or "")
    assert answer.figures["retries"] == 0


@pytest.mark.parametrize("content", [None, b"", b"no certificate"])
def test_a_file_without_a_certificate_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SettingsError, match=r"verify: .*ca\.pem is no readable file with a CA certificate"):
        make_arm("https://127.0.0.1", verify=str(path))
