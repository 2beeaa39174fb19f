"""`--rb-context-packets`: what context was asked and printed, byte for byte, beside a report that does not show it."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.reporting import capture as bounds
from tests.capture_file import payload, verified
from tests.conformance_packs import CORVINT, compared, pack
from tests.conftest import Run, without_time
from tests.corvint_program import write_corvint
from tests.small_benchmark import ROWS, SmallBenchmark

CAPTURE = "--rb-context-packets=capture.jsonl"
ARMS = "--rb-arms=context,grep"
LATENCY = "--rb-snapshot-latency"
# Whether a sample of the small benchmark is about the sum of a cart.
SUM = "if verb == 'context' and 'totalPrice' in rest[1]:\n    "


def corvint(small: SmallBenchmark, awkward: str = "") -> str:
    return f"--rb-corvint={write_corvint(small.folder / 'corvint', awkward)}"


def captured(small: SmallBenchmark) -> Path:
    return small.folder / "capture.jsonl"


def sidecar(small: SmallBenchmark) -> Any:
    return json.loads((small.folder / "report.json.registration.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("latency", [[], [LATENCY]])
@pytest.mark.parametrize("samples", ["samples.jsonl", "contextbench.jsonl"])
def test_the_capture_of_a_conformance_pack_is_complete_and_agrees_with_the_report(
    run_plain: Run, pytester: pytest.Pytester, samples: str, latency: list[str]
) -> None:
    finished = run_plain(*pack(samples), CORVINT, "--rb-arms=context", CAPTURE, *latency)
    found = verified(pytester.path / "capture.jsonl")
    assert found.footer["status"] == "COMPLETE"
    assert found.header["registration"] == finished.report["registration"]
    rows = finished.report["details"]
    assert found.phases == (["cold", "hit"] if latency else ["ordinary"]) * len(rows)
    for record in found.records:
        call = record["invocation"]
        row = rows[call["sample_ordinal"]]
        answer = row["arms"]["context"]
        assert [row["id"], row["repo"], row["base_commit"]] == [
            call[name] for name in ("sample_id", "repo", "base_commit")
        ]
        assert payload(record["stderr"]).startswith(b"corvint-bench-snapshot: hit=")
        if "error" not in answer:
            assert record["parse_status"] == "PARSED"
            assert record["stdout"]["bytes"] == answer["packet_bytes"]
            results = json.loads(payload(record["stdout"]))["results"]
            distinct = dict.fromkeys(result["id"] for result in results if result["id"] not in ("", *row["given"]))
            assert list(distinct)[:20] == answer["ranked"]
    if not latency:
        assert compared(samples, finished.output, "context").startswith("0 differences over ")


@pytest.mark.parametrize("latency", [[], [LATENCY]])
def test_the_report_is_the_same_with_and_without_a_capture(run_plain: Run, latency: list[str]) -> None:
    options = [*pack("contextbench.jsonl"), CORVINT, "--rb-arms=context,grep", *latency]
    captured = run_plain(*options, CAPTURE, output="captured.json")
    ordinary = run_plain(*options, output="ordinary.json")
    assert without_time(captured.report) == without_time(ordinary.report)
    assert captured.status == ordinary.status
    when = {"registered_at": None, "machine": None}
    registered = [report["registration"] | when for report in (captured.report, ordinary.report)]
    assert registered[0] == registered[1]


def test_the_records_are_those_of_the_calls_in_their_order(run_plain: Run, small: SmallBenchmark) -> None:
    finished = run_plain(*small.options, corvint(small, "print('said', file=sys.stderr)"), ARMS, CAPTURE)
    finished.result.assert_outcomes(passed=8)
    found = verified(captured(small))
    rows = {row["id"]: row for row in ROWS}
    assert found.header["registration"] == sidecar(small)
    assert sorted(call["sample_ordinal"] for call in found.header["invocations"]) == [0, 1, 2, 3]
    for call, record in zip(found.header["invocations"], found.records, strict=True):
        row = rows[call["sample_id"]]
        task = json.dumps(row["query"], sort_keys=True).encode()
        assert (call["task_bytes"], call["task_sha256"]) == (len(task), hashlib.sha256(task).hexdigest())
        assert ROWS[call["sample_ordinal"]]["id"] == call["sample_id"]
        assert payload(record["stderr"]) == b"said\ncorvint-bench-snapshot: hit=false\n"
        assert json.loads(payload(record["stdout"]))["state"] == "READY"
        assert record["parse_status"] == "PARSED"


@pytest.mark.parametrize(
    ("awkward", "status", "stdout", "error"),
    [
        ("print('[1'); sys.exit()", "MALFORMED", b"[1\n", "what it printed is not one JSON document: "),
        ("print('{}'); sys.exit()", "MALFORMED", b"{}\n", "the packet's `state` is None, it must be str"),
        ("print('{}'); sys.exit(2)", "NOT_RUN", b"{}\n", "exit status 2"),
        ("sys.exit(2)", "NOT_RUN", b"", "exit status 2"),
        ("print('x' * (9 * 2**20)); sys.exit()", "NOT_RUN", None, "it printed over 8 MiB"),
    ],
)
def test_a_call_that_fails_is_captured_with_what_there_is_of_it(
    run_plain: Run, small: SmallBenchmark, awkward: str, status: str, stdout: bytes | None, error: str
) -> None:
    finished = run_plain(*small.options, corvint(small, SUM + awkward), ARMS, CAPTURE)
    finished.result.assert_outcomes(passed=7, failed=1)
    found = verified(captured(small))
    assert found.footer["status"] == "COMPLETE"
    (bad,) = (record for record in found.records if record["invocation"]["sample_id"] == "wrong-sum")
    assert bad["parse_status"] == status
    assert bad["error"].startswith(error)
    assert bad["stdout"]["status"] == ("NOT_PRODUCED" if stdout is None else "COMPLETE")
    assert stdout is None or payload(bad["stdout"]) == stdout
    assert sorted(found.statuses) == sorted(["PARSED"] * 3 + [status])


def test_long_standard_error_is_truncated_and_says_so(run_plain: Run, small: SmallBenchmark) -> None:
    flood = f"{SUM}print('x' * 100_000, file=sys.stderr)"
    run_plain(*small.options, corvint(small, flood), ARMS, CAPTURE)
    streams = {record["invocation"]["sample_id"]: record["stderr"] for record in verified(captured(small)).records}
    assert (streams["wrong-sum"]["status"], payload(streams["wrong-sum"])) == ("TRUNCATED", b"x" * 65_536)
    assert streams["tick"]["status"] == "COMPLETE"


@pytest.mark.parametrize("latency", [[], [LATENCY]])
def test_a_sample_that_no_process_was_asked_about_is_not_run(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester, latency: list[str]
) -> None:
    small.chunk_file("acme/clock").unlink()
    pytester.makeconftest(
        """
        import pytest
        def pytest_runtest_setup(item):
            if "wrong-sum" in item.name:
                pytest.skip("not today")
        """
    )
    run_plain(*small.options, corvint(small), ARMS, CAPTURE, *latency)
    found = verified(captured(small))
    assert found.footer["status"] == "COMPLETE"
    by_sample: dict[str, list[dict[str, Any]]] = {}
    for record in found.records:
        by_sample.setdefault(record["invocation"]["sample_id"], []).append(record)
    for name, words in (
        ("tick", "no snapshot of acme/clock at "),
        ("nothing-here", "no snapshot of acme/clock at "),
        ("wrong-sum", "it was skipped: Skipped: not today"),
    ):
        for record in by_sample[name]:
            assert (record["stdout"]["status"], record["stderr"]["status"]) == ("NOT_PRODUCED", "NOT_PRODUCED")
            assert record["parse_status"] == "NOT_RUN"
            assert words in record["error"]
    assert {record["parse_status"] for record in by_sample["cart-test"]} == {"PARSED"}
    assert {len(records) for records in by_sample.values()} == {2 if latency else 1}


def test_an_index_that_cannot_be_made_is_two_calls_that_were_not_run(run_plain: Run, small: SmallBenchmark) -> None:
    no_index = "if verb == 'index':\n    sys.exit(4)"
    run_plain(*small.options, corvint(small, no_index), ARMS, CAPTURE, LATENCY)
    found = verified(captured(small))
    assert (found.footer["status"], found.phases, found.statuses) == ("COMPLETE", ["cold", "hit"] * 4, ["NOT_RUN"] * 8)
    assert {record["error"] for record in found.records} == {"corvint index failed: exit status 4"}


def test_a_run_that_stops_at_the_first_failure_leaves_a_partial_capture(run_plain: Run, small: SmallBenchmark) -> None:
    stop = "if verb == 'context':\n    sys.exit(3)"
    finished = run_plain(*small.options, corvint(small, stop), "--rb-arms=context", CAPTURE, "-x")
    found = verified(captured(small))
    assert (found.footer["status"], found.footer["invocations"]) == ("PARTIAL", 1)
    assert len(found.header["invocations"]) == 4
    assert len(finished.report["incomplete"]) == 3


@pytest.mark.usefixtures("heeds_signals")
def test_ctrl_c_in_the_middle_of_a_call_leaves_a_partial_capture(run_apart: Run, small: SmallBenchmark) -> None:
    ctrl_c = f"{SUM}import signal, time\n    os.kill(os.getppid(), signal.SIGINT)\n    time.sleep(60)"
    finished = run_apart(*small.options, corvint(small, ctrl_c), "--rb-arms=context", CAPTURE)
    assert finished.status == pytest.ExitCode.INTERRUPTED
    found = verified(captured(small))
    assert found.footer["status"] == "PARTIAL"
    assert "wrong-sum" not in [record["invocation"]["sample_id"] for record in found.records]
    assert found.statuses == ["PARSED"] * found.footer["invocations"]
    assert finished.report["incomplete"][0]["id"] == "wrong-sum"


def test_a_killed_run_leaves_a_capture_without_a_footer(run_apart: Run, small: SmallBenchmark) -> None:
    kill = f"{SUM}import time\n    os.kill(os.getppid(), 9)\n    time.sleep(60)"
    run_apart(*small.options, corvint(small, kill), "--rb-arms=context", CAPTURE)
    lines = [json.loads(line) for line in captured(small).read_bytes().splitlines()]
    assert lines[0]["registration"] == sidecar(small)
    assert "footer" not in {line["type"] for line in lines}


@pytest.mark.parametrize(
    ("bound", "value", "words"),
    [
        ("MAX_INVOCATIONS", 3, "4 calls are more than the 3 that one capture holds"),
        ("MAX_HEADER_BYTES", 900, "the header has "),
    ],
)
def test_a_run_that_no_capture_can_hold_is_refused_before_anything_runs(
    run_plain: Run, small: SmallBenchmark, monkeypatch: pytest.MonkeyPatch, bound: str, value: int, words: str
) -> None:
    monkeypatch.setattr(bounds, bound, value)
    finished = run_plain(*small.options, corvint(small, "open('asked', 'w')"), ARMS, CAPTURE)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text
    assert not finished.output.exists()
    assert not (small.folder / "asked").exists()
    assert sidecar(small)["arms"] == ["context", "grep"]


@pytest.mark.parametrize(
    ("bound", "value", "words"),
    [
        ("MAX_METADATA_BYTES", 100, "record 0 has over 0 KiB beside what was printed"),
        ("MAX_FILE_BYTES", 5_000, "it would be larger than 0 MiB"),
    ],
)
def test_a_bound_crossed_under_way_keeps_the_capture_and_publishes_no_report(
    run_plain: Run, small: SmallBenchmark, monkeypatch: pytest.MonkeyPatch, bound: str, value: int, words: str
) -> None:
    monkeypatch.setattr(bounds, bound, value)
    finished = run_plain(*small.options, corvint(small), ARMS, CAPTURE)
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    finished.result.assert_outcomes(passed=8)
    assert f"no report was written: the capture {captured(small)}: {words}" in finished.text
    assert not finished.output.exists()
    footer = verified(captured(small)).footer
    assert (footer["status"], footer["total_bytes"] <= 5_000) == ("PARTIAL", True)


def test_a_report_that_cannot_be_published_takes_nothing_from_the_capture(
    run_plain: Run, small: SmallBenchmark
) -> None:
    change = "itself = pathlib.Path(sys.argv[0])\nitself.write_text(itself.read_text() + chr(10))"
    finished = run_plain(*small.options, corvint(small, change), ARMS, CAPTURE)
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert not finished.output.exists()
    assert verified(captured(small)).footer["status"] == "COMPLETE"


def test_a_run_without_a_context_item_makes_a_capture_of_no_calls(run_plain: Run, small: SmallBenchmark) -> None:
    run_plain(*small.options, corvint(small), ARMS, CAPTURE, "-k", "grep")
    assert verified(captured(small)).records == []


@pytest.mark.parametrize("umask", [0o277, 0o000])
def test_it_is_private_whatever_the_umask(run_plain: Run, small: SmallBenchmark, umask: int) -> None:
    before = os.umask(umask)
    try:
        run_plain(*small.options, corvint(small), ARMS, CAPTURE)
    finally:
        os.umask(before)
    assert stat.S_IMODE(captured(small).stat().st_mode) == 0o600
