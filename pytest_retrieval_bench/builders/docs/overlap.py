"""How much a question says of its gold: the words that they share, and names that give it away (MINDEX 4.7)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Literal

Bucket = Literal["obvious", "mixed", "non-obvious"]

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"[a-z0-9]+")
_SHORTEST = 4
_OBVIOUS, _MIXED = 0.25, 0.10


def lexical_overlap(question: str, gold: Mapping[str, frozenset[str]]) -> float:
    """The share of the question's words of four characters and more that stand in the paths and names of its gold.

    `gold` has the names that each file defines.
    """
    asked = {word for word in _words([question]) if len(word) >= _SHORTEST}
    known = _words(PurePosixPath(path).with_suffix("").as_posix() for path in gold)
    known |= _words(name for names in gold.values() for name in names)
    return len(asked & known) / len(asked) if asked else 0.0


def bucket(overlap: float) -> Bucket:
    """How much of it is a matter of words."""
    return "obvious" if overlap >= _OBVIOUS else "mixed" if overlap >= _MIXED else "non-obvious"


def leaks(question: str, gold: Sequence[str], symbols: Iterable[str]) -> dict[str, bool]:
    """Whether the question has a gold file's path, its name, its path as a dotted name, or a symbol of the gold."""
    dotted = [PurePosixPath(path).with_suffix("").as_posix().replace("/", ".") for path in gold]
    return {
        "leaks_gold_path": any(path in question for path in gold),
        "leaks_gold_basename": any(PurePosixPath(path).name in question for path in gold),
        "leaks_gold_module": any(name in question for name in dotted if "." in name),
        "leaks_gold_symbol": any(re.search(rf"\b{re.escape(symbol)}\b", question) for symbol in symbols),
    }


def _words(texts: Iterable[str]) -> set[str]:
    """The words of texts: `snake_case` and `CamelCase` are two each."""
    return {word for text in texts for word in _WORD.findall(_HUMP.sub(" ", text).lower())}
