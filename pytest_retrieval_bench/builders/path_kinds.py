"""What a path of a repository is to a question: where an answer may lie, or something that changes beside it."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final, Literal

from pytest_retrieval_bench.builders.corpus import is_wanted

PathKind = Literal["source", "test", "document", "by-product"]

_TEST_FOLDERS: Final = frozenset(
    ["__tests__", "test", "tests", "testing", "testdata", "testsuite", "testsuites", "spec"]
)
_TEST_ENDS: Final = (
    *("_test.go", "_test.py", "_test.rs", "_test.cc", "_test.cpp", "_spec.rb", "test.java", "tests.java"),
    *(f".{kind}.{suffix}" for kind in ("spec", "test") for suffix in ("js", "jsx", "ts", "tsx")),
)
_CHANGELOGS: Final = frozenset(
    ["changelog", "changes", "history", "news", "releases", "release_notes", "release-notes"]
)
_CHANGELOG_FOLDERS: Final = frozenset(["changelog.d", "changelogs", "newsfragments", ".changeset"])
_MORE_LOCK_FILES: Final = frozenset(["npm-shrinkwrap.json", "packages.lock.json", "go.mod"])
_DOCUMENT_FOLDERS: Final = frozenset(["doc", "docs"])
_DOCUMENT_SUFFIXES: Final = frozenset([".adoc", ".md", ".mdx", ".rst"])


def path_kind(path: str) -> PathKind:
    """A by-product is a changelog, a lock file, or what no release has: generated, vendored, binary."""
    place = PurePosixPath(path.lower())
    folders = frozenset(place.parts[:-1])
    if not is_wanted(path) or place.name in _MORE_LOCK_FILES:
        return "by-product"
    if place.stem in _CHANGELOGS or place.name in _CHANGELOGS or folders & _CHANGELOG_FOLDERS:
        return "by-product"
    if folders & _TEST_FOLDERS or place.name.startswith("test_") or place.name.endswith(_TEST_ENDS):
        return "test"
    if folders & _DOCUMENT_FOLDERS or place.suffix in _DOCUMENT_SUFFIXES:
        return "document"
    return "source"
