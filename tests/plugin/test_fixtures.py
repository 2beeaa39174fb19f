"""The public fixtures, in tests that users write themselves."""

from __future__ import annotations

import pytest

from tests.conftest import Run
from tests.small_benchmark import COMMIT, SmallBenchmark

MINE = """
def test_mine(rb_case):
    record = rb_case.answer("grep-ident")
    assert rb_case.query.text.startswith("{")
    assert record.ranked[:1] == () or record.ranked[0] in rb_case.snapshot.paths
    assert (record.metrics["selective_success"] == 1) == (rb_case.sample.id != "tick")
    assert bool(rb_case.gold) == (rb_case.sample.stratum == "positive")
"""


def test_a_users_test_runs_once_a_sample(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_mine=MINE)
    finished = run("test_mine.py", *small.options, "-k", "test_mine", output=None)
    finished.result.assert_outcomes(passed=4)


def test_a_users_test_without_samples_is_skipped_with_the_way_out(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_mine="def test_mine(rb_case): raise SystemError")
    finished = run("test_mine.py", "-rs", output=None)
    finished.result.assert_outcomes(skipped=1)
    assert "there are no samples; give --rb-samples=FILE --rb-corpus=DIR, or --rb-suite" in finished.text


def test_an_unknown_arm_is_named(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_mine="def test_mine(rb_case): rb_case.answer('bm25:al')")
    finished = run("test_mine.py", *small.options, "--rb-arms=bm25", "-k", "test_mine", output=None)
    finished.result.assert_outcomes(failed=4)
    assert "unknown arm 'bm25:al'; did you mean 'bm25:all'? known: bm25:all, bm25:ident" in finished.text


def test_what_an_arm_raises_reaches_the_users_test(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        class Mine:
            name = "mine"
            def answer(self, query, snapshot, limit):
                raise LookupError("no index")
        def pytest_retrieval_bench_arms(config):
            return [Mine()]
        """
    )
    pytester.makepyfile(
        test_mine="""
        import pytest
        def test_mine(rb_case):
            with pytest.raises(LookupError, match="no index"):
                rb_case.answer("mine")
        """
    )
    finished = run("test_mine.py", *small.options, "-k", "test_mine", output=None)
    finished.result.assert_outcomes(passed=4)


def test_snapshots_can_be_opened_by_name(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_mine=f"""
        def test_mine(rb_snapshots):
            snapshot = rb_snapshots.open("acme/shop", "{COMMIT}")
            assert snapshot.paths == ("README.md", "shop/cart.py", "shop/price.py", "tests/test_cart.py")
            assert snapshot.text("README.md") == "A shop.\\n"
            assert rb_snapshots.open("acme/shop", "{COMMIT}") is snapshot
        """
    )
    finished = run("test_mine.py", *small.options, "-k", "test_mine", output=None)
    finished.result.assert_outcomes(passed=1)


def test_two_snapshots_are_held_whatever_the_number_of_samples(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makepyfile(
        test_mine=f"""
        import gc, weakref
        def test_mine(rb_snapshots):
            opened = [weakref.ref(rb_snapshots.open("acme/shop", "{COMMIT}"))]
            opened += [weakref.ref(rb_snapshots.open("acme/clock", "{COMMIT}"))]
            opened += [weakref.ref(rb_snapshots.open("acme/third", "{COMMIT}"))]
            gc.collect()
            assert [reference() is None for reference in opened] == [True, False, False]
        """
    )
    small.write_snapshot("acme/third", {"a.py": "a"})
    finished = run_plain("test_mine.py", *small.options, "-k", "test_mine", output=None)
    finished.result.assert_outcomes(passed=1)
