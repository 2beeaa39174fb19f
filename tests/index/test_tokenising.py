"""Bench tokens of many lines at once."""

from __future__ import annotations

import re
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.index.tokenising import WordLines, tokens_and_pieces
from tests.index.restated import PIECES, tokens

LINES = st.lists(st.lists(st.sampled_from(PIECES), max_size=6).map(b"".join).map(lambda line: line.replace(b"\n", b"")))


@pytest.mark.parametrize(
    ("line", "tokens_of_it", "pieces"),
    [
        (b"fooBar_foo2", [b"foo", b"bar", b"foo2"], [b"foobar", b"foo2"]),
        (b"HTTPServer", [b"httpserver"], [b"httpserver"]),
        (b"aB-cD", [b"a", b"b", b"c", b"d"], [b"ab", b"cd"]),
        (b"__-", [], []),
        (b"", [], []),
        ("\u212aeyK".encode(), [b"ey", b"k"], [b"eyk"]),
    ],
)
def test_tokens_split_camel_case_and_pieces_do_not(line: bytes, tokens_of_it: list[bytes], pieces: list[bytes]) -> None:
    found, pieces_found = tokens_and_pieces([line])
    assert (found.words, found.lengths.tolist()) == (tokens_of_it, [len(tokens_of_it)])
    assert (pieces_found.words, pieces_found.lengths.tolist()) == (pieces, [len(pieces)])


@given(LINES)
@settings(deadline=None)
def test_each_line_is_taken_apart_as_if_it_stood_alone(lines: list[bytes]) -> None:
    if not lines:
        lines = [b""]
    found, pieces = tokens_and_pieces(lines)
    tokens_of_lines = [[token.encode() for token in tokens(line.decode("utf-8", "replace"))] for line in lines]
    assert _by_line(found) == tokens_of_lines
    assert _by_line(pieces) == [[piece.lower() for piece in re.findall(rb"[A-Za-z0-9]+", line)] for line in lines]


def _by_line(found: WordLines) -> list[list[bytes]]:
    words = iter(found.words)
    by_line = [list(islice(words, length)) for length in found.lengths.tolist()]
    assert next(words, None) is None
    return by_line
