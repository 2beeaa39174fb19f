"""Where each word of a set occurs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pytest_retrieval_bench.index.postings import Hits, ListedPostings, Postings
from pytest_retrieval_bench.index.vocabulary import NumberedPostings, Numbering

VOCABULARY = [b"a", b"b", b"c", b"d"]
WORDS = [*VOCABULARY, b"absent"]
FILES = st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), max_size=5)
Counts = list[dict[int, int]]


def postings(files: list[list[int]]) -> Postings:
    """Of files x vocabulary counts."""
    numbering = Numbering()
    numbering.of(VOCABULARY, len(VOCABULARY))
    counts = np.array(files, np.int32).reshape(-1, len(VOCABULARY))
    found = NumberedPostings(numbering, sparse.csr_matrix(counts))
    listed = ListedPostings(found.words, found.matrix)
    assert [listed.number(word) for word in WORDS] == [found.number(word) for word in WORDS]
    return found


def counted(hits: Hits) -> Counts:
    files, counts = hits.files.tolist(), hits.counts.tolist()
    return [
        dict(zip(files[start:end], counts[start:end], strict=True)) for start, end in pairwise(hits.starts.tolist())
    ]


def right_of(files: list[list[int]], groups: list[list[bytes]]) -> Counts:
    """For each group of words, the files that hold one, with the sum of the occurrences."""
    totals = [
        {file: sum(counts[VOCABULARY.index(word)] for word in group) for file, counts in enumerate(files)}
        for group in groups
    ]
    return [{file: total for file, total in group.items() if total} for group in totals]


def test_only_words_that_occur_are_kept() -> None:
    assert postings([[0, 2, 0, 1], [0, 0, 0, 5]]).words == [b"b", b"d"]
    assert postings([]).words == []


@given(FILES, st.lists(st.sampled_from(WORDS), max_size=6))
@settings(deadline=None)
def test_each_word_is_in_the_files_that_hold_it(files: list[list[int]], words: list[bytes]) -> None:
    right = right_of(files, [[word] if word in VOCABULARY else [] for word in words])
    assert counted(postings(files).hits(words)) == right


@given(FILES, st.lists(st.lists(st.sampled_from(VOCABULARY), max_size=5), max_size=3))
@settings(deadline=None)
def test_a_group_of_words_is_in_the_files_that_hold_one_with_the_sum(
    files: list[list[int]], groups: list[list[bytes]]
) -> None:
    found = postings(files)
    present = [[word for word in group if word in found.words] for group in groups]
    numbers = [np.array([found.words.index(word) for word in group], np.int64) for group in present]
    assert counted(found.hits_of_groups(numbers)) == right_of(files, present)


@given(FILES, st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), st.lists(st.sampled_from(WORDS), min_size=1))
@settings(deadline=None)
def test_sums_and_shared_hits_are_those_of_term_and_file(
    files: list[list[int]], first: list[bytes], second: list[bytes]
) -> None:
    pairs = list(zip(first, second, strict=False))
    found = postings(files)
    one, other = found.hits([word for word, _ in pairs]), found.hits([word for _, word in pairs])
    both = list(zip(counted(one), counted(other), strict=True))
    sums = [{file: a.get(file, 0) + b.get(file, 0) for file in a.keys() | b.keys()} for a, b in both]
    assert counted(one + other) == sums
    assert [set(files_of) for files_of in counted(one.shared(other))] == [a.keys() & b.keys() for a, b in both]
