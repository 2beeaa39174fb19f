"""Counts of the tokens of many texts; a text that comes again, as in the next commit, is not counted anew."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np
from scipy import sparse

from pytest_retrieval_bench.index.tokenising import tokens_of
from pytest_retrieval_bench.index.vocabulary import GrowingRows, Numbering, ones


class TokenCounter:
    """The bench tokens of texts over one growing vocabulary, `tokens`."""

    def __init__(self) -> None:
        self.tokens = Numbering()
        self.held_characters = 0
        self._texts: dict[str, int] = {}
        self._counts = GrowingRows()

    def count(self, texts: Sequence[str]) -> sparse.csr_matrix:
        """Texts x tokens: how often a text holds a token."""
        for text in texts:
            self._texts.setdefault(text, len(self._texts))
        new = list(islice(self._texts, len(self._counts), None))
        if new:
            self._counts.add(self._counted(new))
            self.held_characters += sum(map(len, new))
        return self._counts.matrix(np.fromiter(map(self._texts.__getitem__, texts), np.int32, len(texts)))

    def _counted(self, texts: Sequence[str]) -> sparse.csr_matrix:
        words = tokens_of([text.encode().replace(b"\n", b" ") for text in texts])
        columns = self.tokens.of(words.words, len(words.words))
        counts = ones(columns, words.lengths, len(self.tokens)).tocsc()  # sorts in linear time
        counts.sum_duplicates()
        return counts.tocsr()
