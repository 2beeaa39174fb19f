"""The reasons that a packet of corvint gives for the files in it, as far as it gives any."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import orjson

from pytest_retrieval_bench.arms.evidence import Evidence
from pytest_retrieval_bench.model import Answer

_ABOUT_ROWS = ("authority", "confidence")


def packet_evidence(answer: Answer) -> dict[str, list[Evidence]]:
    """By path, what the packet says for it, in its order; nothing where there is no packet."""
    found = defaultdict[str, list[Evidence]](list)
    printed = answer.invocations[-1].stdout if answer.invocations else None
    if answer.error is None and printed is not None:
        for path, words in _reasons(orjson.loads(printed)):
            found[path].append(Evidence(words))
    return dict(found)


def _reasons(packet: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The paths of a packet that an arm could read, each with a reason in words."""
    for result in (packet.get("context") or packet).get("results") or ():
        score = None if result.get("score") is None else f"score {result['score']}"
        kind = ", ".join(str(part) for part in (result.get("kind"), score) if part)
        rows = [row for row in result.get("evidence") or () if row.get("path")]
        for row in rows or ([{"path": result["id"]}] if result.get("id") else []):
            reason = row.get("reason") or result.get("summary")
            about = [f"line {row['line']}"] if row.get("line") else []
            about += [str(row[name]) for name in _ABOUT_ROWS if row.get(name)]
            words = ": ".join(str(part) for part in (kind, reason) if part) or "listed"
            yield str(row["path"]), f"{words} ({', '.join(about)})" if about else words
    for unit in (packet.get("plan") or {}).get("selected") or ():
        witness = unit.get("witness") or {}
        words = " ".join(str(part) for part in (unit.get("unitId"), witness.get("kind")) if part) or "listed"
        for test in unit.get("tests") or ():
            yield str(test), words
