"""Where a run may read and write: every refusal of a path, before anything runs."""

from __future__ import annotations

import os
from itertools import combinations
from pathlib import Path

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.given import refuse
from pytest_retrieval_bench.options import EXPORTED_FOLDERS
from pytest_retrieval_bench.reporting.files import is_taken, same_file, unwritable
from pytest_retrieval_bench.reporting.stored_run import journal_path
from pytest_retrieval_bench.settings import Settings
from pytest_retrieval_bench.snapshots.git import check_repository


def check_places(found: Settings) -> None:
    """Raises SettingsError for a path that cannot be what it was given for."""
    suite = found.suite
    for repo, clone in found.clones.items():
        try:
            check_repository(clone)
        except SnapshotError as error:
            of_suite = suite is not None and suite.clones.get(repo) == clone
            refuse(f"{suite and suite.file}: git" if of_suite else "--rb-git", str(error))
    outputs = {"output": found.output, "registration": found.registration, "context-packets": found.context_packets}
    outputs |= found.exports
    for name, export in found.exports.items():
        if found.resume is None and is_taken(export):
            refuse(f"--rb-{name}", f"{export} exists; give a new path or remove it")
    for name, path in outputs.items():
        reason = None if path is None else unwritable(path, folder=name in EXPORTED_FOLDERS)
        if reason is not None:
            refuse(f"--rb-{name}", reason)
        if path is not None and _is_in_a_snapshot(path, found):
            refuse(f"--rb-{name}", f"{path} lies in a snapshot, which is never written to; give another path")
        if path is not None and path.resolve().parent in map(Path.resolve, _listed_folders(found.samples)):
            refuse(f"--rb-{name}", f"every *.jsonl file in {path.parent} is read as samples; give a path elsewhere")
    made = {"report": ("output", found.output), "journal": ("output", found.output and journal_path(found.output))}
    made |= {name: (name, path) for name, path in outputs.items() if name != "output"}
    for (what, (_, first)), (_, (name, second)) in combinations(made.items(), 2):
        if first and second and same_file(first, second):
            refuse(f"--rb-{name}", f"{second} is also the {what}; give another path")
    if found.context_packets is not None:
        _check_capture(found, found.context_packets)


def _check_capture(found: Settings, capture: Path) -> None:
    name = "--rb-context-packets"
    if os.path.lexists(capture):
        refuse(name, f"{capture} exists; give a new path")
    if any(folder.is_symlink() for folder in capture.parents):
        refuse(name, f"{capture} leads through a symbolic link; give the path without it")
    if found.corpus is not None and found.corpus.resolve() in capture.resolve().parents:
        refuse(name, f"{capture} lies in the corpus, which is never written to; give another path")


def _is_in_a_snapshot(path: Path, found: Settings) -> bool:
    folders = path.resolve().parents
    below_corpus = found.corpus is not None and found.corpus.resolve() in folders[1:]
    # Beside a suite in its own clone lies what the team has not committed; its commits are in Git's folder.
    own = [clone for clone in found.clones.values() if found.suite is not None and found.suite.is_in(clone)]
    foreign = [clone for clone in found.clones.values() if clone not in own]
    places = (*found.snapshots.values(), *foreign, *(clone / ".git" for clone in own))
    return below_corpus or any(place.resolve() in folders for place in places)


def _listed_folders(samples: tuple[Path, ...]) -> list[Path]:
    """The folders of samples that stand for all their `*.jsonl`, a journal among them."""
    return [path for path in samples if path.is_dir() and not (path / "samples.jsonl").is_file()]
