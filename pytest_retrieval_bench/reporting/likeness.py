"""Whether two reports may be compared: the same questions, gold, snapshots and metrics, by what the reports tell."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pytest_retrieval_bench.model import LEXICAL_ARMS
from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.load import Report
from pytest_retrieval_bench.reporting.paired_runs import TOLERANCE, pairs_of
from pytest_retrieval_bench.text.visible import visible

# Scores of lines and files read the snapshot too; the others follow from the answer and the gold.
_OF_CONTENT = "cb_"
_OF_SAMPLE = {
    "task_type": "the task type",
    "repo": "the repository",
    "base_commit": "the snapshot's commit",
    "stratum": "the stratum",
    "partition": "the fold",
    "gold": "the gold",
    "given": "the given files",
}
_NAMED = 5
_SCORE_TOLERANCE = 2e-6  # top scores are kept to six decimals


def differences(old: Report, new: Report) -> list[str]:
    """What keeps two reports from being compared, in words; nothing where they are over the same.

    The content of snapshots is told by the digests in the registrations; where there are none, by ContextBench's line
    scores and by the lexical arms, which depend on nothing but question and snapshot in one version of the plugin.
    """
    return list(_differences(old, new))


def _differences(old: Report, new: Report) -> Iterator[str]:
    for member, words in (("samples_sha256", "the samples"), ("limit", "the limit")):
        values = old.data[member], new.data[member]
        if values[0] != values[1]:
            yield f"{words} ({values[0]} and {values[1]})"
    pairs = pairs_of(old, new)
    for member, words in _OF_SAMPLE.items():
        yield from _listed(words, [row["id"] for before, row in pairs if before[member] != row[member]])
    same_plugin = _plugin(old) is not None and _plugin(old) == _plugin(new)
    contents = dict.fromkeys(_unlike_snapshots(old, new))
    metrics: dict[str, list[str]] = {}
    for before, row in pairs:
        for arm in _answered(before, row):
            unlike = set(_unlike_metrics(before, row, arm))
            for name in sorted(name for name in unlike if not name.startswith(_OF_CONTENT)):
                metrics.setdefault(name, []).append(row["id"])
            witness = same_plugin and arm in LEXICAL_ARMS
            if (witness and not _same_with_score(before, row, arm)) or any(
                name.startswith(_OF_CONTENT) for name in unlike
            ):
                contents[f"{row['repo']}@{row['base_commit'][:12]}"] = None
    yield from _listed("the content of the snapshots", list(contents), "snapshot")
    for name, ids in metrics.items():
        yield from _listed(f"the meaning of {visible(name)}", ids)


def _unlike_snapshots(old: Report, new: Report) -> Iterator[str]:
    """The snapshots whose digests differ; a directory and a chunk file have no digest in common."""
    before, now = (report.data["registration"].get("snapshots", {}) for report in (old, new))
    for name in sorted(before.keys() & now.keys()):
        same_kind = before[name].partition(":")[0] == now[name].partition(":")[0]
        if same_kind and before[name] != now[name]:
            repo, _, commit = name.rpartition("@")
            yield f"{repo}@{commit[:12]}"


def _plugin(report: Report) -> str | None:
    digest: str | None = report.data["registration"].get("plugin", {}).get("sha256")
    return digest


def _answered(before: Row, row: Row) -> Iterable[str]:
    """The arms that gave an answer in both."""
    both = before["arms"].keys() & row["arms"].keys()
    return sorted(arm for arm in both if "error" not in before["arms"][arm] and "error" not in row["arms"][arm])


def _answer(row: Row, arm: str) -> tuple[Any, ...]:
    answer = row["arms"][arm]
    return answer["ranked"], answer["abstained"]


def _same_with_score(before: Row, row: Row, arm: str) -> bool:
    scores = before["arms"][arm].get("top_score", 0), row["arms"][arm].get("top_score", 0)
    return _answer(before, arm) == _answer(row, arm) and math.isclose(*scores, rel_tol=0, abs_tol=_SCORE_TOLERANCE)


def _unlike_metrics(before: Row, row: Row, arm: str) -> Iterator[str]:
    """The metrics that one lacks, and those that score one answer in two ways."""
    first: Mapping[str, float] = before["metrics"][arm]
    second: Mapping[str, float] = row["metrics"][arm]
    yield from first.keys() ^ second.keys()
    if _answer(before, arm) == _answer(row, arm):
        for name in first.keys() & second.keys():
            if not math.isclose(first[name], second[name], rel_tol=0, abs_tol=TOLERANCE):
                yield name


def _listed(words: str, found: list[str], noun: str = "sample") -> Iterator[str]:
    if found:
        named = ", ".join(map(visible, found[:_NAMED]))
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        yield f"{words} ({len(found)} {noun}{'' if len(found) == 1 else 's'}: {named}{more})"
