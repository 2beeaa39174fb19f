"""The small benchmark as a release: in folders, and as the archive that is published."""

from __future__ import annotations

import hashlib
import io
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

from tests.small_benchmark import SmallBenchmark

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

IDENTITY = "v2_small"


def write_folders(small: SmallBenchmark, data: Path, identity: str = IDENTITY) -> Path:
    """`benchmark/ID` and `corpus/ID` below `data`; returns `data`."""
    samples = data / "benchmark" / identity / "samples.jsonl"
    samples.parent.mkdir(parents=True)
    samples.write_bytes(small.samples.read_bytes())
    (samples.parent / "trace2code.jsonl").write_bytes(small.samples.read_bytes().splitlines(keepends=True)[1])
    for file in small.corpus.rglob("*.chunks.jsonl"):
        copy = data / "corpus" / identity / file.relative_to(small.corpus)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
    (data / "corpus" / identity / "corpus_manifest.jsonl").write_text("")
    return data


def write_archive(path: Path, members: Mapping[str, bytes]) -> Path:
    """A `*.tar.zst` of the members, in their order."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(zstd.compress(packed.getvalue()))
    return path


def members_of(data: Path) -> dict[str, bytes]:
    """The files below a folder, by their names in an archive."""
    files = sorted(path for path in data.rglob("*") if path.is_file())
    return {path.relative_to(data).as_posix(): path.read_bytes() for path in files}


def write_checksum(archive: Path, digest: str | None = None) -> Path:
    """The file that is published beside an archive."""
    beside = archive.with_name(f"{archive.name}.sha256")
    digest = digest or hashlib.sha256(archive.read_bytes()).hexdigest()
    beside.write_text(f"{digest}  releases/{archive.name}\n", encoding="utf-8")
    return beside
