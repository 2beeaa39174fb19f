"""What a Python file defines and imports, by its syntax tree; nothing is imported or run."""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import binds a name to: a module, or a `name` in a module (`*` is every public one)."""

    module: str
    name: str | None


@dataclass(slots=True)
class PythonModule:
    """A file of Python and its dotted name.

    `definitions` are the dotted names of classes, functions and methods within it, `assignments` those of variables and
    attributes, `imports` the names that come from elsewhere, `star_imports` the modules of which all names do.
    `bases` are the base classes of each class, as they are written.
    """

    path: str
    name: str
    definitions: set[str] = field(default_factory=set)
    assignments: set[str] = field(default_factory=set)
    imports: dict[str, Imported] = field(default_factory=dict)
    star_imports: list[str] = field(default_factory=list)
    bases: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def has_content(self) -> bool:
        """Whether it is more than a list of what its neighbours define."""
        has_variables = any(not name.startswith("_") for name in self.assignments)
        return bool(self.definitions) or (has_variables and not self.path.endswith("__init__.py"))

    def defines(self, name: str) -> bool:
        """Whether a dotted name is defined here."""
        return name in self.definitions or name in self.assignments

    def binds(self, name: str) -> bool:
        """Whether a name means something here, whatever it is."""
        return self.defines(name) or name in self.imports


def read_python_module(path: str, name: str, source: bytes) -> PythonModule:
    """The module; one that is not Python, or that nests too deeply, has no definitions."""
    module = PythonModule(path, name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of strangers' escape sequences
            tree = ast.parse(source)
        _read_body(module, tree.body, "")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return PythonModule(path, name)
    return module


def _read_body(module: PythonModule, body: Sequence[ast.stmt], within: str) -> None:
    """Reads the statements of a module or of a class (`within`, with a dot behind it), in all their branches."""
    for statement in body:
        if isinstance(statement, _FUNCTIONS):
            module.definitions.add(within + statement.name)
            if within:
                module.assignments.update(within + name for name in _own_attributes(statement))
        elif isinstance(statement, ast.ClassDef):
            name = within + statement.name
            module.definitions.add(name)
            module.bases[name] = tuple(filter(None, map(_dotted, statement.bases)))
            _read_body(module, statement.body, f"{name}.")
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            if not within:
                _read_import(module, statement)
        else:
            module.assignments.update(within + name for target in _targets(statement) for name in _names(target))
            for branch in _branches(statement):
                _read_body(module, branch, within)


def _read_import(module: PythonModule, statement: ast.Import | ast.ImportFrom) -> None:
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            # `import a.b` binds `a`.
            bound = alias.name if alias.asname else alias.name.partition(".")[0]
            module.imports[alias.asname or bound] = Imported(bound, None)
        return
    source = _absolute(module, statement)
    for alias in statement.names:
        if alias.name == "*":
            module.star_imports.append(source)
        else:
            module.imports[alias.asname or alias.name] = Imported(source, alias.name)


def _absolute(module: PythonModule, statement: ast.ImportFrom) -> str:
    """The module that is imported from, its leading dots replaced by the packages that they stand for."""
    if not statement.level:
        return statement.module or ""
    is_package = module.path.endswith("/__init__.py")
    around = module.name.split(".")[: len(module.name.split(".")) - statement.level + is_package]
    return ".".join([*around, *filter(None, [statement.module])])


def _targets(statement: ast.stmt) -> Sequence[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    if isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        return [statement.target]
    if sys.version_info >= (3, 12) and isinstance(statement, ast.TypeAlias):
        return [statement.name]
    return []


def _names(target: ast.expr) -> Iterator[str]:
    """The plain names that an assignment binds."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _names(element)


def _own_attributes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """The attributes that a method sets on its first parameter."""
    parameters = [*function.args.posonlyargs, *function.args.args]
    if not parameters:
        return
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            owner = node.value
            if isinstance(owner, ast.Name) and owner.id == parameters[0].arg:
                yield node.attr


def _branches(statement: ast.stmt) -> Iterator[Sequence[ast.stmt]]:
    """The statements inside one that makes no scope: `if`, `try`, `with`, loops, `match`."""
    for part in ("body", "orelse", "finalbody"):
        yield getattr(statement, part, [])
    for inner in [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]:
        yield inner.body


def _dotted(expression: ast.expr) -> str:
    """The dotted name of an expression, empty where it is none; of `Base[T]` that of `Base`."""
    if isinstance(expression, ast.Subscript):
        return _dotted(expression.value)
    if isinstance(expression, ast.Attribute):
        around = _dotted(expression.value)
        return f"{around}.{expression.attr}" if around else ""
    return expression.id if isinstance(expression, ast.Name) else ""
