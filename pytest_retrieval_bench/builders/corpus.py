"""A commit of a local clone as the rows of a chunk file, as releases of Agent Retrieval Bench have them (ARB 1.2).

Files whose names Git quotes (not ASCII, not printable, a quotation mark or a backslash) have no rows: the releases'
own builder fails to read them, and a retriever that is compared on these rows must not see more than it did. They are
counted among what is left out. `--rb-git` reads the clone itself, where every file is there and whole.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pytest_retrieval_bench.builders.symbols import symbol_of
from pytest_retrieval_bench.snapshots.git_objects import Blob, list_blobs, read_blobs, tree_id

MAX_FILE_BYTES = 400_000
MAX_TEXT_CHARACTERS = 8_000
MAX_FILES = 20_000

_LOCK_FILES = frozenset(["package-lock.json", "pnpm-lock.yaml", "go.sum"])  # the others end in `.lock`
# Looked for anywhere in a path, so that `rebuild/` is left out too.
_GENERATED_PARTS = ("dist/", "build/", "vendor/", "third_party/", "node_modules/", "target/", ".tox/", ".venv/")
_GENERATED_ENDS = (".lock", ".min.js", ".map", ".snap", ".snapshot", ".pb.go", ".generated.go", ".g.cs")
_PICTURES = (".avif", ".bmp", ".gif", ".ico", ".jpeg", ".jpg", ".mp4", ".pdf", ".png", ".svg", ".webp")
_ARCHIVES = (".7z", ".bz2", ".gz", ".jar", ".tar", ".tgz", ".zip")
_FONTS = (".eot", ".otf", ".ttf", ".woff", ".woff2")
_PROGRAMS = (".bin", ".class", ".dll", ".dylib", ".exe", ".o", ".pyc", ".so", ".wasm")
_BINARY = frozenset([*_PICTURES, *_ARCHIVES, *_FONTS, *_PROGRAMS])


@dataclass(frozen=True, slots=True)
class Corpus:
    """A chunk file, how much it holds, and how many files it leaves out for which reason."""

    data: bytes
    files: int
    symbols: int
    left_out: Mapping[str, int]


def build_corpus(clone: Path, repo: str, commit: str) -> Corpus:
    """The chunk file of a repository (OWNER/NAME) at a commit, given by its whole id.

    Raises SnapshotError when the clone does not hold the commit with all its files.
    """
    listed = [blob for blob in list_blobs(clone, tree_id(clone, commit)) if is_wanted(blob.path.decode("latin-1"))]
    plain = [blob for blob in listed if not is_quoted(blob.path)]
    kept = [blob for blob in plain[:MAX_FILES] if blob.size <= MAX_FILE_BYTES]
    files = symbols = 0
    lines = []
    for path, content in _texts(clone, kept):
        rows = [_line(repo, commit, path, *row) for row in chunks(content)]
        lines += rows
        files, symbols = files + 1, symbols + len(rows) - 1
    left_out = {
        "with a name that Git quotes": len(listed) - len(plain),
        f"beyond the first {MAX_FILES}": len(plain) - len(plain[:MAX_FILES]),
        f"over {MAX_FILE_BYTES} bytes": len(plain[:MAX_FILES]) - len(kept),
        "empty or with a NUL byte": len(kept) - files,
    }
    return Corpus(b"".join(lines), files, symbols, left_out)


def is_wanted(path: str) -> bool:
    """Whether a release has files of this name: no lock file, nothing generated or vendored, nothing binary."""
    name = PurePosixPath(path)
    if name.name in _LOCK_FILES or path.endswith(_GENERATED_ENDS) or any(part in path for part in _GENERATED_PARTS):
        return False
    return name.suffix.lower() not in _BINARY


def is_quoted(path: bytes) -> bool:
    """Whether `git ls-tree` shows the path in quotation marks, unless it is told not to."""
    return not path.isascii() or not path.decode().isprintable() or b'"' in path or b"\\" in path


def chunks(content: str) -> Iterator[tuple[str, str, int, int, str]]:
    """The rows of a file, its own first: kind, symbol, first and last line from 1, text.

    A symbol ends before the next one begins, whether that lies inside it or not.
    """
    lines = content.splitlines()
    yield "file", "", 1, len(lines), shortened(content)
    named = ((number, symbol_of(line)) for number, line in enumerate(lines, 1))
    starts = [(number, name) for number, name in named if name is not None]
    ends = [number - 1 for number, _ in starts[1:]] + [len(lines)]
    for (first, name), last in zip(starts, ends, strict=False):
        yield "symbol", name, first, last, shortened("\n".join(lines[first - 1 : last]))


def shortened(text: str) -> str:
    """The text without white space at its ends, with LF line endings, cut after 8,000 characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return text if len(text) <= MAX_TEXT_CHARACTERS else f"{text[:MAX_TEXT_CHARACTERS].rstrip()}\n...[truncated]"


def _texts(clone: Path, blobs: list[Blob]) -> Iterator[tuple[str, str]]:
    """Path and content of those that hold text; a symlink holds its target."""
    for blob, content in zip(blobs, read_blobs(clone, blobs), strict=True):
        if content and b"\0" not in content:
            yield blob.path.decode(), content.decode("utf-8", "replace")


def chunk_id(repo: str, commit: str, path: str, kind: str, symbol: str, first: int, last: int) -> str:
    """A release's own name of a row."""
    identity = "\x1f".join((repo, commit, path, kind, symbol, str(first), str(last)))
    return hashlib.sha256(identity.encode()).hexdigest()[:24]


def _line(repo: str, commit: str, path: str, kind: str, symbol: str, first: int, last: int, text: str) -> bytes:
    row = {
        "chunk_id": chunk_id(repo, commit, path, kind, symbol, first, last),
        "repo": repo,
        "base_commit": commit,
        "path": path,
        "kind": kind,
        "symbol": symbol,
        "start_line": first,
        "end_line": last,
        "text": text,
    }
    return f"{json.dumps(row, ensure_ascii=False, sort_keys=True)}\n".encode()
