"""Which members of an archive are samples, and which are chunk files."""

from __future__ import annotations

from pathlib import Path

from pytest_retrieval_bench.errors import ReleaseError
from pytest_retrieval_bench.releases.archive import Archive
from pytest_retrieval_bench.releases.layout import CORPUS, SAMPLES

_SHOWN = 5


def archived_samples(archive: Archive) -> list[Path]:
    """The samples files in an archive, as paths below its own: `samples.jsonl`, or else each `*.jsonl` by name.

    Raises ReleaseError where there is none, or more than one folder of them.
    """
    names = [name for name in archive.contents() if name.startswith(f"{SAMPLES}/") and name.endswith(".jsonl")]
    folders = sorted({name.rpartition("/")[0] for name in names})
    if len(folders) != 1:
        found = ", ".join(folders[:_SHOWN]) or "none"
        raise ReleaseError(f"{archive.path}: holds not one folder {SAMPLES}/ID with samples (found {found})")
    whole = f"{folders[0]}/samples.jsonl"
    return [archive.path / name for name in ([whole] if whole in names else sorted(names))]


def archived_chunk_file(archive: Archive, repo: str, commit: str) -> str | None:
    """The name of the chunk file of a snapshot in an archive; None where there is none.

    Raises ReleaseError where there are several.
    """
    end = f"/{repo.replace('/', '__')}/{commit}.chunks.jsonl"
    found = [name for name in archive.contents() if name.startswith(f"{CORPUS}/") and name.endswith(end)]
    if len(found) > 1:
        raise ReleaseError(f"{archive.path}: holds {repo} at {commit} {len(found)} times: {', '.join(found[:_SHOWN])}")
    return found[0] if found else None
