"""What an archive holds and where, found in one pass and kept beside the indexes of snapshots."""

from __future__ import annotations

import contextlib
import os
import tarfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

import orjson
from blake3 import blake3

# Whatever changes what is kept needs a new number.
FORMAT = 1
_BLOCK_BYTES = 2**20
_KEPT = ".contents.json"


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive: where its bytes begin in the unpacked stream, how many they are, their BLAKE3 digest."""

    offset: int
    size: int
    digest: str

    def hasher(self) -> Any:
        """What `digest` was made with."""
        return blake3()


@dataclass(frozen=True, slots=True)
class Contents:
    """The files of the archive with this SHA-256, by name, in the archive's order."""

    sha256: str
    members: dict[str, Member]


def listed(stream: IO[bytes]) -> dict[str, Member]:
    """The files of a tar stream; where a name is there twice the last one counts, as it does when it is unpacked.

    Raises ValueError, OSError or EOFError for what is no whole tar stream.
    """
    found = {}
    try:
        with tarfile.open(fileobj=stream, mode="r|", bufsize=_BLOCK_BYTES) as archive:
            for entry in archive:
                if entry.isreg():
                    name = os.path.normpath(entry.name)
                    found[name] = _member(archive, entry)
    except tarfile.TarError as error:
        raise ValueError(f"it is no tar archive: {error}") from error
    return found


def _member(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> Member:
    digest, size = blake3(), 0
    content = archive.extractfile(entry)
    assert content is not None
    while block := content.read(_BLOCK_BYTES):
        digest.update(block)
        size += len(block)
    if size != entry.size:
        raise EOFError(f"it ends inside {entry.name}")
    return Member(entry.offset_data, size, digest.hexdigest())


def load_contents(folder: Path, sha256: str) -> Contents | None:
    """What was kept of the archive with this digest; None where there is nothing sound."""
    try:
        kept = orjson.loads((folder / f"{sha256}{_KEPT}").read_bytes())
        if kept["format"] != FORMAT or kept["sha256"] != sha256:
            return None
        return Contents(sha256, {name: Member(**member) for name, member in kept["members"].items()})
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def store_contents(folder: Path, contents: Contents) -> None:
    """Keeps contents for the next process; a folder that cannot be written to costs time alone."""
    path = folder / f"{contents.sha256}{_KEPT}"
    beside = path.with_name(f".{path.name}.{os.getpid()}.partial")
    data = orjson.dumps({"format": FORMAT, **asdict(contents)})
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            beside.write_bytes(data)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
