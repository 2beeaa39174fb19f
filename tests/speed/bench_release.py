"""A release archive streamed through the plugin's reader, against decompressing and parsing it.

    RB_SPEED_GB=1 pytest tests/speed/bench_release.py

Ratio wanted: at most 1.5 of the base, without a kept list of contents.
"""

from __future__ import annotations

import io
import os
import sys
import tarfile
from pathlib import Path

import orjson
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from pytest_retrieval_bench.snapshots.store import SnapshotKey, SnapshotStore
from tests.speed.corpus import write_large_corpus

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

pytestmark = pytest.mark.benchmark(group="a release archive, once", min_rounds=1, max_time=1, warmup=False)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    write_large_corpus(folder, int(float(os.environ.get("RB_SPEED_GB", "0.4")) * 1e9))
    path = folder / "release.tar.zst"
    with zstd.open(path, "wb") as stream, tarfile.open(fileobj=stream, mode="w|") as packed:
        packed.add(folder / "corpus", "corpus/v2_large")
    return path


@pytest.fixture(scope="module")
def snapshots(archive: Path) -> list[SnapshotKey]:
    files = (archive.parent / "corpus").rglob("*.chunks.jsonl")
    return [(file.parent.name.replace("__", "/"), file.name.partition(".")[0]) for file in files]


def test_the_base(benchmark: BenchmarkFixture, archive: Path) -> None:
    def run() -> int:
        with zstd.ZstdFile(archive) as stream, tarfile.open(fileobj=stream, mode="r|") as packed:
            members = (packed.extractfile(entry) for entry in packed if entry.isreg())
            return sum(len(orjson.loads(line)) for member in members for line in member or io.BytesIO())

    assert benchmark(run) > 0


def test_the_reader(benchmark: BenchmarkFixture, archive: Path, snapshots: list[SnapshotKey]) -> None:
    def run() -> int:
        store = SnapshotStore(archive, {})
        ordered = sorted(snapshots, key=lambda key: store.place(*key))
        return sum(len(store.open(*key).paths) for key in ordered)

    assert benchmark(run) == 1500 * len(snapshots)
