"""One call of a program, from its start to the answer that is read from what it printed (PROTOCOL 4)."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from pytest_retrieval_bench.arms.output.paths import without_root
from pytest_retrieval_bench.arms.output.reader import OutputError
from pytest_retrieval_bench.arms.run import one_line
from pytest_retrieval_bench.errors import ChildError
from pytest_retrieval_bench.model import Answer, Invocation, ParseStatus
from pytest_retrieval_bench.processes.child import Finished, Watcher, run_child

MAX_STDOUT_BYTES = 8 * 2**20
_SHOWN_STDERR = 600


def invoke(
    invocation: Invocation,
    read: Callable[[bytes], Answer],
    *,
    environment: Mapping[str, str],
    timeout_s: float,
    watcher: Watcher,
) -> Answer:
    """Runs a program and reads its answer; whatever goes wrong is an error of the answer, never an abstention.

    The time runs from the start of the process until its answer is read. The invocation goes with the answer, completed
    with what came of it.
    """
    root = Path(invocation.root)
    try:
        finished = run_child(
            invocation.command,
            directory=Path(invocation.directory),
            environment=environment,
            stdin=invocation.task if invocation.task_file == "-" else b"",
            timeout_s=timeout_s,
            max_stdout_bytes=MAX_STDOUT_BYTES,
            watcher=watcher,
        )
    except ChildError as error:
        words = one_line(without_root(str(error), root))
        return Answer(error=words, invocations=(replace(invocation, error=words),))
    ended = time.perf_counter_ns()
    answer, parse_status = _read(finished, read, timeout_s, root)
    # Ending what the program left behind is not its time.
    wall_ms = finished.wall_ms + (time.perf_counter_ns() - ended) / 1e6
    completed = replace(
        invocation,
        stdout=finished.stdout if finished.ending == "exited" else None,
        stderr=finished.stderr,
        stderr_truncated=finished.stderr_truncated,
        parse_status=parse_status,
        error=answer.error,
    )
    return replace(answer, wall_ms=wall_ms, invocations=(completed,))


def failure(finished: Finished, timeout_s: float, root: Path | None) -> Answer | None:
    """The answer of a child that did not end well, with the end of its standard error; None where it did."""
    kind = None if finished.ending == "exited" else finished.ending
    if kind == "timeout":
        what = f"it had not ended after {timeout_s:g} s"
    elif kind == "output limit":
        what = f"it printed over {MAX_STDOUT_BYTES >> 20} MiB"
    elif finished.status < 0:
        what = f"it was ended by {_signal_name(-finished.status)}"
    elif finished.status:
        what = f"exit status {finished.status}"
    else:
        return None
    said = _stderr_end(finished, root)
    return Answer(error=f"{what}: {said}" if said else what, failure=kind)


def _read(
    finished: Finished, read: Callable[[bytes], Answer], timeout_s: float, root: Path
) -> tuple[Answer, ParseStatus]:
    failed = failure(finished, timeout_s, root)
    if failed is not None:
        return failed, "NOT_RUN"
    try:
        answer = read(finished.stdout)
    except OutputError as error:
        return Answer(error=one_line(without_root(str(error), root))), "MALFORMED"
    return replace(answer, packet_bytes=len(finished.stdout)), "PARSED"


def _stderr_end(finished: Finished, root: Path | None) -> str:
    """The end of what is kept of standard error, as one line, the copy's path as `{root}`."""
    text = " ".join(without_root(finished.stderr.decode("utf-8", "replace"), root).split())
    end = text if len(text) <= _SHOWN_STDERR else f"…{text[-_SHOWN_STDERR:]}"
    return one_line(f"{end}…" if finished.stderr_truncated else end)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
