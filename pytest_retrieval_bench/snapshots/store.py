"""Finding the snapshot of a repository at a commit, and holding a few of them open (PROTOCOL 2)."""

from __future__ import annotations

import glob
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.releases.archive import Archive
from pytest_retrieval_bench.releases.contents import Member
from pytest_retrieval_bench.releases.layout import corpus_folder, is_archive
from pytest_retrieval_bench.releases.members import archived_chunk_file
from pytest_retrieval_bench.snapshots.archived_chunk_file import ArchivedChunkFile
from pytest_retrieval_bench.snapshots.chunk_file import ChunkFile
from pytest_retrieval_bench.snapshots.directory import Directory
from pytest_retrieval_bench.snapshots.git_commit import Clone
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.snapshots.workspaces import Workspaces

OPEN_AT_ONCE = 2
_SHOWN = 5

SnapshotKey = tuple[str, str]


class SnapshotStore:
    """Opens snapshots on demand and keeps the last two, so that memory does not grow with the number of samples.

    A snapshot that it lets go of takes its disposable copies with it. The corpus is a folder, or a release archive,
    whose list of contents is kept in the folder `kept_in`.
    """

    def __init__(
        self,
        corpus: Path | None,
        explicit: Mapping[SnapshotKey, Path],
        clones: Mapping[str, Path] = MappingProxyType({}),
        workspaces: Workspaces | None = None,
        kept_in: Path | None = None,
    ) -> None:
        archived = corpus is not None and is_archive(corpus)
        self._archive = Archive(corpus, kept_in) if corpus is not None and archived else None
        self._corpus = corpus if corpus is None or archived else corpus_folder(corpus)
        self._explicit = explicit
        self._clones = {repo: Clone(path) for repo, path in clones.items()}
        self._workspaces = workspaces
        self._open: OrderedDict[SnapshotKey, Snapshot] = OrderedDict()
        self._refused: dict[SnapshotKey, str] = {}
        self._noted: set[str] = set()

    def open(self, repo: str, commit: str) -> Snapshot:
        """The snapshot of a repository (OWNER/NAME) at a commit.

        Raises SnapshotError when there is none, naming the places looked at, or when it cannot be used; the same
        refusal again when asked again.
        """
        key = (repo, commit)
        if key in self._refused:
            raise SnapshotError(self._refused[key])
        if key not in self._open:
            try:
                snapshot = self._make(repo, commit)
            except (SnapshotError, OSError) as error:
                self._refused[key] = str(error)
                raise SnapshotError(str(error)) from error
            if self._workspaces:
                snapshot.workspaces = self._workspaces
            self._open[key] = snapshot
            while len(self._open) > OPEN_AT_ONCE:
                _, oldest = self._open.popitem(last=False)
                if self._workspaces:
                    self._workspaces.discard(oldest)
        self._open.move_to_end(key)
        return self._open[key]

    def new_notes(self, snapshot: Snapshot) -> list[str]:
        """The remarks of a snapshot that were not handed out before."""
        notes = [f"{snapshot.origin}: {note}" for note in snapshot.notes]
        new = [note for note in notes if note not in self._noted]
        self._noted.update(new)
        return new

    def close(self) -> None:
        """Lets go of every snapshot that is still open, and of all disposable copies."""
        self._open.clear()
        if self._archive:
            self._archive.close()
        if self._workspaces:
            self._workspaces.close()

    def locate(self, repo: str, commit: str) -> Path:
        """Where the snapshot lies: its own place, the repository's clone, a chunk file or a directory of the corpus.

        The first that there is; a clone that lacks the commit is not made up for by the corpus, which may cut files.

        Raises SnapshotError as `open` does for what cannot be found.
        """
        explicit = self._explicit.get((repo, commit))
        if explicit is not None:
            return explicit
        if repo in self._clones:
            return self._clones[repo].path
        if self._corpus is None:
            raise SnapshotError(f"no snapshot of {repo} at {commit}: give --rb-corpus=DIR, --rb-snapshot or --rb-git")
        if self._archive is not None:
            archived = archived_chunk_file(self._archive, repo, commit)
            if archived is None:
                raise SnapshotError(
                    f"no snapshot of {repo} at {commit} in {self._corpus}; or give --rb-snapshot or --rb-git"
                )
            return self._corpus / archived
        file_name = f"{repo.replace('/', '__')}/{commit}.chunks.jsonl"
        chunk_file = self._corpus / file_name
        # Beside each other: the corpora of several releases, each of which may have the snapshot.
        for found in (chunk_file, *sorted(self._corpus.glob(f"*/{glob.escape(file_name)}"))):
            if found.is_file():
                return found
        name, short = repo.rpartition("/")[2], commit[:12]
        directories = _matching_directories(self._corpus, name, short)
        if len(directories) == 1:
            return directories[0]
        listed = "none" if not directories else f"{len(directories)}: {', '.join(map(str, directories[:_SHOWN]))}"
        raise SnapshotError(
            f"no snapshot of {repo} at {commit}: looked for {chunk_file} and for one directory below {self._corpus}"
            f" whose name has {name!r} and {short!r} in it (found {listed}); or give --rb-snapshot or --rb-git"
        )

    def size(self, repo: str, commit: str) -> int:
        """The bytes of the snapshot's chunk file, to order work by; 0 where there is no such file."""
        try:
            path = self.locate(repo, commit)
            member = self._member(path)
            if member is not None:
                return member.size
            return path.stat().st_size if path.is_file() else 0
        except (OSError, SnapshotError):
            return 0

    def place(self, repo: str, commit: str) -> int:
        """Where the snapshot stands in an archive, which is read from its beginning to its end; 0 elsewhere."""
        try:
            member = self._member(self.locate(repo, commit))
        except (OSError, SnapshotError):
            return 0
        return 0 if member is None else member.offset

    def _member(self, path: Path) -> Member | None:
        """What a located path is in the archive; None where it is a file or a folder of its own."""
        if self._archive is None or self._archive.path not in path.parents:
            return None
        return self._archive.contents()[path.relative_to(self._archive.path).as_posix()]

    def _make(self, repo: str, commit: str) -> Snapshot:
        path = self.locate(repo, commit)
        clone = None if (repo, commit) in self._explicit else self._clones.get(repo)
        if clone is not None:
            return clone.snapshot(repo, commit)
        if self._archive is not None and self._archive.path in path.parents:
            return ArchivedChunkFile(repo, commit, self._archive, path.relative_to(self._archive.path).as_posix())
        if path.is_dir():
            return Directory(repo, commit, path)
        if not path.exists():
            raise SnapshotError(f"{path}: the snapshot given for {repo} at {commit} does not exist")
        return ChunkFile(repo, commit, path)


def _matching_directories(corpus: Path, name: str, short_commit: str) -> list[Path]:
    try:
        entries = sorted(corpus.iterdir())
    except OSError as error:
        raise SnapshotError(f"{corpus}: the corpus cannot be listed: {error.strerror}") from error
    return [path for path in entries if name in path.name and short_commit in path.name and path.is_dir()]
