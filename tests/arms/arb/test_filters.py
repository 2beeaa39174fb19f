"""Which paths the candidate filters let through (ARB 2)."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.arms.arb.filters import FILTERS, is_code, is_test
from pytest_retrieval_bench.options import CANDIDATE_FILTERS


def test_the_option_names_every_filter() -> None:
    assert set(CANDIDATE_FILTERS) == FILTERS.keys()
    assert FILTERS["all_files"]("README.md")


@pytest.mark.parametrize(
    "path",
    [
        "tests/a.py", "src/__tests__/a.ts", "TestData/x.go", "src/test_a.py", "a_test.go", "x/a.spec.tsx",
        "FooTest.java", "x/FooTests.java", "a\\tests\\b.py", "lib/latest.java",
    ],
)  # fmt: skip
def test_paths_of_tests(path: str) -> None:
    assert is_test(path)


@pytest.mark.parametrize(
    "path", ["tests/a.txt", "src/contest.py", "specs/a.py", "a.test.py", "test.py/a.py", "test_a", "a_test.md"]
)
def test_paths_of_no_tests(path: str) -> None:
    assert not is_test(path)


@pytest.mark.parametrize("path", ["a.py", "src/A.RS", "tests/a.go", "x.d.ts", "specs/a.py", "readmes/a.py"])
def test_paths_of_code(path: str) -> None:
    assert is_code(path)


@pytest.mark.parametrize(
    "path",
    ["a.md", "Makefile", ".py", "docs/conf.py", "x/Examples/a.py", ".github/a.sh", "readme.py", "a/LICENSE.md/b.txt"],
)
def test_paths_of_no_code(path: str) -> None:
    assert not is_code(path)
