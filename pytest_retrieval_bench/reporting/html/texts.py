"""What a report does not hold and the page can show: the queries, and the first lines of the gold files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pytest_retrieval_bench.errors import SnapshotError, reason
from pytest_retrieval_bench.model import Sample
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.snapshots.store import SnapshotStore
from pytest_retrieval_bench.text.visible import visible

HEAD_LINES = 40
_LINE_CHARS, _QUERY_CHARS = 300, 20_000


@dataclass(frozen=True, slots=True)
class SampleTexts:
    """One sample's query as a person would paste it, its files that only look right, and the heads of its gold files.

    Texts are as a screen may show them. Heads that cannot be had are absent, and `why` says why.
    """

    query: str
    hard_negatives: tuple[str, ...] = ()
    heads: Mapping[str, str] = field(default_factory=dict)
    why: str = ""


def sample_texts(samples: Iterable[Sample], snapshots: SnapshotStore | None) -> dict[str, SampleTexts]:
    """The texts by sample id; without snapshots there are no heads.

    Snapshots are opened one after the other, so that few are held; the store is closed.
    """
    ordered = sorted(samples, key=lambda sample: (sample.repo, sample.base_commit))
    try:
        return {sample.id: _texts(sample, snapshots) for sample in ordered}
    finally:
        if snapshots is not None:
            snapshots.close()


def _texts(sample: Sample, snapshots: SnapshotStore | None) -> SampleTexts:
    query, hard = _shown(_cut(sample.query.plain), _QUERY_CHARS + 1), sample.hard_negatives
    if snapshots is None or not sample.gold:
        return SampleTexts(query, hard)
    try:
        snapshot = snapshots.open(sample.repo, sample.base_commit)
        heads = {path: _head(snapshot, path) for path in sample.gold if snapshot.size(path) is not None}
    except (SnapshotError, OSError) as error:
        return SampleTexts(query, hard, why=reason(error))
    return SampleTexts(query, hard, heads, "" if len(heads) == len(sample.gold) else "not in the snapshot")


def _cut(query: str) -> str:
    return query if len(query) <= _QUERY_CHARS else f"{query[:_QUERY_CHARS]}…"


def _head(snapshot: Snapshot, path: str) -> str:
    return _shown("\n".join(snapshot.text(path).splitlines()[:HEAD_LINES]), _LINE_CHARS)


def _shown(text: str, longest_line: int) -> str:
    return "\n".join(visible(line, longest_line, kept="\t") for line in text.splitlines())
