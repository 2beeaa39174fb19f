"""Arms of one's own, through `pytest_retrieval_bench_arms`."""

from __future__ import annotations

import pytest

from tests.conftest import Run
from tests.small_benchmark import SmallBenchmark

HOOK = """
from pytest_retrieval_bench import Answer

{body}

def pytest_retrieval_bench_arms(config):
    return [{arms}]
"""


def conftest(pytester: pytest.Pytester, body: str, arms: str) -> None:
    pytester.makeconftest(HOOK.format(body=body, arms=arms))


def answering(pytester: pytest.Pytester, answer: str, name: str = "mine") -> None:
    body = f"class Mine:\n    name = {name!r}\n    def answer(self, query, snapshot, limit):\n        {answer}\n"
    conftest(pytester, body, "Mine()")


def test_an_arm_of_ones_own_runs_beside_the_lexical_ones(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    answering(pytester, "return Answer([path for path in snapshot.paths if path.endswith('.py')])")
    finished = run(*small.options)
    finished.result.assert_outcomes(passed=20)
    report = finished.report
    assert sorted(report["registration"]["arms"]) == ["bm25:all", "bm25:ident", "grep", "grep-ident", "mine"]
    row = next(row for row in report["details"] if row["id"] == "cart-test")
    assert row["arms"]["mine"]["ranked"] == ["shop/cart.py", "shop/price.py", "tests/test_cart.py"]
    assert row["metrics"]["mine"]["mrr@k"] == pytest.approx(1 / 3)
    assert "top_score" not in row["arms"]["mine"]
    tick = next(row for row in report["details"] if row["id"] == "tick")
    assert tick["arms"]["mine"]["abstained"] is True


def test_only_selected_arms_run(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    answering(pytester, "return Answer()")
    finished = run(*small.options, "--rb-arms=mine")
    assert list(finished.report["arms"]) == ["mine"]
    assert "not run grep, grep-ident, bm25:all, bm25:ident (not selected); corvint, context," in finished.text


def test_an_arm_sees_no_gold(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    checks = (
        "seen = {'fields', 'text', 'plain', 'task_type', 'given'}; assert set(query.__dataclass_fields__) == seen; "
        "assert not hasattr(query, 'gold'); "
        "assert 'related_tests' not in query.text + query.plain + str(query.fields); return Answer()"
    )
    answering(pytester, checks)
    finished = run(*small.options, "--rb-arms=mine")
    assert finished.report["arms"]["mine"]["errors"] == 0


def test_an_arm_gets_the_protocols_text_and_a_plain_reading(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    texts = (
        "assert query.fields != {'raw_signal': 'totalPrice is wrong'} or (query.text, query.plain) == "
        "('{\"raw_signal\": \"totalPrice is wrong\"}', 'raw signal: totalPrice is wrong'); return Answer()"
    )
    answering(pytester, texts)
    assert run(*small.options, "--rb-arms=mine").report["arms"]["mine"]["errors"] == 0


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("raise ValueError('broken\\nindex')", "ValueError: broken index"),
        ("return None", "the arm returned NoneType; return a list of paths, of (path, score) pairs, or a pytest_retr"),
        ("return 'a.py'", "the arm returned str; return a list of paths, of (path, score) pairs, or a pytest_retr"),
        (
            "return {'a.py': 1}",
            "the arm returned dict; return a list of paths, of (path, score) pairs, or a pytest_retr",
        ),
        ("return [('a.py', 'high')]", "the answer cannot be used: could not convert string to float: 'high'"),
        ("return [('a.py', 1), 'b.py']", "the ranking must hold paths as strings, it holds ('a.py', 1)"),
        ("return Answer(['a'], lines=[(2, 1)])", "2 to 1 is no range of lines"),
        ("return Answer(['a'], lines=[])", "there are 0 line ranges for 1 paths"),
        ("return Answer(['a'], figures={'cost': float('nan')})", "the figure cost is nan"),
        ("return Answer(['a'], wall_ms=float('nan'))", "the figure wall_ms is nan"),
        ("return Answer(['a'], cold_wall_ms='x')", "cold_wall_ms is 'x'"),
        ("return Answer(['a'], index='x')", "index is str, not IndexCost"),
        (
            "return Answer(['a'], failure='timeout')",
            "failure is 'timeout'; it is timeout or output limit, with an error",
        ),
        (
            "return Answer('a.py')",
            "the answer cannot be used: the ranking must be a list of paths, best first; it is 'a.py'",
        ),
        ("return Answer([None])", "the ranking must hold paths as strings, it holds None"),
        ("return Answer(['a'], [1.0, 2.0])", "there are 2 scores for 1 paths"),
        ("return Answer(['a'], [float('nan')])", "the scores hold a NaN or an infinity"),
        ("return Answer(['a'], ['x'])", "could not convert string to float"),
        ("import numpy; return Answer(['a'], packet_bytes=numpy.int64(3))", "packet_bytes is numpy.int64, not int"),
        ("import numpy; return Answer(['a'], abstained=numpy.True_)", "abstained is numpy.bool"),
        ("return Answer(['a'], state=3)", "state is int, not str"),
        ("return Answer(error='no index')", "no index"),
        ("return Answer(error=' ')", "the answer cannot be used: its error has no words"),
        ("return Answer({'a'})", "the ranking must be a list of paths, best first; it is {'a'}"),
        ("return Answer({'a': 1.0})", "the ranking must be a list of paths, best first; it is {'a': 1.0}"),
    ],
)
def test_an_answer_that_is_none_is_an_error_with_its_zeros(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester, answer: str, error: str
) -> None:
    answering(pytester, answer)
    finished = run(*small.options, "--rb-arms=mine")
    finished.result.assert_outcomes(failed=4)
    report = finished.report
    assert report["arms"]["mine"]["errors"] == 4
    rows = {row["id"]: row for row in report["details"]}
    assert error in rows["tick"]["arms"]["mine"]["error"]
    assert rows["tick"]["arms"]["mine"]["ranked"] == []
    assert set(rows["tick"]["metrics"]["mine"].values()) == {0}
    assert rows["nothing-here"]["metrics"]["mine"] == {"abstained": 0, "selective_success": 0}
    assert "incomplete" not in report


def test_what_numpy_gives_as_scores_is_taken_as_numbers(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    answering(pytester, "import numpy; return Answer(list(snapshot.paths), numpy.ones(len(snapshot.paths)))")
    finished = run(*small.options, "--rb-arms=mine")
    assert (finished.status, finished.report["arms"]["mine"]["errors"]) == (0, 0)


def test_a_lone_surrogate_in_a_path_reaches_the_report_as_a_replacement(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    answering(pytester, "return Answer(['bad\\\\udcff.py'.encode().decode('unicode_escape')])")
    report = run(*small.options, "--rb-arms=mine").report
    assert report["details"][0]["arms"]["mine"]["ranked"] == ["bad\ufffd.py"]


def test_a_failing_arm_shows_its_own_traceback(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    answering(pytester, "return self.index[query.text]")
    finished = run_plain(*small.options, "--rb-arms=mine")
    finished.result.stdout.fnmatch_lines(["*return self.index[[]query.text[]]*", "E*AttributeError*index*"])
    assert "timed_answer" not in finished.text


def test_an_arm_that_does_not_apply_is_a_skip_in_pytest_and_an_error_in_the_report(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    answering(pytester, "return Answer(error='no changed_file in query', applicable=False)")
    finished = run(*small.options, "--rb-arms=mine")
    finished.result.assert_outcomes(skipped=4)
    assert finished.status == 0
    assert finished.report["arms"]["mine"]["errors"] == 4
    assert finished.report["details"][0]["arms"]["mine"]["error"] == "no changed_file in query"


def test_an_explicit_abstention_keeps_its_ranking(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    answering(pytester, "return Answer(['tests/test_cart.py'], abstained=True, state='UNSURE', packet_bytes=12)")
    report = run(*small.options, "--rb-arms=mine").report
    row = report["details"][0]
    answer = {name: value for name, value in row["arms"]["mine"].items() if name != "wall_ms"}
    assert answer == {
        "outcome": "abstained",
        "abstained": True,
        "packet_bytes": 12,
        "ranked": ["tests/test_cart.py"],
        "state": "UNSURE",
    }
    assert (row["metrics"]["mine"]["hit@k"], row["metrics"]["mine"]["selective_success"]) == (1, 0)


@pytest.mark.parametrize(
    ("body", "arms", "words"),
    [
        ("class A:\n    name = 'grep'\n    def answer(self, q, s, k): ...", "A()", "two arms have the name 'grep'"),
        (
            "class A:\n    name = 'bm25'\n    def answer(self, q, s, k): ...",
            "A()",
            "'bm25' cannot be the name of an arm",
        ),
        ("class A:\n    name = 'a,b'\n    def answer(self, q, s, k): ...", "A()", "'a,b' cannot be the name of an arm"),
        ("class A:\n    def answer(self, q, s, k): ...", "A()", "needs a `name` and an `answer` method"),
        ("", "'grep'", "needs a `name` and an `answer` method"),
    ],
)
def test_an_arm_that_cannot_be_is_a_usage_error(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester, body: str, arms: str, words: str
) -> None:
    conftest(pytester, body, arms)
    finished = run_plain(*small.options)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text


def test_the_example_of_the_hook_works(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    from inspect import cleandoc

    from pytest_retrieval_bench import hooks

    example = cleandoc(hooks.pytest_retrieval_bench_arms.__doc__ or "").partition("::")[2]
    pytester.makeconftest(cleandoc(example))
    report = run(*small.options, "--rb-arms=longest-first").report
    assert report["details"][0]["arms"]["longest-first"]["ranked"][0] == "shop/cart.py"
