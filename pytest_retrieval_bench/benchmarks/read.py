"""Samples files in, samples out: the digest, the checks across rows, the rows that cannot be scored."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pytest_retrieval_bench.benchmarks import agent_retrieval_bench, contextbench, jsonl
from pytest_retrieval_bench.errors import SamplesError
from pytest_retrieval_bench.model import Sample
from pytest_retrieval_bench.releases.archive import Archive
from pytest_retrieval_bench.releases.layout import is_archive, samples_folder
from pytest_retrieval_bench.releases.members import archived_samples

_BENCHMARKS = (contextbench, agent_retrieval_bench)

# A row, as it was read, and where it stands.
InForm = Callable[[jsonl.Row, str], jsonl.Row]


@dataclass(frozen=True, slots=True)
class SamplesFile:
    """One file: its samples in order, positives without gold included, the SHA-256 of its bytes, what reads it anew."""

    path: Path
    samples: tuple[Sample, ...]
    sha256: str
    read: Callable[[], bytes]


def as_it_is(row: jsonl.Row, where: str) -> jsonl.Row:
    """The row, which has a form that is known here."""
    return row


def read_samples(
    paths: Iterable[Path], kept_in: Path | None = None, in_form: InForm = as_it_is
) -> tuple[SamplesFile, ...]:
    """Reads samples files, directories and release archives in order; every row is checked.

    The list of an archive's contents is kept in the folder `kept_in`. `in_form` brings rows of another form into one
    that is known here.

    Raises SamplesError, naming file, line and member, for what breaks the format, and for two rows of one id.
    """
    files = []
    seen: dict[str, str] = {}
    for path, read in samples_files(paths, kept_in):
        data = read()
        samples = []
        for where, row in jsonl.rows(data, path):
            sample = sample_of(in_form(row, where), where)
            if sample.id in seen:
                raise SamplesError(f"{where}: the id {sample.id[:80]!r} was used before, at {seen[sample.id]}")
            seen[sample.id] = where
            samples.append(sample)
        files.append(SamplesFile(path, tuple(samples), hashlib.sha256(data).hexdigest(), read))
    return tuple(files)


def samples_sha256(files: Sequence[SamplesFile]) -> str:
    """The digest of all input: of one file its own, of several SHA-256 over their hex digests, one a line."""
    return _joined([file.sha256 for file in files])


def samples_sha256_now(files: Sequence[SamplesFile]) -> str:
    """The digest of what the same files hold by now.

    Raises SamplesError for a file that can no longer be read.
    """
    return _joined([hashlib.sha256(file.read()).hexdigest() for file in files])


def _joined(digests: Sequence[str]) -> str:
    return (
        digests[0] if len(digests) == 1 else hashlib.sha256("".join(f"{one}\n" for one in digests).encode()).hexdigest()
    )


def sample_of(row: jsonl.Row, where: str) -> Sample:
    """The sample of a row of any benchmark.

    Raises SamplesError, naming `where` and the member, for what breaks the format.
    """
    benchmark = next(benchmark for benchmark in _BENCHMARKS if benchmark.recognises(row))
    sample: Sample = benchmark.sample_of(row, where)
    return sample


def samples_files(paths: Iterable[Path], kept_in: Path | None = None) -> Iterator[tuple[Path, Callable[[], bytes]]]:
    """The files to read, each with what reads it.

    A directory stands for its `samples.jsonl`, or else for its `*.jsonl` in name order; the list of an archive's
    contents is kept in the folder `kept_in`. Raises SamplesError for a file that is not there or is given twice, as
    does the reading of one.
    """
    seen = set[Path]()
    for path, read in _listed(paths, kept_in):
        if path.resolve() in seen:
            raise SamplesError(f"{path}: the samples file is given twice")
        seen.add(path.resolve())
        yield path, read


def _listed(paths: Iterable[Path], kept_in: Path | None) -> Iterator[tuple[Path, Callable[[], bytes]]]:
    for given in paths:
        if is_archive(given):
            archive = Archive(given, kept_in)
            for path in archived_samples(archive):
                yield path, partial(_read_archived, archive, path)
            continue
        path = samples_folder(given)
        if not path.is_dir():
            yield path, partial(jsonl.read_bounded, path)
            continue
        whole = path / "samples.jsonl"
        listed = [whole] if whole.is_file() else sorted(path.glob("*.jsonl"))
        if not listed:
            raise SamplesError(f"{path}: the directory has no *.jsonl file")
        yield from ((file, partial(jsonl.read_bounded, file)) for file in listed)


def _read_archived(archive: Archive, path: Path) -> bytes:
    with archive.open(path.relative_to(archive.path).as_posix()) as stream:
        data = jsonl.bounded(stream, path)
    archive.close()
    return data
