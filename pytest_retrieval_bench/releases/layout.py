"""Where samples and corpora lie in a release: `benchmark/ID/` and `corpus/ID/`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pytest_retrieval_bench.errors import ReleaseError

SAMPLES, CORPUS = "benchmark", "corpus"
ARCHIVE = ".tar.zst"
_SHOWN = 5


def is_archive(path: Path) -> bool:
    """Whether a path names a release archive."""
    return path.name.endswith(ARCHIVE) and path.is_file()


def samples_folder(path: Path) -> Path:
    """The folder of samples that a path stands for: `benchmark/ID` of a release folder, else the path itself.

    Raises ReleaseError where a release folder has several.
    """
    return _only_release(path, SAMPLES)


def corpus_folder(path: Path) -> Path:
    """The folder of chunk files that a path stands for: `corpus/ID` of a release folder, else the path itself.

    Raises ReleaseError where a release folder has several.
    """
    return _only_release(path, CORPUS)


def release_places(data: Path, identity: str) -> tuple[Path, Path]:
    """Where the samples and the corpus of a release lie below a folder of data: unpacked, or else in its archive.

    Raises ReleaseError, naming the places looked at, where there is neither.
    """
    samples, corpora = data / SAMPLES / identity, data / CORPUS
    corpus = corpora / identity
    if samples.is_dir() and corpora.is_dir():
        return samples, corpus if corpus.is_dir() else corpora  # a list over the snapshots of several releases
    name = f"agent_retrieval_bench_{identity}{ARCHIVE}"
    archives = [data / "releases" / identity / name, data / name]
    for archive in archives:
        if is_archive(archive):
            return archive, archive
    looked = ", ".join(map(str, (samples, corpus, *archives)))
    raise ReleaseError(f"no release {identity} in {data}: looked for {looked}")


def _only_release(path: Path, part: str) -> Path:
    below = path / part
    if not below.is_dir():
        return path
    releases = sorted(folder for folder in below.iterdir() if folder.is_dir())
    if len(releases) != 1:
        raise ReleaseError(f"{below}: holds {len(releases)} releases ({_names(releases)}); name one of its folders")
    return releases[0]


def _names(folders: Iterable[Path]) -> str:
    return ", ".join(folder.name for folder in list(folders)[:_SHOWN]) or "none"
