"""No `conftest.py` of a snapshot is run: pytest loads those of the current folder and of its `test*` folders.

Imported in every run that has an option of the plugin, before anything else: it imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


def refuse_those_of_snapshots(config: pytest.Config) -> None:
    """Raises UsageError when pytest is about to run code that belongs to a snapshot."""
    directory = config.invocation_params.dir.resolve()
    for folder in (directory, *directory.parents, *directory.glob("test*")):
        place = next((place for place in _places(config) if place in (folder, *folder.parents)), None)
        if place is not None and (folder / "conftest.py").exists():
            what = f"{folder / 'conftest.py'}, which is part of the snapshot {place}"
            raise pytest.UsageError(f"pytest would run {what}; start it in another folder")


def _places(config: pytest.Config) -> Iterator[Path]:
    """The directories of snapshots that the command line names."""
    options, directory = config.known_args_namespace, config.invocation_params.dir
    for value in options.rb_snapshot or ():
        yield (directory / value.partition("=")[2]).resolve()
    if options.rb_corpus and (directory / options.rb_corpus).is_dir():
        yield from (path.resolve() for path in (directory / options.rb_corpus).iterdir() if path.is_dir())
