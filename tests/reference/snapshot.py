"""PROTOCOL 2, Snapshots: the tree of a chunk file, and what the lexical arms read of a tree."""

import json
from pathlib import Path

NEVER_READ = (".git", ".corvint", ".context-corvint")
READABLE_BOUND = 1024 * 1024
NUL_WINDOW = 8 * 1024


def no_constant(name: str) -> object:
    """Refuse NaN and Infinity, which are no JSON."""
    raise ValueError(f"{name} is not JSON")


def is_writable_path(path: str) -> bool:
    """Say whether a row's path may be written at all (PROTOCOL 2, chunk file)."""
    if path == "" or path.startswith(("/", "\\")):
        return False
    return not any(part in ("", ".", "..", ".git") for part in path.split("/"))


def folders(path: str) -> list[str]:
    """All folders above a path: a/b/c gives a and a/b."""
    parts = path.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts))]


def read_chunk_file(path: Path) -> dict[str, bytes]:
    """The tree of a chunk file, path to content (PROTOCOL 2, chunk file).

    Raises ValueError where the file is refused.
    """
    tree: dict[str, bytes] = {}
    file_rows = 0
    for line in path.read_bytes().decode("utf-8").split("\n"):
        if not line.strip():
            continue
        row = json.loads(line, parse_constant=no_constant)
        # A lone surrogate is bad JSON: UnicodeEncodeError, which is a ValueError.
        json.dumps(row, ensure_ascii=False).encode("utf-8")
        if row["kind"] != "file":
            continue
        file_rows += 1
        if not isinstance(row["text"], str):
            raise ValueError(f"{path}: the text of {row['path']!r} is no string")
        if is_writable_path(row["path"]):
            tree[row["path"]] = row["text"].encode("utf-8")
    if file_rows == 0:
        raise ValueError(f"{path}: no file row at all")
    for file in tree:
        for folder in folders(file):
            if folder in tree:
                raise ValueError(f"{path}: {folder!r} is a file and the folder of {file!r}")
    return tree


def is_readable(path: str, content: bytes) -> bool:
    """Say whether the lexical arms read this file (PROTOCOL 2, last point)."""
    # Read as a folder of that name at any depth; a plain file named `.corvint` is read.
    if any(folder in NEVER_READ for folder in path.split("/")[:-1]):
        return False
    return len(content) <= READABLE_BOUND and b"\0" not in content[:NUL_WINDOW]


def readable(snapshot: dict[str, bytes]) -> dict[str, str]:
    """The texts that the lexical arms read, path to text (PROTOCOL 2, last point)."""
    return {
        path: content.decode("utf-8", "replace") for path, content in snapshot.items() if is_readable(path, content)
    }
