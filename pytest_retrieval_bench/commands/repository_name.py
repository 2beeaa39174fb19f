"""The name of a repository, as commands are given it, or as a clone has it."""

from __future__ import annotations

import re
from pathlib import Path

from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.snapshots.git_history import origin_url

_OF_URL = re.compile(r"([\w.-]+)[/:]([\w.-]+?)(?:\.git)?/?")
_NAME = re.compile(r"[\w.-]+/[\w.-]+")


def repository_name(text: str) -> str:
    """The name as it was given with `--repo`.

    Raises SettingsError for what is not OWNER/NAME.
    """
    if not _NAME.fullmatch(text):
        raise SettingsError(f"--repo: {text!r} is not OWNER/NAME; give --repo=OWNER/NAME")
    return text


def name_of_clone(clone: Path) -> str:
    """The name of a clone's repository by its origin, or else by its folder."""
    url = _OF_URL.fullmatch("/".join((origin_url(clone) or "").rstrip("/").replace(":", "/").split("/")[-2:]))
    return f"{url[1]}/{url[2]}" if url else f"local/{clone.resolve().name}"
