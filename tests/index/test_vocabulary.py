"""Runs as numbers, each taken apart once."""

from __future__ import annotations

import re
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.index.vocabulary import Numbering, Vocabulary
from tests.index.restated import tokens

RUNS = st.lists(st.text(st.sampled_from("aAbB9_-"), min_size=1, max_size=6).map(str.encode), max_size=12, unique=True)
Parts = list[dict[bytes, int]]


def test_a_word_keeps_the_number_it_got_first() -> None:
    numbering = Numbering()
    assert numbering.of([b"x", b"y", b"x"], 3).tolist() == [0, 1, 0]
    assert numbering.of([b"z", b"y"], 2).tolist() == [2, 1]
    assert list(numbering) == [b"x", b"y", b"z"]


def parts_of_runs(vocabulary: Vocabulary) -> tuple[Parts, Parts]:
    """For each run, in order: how often it holds which token, and which piece."""
    vocabulary.take_apart()
    tables = [
        (list(vocabulary.tokens), vocabulary.runs_to_tokens().toarray()),
        (list(vocabulary.pieces), vocabulary.runs_to_pieces().toarray()),
    ]
    of_tokens, of_pieces = (
        [{names[column]: int(row[column]) for column in row.nonzero()[0]} for row in matrix] for names, matrix in tables
    )
    return of_tokens, of_pieces


def restated(runs: list[bytes]) -> tuple[Parts, Parts]:
    return (
        [dict(Counter(token.encode() for token in tokens(run.decode()))) for run in runs],
        [dict(Counter(piece.lower() for piece in re.findall(rb"[A-Za-z0-9]+", run))) for run in runs],
    )


def test_a_run_is_taken_apart_into_its_tokens_and_its_pieces() -> None:
    vocabulary = Vocabulary()
    vocabulary.runs.of([b"fooBar_foo", b"___", b"a-B-a"], 3)
    assert parts_of_runs(vocabulary) == (
        [{b"foo": 2, b"bar": 1}, {}, {b"a": 2, b"b": 1}],
        [{b"foobar": 1, b"foo": 1}, {}, {b"a": 2, b"b": 1}],
    )


@given(RUNS, RUNS)
@settings(deadline=None)
def test_runs_that_come_later_change_nothing_for_earlier_ones(first: list[bytes], second: list[bytes]) -> None:
    vocabulary = Vocabulary()
    vocabulary.runs.of(first, len(first))
    assert parts_of_runs(vocabulary) == restated(first)
    vocabulary.runs.of(second, len(second))
    assert parts_of_runs(vocabulary) == restated(list(vocabulary.runs))
