"""What the sources of a repository define, whatever their languages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePosixPath

from pytest_retrieval_bench.builders.docs.markup.section import Reference
from pytest_retrieval_bench.builders.docs.symbols import grammars
from pytest_retrieval_bench.builders.docs.symbols.name_table import NameTable
from pytest_retrieval_bench.builders.docs.symbols.python_module import read_python_module
from pytest_retrieval_bench.builders.docs.symbols.python_table import PythonTable
from pytest_retrieval_bench.builders.docs.symbols.resolution import Resolution

_SOURCE_ROOTS = ("src", "lib", "python")


class SymbolTable:
    """The definitions of the files that are read into it.

    `names` are those of each file by its path.
    """

    def __init__(self, sources: Iterable[tuple[str, bytes]], paths: Collection[str]) -> None:
        packages = {path.removesuffix("/__init__.py") for path in paths if path.endswith("/__init__.py")}
        modules = []
        self.names: dict[str, frozenset[str]] = {}
        for path, source in sources:
            if is_python(path):
                modules.append(read_python_module(path, _module_name(path, packages), source))
                self.names[path] = frozenset(modules[-1].definitions | modules[-1].assignments)
            else:
                self.names[path] = grammars.defined_names(path, source)
        self._python = PythonTable(modules)
        self._others: Mapping[str, NameTable] = {
            language: NameTable(
                {path: self.names[path] for path in self.names if grammars.language_of(path) == language}
            )
            for language in ("c", "javascript")
        }

    def resolve(self, reference: Reference) -> Resolution:
        """The file that defines what a reference names, and how it was found."""
        if reference.language == "python":
            return self._python.resolve(reference)
        return self._others[reference.language].resolve(reference)

    def names_code(self, dotted: str) -> bool:
        """Whether a dotted name in a text says where code of the project is."""
        return self._python.has_path(dotted) or self._others["c"].resolve(Reference(dotted, "c")).path is not None


def is_source(path: str) -> bool:
    """Whether a file may define what documentation names: it is of a language that is read, and no test.

    Folders named `test` are kept: `django.test` and others of that name are what users are told about.
    """
    place = PurePosixPath(path)
    is_test = "tests" in place.parts or "__tests__" in place.parts or place.name.startswith("test_")
    is_test = is_test or place.stem.endswith(("_test", ".test", ".spec")) or place.name == "conftest.py"
    return not is_test and (is_python(path) or grammars.language_of(path) is not None)


def is_python(path: str) -> bool:
    """Whether a file is one of Python, by its name."""
    return path.endswith(".py")


def _module_name(path: str, packages: Collection[str]) -> str:
    """The dotted name by which a file is imported: from the folder around its outermost package."""
    place = PurePosixPath(path)
    parts = list(place.with_suffix("").parts)
    first = len(parts) - 1
    while first and "/".join(parts[:first]) in packages:
        first -= 1
    if first == len(parts) - 1:
        # In no package: named from the root, or from a folder that only holds sources.
        first = 1 if len(parts) > 1 and parts[0] in _SOURCE_ROOTS else 0
    named = parts[first:]
    return ".".join(named[:-1] if named[-1] == "__init__" and len(named) > 1 else named)
