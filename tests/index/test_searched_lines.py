"""Many lines, searched at once."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.index.searched_lines import SearchedLines

LINES = st.lists(st.text(st.sampled_from("aAb_-9"), max_size=8).map(str.encode), max_size=6)
NEEDLES = st.text(st.sampled_from("aAb_-9"), min_size=1, max_size=3).map(str.encode)


@pytest.mark.parametrize(
    ("lines", "needle", "numbers"),
    [
        ([b"foo", b"barfoofoo", b"", b"of"], b"foo", [0, 1]),
        ([b"fo", b"o"], b"foo", []),
        ([b"", b"", b"x", b"x"], b"x", [2, 3]),
        ([], b"x", []),
    ],
)
def test_each_line_that_holds_the_needle_is_found_once(lines: list[bytes], needle: bytes, numbers: list[int]) -> None:
    assert SearchedLines(lines).find(needle).tolist() == numbers


@pytest.mark.parametrize(
    ("lines", "needle", "numbers"),
    [
        ([b"a-b", b"x-a-b-y", b"xa-b", b"a-b_", b"a-bb-a-b"], b"a-b", [0, 1, 4]),
        ([b"-a-a-a"], b"-a", [0]),
        ([b"a-a-a-a", b"aa-a-a"], b"a-a", [0, 0, 1]),
        ([b"----"], b"--", [0, 0]),
        ([b"a-b", b"", b"a-b a-b"], b"a-b", [0, 2, 2]),
        ([], b"a-b", []),
    ],
)
def test_a_bounded_occurrence_has_no_word_character_beside_it(
    lines: list[bytes], needle: bytes, numbers: list[int]
) -> None:
    assert SearchedLines(lines).find_bounded(needle).tolist() == numbers


@given(LINES, NEEDLES)
@settings(deadline=None)
def test_searching_all_lines_is_searching_each(lines: list[bytes], needle: bytes) -> None:
    assert SearchedLines(lines).find(needle).tolist() == [number for number, line in enumerate(lines) if needle in line]


@given(LINES, NEEDLES)
@settings(deadline=None)
def test_searching_all_lines_for_a_whole_word_is_searching_each(lines: list[bytes], needle: bytes) -> None:
    bounded = re.compile(rb"(?<![A-Za-z0-9_])" + re.escape(needle) + rb"(?![A-Za-z0-9_])")
    right = [number for number, line in enumerate(lines) for _ in bounded.findall(line)]
    assert SearchedLines(lines).find_bounded(needle).tolist() == right
