"""The files of a snapshot as the nodes of a repository map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from pytest_retrieval_bench.arms.arb.filters import is_code, is_test
from pytest_retrieval_bench.index.chunk_table import ChunkTable
from pytest_retrieval_bench.index.token_counter import TokenCounter
from pytest_retrieval_bench.index.vocabulary import Numbering
from pytest_retrieval_bench.text.tokens import bench_tokens

IN_TEXT, IN_SYMBOL, IN_PATH = 1, 2, 3

GENERIC = frozenset([
    "add", "app", "args", "build", "call", "case", "check", "class", "close", "config", "context", "data", "default",
    "delete", "error", "event", "file", "find", "get", "handle", "helper", "init", "item", "list", "load", "main",
    "make", "mock", "model", "name", "node", "option", "options", "parse", "path", "read", "render", "request",
    "response", "result", "run", "save", "server", "set", "state", "string", "test", "tests", "type", "update",
    "value", "write",
])  # fmt: skip
_MIN_KEY = 4
_MAX_TEXT = 20_000


@dataclass(frozen=True, eq=False)
class MappedFiles:
    """Files by number: path, text of the file's own row, and the symbols that tell something, in code point order.

    `tests` and `sources` say which are code; the others are neither. `places` is files x `tokens`: where a file holds
    a token, in its path before its symbols before its text.
    """

    paths: Sequence[str]
    texts: Sequence[str]
    symbols: Sequence[Sequence[str]]
    tests: npt.NDArray[np.bool_]
    sources: npt.NDArray[np.bool_]
    tokens: Numbering
    places: sparse.csr_matrix


def mapped_files(table: ChunkTable) -> MappedFiles:
    """The files of the table, whose text is that of the first row of kind `file` that has one."""
    texts = [""] * len(table.paths)
    symbols: list[set[str]] = [set() for _ in table.paths]
    for row, file in zip(table.rows, table.files.tolist(), strict=True):
        if row.kind == "file" and not texts[file]:
            texts[file] = row.text
        if row.symbol.strip():
            symbols[file].add(row.symbol.strip())
    telling = [sorted(filter(symbol_key, names)) for names in symbols]
    tests = np.fromiter(map(is_test, table.paths), bool, len(texts))
    sources = np.fromiter(map(is_code, table.paths), bool, len(texts)) & ~tests
    counter = TokenCounter()
    heads = [text[:_MAX_TEXT] for text in texts]
    counts = counter.count([*heads, *(" ".join(names) for names in telling), *table.paths]).minimum(1)
    in_text, in_symbol, in_path = (counts[start * len(texts) : (start + 1) * len(texts)] for start in range(3))
    places = (in_text * IN_TEXT).maximum(in_symbol * IN_SYMBOL).maximum(in_path * IN_PATH).tocsr()
    return MappedFiles(table.paths, texts, telling, tests, sources, counter.tokens, places)


def symbol_key(symbol: str) -> str:
    """The tokens of a symbol as one word; empty for one that tells nothing: short, a number, or a word of all code."""
    key = "".join(bench_tokens(symbol))
    return "" if len(key) < _MIN_KEY or key in GENERIC or key.isdigit() else key
