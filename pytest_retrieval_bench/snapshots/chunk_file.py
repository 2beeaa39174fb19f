"""A snapshot from a chunk file: a JSON row a file and a symbol, as benchmark releases ship them (PROTOCOL 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from blake3 import blake3

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.snapshots.chunk_row import ChunkRow
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

MAX_LINE_BYTES = 64 * 2**20
_BLOCK_BYTES = 2**20
_UNSAFE = "empty, absolute, leaves the tree or enters its .git"
_UNSAFE_PARTS = frozenset(["", ".", "..", ".git"])


class ChunkFile(Snapshot):
    """The files are the `kind: file` rows of a chunk file, which is read when the first question about it is asked.

    All rows are its chunks; these are read anew whenever they are asked for, and only then. The constructor asks
    nothing; every other member raises SnapshotError for a file that breaks the format.
    """

    def __init__(self, repo: str, commit: str, path: Path) -> None:
        super().__init__(repo, commit, str(path))
        self._path = path

    @property
    def _tree(self) -> dict[str, bytes]:
        if isinstance(self._loaded, SnapshotError):
            raise SnapshotError(str(self._loaded))
        return self._loaded

    @cached_property
    def _loaded(self) -> dict[str, bytes] | SnapshotError:
        """The tree, or the refusal, which is kept so that a large bad file is not read for each question anew."""
        try:
            return self._load()
        except SnapshotError as error:
            return error

    def _load(self) -> dict[str, bytes]:
        tree: dict[str, bytes] = {}
        unsafe = 0
        for path, text in self._file_rows():
            if is_safe(path):
                tree[path] = text.encode()
            else:
                unsafe += 1
        if unsafe:
            self.notes.append(f"left out {unsafe} file rows whose path is {_UNSAFE}")
        if not tree:
            found = f"its {unsafe} rows of kind `file` are all {_UNSAFE}" if unsafe else "no row of kind `file`"
            raise SnapshotError(f"{self._path}: {found}, so there is no tree to search")
        both = folders_of(tree) & tree.keys()
        if both:
            raise SnapshotError(f"{self._path}: {min(both)!r} is a file and also the folder of another")
        return dict(sorted(tree.items()))

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(self._tree)

    def digest(self) -> str:
        """The BLAKE3 digest of the file's bytes, as `b3sum` prints it."""
        digest = blake3()
        try:
            with self._open() as stream:
                while block := stream.read(_BLOCK_BYTES):
                    digest.update(block)
        except OSError as error:
            raise SnapshotError(f"{self._path}: cannot be read: {error.strerror or error}") from error
        return digest.hexdigest()

    def _open(self) -> BinaryIO:
        """The file's bytes, from their beginning."""
        return self._path.open("rb")

    def size(self, path: str) -> int | None:
        content = self._tree.get(path)
        return None if content is None else len(content)

    def read(self, path: str) -> bytes:
        return self._tree[path]

    def chunks(self) -> Iterator[ChunkRow]:
        checked, safe = "", False
        for number, row in self._rows():
            read = row.get
            path, kind, text, symbol = read("path", ""), read("kind", ""), read("text", ""), read("symbol") or ""
            first, last, identity = read("start_line") or 0, read("end_line") or 0, read("chunk_id") or ""
            if not (type(path) is type(kind) is type(text) is type(symbol) is type(identity) is str):
                texts = "path, kind, symbol, text and chunk_id"
                raise SnapshotError(f"{self._path}:{number}: {texts} of a row must be strings")
            if not type(first) is type(last) is int:
                raise SnapshotError(f"{self._path}:{number}: start_line and end_line of a row must be whole numbers")
            if path != checked:  # the rows of a file stand together
                checked, safe = path, is_safe(path)
            if safe:
                yield ChunkRow(path, kind, symbol, text, first, last, identity)

    def _file_rows(self) -> Iterator[tuple[str, str]]:
        for number, row in self._rows():
            if row.get("kind") != "file":
                continue
            path, text = row.get("path", ""), row.get("text")
            if not isinstance(path, str) or not isinstance(text, str):
                raise SnapshotError(f"{self._path}:{number}: a file row needs the strings `path` and `text`")
            yield path, text

    def _rows(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows, with the numbers of their lines."""
        for number, line in self._lines():
            try:
                row = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise SnapshotError(f"{self._path}:{number}: not JSON: {error}") from error
            if not isinstance(row, dict):
                raise SnapshotError(f"{self._path}:{number}: a chunk row is a JSON object")
            yield number, row

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """The lines that hold something, with their numbers; one line at a time is in memory."""
        try:
            with self._open() as stream:
                number = 0
                while line := stream.readline(MAX_LINE_BYTES + 2):
                    number += 1
                    if len(line) - line.endswith(b"\n") > MAX_LINE_BYTES:
                        bound = MAX_LINE_BYTES >> 20
                        raise SnapshotError(f"{self._path}:{number}: the line is over {bound} MiB")
                    if number == 1:
                        line = line.removeprefix(b"\xef\xbb\xbf")
                    if line and not line.isspace():
                        yield number, line
        except OSError as error:
            raise SnapshotError(f"{self._path}: cannot be read: {error.strerror or error}") from error


def is_safe(path: str) -> bool:
    """Whether a path stays inside a tree and out of its Git directory, on any system that the tree is written to."""
    return not path.startswith("\\") and "\0" not in path and _UNSAFE_PARTS.isdisjoint(path.split("/"))


def folders_of(paths: Iterable[str]) -> set[str]:
    """Every folder that the paths pass through."""
    folders: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return folders
