"""A service that takes its time, says too much, or goes away: the right outcome, and soon."""

from __future__ import annotations

import json
import time
import tracemalloc
import zlib
from typing import Any

import pytest

from pytest_retrieval_bench.arms.http.connection import MAX_BYTES
from tests.arms.http.loopback import FOUND, SNAPSHOT, Handler, Service, ask, in_turn, make_arm, question, says

NO_TIME = 0.3


def drip(handler: Handler) -> None:
    handler.send_response(200)
    handler.end_headers()
    for _ in range(200):
        handler.wfile.write(b" ")
        time.sleep(0.02)


def drip_headers(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(200):
        handler.wfile.write(f"X-{number}: a\r\n".encode())
        time.sleep(0.02)


def say_nothing(handler: Handler) -> None:
    time.sleep(1)


@pytest.mark.parametrize("slow", [drip, drip_headers, say_nothing])
def test_a_reply_that_is_not_whole_in_time_is_a_timeout(service: Service, slow: Any) -> None:
    service.answer = slow
    began = time.monotonic()
    answer = ask(make_arm(service.url, timeout=NO_TIME))
    assert (answer.failure, answer.error) == ("timeout", "no whole reply within 0.3 s")
    assert time.monotonic() - began < 3
    assert len(service.received) == 1


def test_a_timeout_leaves_the_next_question_alone(service: Service) -> None:
    service.answer = in_turn(drip, says(200, FOUND))
    arm = make_arm(service.url, timeout=NO_TIME)
    outcomes = [arm.answer(question(), SNAPSHOT, 5).failure for _ in range(2)]
    arm.close()
    assert outcomes == ["timeout", None]


def flood(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Connection", "close")
    handler.end_headers()
    for _ in range(300):
        handler.wfile.write(b" " * 2**20)


def bomb(handler: Handler) -> None:
    packer = zlib.compressobj(1, wbits=zlib.MAX_WBITS | 16)
    packed = b"".join(packer.compress(bytes(2**20)) for _ in range(100)) + packer.flush()
    handler.send(200, packed, {"Content-Encoding": "gzip"})


@pytest.mark.parametrize("large", [flood, bomb])
def test_a_reply_over_the_bound_is_not_held_in_memory(service: Service, large: Any) -> None:
    service.answer = large
    arm = make_arm(service.url)
    tracemalloc.start()
    try:
        answer = ask(arm)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 40 * 2**20
    assert (answer.failure, answer.error) == ("output limit", "the reply is larger than 8 MiB")


def test_a_large_reply_within_the_bound_is_read(service: Service) -> None:
    body = json.dumps(FOUND).encode()
    service.answer = says(200, body + b" " * (MAX_BYTES - len(body)))
    assert ask(make_arm(service.url)).error is None
