"""A change that every language takes for one: two line feeds behind the last line, for as long as a command runs."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def dirty_edit(path: Path) -> Iterator[None]:
    """Appends two line feeds to a file and gives it back its exact bytes and mode, whatever happens in between.

    What cannot be restored leaves the copy dirty, which the check after each answer finds.
    """
    before, folder = path.stat(), path.parent.resolve()
    content = path.read_bytes()
    path.chmod(before.st_mode | stat.S_IWUSR)
    with path.open("ab") as stream:
        stream.write(b"\n\n")
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if path.parent.resolve() == folder:
                _restore(path, content, stat.S_IMODE(before.st_mode))


def _restore(path: Path, content: bytes, mode: int) -> None:
    """Makes the file anew: a command may have put a link in its place, through which nothing must be written."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as stream:  # noqa: PTH123 - a descriptor has no path
        stream.write(content)
    path.chmod(mode)
