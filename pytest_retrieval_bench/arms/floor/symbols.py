"""`symbols`: files that define what the question names (MINDEX 12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from pytest_retrieval_bench.arms.evidence import Evidence, Reasons
from pytest_retrieval_bench.builders.identifiers.extract import identifiers_of
from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.index.per_snapshot import PerSnapshot
from pytest_retrieval_bench.model import Answer, Json, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

SYMBOLS: Final = "symbols"
_MAX_FILE_BYTES = 2**20
_EXACT, _PREFIX = 1.0, 0.5


@dataclass(frozen=True, slots=True)
class _Definitions:
    """The names that each file defines, without what they stand in, and how many of them there are."""

    names: Mapping[str, frozenset[str]]
    counts: Mapping[str, int]


class SymbolLookup:
    """Ranks the files that define names of the question: 1 for a name, 1/2 for one that another one begins with.

    Names are those of `build ident`; of a dotted one the last part counts. Python is read by its own syntax tree, C,
    C++, JavaScript and TypeScript by tree-sitter. Ties by how much a file defines, then by path.
    """

    name = SYMBOLS
    timeout_s: float | None = None
    prepare_timeout_s: float | None = None

    def __init__(self) -> None:
        if find_spec("tree_sitter") is None:
            raise SettingsError(f"{SYMBOLS}: it needs pip install 'pytest-retrieval-bench[build]'")
        self._definitions = PerSnapshot(_definitions)

    def describe(self) -> dict[str, Json]:
        """What the registration binds the arm to."""
        return {"kind": SYMBOLS}

    def prepare(self, snapshot: Snapshot) -> None:
        """Reads what the files of the snapshot define."""
        self._definitions.of(snapshot)

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """The files that define a name of the question; none where it names nothing that is defined."""
        found, asked = self._definitions.of(snapshot), names_of(query)
        points = {path: sum(one for _, one in _matches(asked, names)) for path, names in found.names.items()}
        ranking = sorted(
            (path for path in points if points[path]), key=lambda path: (-points[path], -found.counts[path], path)
        )
        return Answer(ranking, [points[path] for path in ranking])

    def explain(self, query: Query, snapshot: Snapshot, answer: Answer, paths: Sequence[str]) -> Reasons:
        """The names that each file defines, with the points that they give."""
        found, asked = self._definitions.of(snapshot), names_of(query)
        return {
            path: [Evidence(name, adds=point) for name, point in _matches(asked, found.names.get(path, frozenset()))]
            for path in paths
        }


def names_of(query: Query) -> list[str]:
    """The names of the question, of dotted ones the last part, each once."""
    return list(dict.fromkeys(name.rpartition(".")[2] for name in identifiers_of(query.plain)))


def _matches(asked: Sequence[str], defined: frozenset[str]) -> list[tuple[str, float]]:
    found = []
    for name in asked:
        if name in defined:
            found.append((name, _EXACT))
        elif any(other.startswith(name) for other in defined):
            found.append((name, _PREFIX))
    return found


def _definitions(snapshot: Snapshot) -> _Definitions:
    from pytest_retrieval_bench.builders.docs.symbols.grammars import language_of
    from pytest_retrieval_bench.builders.docs.symbols.table import SymbolTable, is_python

    sources = [path for path in snapshot.paths if is_python(path) or language_of(path) is not None]
    wanted = [path for path in sources if (snapshot.size(path) or 0) <= _MAX_FILE_BYTES]
    table = SymbolTable(((path, snapshot.read(path)) for path in wanted), wanted)
    names = {path: frozenset(name.rpartition(".")[2] for name in found) for path, found in table.names.items()}
    return _Definitions(names, Counter({path: len(found) for path, found in table.names.items()}))
