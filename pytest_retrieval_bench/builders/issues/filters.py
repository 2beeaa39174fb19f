"""Which files of a patch are no answer: tests, and records of change. Documentation is one (MINDEX 5.2)."""

from __future__ import annotations

from typing import Final

from pytest_retrieval_bench.text.globs import any_of

# A folder `test` is left alone: it may be the product, as in Django.
TESTS: Final = (
    "**/tests/**", "**/__tests__/**", "**/testdata/**", "**/test_*", "**/*_test.*", "**/*.test.*", "**/*.spec.*",
    "**/src/test/**",
)  # fmt: skip
_RECORDS: Final = (
    "CHANGELOG", "CHANGES", "HISTORY", "NEWS", "RELEASE", "RELEASES", "AUTHORS", "CONTRIBUTORS", "COPYING", "LICENSE",
    "NOTICE",
)  # fmt: skip
RECORDS: Final = tuple(
    f"**/{shape}"
    for name in _RECORDS
    for written in (name, name.lower(), name.capitalize())
    for shape in (written, f"{written}.*")
)

_IS_TEST = any_of(TESTS)
_IS_RECORD = any_of(RECORDS)


def is_test(path: str) -> bool:
    """Whether a path is of a test."""
    return _IS_TEST.fullmatch(path) is not None


def is_record(path: str) -> bool:
    """Whether a path is of a record of change, of people or of rights."""
    return _IS_RECORD.fullmatch(path) is not None
