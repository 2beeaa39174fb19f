"""The map of a repository: its files, how they hang together, and a walk over them (ARB 3.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt
from scipy import sparse

from pytest_retrieval_bench.arms.arb.repomap.files import MappedFiles, mapped_files
from pytest_retrieval_bench.arms.arb.repomap.imports import imported, path_index
from pytest_retrieval_bench.arms.arb.repomap.references import references
from pytest_retrieval_bench.arms.arb.repomap.tests_of import source_test_pairs
from pytest_retrieval_bench.index.chunk_table import ChunkTable
from pytest_retrieval_bench.index.vocabulary import NumberedPostings

Floats = npt.NDArray[np.float64]

_IMPORT, _REFERENCE, _TEST = 1.5, 1.0, 2.0
DAMPING, ROUNDS = 0.85, 24


@dataclass(frozen=True, eq=False)
class RepoMap:
    """The files, the postings of their `places`, the number of distinct tokens of each, and the symmetric graph."""

    files: MappedFiles
    postings: NumberedPostings
    token_counts: Floats
    graph: sparse.csr_matrix

    def page_rank(self, start: Floats) -> Floats:
        """Where 24 rounds of a walk along weighted edges lead that goes back to `start` in 15 of 100 steps.

        `start` has no negative values and not only zeros. Whoever is where no edge leaves goes back as well.
        """
        base = start / start.sum()
        out = np.asarray(self.graph.sum(axis=1)).ravel()
        stuck = out <= 0
        step = np.divide(DAMPING, out, out=np.zeros_like(out), where=~stuck)
        ranks: Floats = base
        for _ in range(ROUNDS):
            back = (1.0 - DAMPING) + DAMPING * ranks[stuck].sum()
            ranks = back * base + self.graph @ (ranks * step)
        return ranks


def repo_map(table: ChunkTable) -> RepoMap:
    """The map of a snapshot, built over all its files, whatever the candidates are."""
    files = mapped_files(table)
    token_counts = np.diff(files.places.indptr).astype(np.float64)
    return RepoMap(files, NumberedPostings(files.tokens, files.places), token_counts, _graph(files))


def _graph(files: MappedFiles) -> sparse.csr_matrix:
    """Files x files: the weights of the edges, in both directions."""
    index = path_index(files.paths)
    numbers = {path: number for number, path in enumerate(files.paths)}
    imports = (
        (number, numbers[target])
        for number, path in enumerate(files.paths)
        for target in imported(path, files.texts[number], index)
    )
    one_way = (
        _weighted(imports, len(numbers)) * _IMPORT
        + _weighted(references(files), len(numbers)) * _REFERENCE
        + _weighted(source_test_pairs(files), len(numbers)) * _TEST
    )
    both_ways: sparse.csr_matrix = (one_way + one_way.T).tocsr()
    return both_ways


def _weighted(pairs: Iterable[tuple[int, int]], size: int) -> sparse.csr_matrix:
    """Files x files: how many of the pairs lead from one to another; a file is not tied to itself."""
    ends = np.fromiter(chain.from_iterable(pairs), np.int64).reshape(-1, 2)
    ends = ends[ends[:, 0] != ends[:, 1]]
    return sparse.csr_matrix((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(size, size))
