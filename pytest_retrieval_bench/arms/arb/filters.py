"""Which files are candidates at all (ARB 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from types import MappingProxyType

ALL_FILES = "all_files"

_CODE = frozenset([
    ".bash", ".c", ".cc", ".cpp", ".cs", ".cxx", ".fish", ".go", ".h", ".hpp", ".java", ".js", ".jsx", ".kt", ".kts",
    ".m", ".mm", ".php", ".proto", ".py", ".pyi", ".rb", ".rs", ".scala", ".sh", ".swift", ".ts", ".tsx", ".zsh",
])  # fmt: skip
_TEST_PARTS = frozenset(["__tests__", "test", "tests", "testing", "testdata", "testsuite", "testsuites"])
_TEST_ENDS = (
    "_test.go", "_test.py", "_test.rs", "_test.cc", "_test.cpp", ".spec.js", ".spec.jsx", ".spec.ts", ".spec.tsx",
    ".test.js", ".test.jsx", ".test.ts", ".test.tsx", "test.java", "tests.java",
)  # fmt: skip
_NOISE_PARTS = frozenset([
    ".github", ".idea", ".vscode", "benchmark", "benchmarks", "changelog", "changelogs", "doc", "docs",
    "documentation", "examples", "licenses", "node_modules", "snapshot", "snapshots", "template", "templates",
    "vendor",
])  # fmt: skip
_NOISE_NAMES = frozenset([
    "changelog", "changelog.md", "contributing.md", "license", "license.md", "readme", "readme.md",
])  # fmt: skip


def is_test(path: str) -> bool:
    """Whether a path is of a test: code below a folder of tests, or code whose name says so."""
    lowered = path.lower()
    name = PurePosixPath(lowered).name
    named = name.startswith("test_") or name.endswith(_TEST_ENDS)
    return _is_code(path) and (named or not _TEST_PARTS.isdisjoint(_parts(lowered)))


def is_code(path: str) -> bool:
    """Whether a path is of code, tests included, and not of documentation, examples, templates or vendored files."""
    lowered = PurePosixPath(path.lower().replace("\\", "/"))
    noise = not _NOISE_PARTS.isdisjoint(_parts(path.lower())) or not _NOISE_NAMES.isdisjoint(
        [lowered.name, lowered.stem]
    )
    return _is_code(path) and not noise


FILTERS: Mapping[str, Callable[[str], bool]] = MappingProxyType(
    {ALL_FILES: lambda path: True, "code_only": is_code, "tests_only": is_test}
)


def _is_code(path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in _CODE


def _parts(path: str) -> list[str]:
    return path.replace("\\", "/").split("/")
