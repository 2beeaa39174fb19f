"""A rate and a number of requests at the same time, over all processes, whatever becomes of one of them."""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.arms.http.limits import LimitsError, SharedLimits, seconds_to_wait
from tests.arms.http.loopback import FOUND, Handler, Service, ask, make_arm, says

ROOT = Path(__file__).parents[2]
FINE = says(200, FOUND)
pytestmark = pytest.mark.usefixtures("temporary_folder")


class Watching:
    """Takes its time for an answer, and counts how many it works on and when they came."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.most = 0
        self.times: list[float] = []
        self._now = 0
        self._lock = threading.Lock()

    def __call__(self, handler: Handler) -> None:
        with self._lock:
            self.times.append(time.monotonic())
            self._now += 1
            self.most = max(self.most, self._now)
        time.sleep(self.seconds)
        with self._lock:
            self._now -= 1  # before the answer: the next one may come as soon as this one is out
        FINE(handler)


@contextmanager
def asker(url: str, times: int, **keys: Any) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "tests.arms.http.asker", url, str(times), json.dumps(keys)]
    with subprocess.Popen(command, cwd=ROOT) as process:
        try:
            yield process
        finally:
            process.kill()


def ask_from_four_processes(url: str, times: int, **keys: Any) -> None:
    with ExitStack() as started:
        processes = [started.enter_context(asker(url, times, **keys)) for _ in range(4)]
        assert [process.wait(60) for process in processes] == [0, 0, 0, 0]


def wait_for_requests(service: Service, count: int) -> None:
    deadline = time.monotonic() + 30
    while len(service.received) < count:
        assert time.monotonic() < deadline, "nothing was asked"
        time.sleep(0.01)


def wait_until_locked(path: Path) -> None:
    deadline = time.monotonic() + 30
    with path.open("rb") as file:
        while time.monotonic() < deadline:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
            fcntl.flock(file, fcntl.LOCK_UN)
            time.sleep(0.01)
    pytest.fail("nobody waits")


def hang_once(handler: Handler) -> None:
    handler.service.answer = FINE
    time.sleep(20)


def test_four_processes_keep_to_the_concurrency(service: Service) -> None:
    service.answer = watching = Watching(0.03)
    ask_from_four_processes(service.url, 10, concurrency=2)
    assert (watching.most, len(watching.times)) == (2, 40)


def test_four_processes_keep_to_the_rate(service: Service) -> None:
    service.answer = watching = Watching(0)
    ask_from_four_processes(service.url, 5, rate=20)
    assert len(watching.times) == 20
    assert max(watching.times) - min(watching.times) > 19 / 20 - 0.2


def test_without_bounds_nothing_is_shared(service: Service, temporary_folder: Path) -> None:
    assert ask(make_arm(service.url)).error is None
    assert list(temporary_folder.iterdir()) == []


def test_a_killed_process_frees_its_place(service: Service, temporary_folder: Path) -> None:
    service.answer = hang_once
    with asker(service.url, 1, concurrency=1) as holder:
        wait_for_requests(service, 1)
        with asker(service.url, 1, concurrency=1) as waiting:
            wait_until_locked(next(temporary_folder.glob("*/*/turn")))
            holder.kill()
            assert waiting.wait(30) == 0
    assert len(service.received) == 2


def test_a_killed_process_that_waited_is_not_waited_for(service: Service, temporary_folder: Path) -> None:
    service.answer = hang_once
    with asker(service.url, 1, concurrency=1) as holder:
        wait_for_requests(service, 1)
        with asker(service.url, 1, concurrency=1) as waiting:
            wait_until_locked(next(temporary_folder.glob("*/*/turn")))
            waiting.kill()
        holder.kill()
        assert ask(make_arm(service.url, concurrency=1)).error is None


def test_the_wait_for_a_place_is_not_measured(service: Service) -> None:
    limits = SharedLimits(service.url, None, 1)
    taken = threading.Event()

    def hold() -> None:
        with limits.request():
            taken.set()
            time.sleep(1)

    thread = threading.Thread(target=hold)
    thread.start()
    taken.wait()
    began = time.monotonic()
    answer = ask(make_arm(service.url, concurrency=1))
    thread.join()
    assert time.monotonic() - began > 0.7
    assert answer.wall_ms is not None
    assert answer.wall_ms < 600


def test_another_service_has_places_of_its_own(service: Service) -> None:
    with SharedLimits("http://127.0.0.1:1", None, 1).request():
        assert ask(make_arm(service.url, concurrency=1)).error is None


@pytest.mark.parametrize(
    ("last", "seconds"),
    [(None, 0), (100.0, 0.5), (99.8, 0.3), (99.0, 0), (1e9, 0), (0.0, 0)],
)
def test_the_next_request_waits_for_the_rest_of_the_interval(last: float | None, seconds: float) -> None:
    assert seconds_to_wait(last, 100.0, 0.5) == pytest.approx(seconds)


def test_the_shared_folder_is_for_its_user_alone(temporary_folder: Path) -> None:
    with SharedLimits("http://a", 1000, 1).request():
        (base,) = temporary_folder.iterdir()
        (folder,) = base.iterdir()
    assert [path.stat().st_mode & 0o777 for path in (base, folder)] == [0o700, 0o700]
    assert {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()} == {"turn": 0o600, "place-0": 0o600}


def test_a_folder_that_others_may_write_to_is_refused(temporary_folder: Path) -> None:
    with SharedLimits("http://a", 1000, 1).request():
        (base,) = temporary_folder.iterdir()
    base.chmod(0o777)
    with pytest.raises(LimitsError, match="not a folder of this user alone"), SharedLimits("http://a", 1, 1).request():
        pass


def test_a_link_in_its_place_is_refused(temporary_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    with SharedLimits("http://a", 1000, 1).request():
        (base,) = temporary_folder.iterdir()
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    base.rename(elsewhere / "moved")
    base.symlink_to(elsewhere / "moved")
    with pytest.raises(LimitsError, match="not a folder of this user alone"), SharedLimits("http://a", 1, 1).request():
        pass


def test_a_shared_folder_that_cannot_be_used_is_an_error_in_words(
    temporary_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(temporary_folder / "missing"))
    with pytest.raises(LimitsError, match="cannot be made: No such file or directory; see TMPDIR"):
        ask(make_arm("http://127.0.0.1:1", rate=1))
