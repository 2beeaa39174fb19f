"""Samples files in, samples out: the digest, the checks across rows, the rows that cannot be scored."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_retrieval_bench.benchmarks import agent_retrieval_bench, contextbench, jsonl
from pytest_retrieval_bench.errors import SamplesError
from pytest_retrieval_bench.model import Sample

_BENCHMARKS = (contextbench, agent_retrieval_bench)


@dataclass(frozen=True, slots=True)
class SamplesFile:
    """One file: its samples in order, positives without gold included, and the SHA-256 of its bytes."""

    path: Path
    samples: tuple[Sample, ...]
    sha256: str


def read_samples(paths: Iterable[Path]) -> tuple[SamplesFile, ...]:
    """Reads samples files and directories in order; every row is checked.

    Raises SamplesError, naming file, line and member, for what breaks the format, and for two rows of one id.
    """
    files = []
    seen: dict[str, str] = {}
    for path in _files(paths):
        data = jsonl.read_bounded(path)
        samples = []
        for number, row in jsonl.rows(data, path):
            where = f"{path}:{number}"
            benchmark = next(benchmark for benchmark in _BENCHMARKS if benchmark.recognises(row))
            sample = benchmark.sample_of(row, where)
            if sample.id in seen:
                raise SamplesError(f"{where}: the id {sample.id[:80]!r} was used before, at {seen[sample.id]}")
            seen[sample.id] = where
            samples.append(sample)
        files.append(SamplesFile(path, tuple(samples), hashlib.sha256(data).hexdigest()))
    return tuple(files)


def samples_sha256(files: Sequence[SamplesFile]) -> str:
    """The digest of all input: of one file its own, of several SHA-256 over their hex digests, one a line."""
    return _joined([file.sha256 for file in files])


def samples_sha256_now(files: Sequence[SamplesFile]) -> str:
    """The digest of what the same files hold by now.

    Raises SamplesError for a file that can no longer be read.
    """
    return _joined([hashlib.sha256(jsonl.read_bounded(file.path)).hexdigest() for file in files])


def _joined(digests: Sequence[str]) -> str:
    return (
        digests[0] if len(digests) == 1 else hashlib.sha256("".join(f"{one}\n" for one in digests).encode()).hexdigest()
    )


def _files(paths: Iterable[Path]) -> list[Path]:
    """The files to read; a directory stands for its `samples.jsonl`, or else for its `*.jsonl` in name order."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            whole = path / "samples.jsonl"
            listed = [whole] if whole.is_file() else sorted(path.glob("*.jsonl"))
            if not listed:
                raise SamplesError(f"{path}: the directory has no *.jsonl file")
            files += listed
        else:
            files.append(path)
    seen = set[Path]()
    for path in files:
        if path.resolve() in seen:
            raise SamplesError(f"{path}: the samples file is given twice")
        seen.add(path.resolve())
    return files
