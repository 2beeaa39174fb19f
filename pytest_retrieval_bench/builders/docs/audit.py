"""Instances for a person to read: nothing else finds a question that its gold does not answer."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pytest_retrieval_bench.text.visible import visible

_WIDTH = 110
_LONGEST = 2_000


def audit_text(rows: Sequence[dict[str, Any]], count: int, seed: int) -> str:
    """At most `count` of the rows, chosen by `seed`, in their order: question, gold, and why it is gold."""
    chosen = sorted(random.Random(seed).sample(range(len(rows)), min(count, len(rows))))
    return "\n".join(line for number in chosen for line in _lines(rows[number]))


def _lines(row: dict[str, Any]) -> Iterator[str]:
    told = row["metadata"]
    leaks = [name for name, leaking in told.items() if name.startswith("leaks_") and leaking]
    yield " ".join([visible(row["id"]), f"overlap {told['lexical_overlap']}", told["overlap_bucket"], *leaks])
    yield textwrap.indent(textwrap.fill(visible(row["query"]["text"], _LONGEST), _WIDTH), "  ")
    for path in row["gold"]["files"]:
        yield f"  gold {visible(path)}: {_told(one for one in told['references'] if one.get('file') == path)}"
    others = _told(one for one in told["references"] if "file" not in one)
    yield f"  not gold: {others}\n" if others else ""


def _told(references: Iterable[dict[str, Any]]) -> str:
    return visible(", ".join(f"{one['target']} ({one['outcome']})" for one in references), _LONGEST)
