"""Corpora for benchmarks: the real one that `RB_REAL` names, or one made from this Python's standard library."""

from __future__ import annotations

import json
import os
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from pytest_retrieval_bench.snapshots.chunk_file import ChunkFile

REPO, COMMIT = "standard/library", "0" * 40


def real_folder() -> Path | None:
    """The folder with `samples.jsonl` and `corpus/`, see `tests/real`."""
    return Path(os.environ["RB_REAL"]) if os.environ.get("RB_REAL") else None


def library_files(count: int, total: int) -> Iterator[tuple[str, str]]:
    """`count` texts of about `total` characters together, with paths; sources repeat when there are not enough."""
    library = Path(sysconfig.get_path("stdlib"))
    sources = [path for path in sorted(library.rglob("*.py")) if "site-packages" not in path.parts]
    for number in range(count):
        path = sources[number % len(sources)]
        text = path.read_text(encoding="utf-8", errors="replace")[: total // count]
        padding = f"# copy_{number}\n" if number >= len(sources) else ""
        yield f"v{number // len(sources)}/{path.relative_to(library).as_posix()}", padding + text


def library_snapshot(folder: Path, count: int = 1500, total: int = 10_000_000) -> ChunkFile:
    """One snapshot of `count` files and about `total` characters, as a chunk file."""
    path = folder / REPO.replace("/", "__") / f"{COMMIT}.chunks.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as stream:
        for name, text in library_files(count, total):
            stream.write(json.dumps({"kind": "file", "path": name, "text": text}) + "\n")
    return ChunkFile(REPO, COMMIT, path)
