"""Four questions of each sample, with one gold: its text, its identifiers, these mangled, and these with a first line.

Gold, commit and repository are the source's own, member for member; only what is asked differs.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pytest_retrieval_bench.benchmarks.jsonl import Row
from pytest_retrieval_bench.builders.identifiers.extract import identifiers_of
from pytest_retrieval_bench.builders.identifiers.mangle import mangled
from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.model import Json
from pytest_retrieval_bench.snapshots.git_commit import Clone, GitCommit

SEED: Final = 20260806
PROJECTIONS: Final = ("prose", "ident", "ident-mangled", "ident-intent")
# What the source's own text gives away says nothing of another text.
_OF_THE_TEXT = ("leaks_", "lexical_overlap", "overlap_")


@dataclass(frozen=True, slots=True)
class IdentifierBenchmark:
    """The rows, four a source, and how many sources there were, without an identifier, and without gold."""

    rows: tuple[Row, ...]
    sources: int
    without_identifiers: int
    without_gold: int


def build_identifiers(rows: Sequence[Row], clones: Mapping[str, Path], seed: int = SEED) -> IdentifierBenchmark:
    """The benchmark of the rows of a samples file whose questions are texts; equal rows and seeds give equal results.

    A row says whether its gold holds one of the identifiers, and in how few files the rarest of them occurs; `clones`
    are those of the repositories. Raises SnapshotError when a clone lacks a commit.
    """
    snapshots = _Snapshots(clones)
    made: list[Row] = []
    without_identifiers = without_gold = 0
    for number, row in enumerate(rows):
        text = _question(row)
        names = identifiers_of(text)
        if not _gold_files(row):
            without_gold += 1
        elif not names:
            without_identifiers += 1
        else:
            chance = random.Random(seed + number)
            about = {"n_idents": len(names), **snapshots.spread(row, names)}
            asked = _asked(text, names, chance)
            made += [_projected(row, projection, asked[projection], about) for projection in PROJECTIONS]
    return IdentifierBenchmark(tuple(made), len(rows), without_identifiers, without_gold)


def _question(row: Row) -> str:
    """The text that is asked; empty where the query is something else."""
    query = row.get("query")
    text = query.get("text") if isinstance(query, dict) else None
    return text if isinstance(text, str) else ""


def _asked(text: str, names: Sequence[str], chance: random.Random) -> dict[str, str]:
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return {
        "prose": text,
        "ident": " ".join(names),
        "ident-mangled": " ".join(mangled(name, chance) for name in names),
        "ident-intent": f"{' '.join(names)} {first}",
    }


def _projected(row: Row, projection: str, text: str, about: Mapping[str, Json]) -> Row:
    metadata = row.get("metadata")
    told: Row = metadata if isinstance(metadata, dict) else {}
    kept = {name: value for name, value in told.items() if not name.startswith(_OF_THE_TEXT)}
    return row | {
        "id": f"{row['id']}#{projection}",
        "task_type": projection,
        "query": {"text": text},
        "metadata": {**kept, "source_id": row["id"], "projection": projection, **about},
    }


def _gold_files(row: Row) -> list[str]:
    gold = row.get("gold")
    files = gold.get("files") if isinstance(gold, dict) else None
    return [path for path in files if isinstance(path, str)] if isinstance(files, list) else []


class _Snapshots:
    """Looks identifiers up in the files of commits; the last one stays open, since its neighbours share contents."""

    def __init__(self, clones: Mapping[str, Path]) -> None:
        self._clones = {repo: Clone(path) for repo, path in clones.items()}
        self._open: GitCommit | None = None

    def spread(self, row: Row, names: Iterable[str]) -> dict[str, Json]:
        """`ident_in_gold`, and `ident_df_min` where any of the names occurs; nothing without a clone."""
        repo, commit = str(row.get("repo")), str(row.get("base_commit"))
        if repo not in self._clones:
            return {}
        if self._open is None or (self._open.repo, self._open.commit) != (repo, commit):
            self._open = self._clones[repo].snapshot(repo, commit)
        contents = {path: self._open.read(path) for path in self._open.paths}
        gold = _gold_files(row)
        if any(path not in contents for path in gold):
            raise SnapshotError(f"{self._open.origin}: it lacks a gold file of {row['id']}")
        wanted = [name.encode() for name in names]
        counts = [sum(name in content for content in contents.values()) for name in wanted]
        found: dict[str, Json] = {"ident_in_gold": any(name in contents[path] for name in wanted for path in gold)}
        return found | ({"ident_df_min": min(filter(None, counts))} if any(counts) else {})
