"""Where the modules of a repository define what a dotted name of Python means."""

from __future__ import annotations

import builtins
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from pytest_retrieval_bench.builders.docs.markup.section import Reference
from pytest_retrieval_bench.builders.docs.symbols.python_module import Imported, PythonModule
from pytest_retrieval_bench.builders.docs.symbols.resolution import Resolution

_Steps = set[tuple[str, Sequence[str]]]  # a search asks no place twice
_BUILTINS = frozenset(dir(builtins))


class PythonTable:
    """The modules by their dotted names. Names are followed through imports and base classes; nothing is run."""

    def __init__(self, modules: Iterable[PythonModule]) -> None:
        self._modules: dict[str, PythonModule] = {}
        self._packages: set[str] = set()  # those that hold other modules
        self._owners: dict[str, list[PythonModule]] = defaultdict(list)
        for module in modules:
            self._modules.setdefault(module.name, module)
            self._packages.add(module.name.rpartition(".")[0])
            # A lone variable is left out: a bare name that happens to be one's is more often another's attribute.
            for name in module.definitions | {name for name in module.assignments if "." in name}:
                self._owners[name].append(module)

    def resolve(self, reference: Reference) -> Resolution:
        """The file that defines what the reference names, and how it was found."""
        try:
            return self._resolve(reference)
        except RecursionError:  # a chain of imports or base classes that no project has
            return Resolution("undefined")

    def _resolve(self, reference: Reference) -> Resolution:
        targets = [f"{scope}.{reference.target}" if scope else reference.target for scope in reference.scopes]
        found = [self._absolute(target, is_module=reference.is_module) for target in targets]
        best = next((one for one in found if one is not None and one.path is not None), None)
        if best is not None:
            return best
        empty = next((one for one in found if one is not None), None)
        return self._by_name(reference) if empty is None else empty

    def has_path(self, dotted: str) -> bool:
        """Whether a dotted name begins with that of a module in a package, or of a module and what it binds."""
        module, rest = self._split(dotted)
        return module is not None and ("." in module.name or module.binds(rest[0]) or dotted in self._modules)

    def _absolute(self, target: str, *, is_module: bool) -> Resolution | None:
        """What a whole dotted name means; None where it means nothing."""
        module, rest = self._split(target)
        found = self._in_module(module, rest, set()) if module is not None and not is_module else None
        if found is None and target in self._modules and (is_module or "." in target):
            return self._whole(self._modules[target])
        return found

    def _whole(self, module: PythonModule) -> Resolution:
        """What the name of a module means: its file, unless that is one of a package's many."""
        if module.name in self._packages:
            return Resolution("package")
        return Resolution("module", module.path) if module.has_content else Resolution("empty module")

    def _split(self, target: str) -> tuple[PythonModule | None, Sequence[str]]:
        """The module with the longest name that begins a dotted name, and the parts that follow: at least one."""
        parts = target.split(".")
        for length in range(len(parts) - 1, 0, -1):
            module = self._modules.get(".".join(parts[:length]))
            if module is not None:
                return module, tuple(parts[length:])
        return None, tuple(parts)

    def _in_module(self, module: PythonModule, parts: Sequence[str], steps: _Steps) -> Resolution | None:
        """What a name means in a module: a definition, an import, a module below it, or a variable."""
        if (module.path, parts) in steps:
            return None
        steps.add((module.path, parts))
        if parts[0] in module.definitions:
            return self._in_class(module, parts, steps)
        for source in _sources(module, parts[0]):
            found = self._follow(source, parts[1:], steps)
            if found is not None:
                return found if found.outcome != "definition" else Resolution("import", found.path)
        below = self._modules.get(f"{module.name}.{parts[0]}")
        if below is not None:
            return self._in_module(below, parts[1:], steps) if parts[1:] else self._whole(below)
        return Resolution("definition", module.path) if ".".join(parts) in module.assignments else None

    def _follow(self, source: Imported, rest: Sequence[str], steps: _Steps) -> Resolution | None:
        """What is behind an import; a module can be what is imported."""
        if source.name is None:
            module = self._modules.get(source.module)
            return None if module is None or not rest else self._in_module(module, rest, steps)
        module = self._modules.get(source.module)
        return None if module is None else self._in_module(module, (source.name, *rest), steps)

    def _in_class(self, module: PythonModule, parts: Sequence[str], steps: _Steps) -> Resolution | None:
        """What a name means that begins with a definition: itself, or a member that the class or a base has."""
        if module.defines(".".join(parts)):
            return Resolution("definition", module.path)
        for length in range(len(parts) - 1, 0, -1):
            for base in module.bases.get(".".join(parts[:length]), ()):
                found = self._in_module(module, (*base.split("."), *parts[length:]), steps)
                if found is not None:
                    return Resolution("inherited", found.path)
        return None

    def _by_name(self, reference: Reference) -> Resolution:
        """What the only definition of a name means: below the module that it names, or else in the whole project."""
        module, parts = self._split(reference.target)
        described = [self._modules[scope] for scope in reference.scopes if scope in self._modules]
        owners = (self._owners.get(".".join(parts)) or self._owners.get(parts[0], [])) if reference.by_name else []
        if module is not None:
            owners = [owner for owner in owners if _is_below(owner, module) and not module.binds(parts[0])]
        elif len(owners) > 1:
            near = [owner for owner in owners if any(_is_below(owner, one) for one in described)]
            owners = near if len(near) == 1 else owners
        if len(owners) == 1:
            found = self._in_class(owners[0], parts, set())
            return Resolution("undefined") if found is None else Resolution("only name", found.path)
        if owners:
            return Resolution("ambiguous")
        is_known = module is not None or any(one.binds(parts[0]) for one in described)
        is_external = not is_known and (len(parts) > 1 or reference.is_module or parts[0] in _BUILTINS)
        return Resolution("external" if is_external else "undefined")


def _sources(module: PythonModule, name: str) -> Iterator[Imported]:
    """Where a name of a module may come from."""
    if name in module.imports:
        yield module.imports[name]
    if not name.startswith("_"):
        yield from (Imported(source, name) for source in module.star_imports)


def _is_below(owner: PythonModule, module: PythonModule) -> bool:
    """Whether a file lies in the folder of a module."""
    return PurePosixPath(owner.path).is_relative_to(PurePosixPath(module.path).parent)
