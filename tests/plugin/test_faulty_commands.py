"""Commands that misbehave: what the report says, and that nothing of them is left for anybody else."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.plugin.own_arms import answers, write_arms, write_program, write_programs
from tests.processes.conftest import ON_LINUX, eventually, marked
from tests.small_benchmark import ROWS, SmallBenchmark

# The fault is in the answer to the first sample; to the second one the copy must be as it was.
PROGRAM = """
if "add_item" in sys.stdin.read():
    {fault}
else:
    print(*[path for path in ("shop/cart.py", "shop/price.py") if "totalPrice" in open(path).read()])
"""
MADE_ANEW = "the copy was changed and is made anew: "


@dataclass(frozen=True)
class Fault:
    """What a program does, and what the report must say of it; `error` is how the words begin."""

    code: str
    outcome: str = "error"
    error: str | None = None
    ranked: tuple[str, ...] = ()
    timeout_s: float = 60


def late(code: str) -> Fault:
    return Fault(code, "timeout", "it had not ended after 1.5 s", timeout_s=1.5)


def fine(code: str) -> Fault:
    return Fault(code, "answered", ranked=("shop/cart.py",))


FAULTS = {
    "sleeps": late("print('shop/cart.py', flush=True); time.sleep(100)"),
    "ignores-term": late("signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(100)"),
    "forks-and-sleeps": late("os.fork(); time.sleep(100)"),
    "grandchild-holds-output": fine("print('shop/cart.py', flush=True); os.fork() or time.sleep(100)"),
    "floods": Fault("[os.write(1, b'x' * 2**20) for _ in range(300)]", "output limit", "it printed over 8 MiB"),
    "floods-errors": fine("[os.write(2, b'x' * 2**20) for _ in range(300)]; print('shop/cart.py')"),
    "exits": Fault("print('shop/cart.py'); sys.exit(3)", error="exit status 3"),
    "dies": Fault("print('shop/cart.py', flush=True); os.kill(os.getpid(), 9)", error="it was ended by SIGKILL"),
    "silent": Fault("pass", "abstained"),
    "deletes": Fault("import shutil; shutil.rmtree(os.getcwd()); print('shop/cart.py')", error=MADE_ANEW),
    "writes": Fault("open('shop/cart.py', 'a').write('x')", error=f"{MADE_ANEW}M shop/cart.py"),
    "adds": Fault("open('new.py', 'w').close()", error=f"{MADE_ANEW}?? new.py"),
    "makes-read-only": Fault("os.chmod('shop', 0o500); os.chmod('.', 0o500)", error=f"{MADE_ANEW}read-only: "),
    "digs-deep": Fault(
        "os.makedirs('a/' * 500); open('a/' * 500 + 'b', 'w').close(); os.chmod('a/a', 0o500); sys.exit(1)",
        error=f"exit status 1; {MADE_ANEW}",
    ),
}


def arms(small: SmallBenchmark, faults: dict[str, Fault]) -> list[str]:
    """The options for an arm of each fault, and two samples of one snapshot."""
    small.write_samples(ROWS[:2])
    for name, fault in faults.items():
        write_program(small.folder, name, PROGRAM.format(fault=fault.code))
    tables = {name: {"command": f"./{name}", "timeout": fault.timeout_s} for name, fault in faults.items()}
    return [*small.options, write_arms(small.folder, tables), f"--rb-arms={','.join(faults)}"]


def assert_told(report: dict[str, Any], faults: dict[str, Fault]) -> None:
    """The first answer of each arm is its fault, the second one is right."""
    first, second = answers(report, "cart-test"), answers(report, "wrong-sum")
    for name, fault in faults.items():
        answer = first[name]
        assert (name, answer["outcome"], tuple(answer["ranked"])) == (name, fault.outcome, fault.ranked)
        assert answer.get("error", "").startswith(fault.error or ""), name
        assert ("error" in answer) == (fault.error is not None), name
        assert (name, second[name]["outcome"], second[name]["ranked"]) == (name, "answered", ["shop/price.py"])


def assert_nothing_left(small: SmallBenchmark, temporary_folder: Path) -> None:
    """No process that has the folder of the test in its arguments, no copy, no lock, no query."""
    assert eventually(lambda: not marked(str(small.folder)))
    assert eventually(lambda: not marked(str(temporary_folder)))
    assert list(temporary_folder.glob("*/*")) == []


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_and_leaves_nothing_not_even_for_the_next_sample(
    run_plain: Run, small: SmallBenchmark, temporary_folder: Path, name: str
) -> None:
    faults = {name: FAULTS[name]}
    finished = run_plain(*arms(small, faults))
    failed = int(FAULTS[name].error is not None)
    finished.result.assert_outcomes(failed=failed, passed=2 - failed)
    assert_told(finished.report, faults)
    assert_nothing_left(small, temporary_folder)


def test_faults_of_many_arms_on_workers_do_not_reach_each_other(
    pytester: pytest.Pytester, small: SmallBenchmark, temporary_folder: Path
) -> None:
    finished = Run(pytester, ("-n2",))(*arms(small, FAULTS))
    assert_told(finished.report, FAULTS)
    assert_nothing_left(small, temporary_folder)


def test_a_grandchild_that_left_the_group_is_ended(
    run_plain: Run, small: SmallBenchmark, temporary_folder: Path
) -> None:
    if not ON_LINUX:
        pytest.skip("elsewhere, a process that leaves its group is out of sight")
    leaves = "print('shop/cart.py', flush=True); os.fork() or (os.setsid(), os.close(1), time.sleep(100))"
    faults = {"leaves": fine(leaves)}
    assert_told(run_plain(*arms(small, faults)).report, faults)
    assert_nothing_left(small, temporary_folder)


def test_a_query_of_5_mb_may_be_read_after_the_answer_was_written(
    run: Run, small: SmallBenchmark, temporary_folder: Path
) -> None:
    # A line of a samples file has its bound; numbers are longer in the protocol's query text.
    small.write_samples([{**ROWS[0], "query": {"numbers": 260_000 * [1e15]}}, ROWS[1]])
    text = small.samples.read_text().replace("1000000000000000.0", "1e15")
    small.samples.write_text(text)
    program = "print('shop/cart.py\\n' * 200_000, flush=True); print(f'shop/{len(sys.stdin.read())}')"
    finished = run(*small.options, write_programs(small.folder, {"mine": program}), "--rb-arms=mine")
    finished.result.assert_outcomes(passed=2)
    length = len(json.dumps({"numbers": 260_000 * [1e15]}))
    assert length > 5_000_000
    assert answers(finished.report, "cart-test")["mine"]["ranked"] == ["shop/cart.py", f"shop/{length}"]
    assert_nothing_left(small, temporary_folder)


PEAK = """
def peak():
    with open("/proc/self/status") as status:  # ru_maxrss would begin with what the parent had
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
def pytest_collection_finish():
    global before
    before = peak()
def pytest_unconfigure():
    with open("grown", "w") as file:
        file.write(str(peak() - before))
"""


def test_a_flood_of_300_mb_takes_little_memory(
    run_apart: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    if not ON_LINUX:
        pytest.skip("the peak is read from /proc")
    pytester.makeconftest(PEAK)
    floods = {name: fault for name, fault in FAULTS.items() if name.startswith("floods")}
    assert_told(run_apart(*arms(small, floods)).report, floods)
    assert int((small.folder / "grown").read_text()) * 1024 < 200_000_000
