"""What is asked again, when, and how often."""

from __future__ import annotations

import socket
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.arms.http.service import LONGEST_WAIT_S, asked_to_wait, waiting_time
from tests.arms.http.loopback import (
    FOUND,
    SNAPSHOT,
    Answering,
    Handler,
    Service,
    ask,
    in_turn,
    make_arm,
    question,
    says,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
FINE = says(200, FOUND)


def hang_up(handler: Handler) -> None:
    handler.close_connection = True


def close_half(handler: Handler) -> None:
    """Says a part of what it announced, and goes on listening."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"results": [')
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_WR)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_what_may_pass_is_asked_again_and_counted(service: Service, status: int) -> None:
    service.answer = in_turn(says(status, b""), FINE)
    answer = ask(make_arm(service.url))
    assert (answer.error, answer.figures["retries"], len(service.received)) == (None, 1, 2)


@pytest.mark.parametrize("status", [301, 400, 401, 404, 413, 422])
def test_what_stays_wrong_is_asked_once(service: Service, status: int) -> None:
    service.answer = in_turn(says(status, b""), FINE)
    answer = ask(make_arm(service.url))
    assert answer.error is not None
    assert (answer.figures["retries"], len(service.received)) == (0, 1)


@pytest.mark.parametrize("broken", [hang_up, close_half])
def test_a_connection_that_breaks_is_made_again(service: Service, broken: Answering) -> None:
    service.answer = in_turn(broken, FINE)
    answer = ask(make_arm(service.url))
    assert (answer.error, answer.figures["retries"]) == (None, 1)


def test_a_connection_that_breaks_each_time_is_an_error(service: Service) -> None:
    service.answer = close_half
    answer = ask(make_arm(service.url))
    assert answer.error is not None
    assert service.url in answer.error
    assert answer.error.endswith("(tried 3 times)")


def test_a_connection_that_the_service_closed_while_idle_costs_no_answer(service: Service) -> None:
    def answer_and_leave(handler: Handler) -> None:
        FINE(handler)
        handler.close_connection = True

    service.answer = answer_and_leave
    arm = make_arm(service.url)
    assert [arm.answer(question(), SNAPSHOT, 5).error for _ in range(5)] == [None] * 5
    arm.close()


def test_it_gives_up_after_the_retries_that_were_asked_for(service: Service) -> None:
    service.answer = says(503, b"busy")
    answer = ask(make_arm(service.url, retries=3))
    assert answer.error == "HTTP 503 Service Unavailable: busy (tried 4 times)"
    assert (answer.figures["retries"], len(service.received)) == (3, 4)


def test_no_retries_is_one_attempt(service: Service) -> None:
    service.answer = says(503, b"busy")
    assert ask(make_arm(service.url, retries=0)).error == "HTTP 503 Service Unavailable: busy"
    assert len(service.received) == 1


def test_nobody_who_listens_is_an_error_that_says_so() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but nobody listens
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        answer = ask(make_arm(url))
    assert answer.error == f"{url}: Connection refused (tried 3 times)"
    assert answer.failure is None


def test_a_name_that_does_not_exist_is_asked_once() -> None:
    answer = ask(make_arm("http://nowhere.invalid"))
    assert answer.error is not None
    assert answer.error.startswith("http://nowhere.invalid: ")
    assert answer.figures["retries"] == 0


def test_the_service_is_left_alone_as_long_as_it_asks(service: Service) -> None:
    service.answer = in_turn(says(429, b"", Retry_After="1"), FINE)
    began = time.monotonic()
    assert ask(make_arm(service.url)).error is None
    assert time.monotonic() - began >= 1


def test_a_wait_that_is_too_long_ends_the_question(service: Service) -> None:
    service.answer = says(503, b"", Retry_After="3600")
    answer = ask(make_arm(service.url))
    assert answer.error == "HTTP 503 Service Unavailable; it asks to wait 3600 s, which is over 60 s"
    assert len(service.received) == 1


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("0", 0),
        ("120", 120),
        ("9" * 5000, 999_999_999),
        (format_datetime(NOW + timedelta(seconds=30), usegmt=True), 30),
        (format_datetime(NOW - timedelta(days=1), usegmt=True), 0),
        ("Sun, 01 Mar 2026 12:00:05 -0000", 5),
        ("", None),
        ("-5", None),
        ("soon", None),
        ("Sun, 99 Mar 2026 12:00:05 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(header: str, seconds: float | None) -> None:
    assert asked_to_wait(header, NOW) == seconds


@given(st.text(max_size=40) | st.from_regex(r"(Sun, )?\d{1,12} (Mar|May) \d{1,12} [\d:]{0,12} ?[A-Z+\-\d]{0,8}"))
def test_any_retry_after_is_a_time_or_nothing(header: str) -> None:
    seconds = asked_to_wait(header, NOW)
    assert seconds is None or seconds >= 0


@given(retries=st.integers(0, 1000), base=st.floats(0.001, 1000))
def test_a_wait_of_our_own_doubles_and_is_bounded(retries: int, base: float) -> None:
    wait = waiting_time(None, retries, base)
    assert min(base * 2.0 ** min(retries, 20) / 2, LONGEST_WAIT_S) <= wait <= LONGEST_WAIT_S


@given(asked=st.floats(0, LONGEST_WAIT_S))
def test_a_wait_that_was_asked_for_is_never_cut_short(asked: float) -> None:
    assert asked <= waiting_time(asked, 0, 2) <= asked * 1.1
