"""The name of a repository, as commands are given it."""

from __future__ import annotations

import re

from pytest_retrieval_bench.errors import SettingsError

_NAME = re.compile(r"[\w.-]+/[\w.-]+")


def repository_name(text: str) -> str:
    """The name as it was given with `--repo`.

    Raises SettingsError for what is not OWNER/NAME.
    """
    if not _NAME.fullmatch(text):
        raise SettingsError(f"--repo: {text!r} is not OWNER/NAME; give --repo=OWNER/NAME")
    return text
