"""What an arm in Python may return, prepare and take in time."""

from __future__ import annotations

import pytest

from tests.conftest import Run
from tests.small_benchmark import ROWS, SmallBenchmark


def arm(pytester: pytest.Pytester, body: str) -> None:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    pytester.makeconftest(
        f"import time\nfrom pytest_retrieval_bench import Answer\n\nclass Mine:\n    name = 'mine'\n{lines}\n\n"
        "def pytest_retrieval_bench_arms(config):\n    return [Mine()]\n"
    )


@pytest.mark.parametrize(
    "returned",
    [
        "['shop/price.py', 'shop/cart.py']",
        "[('shop/price.py', 2), ('shop/cart.py', 1.5)]",
        "(path for path in ('shop/price.py', 'shop/cart.py'))",
        "Answer(('shop/price.py', 'shop/cart.py'))",
    ],
)
def test_paths_pairs_and_answers_are_the_same_ranking(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester, returned: str
) -> None:
    arm(pytester, f"def answer(self, query, snapshot, limit): return {returned}")
    report = run(*small.options, "--rb-arms=mine").report
    assert [row["arms"]["mine"]["ranked"] for row in report["details"]] == [["shop/price.py", "shop/cart.py"]] * 4


def test_an_empty_list_is_an_abstention(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    arm(pytester, "def answer(self, query, snapshot, limit): return []")
    report = run(*small.options, "--rb-arms=mine").report
    assert {row["arms"]["mine"]["outcome"] for row in report["details"]} == {"abstained"}


def test_lines_and_figures_reach_the_report_and_absent_ones_stay_absent(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    arm(
        pytester,
        "def answer(self, query, snapshot, limit):\n"
        "    return Answer(['x', 'y', 'x'], lines=[(3, 9), None, (1, 1)], figures={'tokens': 12, 'cost': 0.5})",
    )
    answer = run(*small.options, "--rb-arms=mine").report["details"][0]["arms"]["mine"]
    assert answer["ranked"] == ["x", "y"]
    assert answer["lines"] == [[3, 9], None]
    assert answer["figures"] == {"cost": 0.5, "tokens": 12}
    assert "index" not in answer


def test_an_arm_prepares_once_for_each_snapshot_outside_of_its_time(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    arm(
        pytester,
        "prepared = []\n"
        "def prepare(self, snapshot):\n"
        "    time.sleep(0.2)\n"
        "    self.prepared.append(snapshot.repo)\n"
        "def answer(self, query, snapshot, limit):\n"
        "    return Answer(self.prepared, state=','.join(self.prepared))",
    )
    report = run_plain(*small.options, "--rb-arms=mine").report
    answers = [row["arms"]["mine"] for row in report["details"]]
    assert sorted(answer["state"] for answer in answers)[-1] in ("acme/shop,acme/clock", "acme/clock,acme/shop")
    assert all(answer["wall_ms"] < 200 <= answer["index"]["wall_ms"] for answer in answers)
    assert all("bytes" not in answer["index"] for answer in answers)


def test_a_failed_preparation_is_the_error_of_each_question_about_the_snapshot(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    arm(
        pytester,
        "def prepare(self, snapshot):\n"
        "    if snapshot.repo == 'acme/clock': raise OSError('no room for an index')\n"
        "def answer(self, query, snapshot, limit): return ['shop/price.py']",
    )
    finished = run(*small.options, "--rb-arms=mine")
    finished.result.assert_outcomes(passed=2, failed=2)
    errors = [row["arms"]["mine"].get("error") for row in finished.report["details"]]
    assert errors == [None, None, *["prepare: OSError: no room for an index"] * 2]


def test_an_arm_prepares_again_when_it_comes_back_to_a_snapshot(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    arm(
        pytester,
        "def prepare(self, snapshot): self.paths = list(snapshot.paths)\n"
        "def answer(self, query, snapshot, limit): return self.paths",
    )
    # A test of the user's own alternates between the snapshots before the benchmark's items come.
    pytester.makepyfile(
        test_own="def test_own(rb_case): assert rb_case.answer('mine').ranked[0] in rb_case.snapshot.paths"
    )
    finished = run_plain(*small.options, "--rb-arms=mine", "test_own.py")
    finished.result.assert_outcomes(passed=8)
    rankings = {row["repo"]: row["arms"]["mine"]["ranked"][0] for row in finished.report["details"]}
    assert rankings == {"acme/shop": "README.md", "acme/clock": "src/clock.ts"}


@pytest.mark.parametrize("bound", ["0", "-1", "float('nan')", "'soon'"])
def test_a_bound_that_is_none_is_a_usage_error(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester, bound: str
) -> None:
    arm(pytester, f"timeout_s = {bound}\ndef answer(self, query, snapshot, limit): return []")
    finished = run_plain(*small.options, "--rb-arms=mine")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "the timeout_s of 'mine' must be seconds above 0 or None" in finished.result.stderr.str()


def test_an_arm_that_forks_has_one_result(run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    arm(
        pytester,
        "def answer(self, query, snapshot, limit):\n"
        "    import os\n"
        "    child = os.fork()\n"
        "    if child: os.waitpid(child, 0)\n"
        "    return snapshot.paths",
    )
    finished = run_plain(*small.options, "--rb-arms=mine")
    finished.result.assert_outcomes(passed=4)
    assert len((pytester.path / "report.json.journal.jsonl").read_text().splitlines()) == 5


def test_an_arm_that_expects_its_own_failure_is_red(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    arm(pytester, "def answer(self, query, snapshot, limit):\n    import pytest\n    pytest.xfail('not yet')")
    finished = run(*small.options, "--rb-arms=mine")
    finished.result.assert_outcomes(failed=4)
    assert "mine called pytest.xfail: not yet" in finished.report["details"][0]["arms"]["mine"]["error"]


@pytest.mark.parametrize(
    "body",
    [
        "time.sleep(30)",
        "\n".join(["try: time.sleep(30)", "        except BaseException: return ['shop/price.py']"]),
        "\n".join(["while True:", "            try: time.sleep(30)", "            except Exception: pass"]),
        "return (str(number) for number in iter(int, 1))",
    ],
    ids=["sleeps", "swallows everything", "swallows exceptions", "never ends its list"],
)
def test_an_arm_that_takes_too_long_is_a_timeout_and_the_next_question_is_asked(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester, body: str
) -> None:
    arm(
        pytester,
        "timeout_s = 0.3\n"
        "def answer(self, query, snapshot, limit):\n"
        "    if 'totalPrice' in query.text:\n"
        f"        {body}\n"
        "    return []",
    )
    finished = run(*small.options, "--rb-arms=mine")
    finished.result.assert_outcomes(passed=3, failed=1)
    answers = {row["id"]: row["arms"]["mine"] for row in finished.report["details"]}
    assert answers["wrong-sum"]["outcome"] == "timeout"
    assert answers["wrong-sum"]["error"] == "it had not ended after 0.3 s"
    assert 300 <= answers["wrong-sum"]["wall_ms"] < 20_000
    assert {answers[name]["outcome"] for name in ("cart-test", "tick", "nothing-here")} == {"abstained"}


def test_an_arm_is_closed_once_at_the_end_of_each_process_that_asked(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    arm(
        pytester,
        "asked = 0\n"
        "def answer(self, query, snapshot, limit):\n"
        "    self.asked += 1\n"
        "    return []\n"
        "def close(self):\n"
        "    with open('closed', 'a') as file: file.write(f'{self.asked}\\n')",
    )
    run(*small.options, "--rb-arms=mine").result.assert_outcomes(passed=4)
    asked = [int(line) for line in (small.folder / "closed").read_text().split()]
    assert sum(asked) == 4
    assert len(asked) == 1 or run.mode == ("-n2",)


def test_an_arm_that_cannot_be_closed_is_an_error_beside_a_whole_report(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    small.write_samples(ROWS[:1])
    arm(
        pytester,
        "def answer(self, query, snapshot, limit): return []\ndef close(self): raise OSError('the server is gone')",
    )
    finished = run(*small.options, "--rb-arms=mine")
    finished.result.assert_outcomes(passed=1, errors=1)
    assert "OSError: the server is gone" in finished.text
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert finished.report["arms"]["mine"]["errors"] == 0
