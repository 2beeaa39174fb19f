"""Where the functions that a patch changes stand at the commit before."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Function:
    """A function, method or class of a file: its dotted name, its first line (decorators included) and its last."""

    path: str
    name: str
    first: int
    last: int


def functions_of(names: Iterable[str], sources: Mapping[str, bytes]) -> list[Function]:
    """The functions that are named `FILE:DOTTED.NAME`, of files of Python; those that are not there are left out."""
    wanted: dict[str, set[str]] = {}
    for name in names:
        path, separator, function = name.partition(":")
        if separator and path in sources:
            wanted.setdefault(path, set()).add(function)
    return [
        one
        for path, functions in sorted(wanted.items())
        for one in _of_file(path, sources[path])
        if one.name in functions
    ]


def _of_file(path: str, source: bytes) -> list[Function]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of strangers' escape sequences
            body = ast.parse(source).body
        return _within(path, body, "")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _within(path: str, body: Sequence[ast.stmt], before: str) -> list[Function]:
    found = []
    for statement in body:
        if isinstance(statement, _NAMED):
            first = min([statement.lineno, *(one.lineno for one in statement.decorator_list)])
            name = before + statement.name
            found.append(Function(path, name, first, statement.end_lineno or statement.lineno))
            found += _within(path, statement.body, f"{name}.")
        else:
            inner = (getattr(statement, part, []) for part in ("body", "orelse", "finalbody"))
            for nested in inner:
                found += _within(path, nested, before) if isinstance(nested, list) else []
    return found
