"""The runs of one content, which answer each later question about it."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.index.counting import joined_by_lower_case, runs_of
from tests.index.restated import PIECES, lowered


@pytest.mark.parametrize(
    ("content", "runs"),
    [
        (b"foo fooBar foo_bar foo", {b"foo": 2, b"fooBar": 1, b"foo_bar": 1}),
        (b"a-b b a-b", {b"a-b": 2, b"b": 1}),
        (b"-- x-", {b"--": 1, b"x-": 1}),
        (b"a.b/c:d", {b"a": 1, b"b": 1, b"c": 1, b"d": 1}),
        ("a\xe9b".encode(), {b"a": 1, b"b": 1}),
        (b"a\xffb\xe2\x84c", {b"a": 1, b"b": 1, b"c": 1}),
        (b"a\0b\r\nc", {b"a": 1, b"b": 1, b"c": 1}),
        (b"___ 9", {b"___": 1, b"9": 1}),
        (b"", {}),
    ],
)
def test_runs_are_maximal_and_hold_word_characters_and_hyphens(content: bytes, runs: dict[bytes, int]) -> None:
    assert Counter(runs_of(content)) == runs


@pytest.mark.parametrize(
    ("content", "right"),
    [
        (b"Foo-Bar", None),
        ("\xe9\u0131".encode(), None),
        (b"\xe2\x84 \xaa", None),
        ("\u212aey Key".encode(), {b"key": 2}),
        ("x\u0130Y-z".encode(), {b"xiy-z": 1}),
        ("a\u212a\u0130b".encode(), {b"akib": 1}),
        (b"\xe2\xe2\x84\xaaX", {b"kx": 1}),
    ],
)
def test_lower_casing_is_counted_apart_where_it_joins_runs(content: bytes, right: dict[bytes, int] | None) -> None:
    joined = joined_by_lower_case(content)
    assert (None if joined is None else Counter(runs_of(joined))) == right


@given(st.lists(st.sampled_from(PIECES), max_size=20).map(b"".join) | st.binary())
@settings(deadline=None)
def test_counts_are_those_of_a_search_for_runs(content: bytes) -> None:
    text = content.decode("utf-8", "replace")
    assert runs_of(content) == [run.encode() for run in re.findall("[A-Za-z0-9_-]+", text)]
    joined = joined_by_lower_case(content)
    as_it_is = [run.lower() for run in runs_of(content)]
    right = [run.encode() for run in re.findall("[a-z0-9_-]+", lowered(text))]
    assert (as_it_is if joined is None else runs_of(joined)) == right


def test_a_run_of_300_000_characters_is_one_run() -> None:
    assert runs_of(b"a-" * 150_000) == [b"a-" * 150_000]
