"""Building the disposable Git copy of a snapshot: its files, one commit of them, and an index that knows both."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.processes.run_folder import RunFolder, remove_tree
from pytest_retrieval_bench.snapshots.git import ask_git, git_call
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.snapshots.workspace import Workspace, entries_below, exclude_line

_TIMEOUT_S = 120
# The date of the commit, so that its id depends on the files alone, and of every file: Git trusts an index entry whose
# file is older than the index, and reads the others again each time.
_DATE = 946_684_800  # 2000-01-01 UTC
_COMMIT = f"commit refs/heads/main\ncommitter snapshot <snapshot@invalid> {_DATE} +0000\ndata 9\nsnapshot\n\n"
# For whoever runs Git in the copy under settings of their own.
_CONFIG = f"""[core]
\trepositoryFormatVersion = 0
\tbare = false
\tfileMode = true
\tautocrlf = false
\tsafecrlf = false
\tignoreCase = false
\tprecomposeUnicode = false
\tprotectHFS = false
\tprotectNTFS = false
\tfsmonitor = false
\tuntrackedCache = false
\tlogAllRefUpdates = false
\thooksPath = {os.devnull}
\tattributesFile = {os.devnull}
\texcludesFile = {os.devnull}
[gc]
\tauto = 0
[maintenance]
\tauto = false
"""
# Stronger than every `.gitattributes` of the tree.
_ATTRIBUTES = "* -text -crlf -eol -ident -filter !working-tree-encoding\n"
_IMPORT_SETTINGS = {
    "core.fsync": "none",
    "core.fsyncMethod": "writeout-only",
    "core.compression": "0",
    "pack.compression": "0",
    "fastimport.unpackLimit": "0",
}


def make_copy(snapshot: Snapshot, folder: RunFolder) -> Workspace:
    """A new Git copy of the snapshot, in a folder of its own.

    Raises SnapshotError when the snapshot cannot be read, the copy not be written, or Git not be run; nothing is left.
    """
    place = folder.new().resolve()
    root = place / "copy"
    try:
        try:
            return _make_copy(snapshot, folder, root, place / "witness")
        except BaseException:
            remove_tree(place)
            raise
    except (OSError, SnapshotError) as error:
        words = str(error).replace(str(root), "{root}")
        raise SnapshotError(f"{snapshot.origin}: its Git copy cannot be made: {words}") from error


def _make_copy(snapshot: Snapshot, folder: RunFolder, root: Path, witness: Path) -> Workspace:
    git_directory = root / ".git"
    _lay_git_directory(git_directory, [path for path in snapshot.paths if _is_refused(path)])
    root.chmod(0o755)
    with _fast_import(root, folder) as stream:
        stream.write(_COMMIT.encode())
        _write_files(snapshot, root, stream)
    commit = (git_directory / "refs" / "heads" / "main").read_text(encoding="ascii").strip()
    ask_git(root, "read-tree", commit)
    ask_git(root, "update-index", "--refresh")
    shutil.copytree(git_directory, witness, ignore=shutil.ignore_patterns("objects"))
    names = frozenset(name for name, _ in entries_below(root))
    return Workspace(root, folder, witness, commit, names)


def _lay_git_directory(git_directory: Path, refused: list[str]) -> None:
    """What `git init` would make; made by hand because that one heeds templates and defaults of the user."""
    for name in ("objects", "refs", "info"):
        (git_directory / name).mkdir(parents=True)
    (git_directory / "HEAD").write_text("ref: refs/heads/main\n")
    (git_directory / "config").write_text(_CONFIG)
    (git_directory / "info" / "attributes").write_text(_ATTRIBUTES)
    (git_directory / "info" / "exclude").write_bytes(b".corvint/\n" + b"".join(map(exclude_line, refused)))


def _is_refused(path: str) -> bool:
    """Whether Git never takes the path: on some systems it would be inside the Git directory."""
    return ".git" in path.lower().split("/")


def _write_files(snapshot: Snapshot, root: Path, stream: IO[bytes]) -> None:
    """Writes each file into the copy and, as Git's own quoting has it, to the stream."""
    top = os.fsencode(root)
    made = {top}
    for path in snapshot.paths:
        content, executable = snapshot.read(path), snapshot.is_executable(path)
        name = path.encode()
        _make_folders(top + b"/" + name, made)
        _write_file(top + b"/" + name, content, 0o755 if executable else 0o644)
        if not _is_refused(path):
            quoted = name.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
            mode = b"100755" if executable else b"100644"
            stream.write(b'M %s inline "%s"\ndata %d\n' % (mode, quoted, len(content)))
            stream.write(content)
            stream.write(b"\n")


def _make_folders(path: bytes, made: set[bytes]) -> None:
    missing = []
    while (path := path.rpartition(b"/")[0]) not in made:
        missing.append(path)
    for folder in reversed(missing):
        os.mkdir(folder)  # fails where the file system takes two of the snapshot's names for one
        os.chmod(folder, 0o755)
        made.add(folder)


def _write_file(path: bytes, content: bytes, mode: int) -> None:
    with open(path, "xb") as stream:
        stream.write(content)
    os.chmod(path, mode)  # whatever the caller's umask
    os.utime(path, (_DATE, _DATE))


@contextmanager
def _fast_import(root: Path, folder: RunFolder) -> Iterator[IO[bytes]]:
    """What is written to the stream is imported when the context is left.

    Raises SnapshotError when Git says no.
    """
    options = ("--quiet", "--depth=0", "--date-format=raw")
    command, environment = git_call(root, "fast-import", *options, config=_IMPORT_SETTINGS)
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command,
            env=environment | folder.mark,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
        )
        folder.started(process.pid)
        try:
            assert process.stdin is not None
            with suppress(BrokenPipeError), process.stdin as stream:  # a Git that went away says why below
                yield stream
            process.wait(_TIMEOUT_S)
        except subprocess.TimeoutExpired as error:
            raise SnapshotError(f"{root}: git fast-import took over {_TIMEOUT_S} s") from error
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            folder.ended(process.pid)
        if process.returncode != 0:
            errors.seek(0)
            raise SnapshotError(
                f"{root}: git fast-import failed: {errors.read(2000).decode('utf-8', 'replace').strip()}"
            )
