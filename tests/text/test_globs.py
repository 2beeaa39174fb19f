"""Patterns of paths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.text.globs import any_of

SEGMENTS = st.text("ab.*?[](", min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("pattern", "matches", "others"),
    [
        ("docs/**", ["docs/a", "docs/a/b.rst"], ["docs", "a/docs/b", "docs2/a"]),
        ("**/tests/**", ["tests/x", "a/tests/x", "a/b/tests/c/d"], ["tests", "a/test/x", "mytests/x"]),
        ("**/a.py", ["a.py", "b/a.py", "b/c/a.py"], ["ba.py", "a.py/b"]),
        ("*.py", ["a.py", ".py"], ["a/b.py", "a.pyc", "axpy"]),
        ("a/?.md", ["a/b.md"], ["a/.md", "a/bc.md", "a//.md"]),
        ("a/**/b", ["a/b", "a/c/b", "a/c/d/b"], ["a/cb", "b"]),
        ("a[1].py", ["a[1].py"], ["a1.py"]),
        ("**", ["a", "a/b"], []),
    ],
)
def test_a_pattern_stands_for_whole_paths(pattern: str, matches: list[str], others: list[str]) -> None:
    found = any_of([pattern])
    assert [path for path in matches + others if found.fullmatch(path)] == matches


def test_no_pattern_stands_for_no_path() -> None:
    assert any_of([]).fullmatch("") is None


@given(st.lists(SEGMENTS, min_size=1, max_size=4))
def test_a_path_without_wildcards_stands_for_itself_and_a_star_for_any_segment(segments: list[str]) -> None:
    path = "/".join(segments)
    if not set("*?") & set(path):
        assert any_of([path]).fullmatch(path)
    assert any_of(["/".join("*" for _ in segments)]).fullmatch(path)
    assert any_of(["nothing", "**"]).fullmatch(path)
