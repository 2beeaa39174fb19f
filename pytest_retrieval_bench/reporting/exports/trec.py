"""A report as the TREC's run and qrels files, which ir_measures, ranx and trec_eval read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from pytest_retrieval_bench.reporting.details import Row

QRELS = "qrels.txt"
# Whatever is printable ASCII stays; white space separates columns, and `%` begins what is not there as it was.
_KEPT = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) != "%")
_NO_FILE_NAME = re.compile(r"[^A-Za-z0-9._-]")


def trec_files(report: Mapping[str, Any]) -> dict[str, bytes]:
    """By file name: `qrels.txt`, and `ARM.run` for each arm.

    Rankings are those that were scored: given files removed, cut at the limit. Scores are numbers from the ranking's
    length down to 1, so that no reader's rule for ties changes an order. A sample without gold is in no qrels; an empty
    answer and an error are in no run, which readers score as 0. An arm that did not measure every sample has its own
    `ARM.qrels.txt`. Ids and paths are written as in a URL where they hold white space, `%` or what is not ASCII.
    """
    rows = report["details"]
    files = {QRELS: _lines(_qrels(rows))}
    for arm, name in _file_names(report["arms"]).items():
        measured = [row for row in rows if arm in row["arms"]]
        files[f"{name}.run"] = _lines(_run(measured, arm))
        if len(measured) < len(rows):
            files[f"{name}.{QRELS}"] = _lines(_qrels(measured))
    return files


def _qrels(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        for path in row["gold"]:
            yield f"{_token(row['id'])} 0 {_token(path)} 1"


def _run(rows: Iterable[Row], arm: str) -> Iterator[str]:
    tag = _token(arm)
    for row in rows:
        ranked = row["arms"][arm]["ranked"]
        for rank, path in enumerate(ranked, start=1):
            yield f"{_token(row['id'])} Q0 {_token(path)} {rank} {len(ranked) + 1 - rank} {tag}"


def _file_names(arms: Iterable[str]) -> dict[str, str]:
    """By arm the beginning of a file's name, good on any system; numbers tell apart what would read the same."""
    names: dict[str, str] = {}
    for arm in arms:
        name = _NO_FILE_NAME.sub("_", arm)
        taken = {other.lower() for other in names.values()}
        number, unique = 1, name
        while unique.lower() in taken:
            number += 1
            unique = f"{name}-{number}"
        names[arm] = unique
    return names


def _token(text: str) -> str:
    return quote(text, safe=_KEPT, errors="surrogatepass")


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("ascii")
