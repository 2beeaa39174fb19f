"""The questions that lexical arms ask of a snapshot, answered from the counts of its words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pytest_retrieval_bench.index.postings import NOWHERE, Hits, Postings
from pytest_retrieval_bench.index.searched_lines import Longs, SearchedLines
from pytest_retrieval_bench.index.substrings import Substrings
from pytest_retrieval_bench.index.tokenising import tokens_and_pieces
from pytest_retrieval_bench.text.tokens import simple_lower


class SnapshotIndex:
    """The readable text files of one snapshot and their words; a file's number is its place in `paths`.

    `paths` stand in the order of their bytes. `runs` are the maximal runs of [A-Za-z0-9_-]; `tokens` the bench tokens;
    `pieces` the maximal runs of [a-z0-9] of the lower-cased text.
    """

    def __init__(self, paths: Sequence[str], runs: Postings, tokens: Postings, pieces: Postings) -> None:
        self.paths = tuple(paths)
        self.runs = runs
        self.tokens = tokens
        self.pieces = pieces

    def substrings(self, terms: Sequence[str]) -> list[Hits]:
        """For each term of [a-z0-9]: the files whose lower-cased text holds it, and how often without overlap."""
        return self.pieces.hits_of_groups(self._substrings.find([term.encode() for term in terms]))

    def whole_word(self, identifier: str) -> Hits:
        """The files that hold the identifier ([A-Za-z0-9_-]) with no word character on either side of it."""
        word = identifier.encode()
        as_a_run = NOWHERE if b"-" in word else self.runs.hits(word)
        numbers, hyphenated = self._hyphenated
        lines = hyphenated.find_bounded(word)
        if not len(lines):
            return as_a_run
        counts = np.zeros(len(self.paths), np.int32)
        counts[as_a_run.files] = as_a_run.counts
        for line in lines.tolist():
            hits = self.runs.hits_of(numbers[line])
            counts[hits.files] += hits.counts
        files = np.flatnonzero(counts).astype(np.int32)
        return Hits(files, counts[files])

    @cached_property
    def lengths(self) -> npt.NDArray[np.float64]:
        """The number of bench tokens of each file."""
        return np.asarray(self.tokens.matrix.sum(axis=0), np.float64).ravel()

    @cached_property
    def mean_length(self) -> float:
        """The mean number of bench tokens of a file, 0 without files."""
        return float(self.lengths.sum()) / max(len(self.lengths), 1)

    def paths_with_token(self, token: str) -> list[int]:
        """The files whose path has the bench token, each once."""
        return self._path_tokens.get(token.encode(), [])

    def paths_with(self, text: str) -> Longs:
        """The files whose lower-cased path holds the text, each once."""
        return self._lowered_paths.find(text.encode())

    @cached_property
    def _substrings(self) -> Substrings:
        return Substrings(self.pieces.words)

    @cached_property
    def _hyphenated(self) -> tuple[list[int], SearchedLines]:
        numbers = SearchedLines(self.runs.words).find(b"-").tolist()
        return numbers, SearchedLines([self.runs.words[number] for number in numbers])

    @cached_property
    def _lowered_paths(self) -> SearchedLines:
        return SearchedLines([simple_lower(path).replace("\n", "\0").encode() for path in self.paths])

    @cached_property
    def _path_tokens(self) -> dict[bytes, list[int]]:
        files: defaultdict[bytes, list[int]] = defaultdict(list)
        tokens, _ = tokens_and_pieces([path.replace("\n", "\0").encode() for path in self.paths])
        for number, tokens_of_path in enumerate(tokens):
            for token in set(tokens_of_path):
                files[token].append(number)
        return files
