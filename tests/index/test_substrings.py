"""Many terms, found inside many words at once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.index import substrings
from pytest_retrieval_bench.index.substrings import Substrings

WORDS = st.lists(st.text(st.sampled_from("ab9z"), min_size=1, max_size=30).map(str.encode), max_size=8)
TERMS = st.lists(st.text(st.sampled_from("ab9z"), min_size=1, max_size=20).map(str.encode), min_size=1, max_size=6)


BOUNDED_TERMS = st.lists(st.text(st.sampled_from("aB_-"), min_size=1, max_size=90).map(str.encode), max_size=4)
BOUNDED_LINES = st.lists(st.text(st.sampled_from("aB_- ."), max_size=300).map(str.encode), max_size=5)


def bounded_by_search(line: bytes, term: bytes) -> int:
    """PROTOCOL 4, grep-ident: after an unbounded hit the search goes on one byte later."""
    padded, count, position = b" " + line + b" ", 0, 1
    while (position := padded.find(term, position, len(padded) - 1)) >= 0:
        around = bytes([padded[position - 1], padded[position + len(term)]])
        bounded = not any(chr(byte).isalnum() or byte == ord("_") for byte in around)
        count, position = count + bounded, position + (len(term) if bounded else 1)
    return count


@pytest.mark.parametrize("bounded", [False, True])
def test_a_long_term_in_a_long_run_of_one_character_ends(bounded: bool) -> None:
    (numbers,) = Substrings([b"a" * 2**20, b"a" * 100_000]).find([b"a" * 100_000], bounded=bounded)
    assert numbers.tolist() == ([1] if bounded else [0] * 10 + [1])


@given(BOUNDED_LINES, BOUNDED_TERMS, st.booleans())
@settings(deadline=None)
def test_long_terms_are_found_as_short_ones_are(lines: list[bytes], terms: list[bytes], bounded: bool) -> None:
    by_keys = Substrings(lines).find(terms, bounded=bounded)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(substrings, "_LONG", 0)
        by_scan = Substrings(lines).find(terms, bounded=bounded)
    assert [sorted(numbers.tolist()) for numbers in by_scan] == [sorted(numbers.tolist()) for numbers in by_keys]


@given(BOUNDED_LINES, BOUNDED_TERMS)
@settings(deadline=None)
def test_bounded_occurrences_are_those_that_a_search_from_the_left_finds(
    lines: list[bytes], terms: list[bytes]
) -> None:
    hits = Substrings(lines).find(terms, bounded=True)
    right = [
        [number for number, line in enumerate(lines) for _ in range(bounded_by_search(line, term))] for term in terms
    ]
    assert [sorted(numbers.tolist()) for numbers in hits] == right


def found(words: list[bytes], terms: list[bytes]) -> list[list[int]]:
    return [sorted(numbers.tolist()) for numbers in Substrings(words).find(terms)]


@pytest.mark.parametrize(
    ("words", "term", "numbers"),
    [
        ([b"foo", b"xfoofoo", b"of"], b"foo", [0, 1, 1]),
        ([b"aaaaa"], b"aa", [0, 0]),
        ([b"ababa"], b"aba", [0]),
        ([b"abcabca"], b"abca", [0]),
        ([b"fo", b"o"], b"foo", []),
        ([b"abcdefgh"], b"abcdefgh", [0]),
        ([b"abcdefg", b"h"], b"abcdefgh", []),
        ([b"xabcdefghij", b"abcdefghi"], b"abcdefghij", [0]),
        ([b"z" * 40], b"z" * 17, [0, 0]),
        ([b"zzzzzzzz"], b"zzzzzzzzz", []),
        ([], b"a", []),
    ],
)
def test_a_term_is_found_in_each_word_without_overlap(words: list[bytes], term: bytes, numbers: list[int]) -> None:
    assert found(words, [term]) == [numbers]


@given(WORDS, TERMS)
@settings(deadline=None)
def test_the_occurrences_are_those_that_counting_gives(words: list[bytes], terms: list[bytes]) -> None:
    right = [[number for number, word in enumerate(words) for _ in range(word.count(term))] for term in terms]
    assert found(words, terms) == right


@given(st.integers(1, 20), st.integers(1, 60))
@settings(deadline=None)
def test_a_term_that_overlaps_itself_is_counted_from_left_to_right(term: int, word: int) -> None:
    assert found([b"a" * word], [b"a" * term]) == [[0] * (word // term)]
