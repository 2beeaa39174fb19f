"""The files of a commit that a benchmark is made of: documents, and sources that may define what they name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pytest_retrieval_bench.builders.docs.markup.sphinx_settings import SphinxSettings, read_sphinx_settings
from pytest_retrieval_bench.builders.docs.rules import DocsRules
from pytest_retrieval_bench.builders.docs.symbols.table import is_source
from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.snapshots.git_objects import Blob, list_blobs, read_blobs, tree_id
from pytest_retrieval_bench.text.globs import any_of

MAX_DOCUMENT_BYTES = 2**19
MAX_SOURCE_BYTES = 2**20
_DOCUMENT_FOLDERS = ("docs", "doc")


@dataclass(frozen=True, slots=True)
class Tree:
    """The regular files of a commit that are of use, in the order of their paths, and how many are left out and why."""

    clone: Path
    settings: SphinxSettings
    documents: tuple[Blob, ...]
    sources: tuple[Blob, ...]
    documents_left_out: Mapping[str, int]
    sources_left_out: Mapping[str, int]

    def read(self, blobs: Sequence[Blob]) -> Iterator[tuple[str, bytes]]:
        """Path and content of each.

        Raises SnapshotError when one can no longer be read.
        """
        for blob, content in zip(blobs, read_blobs(self.clone, blobs), strict=True):
            yield path_of(blob), content


def list_tree(clone: Path, rules: DocsRules) -> Tree:
    """The files of the commit that the rules name.

    Raises SettingsError for a folder that the commit does not have, SnapshotError when the clone lacks the commit.
    """
    blobs = [blob for blob in list_blobs(clone, tree_id(clone, rules.commit)) if blob.is_regular]
    folder = rules.docs or _document_folder(blobs)
    for name in (folder, *rules.sources):
        if not any(_is_in(path_of(blob), name) for blob in blobs):
            raise SettingsError(
                f"{name!r} is no folder of commit {rules.commit}; name one from the top of the repository"
            )
    settings = _settings(clone, blobs, folder)
    documents = [blob for blob in blobs if _is_in(path_of(blob), folder) and settings.markup_of(path_of(blob))]
    out = any_of(rules.exclude)
    wanted = [blob for blob in documents if not out.fullmatch(path_of(blob))]
    found = [
        blob for blob in blobs if is_source(path_of(blob)) and _is_of_sources(path_of(blob), rules.sources, folder)
    ]
    return Tree(
        clone=clone,
        settings=settings,
        documents=tuple(blob for blob in wanted if blob.size <= MAX_DOCUMENT_BYTES),
        sources=tuple(blob for blob in found if blob.size <= MAX_SOURCE_BYTES),
        documents_left_out={
            "excluded": len(documents) - len(wanted),
            "over 512 KiB": sum(blob.size > MAX_DOCUMENT_BYTES for blob in wanted),
        },
        sources_left_out={"over 1 MiB": sum(blob.size > MAX_SOURCE_BYTES for blob in found)},
    )


def path_of(blob: Blob) -> str:
    """The path of a file as text."""
    return blob.path.decode("utf-8", "replace")


def _document_folder(blobs: Sequence[Blob]) -> str:
    found = [name for name in _DOCUMENT_FOLDERS if any(_is_in(path_of(blob), name) for blob in blobs)]
    if len(found) == 1:
        return found[0]
    why = "has both a folder doc and a folder docs" if found else "has no folder doc or docs"
    raise SettingsError(f"--docs: the commit {why}; say which folder has the documentation")


def _settings(clone: Path, blobs: Sequence[Blob], folder: str) -> SphinxSettings:
    """Those of the outermost `conf.py`; there is none where the documentation is not Sphinx's."""
    found = [blob for blob in blobs if _is_in(path_of(blob), folder) and PurePosixPath(path_of(blob)).name == "conf.py"]
    if not found:
        return SphinxSettings()
    outermost = min(found, key=lambda blob: len(PurePosixPath(path_of(blob)).parts))
    (source,) = read_blobs(clone, [outermost])
    return read_sphinx_settings(source)


def _is_of_sources(path: str, sources: Sequence[str], documents: str) -> bool:
    return any(_is_in(path, folder) for folder in sources) if sources else not _is_in(path, documents)


def _is_in(path: str, folder: str) -> bool:
    return path.startswith(f"{folder.strip('/')}/") or folder in (".", "")
