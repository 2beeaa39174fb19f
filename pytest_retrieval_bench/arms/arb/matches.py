"""The tokens of a query that the candidate chunks of a snapshot hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pytest_retrieval_bench.arms.arb.corpus import Flags
from pytest_retrieval_bench.index.postings import Ints, Longs, Postings, summed
from pytest_retrieval_bench.text.tokens import bench_tokens


@dataclass(frozen=True, slots=True)
class Matches:
    """Match i: the row `rows[i]` holds the distinct query token number `tokens[i]` `counts[i]` times.

    Tokens are numbered in the order of their first place in the query, and matches stand in the order of tokens, so
    that a sum over matches adds in the order in which the benchmark's toolkit adds. By token: `in_query` is how often
    the query holds it, `in_rows` how many candidate rows do.
    """

    rows: Ints
    tokens: Longs
    counts: Ints
    in_query: tuple[int, ...]
    in_rows: tuple[int, ...]

    def summed(self, values: npt.NDArray[np.float64], rows: int) -> npt.NDArray[np.float64]:
        """The sum of the values of the matches of each of the table's rows."""
        return summed(self.rows, values, rows)


def matches(query_text: str, postings: Postings, candidate_rows: Flags) -> Matches:
    """The matches of a query in the candidate rows."""
    query_counts = Counter(bench_tokens(query_text))
    hits = postings.hits([token.encode() for token in query_counts])
    numbers = np.repeat(np.arange(len(query_counts)), np.diff(hits.starts))
    kept = candidate_rows[hits.files]
    tokens = numbers[kept]
    in_rows = np.bincount(tokens, minlength=len(query_counts)).tolist()
    return Matches(hits.files[kept], tokens, hits.counts[kept], tuple(query_counts.values()), tuple(in_rows))
