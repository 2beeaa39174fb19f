"""No process outlives the call that started it: `run_program` looks after each test."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

from pytest_retrieval_bench.processes import exchange
from pytest_retrieval_bench.processes.child import Finished
from tests.processes.conftest import ON_LINUX

Run = Callable[..., Finished]
linux_only = pytest.mark.skipif(not ON_LINUX, reason="elsewhere, a process that leaves its group is out of sight")
# What follows runs in a grandchild; the leader goes on after it.
FORK = "if os.fork() == 0:\n    {grandchild}\n    time.sleep(100)\n    os._exit(0)\n"
IGNORE = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"


class Watching:
    """A watcher that remembers, and that can fail."""

    def __init__(self, failure: BaseException | None = None) -> None:
        self.seen: list[tuple[str, int]] = []
        self._failure = failure
        self.mark: dict[str, str] = {}

    def started(self, pid: int) -> None:
        self.seen.append(("started", pid))
        if self._failure:
            raise self._failure

    def ended(self, pid: int) -> None:
        self.seen.append(("ended", pid))


@pytest.mark.parametrize("bound", [0.5, 60], ids=["timeout", "exited"])
@pytest.mark.parametrize("grandchild", ["pass", IGNORE, "os.close(1); os.close(2)"])
def test_a_grandchild_in_the_group_is_ended(run_program: Run, grandchild: str, bound: float) -> None:
    after = "time.sleep(100)" if bound < 1 else "print('done')"
    finished = run_program(FORK.format(grandchild=grandchild) + after, timeout_s=bound)
    expected = ("timeout", -signal.SIGTERM, b"") if bound < 1 else ("exited", 0, b"done\n")
    assert (finished.ending, finished.status, finished.stdout) == expected


@linux_only
@pytest.mark.parametrize("bound", [0.5, 60], ids=["timeout", "exited"])
@pytest.mark.parametrize(
    "grandchild",
    [
        "os.setsid()",
        f"os.setsid(); {IGNORE}",
        "os.setsid(); os.close(1); os.close(2)",
        "os.setsid()\n    if os.fork(): os._exit(0)",
        "os.setsid(); os.execve('/bin/sh', ['sh', '-c', 'sleep 100; :', sys.argv[1]], {'PATH': '/bin:/usr/bin'})",
        "os.setpgid(0, 0)",
    ],
    ids=["setsid", "ignores TERM", "closes its output", "a daemon", "another program", "own group"],
)
def test_a_grandchild_that_left_the_group_is_ended(run_program: Run, grandchild: str, bound: float) -> None:
    after = "time.sleep(100)" if bound < 1 else "print('done')"
    finished = run_program(FORK.format(grandchild=grandchild) + after, timeout_s=bound)
    expected = ("timeout", -signal.SIGTERM, b"") if bound < 1 else ("exited", 0, b"done\n")
    assert (finished.ending, finished.status, finished.stdout) == expected


@linux_only
def test_a_whole_tree_of_sessions_is_ended(run_program: Run) -> None:
    program = "for depth in range(20):\n    if os.fork(): break\n    os.setsid()\nelse: time.sleep(100)\n"
    assert run_program(program + "if depth: time.sleep(100)").status == 0


def test_a_grandchild_that_holds_the_output_costs_no_time_of_the_answer(
    run_program: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "_DRAIN_S", 3)
    assert run_program(FORK.format(grandchild="pass")).wall_ms < 2900


def test_what_a_grandchild_prints_soon_after_the_leader_exited_is_kept(
    run_program: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "_DRAIN_S", 20)
    finished = run_program("if os.fork() == 0:\n    time.sleep(0.1); print('late')")
    assert (finished.ending, finished.stdout) == ("exited", b"late\n")


def test_a_flood_from_a_grandchild_is_bounded_as_well(run_program: Run) -> None:
    finished = run_program("if os.fork() == 0:\n    while True: os.write(1, b'x' * 9999)", max_stdout_bytes=10_000)
    assert finished.ending == "output limit"


def test_a_watcher_is_told_of_the_group_from_start_to_end(run_program: Run) -> None:
    watcher = Watching()
    finished = run_program("print(os.getpgid(0), os.getsid(0))", watcher=watcher)
    pid = int(finished.stdout.split()[0])
    assert finished.stdout == b"%d %d\n" % (pid, pid)
    assert watcher.seen == [("started", pid), ("ended", pid)]


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), OSError("no guard")], ids=repr)
def test_an_exception_passes_when_the_program_is_gone(run_program: Run, failure: BaseException) -> None:
    watcher = Watching(failure)
    with pytest.raises(type(failure)):
        run_program(FORK.format(grandchild="pass") + "time.sleep(100)", watcher=watcher)
    assert [event for event, _ in watcher.seen] == ["started", "ended"]


@pytest.fixture
def interrupt_after() -> Iterator[Callable[..., None]]:
    """Raises KeyboardInterrupt after some seconds, and so many times, as Ctrl+C does."""
    left = 0

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            signal.setitimer(signal.ITIMER_REAL, 0)
        raise KeyboardInterrupt

    def start(seconds: float, times: int = 1) -> None:
        nonlocal left
        left = times
        signal.setitimer(signal.ITIMER_REAL, seconds, seconds)

    before = signal.signal(signal.SIGALRM, interrupt)
    yield start
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_ctrl_c_ends_the_program(run_program: Run, interrupt_after: Callable[..., None]) -> None:
    interrupt_after(0.3)
    with pytest.raises(KeyboardInterrupt):
        run_program(FORK.format(grandchild="pass") + "time.sleep(100)")


@pytest.mark.usefixtures("system")
def test_ctrl_c_twice_ends_a_program_that_ignores_term(run_program: Run, interrupt_after: Callable[..., None]) -> None:
    interrupt_after(0.3, times=2)
    with pytest.raises(KeyboardInterrupt):
        run_program(IGNORE + "\n" + FORK.format(grandchild="pass") + "time.sleep(100)")


@linux_only
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
def test_ctrl_c_while_the_program_is_being_started_ends_it(run_program: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(subprocess.Popen[bytes]):
        def _execute_child(self, *arguments: object) -> None:
            super()._execute_child(*arguments)  # type: ignore[misc]
            raise KeyboardInterrupt

    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_program(FORK.format(grandchild="os.setsid()") + "time.sleep(100)")


def test_children_of_others_are_left_alone(run_program: Run) -> None:
    bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
    try:
        run_program(FORK.format(grandchild="pass"))
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_threads_run_children_side_by_side(run_program: Run) -> None:
    finished: dict[int, Finished] = {}

    def run(number: int) -> None:
        program = FORK.format(grandchild="os.close(1); os.close(2)" if not ON_LINUX else "os.setsid()")
        finished[number] = run_program(f"{program}time.sleep(0.{number}); os.write(1, b'{number}'); os._exit({number})")

    threads = [threading.Thread(target=run, args=(number,)) for number in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(finished[number].status, finished[number].stdout) for number in range(1, 9)] == [
        (number, b"%d" % number) for number in range(1, 9)
    ]


@linux_only
def test_orphans_of_later_programs_are_not_ours(run_program: Run, tmp_path: Path) -> None:
    """The system gives orphans to this process only while a child runs."""
    run_program("")
    command = [sys.executable, "-c", "import os\nif os.fork() == 0: print(os.getpid(), flush=True); os.read(0, 1)"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        orphan = int(process.stdout.readline())
        process.wait()
        parent = Path(f"/proc/{orphan}/stat").read_text().rpartition(")")[2].split()[1]
        assert int(parent) != os.getpid()
