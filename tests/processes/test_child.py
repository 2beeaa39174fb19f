"""What a child does and prints is what is reported, within its bounds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_retrieval_bench.processes.child import Finished

Run = Callable[..., Finished]
pytestmark = pytest.mark.usefixtures("system")
MEBIBYTE = 2**20


def test_output_errors_and_status_are_what_the_program_gave(run_program: Run) -> None:
    finished = run_program("os.write(1, b'out'); os.write(2, b'err'); sys.exit(3)")
    assert (finished.ending, finished.status) == ("exited", 3)
    assert (finished.stdout, finished.stderr, finished.stderr_truncated) == (b"out", b"err", False)


def test_a_program_that_prints_nothing_gives_nothing(run_program: Run) -> None:
    finished = run_program("")
    assert (finished.ending, finished.status, finished.stdout, finished.stderr) == ("exited", 0, b"", b"")


def test_a_program_that_dies_by_a_signal_says_which(run_program: Run) -> None:
    finished = run_program("os.write(1, b'so far'); os.kill(os.getpid(), signal.SIGSEGV)")
    assert (finished.ending, finished.status, finished.stdout) == ("exited", -signal.SIGSEGV, b"so far")


def test_the_time_is_the_programs_own(run_program: Run) -> None:
    assert 300 <= run_program("time.sleep(0.3)").wall_ms < 5000


def test_standard_input_is_empty_unless_it_is_given(run_program: Run) -> None:
    assert run_program("print(sys.stdin.buffer.read())").stdout == b"b''\n"


def test_a_program_that_answers_after_reading_gets_all_of_it(run_program: Run) -> None:
    text = os.urandom(5 * MEBIBYTE)
    assert run_program("sys.stdout.buffer.write(sys.stdin.buffer.read())", stdin=text).stdout == text


def test_a_program_that_writes_before_it_reads_does_not_lock_up(run_program: Run) -> None:
    program = "os.write(1, b'a' * 5_000_000) ; print(len(sys.stdin.buffer.read()))"
    finished = run_program(program, stdin=b"q" * (5 * MEBIBYTE))
    assert finished.stdout == b"a" * 5_000_000 + b"%d\n" % (5 * MEBIBYTE)


def test_a_program_that_never_reads_ends_as_it_likes(run_program: Run) -> None:
    finished = run_program("print('no need')", stdin=b"q" * (5 * MEBIBYTE))
    assert (finished.ending, finished.status, finished.stdout) == ("exited", 0, b"no need\n")


def test_a_program_that_closes_its_input_goes_on(run_program: Run) -> None:
    finished = run_program("os.close(0); time.sleep(0.2); print('done')", stdin=b"q" * (5 * MEBIBYTE))
    assert (finished.ending, finished.stdout) == ("exited", b"done\n")


def test_only_the_first_64_kib_of_errors_are_kept_and_all_are_drained(run_program: Run) -> None:
    finished = run_program("for n in range(200): os.write(2, b'%04d' % n * 2500)\nprint('done')")
    assert (finished.ending, finished.status, finished.stdout) == ("exited", 0, b"done\n")
    assert finished.stderr == b"".join(b"%04d" % n * 2500 for n in range(200))[:65_536]
    assert finished.stderr_truncated


def test_errors_of_just_64_kib_are_whole(run_program: Run) -> None:
    finished = run_program("os.write(2, b'e' * 65_536)")
    assert (finished.stderr, finished.stderr_truncated) == (b"e" * 65_536, False)


def test_output_as_long_as_the_bound_is_allowed(run_program: Run) -> None:
    finished = run_program("sys.stdout.buffer.write(b'x' * 100_000)", max_stdout_bytes=100_000)
    assert (finished.ending, finished.stdout) == ("exited", b"x" * 100_000)


def test_output_past_the_bound_ends_the_program_at_once(run_program: Run) -> None:
    finished = run_program("os.write(1, b'x' * 100_001); time.sleep(100)", max_stdout_bytes=100_000)
    assert (finished.ending, finished.status) == ("output limit", -signal.SIGTERM)
    assert finished.stdout == b"x" * 100_000


def test_output_past_the_bound_counts_though_the_program_exits(run_program: Run) -> None:
    finished = run_program("os.write(1, b'x' * 11)", max_stdout_bytes=10)
    assert (finished.ending, finished.stdout) == ("output limit", b"x" * 10)


def test_a_program_that_sleeps_past_the_bound_is_ended(run_program: Run) -> None:
    finished = run_program("os.write(1, b'so far'); os.write(2, b'err'); time.sleep(100)", timeout_s=0.5)
    assert (finished.ending, finished.status) == ("timeout", -signal.SIGTERM)
    assert (finished.stdout, finished.stderr) == (b"so far", b"err")
    assert 500 <= finished.wall_ms < 5000


def test_a_program_that_closed_its_output_is_ended_at_the_bound(run_program: Run) -> None:
    finished = run_program("os.close(1); os.close(2); time.sleep(100)", timeout_s=0.5)
    assert finished.ending == "timeout"


def test_a_program_that_closed_its_output_may_take_its_time(run_program: Run) -> None:
    finished = run_program("os.close(1); os.close(2); time.sleep(0.3); os._exit(4)")
    assert (finished.ending, finished.status) == ("exited", 4)
    assert finished.wall_ms >= 300


def test_a_program_that_ignores_term_is_killed(run_program: Run) -> None:
    finished = run_program("signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(100)", timeout_s=0.5)
    assert (finished.ending, finished.status) == ("timeout", -signal.SIGKILL)


def test_a_program_has_the_time_to_put_its_files_in_order(run_program: Run, tmp_path: Path) -> None:
    program = """
def stop(number, frame):
    time.sleep(0.2)
    open("in order", "w").close()
    os._exit(5)
signal.signal(signal.SIGTERM, stop)
time.sleep(100)
"""
    finished = run_program(program, timeout_s=0.5)
    assert (finished.ending, finished.status) == ("timeout", 5)
    assert (tmp_path / "in order").exists()


def test_a_stopped_program_is_ended_too(run_program: Run) -> None:
    finished = run_program("os.kill(os.getpid(), signal.SIGSTOP)", timeout_s=0.5)
    assert (finished.ending, finished.status) == ("timeout", -signal.SIGKILL)


def test_no_bound_in_time_is_a_bound_that_is_never_crossed(run_program: Run) -> None:
    assert run_program("print(1)", timeout_s=float("inf")).stdout == b"1\n"


def test_a_program_may_delete_its_working_directory(run_program: Run, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    finished = run_program("os.rmdir(os.getcwd()); print('gone')", directory=tmp_path / "copy")
    assert (finished.ending, finished.status, finished.stdout) == ("exited", 0, b"gone\n")


def test_the_program_has_the_given_environment_and_no_terminal(run_program: Run) -> None:
    program = """
try:
    os.open("/dev/tty", os.O_RDWR)
except OSError:
    print(os.environ.get("ONLY"), os.environ.get("HOME"))
"""
    assert run_program(program, environment={"ONLY": "this"}).stdout == b"this None\n"


FLOOD = """
import os, resource, sys, time
from pathlib import Path
from pytest_retrieval_bench.processes.child import run_child
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
command = [sys.executable, "-c", "import os\\nfor n in range(300): os.write(%d, b'x' * 2**20)"]
started = time.monotonic()
finished = run_child(command, directory=Path("."), environment=os.environ)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(finished.ending, len(finished.stdout), len(finished.stderr), (after - before) // 1024, time.monotonic() - started)
"""


@pytest.mark.parametrize(
    ("stream", "outcome"),
    [(1, ["output limit", 8 * MEBIBYTE, 0]), (2, ["exited", 0, 65_536])],
    ids=["output", "errors"],
)
def test_a_flood_of_300_mb_takes_little_memory_and_time(stream: int, outcome: list[object], system: str) -> None:
    if system == "plain":
        pytest.skip("a process of its own")
    finished = subprocess.run([sys.executable, "-c", FLOOD % stream], capture_output=True, text=True, check=True)
    *ending, stdout, stderr, mebibytes, seconds = finished.stdout.split()
    assert [" ".join(ending), int(stdout), int(stderr)] == outcome
    assert int(mebibytes) < 100
    assert float(seconds) < 10
