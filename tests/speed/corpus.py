"""Corpora for benchmarks: the real one that `RB_REAL` names, or one made from this Python's standard library."""

from __future__ import annotations

import json
import os
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from pytest_retrieval_bench.snapshots.chunk_file import ChunkFile
from tests.small_benchmark import ROWS

REPO, COMMIT = "standard/library", "0" * 40
SNAPSHOT_BYTES = 40_000_000


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


def write_large_corpus(folder: Path, size: int) -> None:
    """`samples.jsonl` and `corpus/` of `size` bytes: a sample a snapshot, a fifth of the files differing between two.

    A snapshot has 40 MB, file rows and symbol rows of three times their size, as releases have; there are four
    repositories.
    """
    samples = []
    files = list(library_files(1500, SNAPSHOT_BYTES // 4))
    for number in range(size // SNAPSHOT_BYTES):
        repo, commit = f"acme/repository-{number % 4}", f"{number:040x}"
        path = folder / "corpus" / repo.replace("/", "__") / f"{commit}.chunks.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8") as stream:
            for place, (name, text) in enumerate(files):
                changed = text if place % 5 else f"{text}\nchanged_in_{number}_{place} = {number}\n"
                stream.write(json.dumps({"kind": "file", "path": name, "text": changed}) + "\n")
                for _ in range(3):
                    stream.write(json.dumps({"kind": "symbol", "path": name, "text": text}) + "\n")
        samples.append({**ROWS[2], "id": str(number), "repo": repo, "base_commit": commit})
    (folder / "samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in samples))
