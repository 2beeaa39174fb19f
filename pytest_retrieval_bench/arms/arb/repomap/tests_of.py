"""Which tests are of which sources, by their names (ARB 3.3)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import PurePosixPath

from pytest_retrieval_bench.arms.arb.repomap.files import MappedFiles

_SUFFIXES = ("_test", "test", "tests", ".test", ".spec", "_spec")
_PREFIXES = ("test_", "tests_")
_TEST_FOLDERS = frozenset(["test", "tests", "testing", "__tests__", "testsuite", "testsuites"])
_MAX_FILES = 20
_MIN_STEM = 3


def source_test_pairs(files: MappedFiles) -> Iterator[tuple[int, int]]:
    """Pairs of a source and a test that share a name; twice where they share the folder's name as well."""
    sources: defaultdict[str, list[int]] = defaultdict(list)
    tests: defaultdict[str, list[int]] = defaultdict(list)
    for number, path in enumerate(files.paths):
        if files.tests[number] or files.sources[number]:
            for key in _keys(path):
                (tests if files.tests[number] else sources)[key].append(number)
    for key, of_key in tests.items():
        yield from product(sources.get(key, ())[:_MAX_FILES], of_key[:_MAX_FILES])


def _keys(path: str) -> list[str]:
    """The stem of a path without what makes it a test, alone and with its folder."""
    pure = PurePosixPath(path)
    stem = pure.stem.lower()
    for suffix in _SUFFIXES:
        stem = stem.removesuffix(suffix)
    for prefix in _PREFIXES:
        stem = stem.removeprefix(prefix)
    stem = re.sub("[^a-z0-9]+", "", stem)
    if len(stem) < _MIN_STEM:
        return []
    folders = [part.lower() for part in pure.parent.parts if part.lower() not in _TEST_FOLDERS]
    return [stem, f"{folders[-1]}:{stem}"] if folders else [stem]
