"""Which files speak of symbols that other files define (ARB 3.3).

The benchmark's toolkit walks equal candidates in the order of hashes that differ between runs, and cuts them; here they
are walked in the order of a hash that does not.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

import numpy as np
from scipy import sparse

from pytest_retrieval_bench.arms.arb.repomap.files import GENERIC, MappedFiles, symbol_key
from pytest_retrieval_bench.index.postings import Ints, Longs
from pytest_retrieval_bench.index.vocabulary import ones
from pytest_retrieval_bench.text.tokens import bench_tokens

MAX_FILES = 3000
MAX_TARGETS = 80
MAX_CANDIDATES = 4 * MAX_TARGETS
_MAX_DEFINING = 8
_MIN_PART, _MIN_ONLY_PART = 3, 8


@dataclass(slots=True)
class _Symbol:
    """The files that define a symbol, ascending, the tokens that speak of it, and how many of them a user must hold."""

    files: list[int] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    needed: int = 0


def references(files: MappedFiles) -> Iterator[tuple[int, int]]:
    """Pairs of a file and another one whose symbols it seems to use; none where there are over 3,000 files of code.

    A file seems to use a symbol when it holds as many of its tokens as the symbol has parts. Its candidates are walked
    by the number of these tokens, most first, then by the SHA-256 of their keys: 320 of them, until there are 80 files.

    As in the toolkit, names such as `fooBar` and `foobar` are one symbol: any of their parts speaks of it, and the name
    in the last file (the last one there) says how many are needed.
    """
    code = np.flatnonzero(files.tests | files.sources)
    if len(code) > MAX_FILES:
        return
    found = _symbols(files, code.tolist())
    symbols = [found[key] for key in sorted(found, key=lambda key: hashlib.sha256(key.encode()).digest())]
    needed = np.array([symbol.needed for symbol in symbols], np.int64)
    held = (files.places[code] > 0).astype(np.int32) @ _tokens_of(symbols, files).T
    for row, file in enumerate(code.tolist()):
        candidates = slice(held.indptr[row], held.indptr[row + 1])
        used = _used(held.indices[candidates], held.data[candidates], needed)
        targets = dict.fromkeys(chain.from_iterable(symbols[number].files for number in used))
        for target in islice((target for target in targets if target != file), MAX_TARGETS):
            yield file, target


def _symbols(files: MappedFiles, code: Sequence[int]) -> Mapping[str, _Symbol]:
    """The symbols that tell files apart, by key."""
    found: defaultdict[str, _Symbol] = defaultdict(_Symbol)
    for file, name in ((number, name) for number in code for name in files.symbols[number]):
        symbol, parts = found[symbol_key(name)], _parts(name)
        if file not in symbol.files[-1:]:
            symbol.files.append(file)
        symbol.tokens |= parts
        symbol.needed = len(parts) or symbol.needed
    return {key: symbol for key, symbol in found.items() if symbol.needed and len(symbol.files) <= _MAX_DEFINING}


def _parts(symbol: str) -> frozenset[str]:
    """The tokens of a symbol that are not short or in all code; none where the only one is not long."""
    parts = frozenset(token for token in bench_tokens(symbol) if len(token) >= _MIN_PART and token not in GENERIC)
    return parts if len(parts) > 1 or any(len(part) >= _MIN_ONLY_PART for part in parts) else frozenset()


def _tokens_of(symbols: Sequence[_Symbol], files: MappedFiles) -> sparse.csr_matrix:
    """Symbols x tokens."""
    tokens = [files.tokens[token.encode()] for symbol in symbols for token in symbol.tokens]
    lengths = np.array([len(symbol.tokens) for symbol in symbols], np.int32)
    return ones(np.array(tokens, np.int32), lengths, files.places.shape[1])


def _used(candidates: Ints, held: Ints, needed: Longs) -> list[int]:
    """Of the first 320 candidates, by tokens held and then by number, those of which the file holds enough."""
    # One number a candidate: sorting each file's by two keys would take most of the time.
    order = candidates - held.astype(np.int64) * len(needed)
    if len(order) > MAX_CANDIDATES:
        order = np.partition(order, MAX_CANDIDATES - 1)[:MAX_CANDIDATES]
    less_held, walked = np.divmod(np.sort(order), max(len(needed), 1))
    used: list[int] = walked[-less_held >= needed[walked]].tolist()
    return used
