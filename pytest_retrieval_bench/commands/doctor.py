"""`doctor`: what is wrong with samples and their corpus, and how hard the samples are, before anything is measured."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.arms.arb.corpus import Corpus
from pytest_retrieval_bench.arms.arb.filters import ALL_FILES
from pytest_retrieval_bench.arms.arb.lexical import Lexical
from pytest_retrieval_bench.benchmarks.read import samples_files
from pytest_retrieval_bench.doctor.entries import Entry, entries
from pytest_retrieval_bench.doctor.examine import Seen, diagnose
from pytest_retrieval_bench.doctor.table import table
from pytest_retrieval_bench.errors import SamplesError, SnapshotError
from pytest_retrieval_bench.index.cache import default_folder
from pytest_retrieval_bench.model import Sample
from pytest_retrieval_bench.releases.layout import is_archive
from pytest_retrieval_bench.reporting.terminal import counted
from pytest_retrieval_bench.scoring.arb.files import file_measures
from pytest_retrieval_bench.snapshots.store import SnapshotStore

_LIMIT = 20  # the ranker ranks all files, whatever the limit


def add(commands: Any) -> None:
    """Adds the command to a parser's sub-commands."""
    parser = commands.add_parser("doctor", help="what is wrong with samples and their corpus", description=__doc__)
    parser.add_argument("samples", type=Path, metavar="SAMPLES", help="a file, a folder or a release archive")
    parser.add_argument("corpus", type=Path, metavar="CORPUS", help="a folder of snapshots or a release archive")
    parser.add_argument("--all", action="store_true", help="show every finding, not the first five of each check")
    parser.add_argument("--rb-cache-dir", type=Path, metavar="DIR", help="the cache folder (default: the user's)")
    parser.set_defaults(run=run, refused=4)


def run(options: argparse.Namespace) -> int:
    """Prints what was found; 1 where something of it is fatal.

    Raises SamplesError or SnapshotError for samples or a corpus that cannot be read at all.
    """
    kept_in = options.rb_cache_dir or default_folder()
    files = [(path, read()) for path, read in samples_files([options.samples], kept_in)]
    listed = list(entries(files))
    if not listed:
        raise SamplesError(f"{options.samples}: holds no row")
    if not options.corpus.is_dir() and not is_archive(options.corpus):
        raise SnapshotError(f"{options.corpus}: is neither a folder of snapshots nor a release archive")
    store = SnapshotStore(options.corpus, {}, kept_in=kept_in)
    try:
        diagnosis = diagnose(listed, dict(_seen(listed, store)))
    finally:
        store.close()
    for line in table(diagnosis, whole=options.all):
        print(line)  # noqa: T201
    print(f"{counted(diagnosis.fatal, 'fatal finding')} in {counted(len(listed), 'row')}")  # noqa: T201
    return int(diagnosis.fatal > 0)


def _seen(listed: Sequence[Entry], store: SnapshotStore) -> Iterator[tuple[str, Seen]]:
    """What the snapshot of each sample says, by the place of its row.

    All files are looked for before any is ranked: each is one way through an archive, which cannot be read backwards.
    """
    found = [(entry.where, entry.sample) for entry in listed if entry.sample is not None]
    found.sort(key=lambda one: (store.place(*_snapshot(one[1])), _snapshot(one[1])))
    looked = [(where, sample, _look(sample, store)) for where, sample in found]
    lexical = Lexical("arb:lexical", Corpus(ALL_FILES))
    for where, sample, seen in looked:
        ranked = sample.gold and not seen.refusal and not seen.missing
        yield where, _rank(sample, store, lexical) if ranked else seen


def _snapshot(sample: Sample) -> tuple[str, str]:
    return sample.repo, sample.base_commit


def _look(sample: Sample, store: SnapshotStore) -> Seen:
    """Which gold files the snapshot lacks."""
    try:
        snapshot = store.open(*_snapshot(sample))
        return Seen(missing=tuple(path for path in sample.gold if snapshot.size(path) is None))
    except SnapshotError as error:
        return Seen(refusal=str(error))


def _rank(sample: Sample, store: SnapshotStore, lexical: Lexical) -> Seen:
    """How the ranker does on a sample whose gold is there."""
    try:
        answer = lexical.answer(sample.query, store.open(*_snapshot(sample)), _LIMIT)
    except SnapshotError as error:
        return Seen(refusal=str(error))
    return Seen(measures=file_measures(answer.ranking, sample.gold, ()) if answer.applicable else None)
