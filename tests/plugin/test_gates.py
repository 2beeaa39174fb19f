"""Gates as test cases: terminal, JUnit XML and exit status say the same, however pytest is run."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from pytest_retrieval_bench.statistics.rounding import rounded
from tests.conftest import Run, without_time
from tests.small_benchmark import ROWS, SmallBenchmark

ARMS = """
from pytest_retrieval_bench import Answer

class Fixed:
    def __init__(self, name, *ranking):
        self.name, self.ranking = name, ranking

    def answer(self, query, snapshot, limit):
        return Answer([path for path in self.ranking if path in snapshot.paths])

class Failing:
    name = "failing"

    def answer(self, query, snapshot, limit):
        if "tickClock" in query.text:
            raise ValueError("no clock")
        return Answer(list(snapshot.paths))

def pytest_retrieval_bench_arms(config):
    gold = ("tests/test_cart.py", "shop/price.py", "src/zone.ts")
    return [Fixed("right", *gold), Fixed("wrong", "README.md"), Failing()]
"""
PASSING, FAILING = "grep-ident hit@k >= 0.6", "grep-ident hit@k > 0.7"
FOUND = "0.666667, 95% interval [0.20766, 0.938508] (Wilson), n=3"


def _cases(small: SmallBenchmark) -> dict[str, ElementTree.Element]:
    root = ElementTree.parse(small.folder / "junit.xml").getroot()
    return {case.attrib["name"]: case for case in root.iter("testcase") if case.attrib["classname"] == "rb-gate"}


@pytest.fixture
def arms(pytester: pytest.Pytester) -> None:
    """The arms of `ARMS`; `grep-ident` finds two of three golds."""
    pytester.makeconftest(ARMS)


def test_each_gate_is_a_test_case_of_its_own(run: Run, small: SmallBenchmark) -> None:
    options = ["--rb-arms=grep-ident", "--junitxml=junit.xml"]
    finished = run(*small.options, *options, f"--rb-gate={PASSING}", f"--rb-gate={FAILING}")
    finished.result.assert_outcomes(passed=5, failed=1)
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    held, failed = f"{PASSING}: {FOUND}; must be >= 0.6", f"{FAILING}: {FOUND}; must be > 0.7"
    assert f"gate passed: {held}" in finished.text
    assert f"gate failed: {failed}" in finished.text
    cases = _cases(small)
    assert sorted(cases) == sorted([PASSING, FAILING])
    assert cases[PASSING].findall("failure") == []
    (failure,) = cases[FAILING].iter("failure")
    assert (failure.attrib["message"], failure.text) == (failed, failed)
    for name, message in ((PASSING, held), (FAILING, failed)):
        properties = [(entry.attrib["name"], entry.attrib["value"]) for entry in cases[name].iter("property")]
        assert properties == [("rb.gate", message)]


def test_gates_leave_report_registration_and_journal_as_they_are(run: Run, small: SmallBenchmark) -> None:
    without = run(*small.options, "--rb-arms=grep-ident", output="without.json")
    judged = run(*small.options, "--rb-arms=grep-ident", f"--rb-gate={FAILING}", output="with.json")
    assert without_time(without.report) == without_time(judged.report)
    assert without.report["registration"].keys() == judged.report["registration"].keys()
    for finished in (without, judged):
        journal = (small.folder / f"{finished.output.name}.journal.jsonl").read_text(encoding="ascii")
        assert journal.count("\n") == 5


@pytest.mark.usefixtures("arms")
@pytest.mark.parametrize(
    ("gate", "holds", "words"),
    [
        ("right hit@k@task:trace2code >= 1", True, ": 1, 95% interval [0.34238, 1] (Wilson), n=2;"),
        ("grep-ident hit@k@task:trace2code >= 0.6", False, ": 0.5, 95% interval [0.094531, 0.905469] (Wilson), n=2;"),
        ("grep-ident selective_success@stratum:natural_no_gold >= 1", True, "n=1;"),
        ("right mrr@k >= 0.8", True, ": 0.833333, 95% interval [0.5, 1] (bootstrap), n=3;"),
        (
            "right beats wrong mrr@k",
            True,
            "+0.833333, 95% interval [0.5, 1] (bootstrap), n=3; the lower end must be > 0",
        ),
        ("right beats grep-ident mrr@k", False, "difference +0.333333, 95% interval [-0.5, 1] (bootstrap), n=3;"),
        ("wrong beats right mrr@k", False, "difference -0.833333, 95% interval [-1, -0.5] (bootstrap), n=3;"),
        ("right not-worse-than grep-ident mrr@k by 0.6", True, "the lower end must be > -0.6"),
        ("grep-ident not-worse-than right mrr@k by 0.2", False, "difference -0.333333, 95% interval [-1, 0.5] (boot"),
        ("failing errors <= 1", True, "1 error, rate 0.25 [0.045587, 0.699358] (Wilson), n=4;"),
        ("failing errors <= 0", False, "1 error, rate 0.25"),
        ("errors <= 1", True, "1 error, rate 0.0625"),
        (
            "failing completion >= 0.75",
            True,
            ": 0.75, 95% interval [0.300642, 0.954413] (Wilson), n=4 (1 error, 0 missing)",
        ),
        ("completion >= 0.95", False, ": 0.9375, 95% interval"),
    ],
)
def test_every_form_is_judged(run_plain: Run, small: SmallBenchmark, gate: str, holds: bool, words: str) -> None:
    extra = [] if "errors" in gate or "completion" in gate else ["--rb-gate=errors <= 1"]
    finished = run_plain(*small.options, "--rb-arms=right,wrong,failing,grep-ident", f"--rb-gate={gate}", *extra)
    lines = [
        line for line in finished.result.outlines if line.startswith(f"gate {'passed' if holds else 'failed'}: {gate}")
    ]
    assert len(lines) == 1
    assert words in lines[0]
    assert finished.status == (0 if holds else 1)


def test_gates_of_all_places_are_judged_each_once(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nrb_gates =\n    grep hit@k >= 0.10\n    grep hit@k >= 0.2\n")
    suite = 'samples = "samples.jsonl"\ncorpus = "corpus"\narms = ["grep"]\ngates = ["grep hit@k >= 0.3"]\n'
    (small.folder / "suite.toml").write_text(suite)
    finished = run("--rb-suite=.", "--rb-gate=grep hit@k >= 0.1", "--junitxml=junit.xml")
    finished.result.assert_outcomes(passed=7)
    assert sorted(_cases(small)) == [f"grep hit@k >= 0.{digit}" for digit in "123"]


@pytest.mark.parametrize(
    ("ini", "suite", "option", "place"),
    [
        ("grep hit >= 0.5", "", "", "tox.ini: rb_gates: 'grep hit >= 0.5': unknown metric 'hit'; did you mean"),
        ("", "grep hit >= 0.5", "", "suite.toml: gates: 'grep hit >= 0.5': unknown metric 'hit'; did you mean"),
        ("", "", "grep hit >= 0.5", "--rb-gate: 'grep hit >= 0.5': unknown metric 'hit'; did you mean"),
        (
            "",
            "",
            "bm25:all hit@k >= 0.5",
            "--rb-gate: 'bm25:all hit@k >= 0.5': not in this run: unknown arm 'bm25:all'",
        ),
        ("", "", "grep beats bm25:all mrr@k", "not in this run: unknown arm 'bm25:all'"),
        ("", "", "grep recall@20 >= 0.5", "recall@20 is not measured at the limit of 10; raise --rb-limit"),
        ("", "", "grep hit@k@task:edit2ripple >= 0.5", "unknown group 'task:edit2ripple'"),
        ("", "", "grep hit@k@stratum:natural_no_gold >= 0.5", "no sample of stratum:natural_no_gold has hit@k"),
        ("", "", "grep no-regression mrr@k by 0.1", "there is no report to compare with; give --rb-gate-report=OLD"),
        ("", "", "grep hit@k >= 50", "hit@k is never above 1; give a value from 0 to 1"),
        ("", "", "grep hit@k = 0.5", "this is no gate; write ARM METRIC[@GROUP] >= VALUE"),
        ("", "", "", "--rb-gate: the value is empty; leave the option out or give it one"),
    ],
)
def test_a_gate_without_sense_is_a_usage_error_before_anything_runs(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester, ini: str, suite: str, option: str, place: str
) -> None:
    pytester.makeini(f"[pytest]\nrb_gates =\n    {ini}\n")
    gates = f"gates = ['{suite}']\n" if suite else ""
    (small.folder / "suite.toml").write_text(f'samples = "samples.jsonl"\ncorpus = "corpus"\narms = ["grep"]\n{gates}')
    given = [f"--rb-gate={option}"] if option or not (ini or suite) else []
    finished = run_plain("--rb-suite=.", "--rb-limit=10", *given)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert place in finished.text
    assert "Traceback" not in finished.text
    assert list(small.folder.glob("report*")) == []


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["-k", "cart-test"], "3 of 4 results were left out by -k"),
        (["-m", "rb(task='trace2code')"], "2 of 4 results were left out by -m"),
        (["-k", "tick", "-m", "rb(task='trace2code')"], "3 of 4 results were left out by -k, -m"),
        (
            ["--deselect=samples.jsonl::test_retrieval[trace2code-acme/clock-tick-grep-ident]"],
            "1 of 4 results were left",
        ),
        (
            ["samples.jsonl::test_retrieval[trace2code-acme/clock-tick-grep-ident]"],
            "3 of 4 results were left out by a node id",
        ),
    ],
)
def test_gates_are_skipped_with_the_reason_where_results_are_left_out(
    run: Run, small: SmallBenchmark, options: list[str], reason: str
) -> None:
    finished = run(*small.options, "--rb-arms=grep-ident", f"--rb-gate={FAILING}", "--junitxml=junit.xml", *options)
    assert finished.status == 0
    assert finished.result.parseoutcomes()["skipped"] == 1
    assert f"gate skipped: {FAILING}: not judged: {reason}" in finished.text
    (skipped,) = _cases(small)[FAILING].iter("skipped")
    assert reason in skipped.attrib["message"]


def test_gates_are_skipped_under_lf_and_judged_once_all_runs_again(run: Run, small: SmallBenchmark) -> None:
    options = [*small.options, "--rb-arms=grep-ident", f"--rb-gate={FAILING}", "--lf"]
    run(*options, "--rb-judge=strict", output="1.json").result.assert_outcomes(passed=3, failed=2)
    again = run(*options, "--rb-judge=record", output="2.json")
    again.result.assert_outcomes(passed=1, skipped=1)
    assert "3 of 4 results were left out by --lf" in again.text
    assert run(*options, output="3.json").status == 1
    # The gate alone failed: `--lf` leaves nothing out, so that it is judged again.
    fourth = run(*options, output="4.json")
    fourth.result.assert_outcomes(passed=4, failed=1)


def test_an_option_that_leaves_nothing_out_does_not_excuse_a_gate(run: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options, "--rb-arms=grep-ident", f"--rb-gate={FAILING}", "-m", "rb", "-k", "grep")
    finished.result.assert_outcomes(passed=4, failed=1)


def test_results_left_out_for_no_reason_fail_a_gate(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        "def pytest_collection_modifyitems(items): items[:] = [i for i in items if 'tick' not in i.name]"
    )
    finished = run(*small.options, "--rb-arms=grep-ident", f"--rb-gate={PASSING}")
    assert finished.status == 1
    assert "not judged: 1 of 4 results were left out, and no option of pytest says why" in finished.text


@pytest.mark.parametrize("options", [["-x"], ["--maxfail=1"]])
def test_a_run_that_stopped_early_fails_its_gates(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester, options: list[str]
) -> None:
    small.write_samples([{**ROWS[2], "id": f"tick-{number}"} for number in range(30)])
    pytester.makeconftest("import time\ndef pytest_runtest_teardown(item): time.sleep(0.02)")
    gates = ["--rb-gate=grep-ident hit@k < 0.5", "--rb-gate=completion >= 0.9"]
    finished = run(*small.options, "--rb-judge=strict", "--rb-arms=grep-ident", *gates, *options)
    assert finished.status in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
    missing = len(finished.report["incomplete"])
    assert f"gate failed: grep-ident hit@k < 0.5: the run is incomplete: {missing} results missing" in finished.text
    assert f"gate failed: completion >= 0.9: {rounded((30 - missing) / 30):g}, " in finished.text


@pytest.mark.parametrize(
    "options", [["-p", "no:terminal"], ["-p", "no:cacheprovider"], ["-q"], ["-qqq"], ["-v"], ["-x"]]
)
def test_a_gate_decides_whatever_else_is_asked_of_pytest(run: Run, small: SmallBenchmark, options: list[str]) -> None:
    common = [*small.options, "--rb-arms=grep-ident", "--junitxml=junit.xml", *options]
    assert run(*common, f"--rb-gate={PASSING}", output="1.json").status == 0
    finished = run(*common, f"--rb-gate={FAILING}", output="2.json")
    assert finished.status == 1
    assert "incomplete" not in finished.report
    (failure,) = _cases(small)[FAILING].iter("failure")
    assert FOUND in failure.attrib["message"]
    if "no:terminal" not in options:
        assert f"gate failed: {FAILING}: {FOUND}" in finished.text


@pytest.mark.usefixtures("arms")
def test_errors_fail_their_items_unless_a_gate_counts_them(run: Run, small: SmallBenchmark) -> None:
    options = [*small.options, "--rb-arms=failing,grep"]
    run(*options, output="1.json").result.assert_outcomes(passed=7, failed=1)
    counted = run(*options, "--rb-gate=failing errors <= 1", output="2.json")
    counted.result.assert_outcomes(passed=9)
    assert counted.report["arms"]["failing"]["errors"] == 1
    row = next(row for row in counted.report["details"] if row["id"] == "tick")
    assert row["arms"]["failing"]["outcome"] == "error"
    other = run(*options, "--rb-gate=grep errors <= 1", output="3.json")
    other.result.assert_outcomes(passed=8, failed=1)
    part = run(*options, "--rb-gate=failing errors <= 1", "-k", "tick", output="4.json")
    part.result.assert_outcomes(passed=1, failed=1, skipped=1)
    small.chunk_file("acme/clock").unlink()
    lost = run(*options, "--rb-gate=failing errors <= 3", output="5.json")
    lost.result.assert_outcomes(passed=5, errors=4)


def test_a_time_is_judged_in_a_plain_run_alone(run: Run, small: SmallBenchmark) -> None:
    gates = ["--rb-gate=grep p95_ms <= 60000", "--rb-gate=grep min_ms < 0.000001"]
    small.write_samples([{**ROWS[1], "id": f"price-{number}"} for number in range(30)])
    finished = run(*small.options, "--rb-arms=grep", *gates)
    if run.mode == ("-n2",):
        assert finished.status == pytest.ExitCode.USAGE_ERROR
        assert "p95_ms is not judged with -n: calls side by side spoil times; leave -n out" in finished.text
    else:
        finished.result.assert_outcomes(passed=31, failed=1)


def test_too_few_times_fail_a_gate(run_plain: Run, small: SmallBenchmark) -> None:
    finished = run_plain(*small.options, "--rb-arms=grep", "--rb-gate=grep p95_ms <= 60000")
    finished.result.assert_outcomes(passed=4, failed=1)
    assert "grep p95_ms <= 60000: too few times for a distribution, n=4; must be <= 60000" in finished.text


def test_a_regression_is_judged_against_an_older_report(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(ARMS)
    options = [*small.options, "--rb-arms=right,grep-ident", "--rb-gate-report=old.json"]
    run(*small.options, "--rb-arms=right,grep-ident", output="old.json")
    same = run(*options, "--rb-gate=no-regression mrr@k by 0.01", output="same.json")
    same.result.assert_outcomes(passed=10)
    pytester.makeconftest(ARMS.replace('"src/zone.ts")', '"src/clock.ts")'))
    worse = run(*options, "--rb-gate=no-regression mrr@k by 0.01", output="worse.json")
    worse.result.assert_outcomes(passed=9, failed=1)
    assert "gate failed: right no-regression mrr@k by 0.01: difference -0.333333, 95% interval [-1, 0]" in worse.text


def test_a_report_that_cannot_be_compared_with_is_refused(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    run_plain(*small.options, "--rb-arms=grep", output="old.json")
    run_plain(*small.options, "--rb-arms=grep-ident", "-x", "--rb-judge=strict", output="part.json")
    run_plain(*small.options, "--rb-arms=grep", "--rb-max-samples=2", output="few.json")
    gate = "--rb-gate=grep no-regression mrr@k by 0.1"
    for arguments, words in [
        (["--rb-gate-report=absent.json", gate], "absent.json: cannot be read as a report"),
        (["--rb-gate-report=part.json", gate], "part.json cannot be compared with: it is incomplete: 1 result missing"),
        (
            ["--rb-gate-report=few.json", gate],
            "few.json cannot be compared with: it lacks 2 of the 4 samples of this run",
        ),
        (["--rb-gate-report=old.json", gate, "--rb-limit=5"], "its limit is 20, that of this run 5"),
        (["--rb-gate-report=old.json", gate.replace("grep", "bm25:all")], "old.json does not have bm25:all; name arms"),
        (["--rb-gate-report=old.json"], "--rb-gate-report: no gate compares with it; give --rb-gate='ARM no-regr"),
    ]:
        finished = run_plain(*small.options, *arguments, output="new.json")
        assert finished.status == pytest.ExitCode.USAGE_ERROR
        assert words in finished.text
    small.write_samples(ROWS[:3])
    finished = run_plain(*small.options, "--rb-gate-report=old.json", gate, output="new.json")
    assert "old.json cannot be compared with: it is about other samples: samples_sha256 is " in finished.text
    assert json.loads((small.folder / "old.json").read_text(encoding="utf-8"))["samples_sha256"] in finished.text


def test_the_names_of_gates_are_printable_whatever_the_task_is_called(run: Run, small: SmallBenchmark) -> None:
    small.write_samples([{**ROWS[1], "task_type": "né[w]::\x1btask"}])
    gate = "grep hit@k@task:né[w]::\x1btask >= 0.5"
    finished = run(*small.options, "--rb-arms=grep", f"--rb-gate={gate}", "--junitxml=junit.xml", "-v")
    finished.result.assert_outcomes(passed=2)
    (name,) = _cases(small)
    assert name.isascii()
    assert name.isprintable()
    assert "\x1b" not in finished.text
