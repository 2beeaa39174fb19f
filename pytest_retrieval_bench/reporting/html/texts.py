"""What a report does not hold and the page can show: the queries, and the first lines of the gold files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.model import Sample
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.snapshots.store import SnapshotStore

HEAD_LINES = 40
_LINE_CHARS, _QUERY_CHARS = 300, 20_000


@dataclass(frozen=True, slots=True)
class SampleTexts:
    """One sample's query as a person would paste it, its files that only look right, and the heads of its gold files.

    A head that cannot be had is None, and `why` says why.
    """

    query: str
    hard_negatives: tuple[str, ...] = ()
    heads: Mapping[str, str | None] = field(default_factory=dict)
    why: str = ""


def sample_texts(samples: Iterable[Sample], snapshots: SnapshotStore) -> dict[str, SampleTexts]:
    """The texts by sample id; snapshots are opened one after the other, so that few are held."""
    ordered = sorted(samples, key=lambda sample: (sample.repo, sample.base_commit))
    return {sample.id: _texts(sample, snapshots) for sample in ordered}


def _texts(sample: Sample, snapshots: SnapshotStore) -> SampleTexts:
    query, hard = _cut(sample.query.plain, _QUERY_CHARS), sample.hard_negatives
    if not sample.gold:
        return SampleTexts(query, hard)
    try:
        snapshot = snapshots.open(sample.repo, sample.base_commit)
        return SampleTexts(query, hard, {path: _head(snapshot, path) for path in sample.gold})
    except SnapshotError as error:
        return SampleTexts(query, hard, dict.fromkeys(sample.gold), str(error))


def _head(snapshot: Snapshot, path: str) -> str | None:
    """The first lines of a file; None where the snapshot has no such file."""
    if snapshot.size(path) is None:
        return None
    lines = snapshot.text(path).splitlines()[:HEAD_LINES]
    return "\n".join(_cut(line, _LINE_CHARS) for line in lines)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"
