"""The questions that lexical arms ask of a snapshot, answered from the counts of its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pytest_retrieval_bench.index.postings import Hits, Longs, Postings
from pytest_retrieval_bench.index.substrings import Substrings
from pytest_retrieval_bench.text.tokens import simple_lower


@dataclass(frozen=True, eq=False)
class SnapshotIndex:
    """The readable text files of one snapshot and their words; a file's number is its place in `paths`.

    `paths` stand in the order of their bytes. `words` are the maximal runs of [A-Za-z0-9_-], `compounds` those of them
    that hold a hyphen; `tokens` are the bench tokens; `pieces` the maximal runs of [a-z0-9] of the lower-cased text;
    `path_tokens` the bench tokens of the paths.
    """

    paths: Sequence[str]
    words: Postings
    compounds: Postings
    tokens: Postings
    pieces: Postings
    path_tokens: Postings

    def substrings(self, terms: Sequence[str]) -> Hits:
        """Where the lower-cased texts hold each term of [a-z0-9], and how often without overlap."""
        return self.pieces.hits_of_groups(self._pieces.find([term.encode() for term in terms]))

    def whole_words(self, identifiers: Sequence[str]) -> Hits:
        """Where each identifier ([A-Za-z0-9_-]) stands with no word character on either side."""
        encoded = [identifier.encode() for identifier in identifiers]
        # An identifier with a hyphen stands in compounds alone, another one in runs of its own and in compounds.
        alone = self.words.hits([b"" if b"-" in word else word for word in encoded])
        inside = self._compounds.find(encoded, bounded=True)
        return alone + self.compounds.hits_of_groups(inside) if any(map(len, inside)) else alone

    @cached_property
    def lengths(self) -> npt.NDArray[np.float64]:
        """The number of bench tokens of each file."""
        return np.asarray(self.tokens.matrix.sum(axis=0), np.float64).ravel()

    @cached_property
    def mean_length(self) -> float:
        """The mean number of bench tokens of a file, 0 without files."""
        return float(self.lengths.sum()) / max(len(self.lengths), 1)

    def numbers_of(self, paths: Iterable[str]) -> dict[str, int]:
        """The numbers of those of the paths that the index holds."""
        return {path: self._numbers[path] for path in paths if path in self._numbers}

    def paths_with(self, texts: Sequence[str]) -> list[Longs]:
        """For each text: the files whose lower-cased path holds it, as often as it does."""
        return self._lowered_paths.find([text.encode() for text in texts])

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {path: number for number, path in enumerate(self.paths)}

    @cached_property
    def _pieces(self) -> Substrings:
        return Substrings(self.pieces.words)

    @cached_property
    def _compounds(self) -> Substrings:
        return Substrings(self.compounds.words)

    @cached_property
    def _lowered_paths(self) -> Substrings:
        lines = "\n".join(path.replace("\n", "\0") for path in self.paths)
        return Substrings(simple_lower(lines).encode().split(b"\n"))
