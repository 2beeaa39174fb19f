"""A capture file: what is in it byte for byte, and every bound that it keeps."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from dataclasses import asdict
from pathlib import Path

import pytest
import rfc8785

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.model import Invocation
from pytest_retrieval_bench.reporting.capture import Call, Capture
from tests.capture_file import payload, verified

REGISTRATION = {"limit": 20, "sample_ids": ["s0", "s1"], "registered_at": "caf\xe9"}
TASK = "a caf\xe9".encode()


def call(number: int, phase: str = "ordinary", sample_id: str | None = None) -> Call:
    digest = hashlib.sha256(TASK).hexdigest()
    name = sample_id or f"s{number}"
    return Call(number, name, "acme/shop", "a" * 40, number, phase, len(TASK), digest)


def ran(
    stdout: bytes | None = b"{}\n", stderr: bytes | None = b"", phase: str = "ordinary", *, truncated: bool = False
) -> Invocation:
    return Invocation(
        *(("corvint",), "/caller", "/copy", TASK, "", phase, stdout, stderr),
        stderr_truncated=truncated,
        parse_status="PARSED",
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "capture.jsonl"


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o277, 0o777])
def test_only_the_owner_may_read_and_write_it_whatever_the_umask(path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        capture = Capture(path, REGISTRATION, [call(0)])
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        capture.write(ran())
        capture.close()
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_header_is_on_disk_before_the_first_call(path: Path) -> None:
    capture = Capture(path, REGISTRATION, [call(0), call(1, "hit")])
    expected = {
        "type": "header",
        "profile": "corvint-retrieval-context-capture-v0",
        "registration": REGISTRATION,
        "invocations": [asdict(call(0)), asdict(call(1, "hit"))],
    }
    assert path.read_bytes() == rfc8785.dumps(expected) + b"\n"  # type: ignore[arg-type]
    capture.close()


def test_the_exact_bytes_of_both_streams_are_kept(path: Path) -> None:
    stdout, stderr = bytes(range(256)) * 3, b"half a caf\xc3"
    capture = Capture(path, REGISTRATION, [call(0), call(1)])
    capture.write(ran(stdout, stderr))
    capture.write(ran(b"", b"", truncated=True))
    capture.close()
    first, second = verified(path).records
    assert (payload(first["stdout"]), payload(first["stderr"])) == (stdout, stderr)
    assert (first["stdout"]["status"], first["stderr"]["status"]) == ("COMPLETE", "COMPLETE")
    assert second["stdout"] == {"status": "COMPLETE", "base64": "", "bytes": 0, "sha256": hashlib.sha256().hexdigest()}
    assert second["stderr"]["status"] == "TRUNCATED"
    assert "error" not in first


def test_what_was_not_produced_has_neither_bytes_nor_a_digest(path: Path) -> None:
    capture = Capture(path, REGISTRATION, [call(0), call(1)])
    capture.write(ran(None, b"said"))
    capture.write(None, "no process ran")
    capture.close()
    first, second = verified(path).records
    assert (first["stdout"], payload(first["stderr"])) == ({"status": "NOT_PRODUCED"}, b"said")
    assert (second["stdout"], second["stderr"]) == ({"status": "NOT_PRODUCED"}, {"status": "NOT_PRODUCED"})
    assert (second["parse_status"], second["error"]) == ("NOT_RUN", "no process ran")


@pytest.mark.parametrize("calls", [0, 1, 9, 10, 99, 100, 101])
def test_the_footer_counts_itself_and_binds_what_is_before_it(path: Path, calls: int) -> None:
    capture = Capture(path, REGISTRATION, [call(number) for number in range(calls)])
    for _ in range(calls):
        capture.write(ran())
    capture.close()
    found = verified(path)
    assert (found.footer["status"], found.footer["invocations"]) == ("COMPLETE", calls)


def test_with_calls_left_the_footer_says_partial(path: Path) -> None:
    capture = Capture(path, REGISTRATION, [call(0), call(1)])
    capture.write(ran())
    capture.close()
    assert verified(path).footer["status"] == "PARTIAL"


@pytest.mark.parametrize("there", ["file", "folder", "link", "link to nothing"])
def test_what_is_there_already_is_neither_written_nor_followed(path: Path, there: str) -> None:
    target = path.with_name("target")
    if there == "file":
        path.write_text("earlier")
    elif there == "folder":
        path.mkdir()
    else:
        path.symlink_to(target)
        if there == "link":
            target.write_text("earlier")
    with pytest.raises(ReportError, match="cannot be made: File exists"):
        Capture(path, REGISTRATION, [call(0)])
    assert target.exists() == (there == "link")
    assert path.is_dir() or not path.exists() or path.read_text() == "earlier"


@pytest.mark.parametrize(
    ("invocation", "words"),
    [
        (ran(phase="cold"), "call 0 is not the one that the header announces"),
        (Invocation(("corvint",), "", "", b"another task"), "call 0 is not the one that the header announces"),
    ],
)
def test_a_call_that_was_not_announced_is_a_fault(path: Path, invocation: Invocation, words: str) -> None:
    capture = Capture(path, REGISTRATION, [call(0)])
    with pytest.raises(ReportError, match=words):
        capture.write(invocation)
    capture.close()
    assert verified(path).records == []


def test_one_call_too_many_is_a_fault(path: Path) -> None:
    capture = Capture(path, REGISTRATION, [call(0)])
    capture.write(ran())
    with pytest.raises(ReportError, match="there was a call that the header does not announce"):
        capture.write(ran())
    capture.close()
    assert verified(path).footer["status"] == "COMPLETE"


def test_a_capture_holds_1024_calls_and_no_more(path: Path) -> None:
    calls = [call(number) for number in range(1025)]
    with pytest.raises(ReportError, match="1025 calls are more than the 1024 that one capture holds"):
        Capture(path, REGISTRATION, calls)
    assert not path.exists()
    Capture(path, REGISTRATION, calls[:1024]).close()
    assert len(verified(path).header["invocations"]) == 1024


def test_a_header_has_at_most_1_mib(path: Path) -> None:
    Capture(path, {"padding": ""}, [call(0)]).close()
    spare = 2**20 - len(header_line(path))
    path.unlink()
    with pytest.raises(ReportError, match="the header has 1048577 bytes, over 1 MiB"):
        Capture(path, {"padding": "x" * (spare + 1)}, [call(0)])
    assert not path.exists()
    Capture(path, {"padding": "x" * spare}, [call(0)]).close()
    assert len(header_line(path)) == 2**20


def header_line(path: Path) -> bytes:
    return path.read_bytes().splitlines(keepends=True)[0]


def test_a_record_has_at_most_64_kib_beside_what_was_printed(path: Path) -> None:
    capture = Capture(path, REGISTRATION, [call(0), call(1, sample_id="x" * 65_536)])
    capture.write(ran(b"x" * 10**6))
    with pytest.raises(ReportError, match="record 1 has over 64 KiB beside what was printed"):
        capture.write(ran())
    capture.close()
    assert verified(path).footer["status"] == "PARTIAL"


def test_the_whole_file_has_at_most_64_mib(path: Path) -> None:
    capture = Capture(path, REGISTRATION, [call(number) for number in range(7)])
    for _ in range(5):
        capture.write(ran(b"x" * 8 * 2**20))
    with pytest.raises(ReportError, match="it would be larger than 64 MiB"):
        capture.write(ran(b"x" * 8 * 2**20))
    capture.close()
    found = verified(path)
    assert (found.footer["status"], found.footer["invocations"]) == ("PARTIAL", 5)
    assert found.footer["total_bytes"] <= 64 * 2**20


def test_a_line_that_the_disk_broke_off_is_not_part_of_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    capture = Capture(path, REGISTRATION, [call(0), call(1)])
    capture.write(ran())
    write = os.write

    def full(descriptor: int, data: memoryview) -> int:
        if len(data) > 100:
            return write(descriptor, data[:100])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(ReportError, match="cannot be written: No space left on device"):
            capture.write(ran(b"x" * 50))
    capture.close()
    found = verified(path)
    assert (found.footer["status"], found.footer["invocations"]) == ("PARTIAL", 1)
