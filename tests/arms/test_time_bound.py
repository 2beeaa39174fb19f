from __future__ import annotations

import signal
import threading
import time

import pytest

from pytest_retrieval_bench.arms.time_bound import OutOfTime, time_bound


def test_code_inside_the_bound_is_left_alone_and_so_is_the_handler() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with time_bound(5):
        assert signal.getsignal(signal.SIGALRM) is not before
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_code_that_takes_too_long_is_ended() -> None:
    started = time.monotonic()
    with pytest.raises(OutOfTime), time_bound(0.1):
        time.sleep(30)
    assert time.monotonic() - started < 20
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_a_bound_that_ticked_before_goes_on_afterwards() -> None:
    rung = threading.Event()
    before = signal.signal(signal.SIGALRM, lambda *_: rung.set())
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(OutOfTime), time_bound(0.1):
            time.sleep(30)
        assert not rung.is_set()
        assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 0.3
        deadline = time.monotonic() + 20
        while not rung.is_set() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert rung.is_set()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_no_bound_means_none() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with time_bound(None):
        assert signal.getsignal(signal.SIGALRM) is before


def test_in_another_thread_there_is_no_bound_and_no_error() -> None:
    ended: list[str] = []

    def work() -> None:
        with time_bound(0.01):
            time.sleep(0.1)
        ended.append("in peace")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended == ["in peace"]
