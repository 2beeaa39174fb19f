"""Where files define a dotted name, in languages in which no file says what its own name is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from pytest_retrieval_bench.builders.docs.markup.section import Reference
from pytest_retrieval_bench.builders.docs.symbols.resolution import Outcome, Resolution

_Name = tuple[str, ...]


class NameTable:
    """The names that the files of one language define, by path; a reference may leave out a name's outer parts."""

    def __init__(self, names: Mapping[str, frozenset[str]]) -> None:
        self._by_last: dict[str, list[tuple[_Name, str]]] = defaultdict(list)
        for path, defined in names.items():
            for name in defined:
                parts = tuple(name.split("."))
                self._by_last[parts[-1]].append((parts, path))

    def resolve(self, reference: Reference) -> Resolution:
        """The only file that defines the name: where the reference stands, or else anywhere."""
        for outcome, paths in self._readings(reference):
            if len(paths) == 1:
                return Resolution(outcome, min(paths))
            if paths:
                return Resolution("ambiguous")
        return Resolution("undefined")

    def _readings(self, reference: Reference) -> Iterator[tuple[Outcome, set[str]]]:
        """The files that define what the reference may mean, the likeliest meaning first."""
        target = tuple(reference.target.split("."))
        known = self._by_last.get(target[-1], [])
        for scope in filter(None, reference.scopes):
            yield "definition", {path for name, path in known if _ends_with(name, (*scope.split("."), *target))}
        yield "definition", {path for name, path in known if name == target}
        if reference.by_name:
            yield "only name", {path for name, path in known if _ends_with(name, target)}
        if reference.language == "javascript":
            # Its documentation puts modules before names that no file has.
            yield "only name", {path for name, path in known if _ends_with(target, name)}


def _ends_with(name: _Name, end: _Name) -> bool:
    return name[-len(end) :] == end
