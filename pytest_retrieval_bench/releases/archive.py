"""A release archive (`*.tar.zst`), read as a stream: nothing of it is unpacked to the disk.

Zstandard cannot begin in the middle, so that members are cheap in the archive's order and dear in any other: to go
back is to begin again.
"""

from __future__ import annotations

import hashlib
import io
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO, BinaryIO, cast

from pytest_retrieval_bench.errors import ReleaseError, reason
from pytest_retrieval_bench.releases.contents import Contents, Member, listed, load_contents, store_contents

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_BLOCK_BYTES = 2**20


class Archive:
    """The members of an archive, by name; its list of contents is kept in `folder`, if there is one.

    Every method raises ReleaseError for an archive that cannot be read, is torn, or does not have the digest that the
    file `ARCHIVE.sha256` beside it says.
    """

    def __init__(self, path: Path, folder: Path | None) -> None:
        self.path = path
        self._folder = folder
        self._known: tuple[tuple[int, ...], Contents] | None = None
        self._stream: zstd.ZstdFile | None = None
        self._position = 0

    def contents(self) -> Mapping[str, Member]:
        """Where each file of the archive begins, its size and its digest; read anew when the archive has changed."""
        identity = _identity(self.path)
        if self._known is None or self._known[0] != identity:
            self._known = (identity, self._contents())
            self._rewind()
        return self._known[1].members

    def open(self, name: str) -> BinaryIO:
        """A member, to be read from its beginning; it ends when another one is opened.

        Raises ReleaseError also while it is read, and KeyError for a name that is not in the archive.
        """
        member = self.contents()[name]
        return io.BufferedReader(_MemberStream(self, member), _BLOCK_BYTES)

    def read_at(self, offset: int, size: int) -> bytes:
        """At most `size` bytes of the unpacked archive, at least one unless it ends there."""
        try:
            stream = self._stream_at_most(offset)
            while self._position < offset:
                self._skip(stream, offset - self._position)
            block = stream.read(size)
        except (OSError, EOFError, zstd.ZstdError) as error:
            raise ReleaseError(f"{self.path}: cannot be read: {reason(error)}") from error
        self._position += len(block)
        return block

    def close(self) -> None:
        """Lets go of the file."""
        self._rewind()

    def _stream_at_most(self, offset: int) -> zstd.ZstdFile:
        """The stream, where it has not yet come past the offset."""
        if self._stream is None or offset < self._position:
            self._rewind()
            self._stream = zstd.ZstdFile(self.path)
        return self._stream

    def _skip(self, stream: zstd.ZstdFile, size: int) -> None:
        block = stream.read(min(size, _BLOCK_BYTES))
        if not block:
            raise EOFError("it ends before the member that is asked for")
        self._position += len(block)

    def _rewind(self) -> None:
        stream, self._stream, self._position = self._stream, None, 0
        if stream is not None:
            stream.close()

    def _contents(self) -> Contents:
        digest = self._digest()
        kept = None if self._folder is None else load_contents(self._folder, digest)
        if kept is not None:
            return kept
        try:
            with zstd.ZstdFile(self.path) as stream:
                found = Contents(digest, listed(cast("IO[bytes]", stream)))
        except (OSError, EOFError, ValueError, zstd.ZstdError) as error:
            raise ReleaseError(f"{self.path}: is no whole release archive: {reason(error)}") from error
        if self._folder is not None:
            store_contents(self._folder, found)
        return found

    def _digest(self) -> str:
        """The SHA-256 of the archive's bytes, held against the file beside it."""
        beside = self.path.with_name(f"{self.path.name}.sha256")
        try:
            with self.path.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            words = beside.read_text(encoding="utf-8").split() if beside.is_file() else [digest]
        except (OSError, ValueError) as error:
            raise ReleaseError(f"{self.path}: cannot be read: {reason(error)}") from error
        if not words or words[0].lower() != digest:
            said = words[0] if words else "nothing"
            raise ReleaseError(f"{self.path}: its SHA-256 is {digest}, {beside.name} says {said}; fetch it again")
        return digest


class _MemberStream(io.RawIOBase):
    """One member; its bytes are held against its digest at the end."""

    def __init__(self, archive: Archive, member: Member) -> None:
        self._archive = archive
        self._member = member
        self._done = 0
        self._hasher = member.hasher()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        wanted = min(len(buffer), self._member.size - self._done)
        block = self._archive.read_at(self._member.offset + self._done, wanted) if wanted else b""
        buffer[: len(block)] = block
        self._done += len(block)
        self._hasher.update(block)
        cut = wanted and not block
        if cut or (self._done == self._member.size and self._hasher.hexdigest() != self._member.digest):
            raise ReleaseError(f"{self._archive.path}: changed while it was read; run it again")
        return len(block)


def _identity(path: Path) -> tuple[int, ...]:
    """What changes whenever a file is written to."""
    try:
        status = path.stat()
    except OSError as error:
        raise ReleaseError(f"{path}: cannot be read: {reason(error)}") from error
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
