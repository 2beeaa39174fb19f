"""Which files a file imports, as far as its lines tell: one reading for all languages (ARB 3.3)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

_KEYWORDS = ("import", "from", "require(", "#include", "use")
_IMPORT = re.compile(
    r"(?:^|\s)(?:"
    r"from\s+([A-Za-z0-9_\.]+)\s+import"
    r"|import\s+([A-Za-z0-9_\./:-]+)"
    r"|require\(\s*['\"]([^'\"]+)['\"]\s*\)"
    r"|from\s+['\"]([^'\"]+)['\"]"
    r"|import\s+['\"]([^'\"]+)['\"]"
    r"|#include\s+[<\"]([^>\"]+)[>\"]"
    r"|use\s+(?:crate::|super::)?([A-Za-z0-9_:]+)"
    r")"
)
_COMMENTS = ("//", "# ", "*")
_MAX_LINES, _MAX_IMPORTS, _MAX_TARGETS = 2000, 200, 8
_MAX_PARTS = 5
_INDEX_NAMES = ("", "/index", "/mod", "/__init__")

PathIndex = Mapping[str, Sequence[str]]


def imported(path: str, text: str, index: PathIndex) -> Iterator[str]:
    """The files that the text of a file imports, the file itself among them; a file as often as it is imported."""
    for name in _imports(text):
        yield from resolved(name, path, index)


def path_index(paths: Iterable[str]) -> PathIndex:
    """By the names under which code may import a file, in lower case: the files, in code point order.

    The names are the path without its suffix, its last two to five parts, and the file's own name.
    """
    index: defaultdict[str, set[str]] = defaultdict(set)
    for path in paths:
        pure = PurePosixPath(path)
        parts = str(pure.with_suffix("")).split("/")
        ends = [parts, *(parts[-width:] for width in range(2, min(_MAX_PARTS, len(parts)) + 1))]
        for name in {pure.name, pure.stem, *map("/".join, ends), *map(".".join, ends)}:
            index[name.lower()].add(path)
    return {name: sorted(found) for name, found in index.items()}


def resolved(name: str, path: str, index: PathIndex) -> list[str]:
    """The files that an import in the file `path` may mean, eight at most, in code point order."""
    name = name.strip().strip(";,")
    if name.startswith("."):
        target = _relative(name, PurePosixPath(path).parent)
        keys = [f"{target}{end}".lower() for end in _INDEX_NAMES] if target else []
    else:
        slashed = name.replace("::", "/").replace(".", "/").strip("/").lower()
        keys = [slashed, slashed.replace("/", ".")]
    return sorted({file for key in keys for file in index.get(key, ())})[:_MAX_TARGETS]


def _imports(text: str) -> list[str]:
    """What stands in the import of each line, as it is written."""
    if not any(map(text.__contains__, _KEYWORDS)):
        return []
    found = []
    for line in text.splitlines()[:_MAX_LINES]:
        # Most lines hold none of the words, and looking for a word is much faster than the expression.
        if any(map(line.__contains__, _KEYWORDS)) and not (stripped := line.strip()).startswith(_COMMENTS):
            found += [match[match.lastindex or 0] for match in _IMPORT.finditer(stripped)]
    return found[:_MAX_IMPORTS]


def _relative(name: str, folder: PurePosixPath) -> str:
    """The path, without suffix, that a name with leading dots means: a path, or a module of Python."""
    if "/" in name:
        pure = folder / name
        target = pure.with_suffix("") if pure.name not in ("", ".", "..") else pure
    else:
        module = name.lstrip(".")
        for _ in range(len(name) - len(module) - 1):
            folder = folder.parent
        target = folder.joinpath(*filter(None, module.split(".")))
    parts: list[str] = []
    for part in target.parts:
        if part == "..":
            del parts[-1:]
        else:
            parts.append(part)
    return "/".join(parts)
