"""Workers that xdist starts over SSH or finds behind a socket give the same report, and check what they read."""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Run, without_time
from tests.small_benchmark import COMMIT, SmallBenchmark

SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    pytest.fail(f"nothing listens on port {port}")


@pytest.fixture
def over_ssh(tmp_path: Path) -> Iterator[str]:
    """A `--tx` value for this machine over a real sshd of the test's own, on a port of its own."""
    if SSHD is None:
        pytest.skip("there is no sshd; install openssh-server")
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / name)], check=True)
    (tmp_path / "authorized").write_text((tmp_path / "user.pub").read_text())
    port = free_port()
    options = {
        "Port": port,
        "ListenAddress": "127.0.0.1",
        "HostKey": tmp_path / "host",
        "AuthorizedKeysFile": tmp_path / "authorized",
        "PidFile": "none",
        "StrictModes": "no",
        "UsePAM": "no",
    }
    config = tmp_path / "sshd_config"
    config.write_text("".join(f"{name} {value}\n" for name, value in options.items()))
    with contextlib.suppress(OSError):
        Path("/run/sshd").mkdir(exist_ok=True)  # a server that runs as root wants it
    server = subprocess.Popen([SSHD, "-D", "-e", "-f", str(config)], stderr=subprocess.DEVNULL, start_new_session=True)
    wait_for(port)
    known = "-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
    yield f"ssh=-p {port} -i {tmp_path / 'user'} {known} {getpass.getuser()}@127.0.0.1//python={sys.executable}"
    os.killpg(server.pid, signal.SIGKILL)
    server.wait()


@pytest.fixture
def over_a_socket(tmp_path: Path) -> Iterator[str]:
    """A `--tx` value for a worker behind a socket."""
    port = free_port()
    command = [sys.executable, "-m", "execnet.script.socketserver", f"127.0.0.1:{port}"]
    server = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    wait_for(port)
    yield f"socket=127.0.0.1:{port}"
    os.killpg(server.pid, signal.SIGKILL)
    server.wait()


@pytest.fixture
def folder(pytester: pytest.Pytester) -> str:
    """Where far workers run, with the package on their path as it is on ours."""
    passed = {"PYTHONPATH": os.pathsep.join(sys.path), "PYTEST_ADDOPTS": os.environ["PYTEST_ADDOPTS"]}
    return f"//chdir={pytester.path}" + "".join(f"//env:{name}={value}" for name, value in passed.items())


@pytest.mark.parametrize("way", ["over_ssh", "over_a_socket"])
def test_a_far_worker_gives_the_same_report(
    run_apart: Run, small: SmallBenchmark, way: str, folder: str, request: pytest.FixtureRequest
) -> None:
    tx = request.getfixturevalue(way)
    near = run_apart(*small.options, output="near.json").report
    far = run_apart(*small.options, "--dist=load", f"--tx={tx}{folder}", output="far.json")
    far.result.assert_outcomes(passed=16)
    assert without_time(far.report) == without_time(near)


APPENDING = """
import pytest

@pytest.hookimpl(trylast=True)
def pytest_configure_node(node):
    with open({path!r}, "a") as stream:
        stream.write({line!r})
"""


@pytest.mark.parametrize(
    ("file", "line", "errors"),
    [
        ("corpus/acme__shop/{commit}.chunks.jsonl", '{"kind": "file", "path": "new.py", "text": ""}\n', 2),
        ("samples.jsonl", "\n", 4),
    ],
    ids=["a snapshot", "the samples"],
)
def test_inputs_that_are_others_there_are_errors_of_their_items(
    run_apart: Run,
    small: SmallBenchmark,
    over_a_socket: str,
    folder: str,
    pytester: pytest.Pytester,
    file: str,
    line: str,
    errors: int,
) -> None:
    # Changed between the controller's look and the worker's, as if it were another machine's.
    path = small.folder / file.format(commit=COMMIT)
    pytester.makeconftest(APPENDING.format(path=str(path), line=line))
    finished = run_apart(*small.options, "--rb-arms=grep", "--dist=load", f"--tx={over_a_socket}{folder}")
    finished.result.assert_outcomes(passed=4 - errors, errors=errors)
    assert finished.status != 0
    assert finished.text.count("on the controller; copy the files") >= errors
