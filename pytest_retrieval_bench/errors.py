"""The errors that a user can mend; each message says what, where and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class BenchmarkError(Exception):
    """Something that a user gave cannot be used as it is."""


class SamplesError(BenchmarkError):
    """A samples file that cannot be read, or a row in it that breaks the format."""


class SnapshotError(BenchmarkError):
    """A snapshot that cannot be found, or that is not what its name says."""


class ReleaseError(SamplesError, SnapshotError):
    """A benchmark release that cannot be read, or that does not hold what it should: neither samples nor snapshots."""


class LogError(BenchmarkError):
    """A log of an agent that cannot be read, or that is of other samples than it is held against."""


class ReportError(BenchmarkError):
    """A report or a registration that cannot be written or read."""


class ChildError(BenchmarkError):
    """A command that cannot be started, or whose end cannot be known."""


class RunFolderError(BenchmarkError):
    """A folder for temporary copies that cannot be made, or that is not safe to use."""


class BenchmarkWarning(UserWarning):
    """Something that a user should know and that stops nothing."""


class SettingsError(BenchmarkError):
    """An option, an ini value or a suite that asks for something that does not exist."""


def reason(error: Exception) -> str:
    """Why something went wrong, without the path that the message names anyway."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """The words for a name that is not known: the nearest known one, and what is allowed."""
    allowed = list(known)
    nearest = get_close_matches(name, allowed, n=1)
    hint = f"; did you mean {nearest[0]!r}?" if nearest else ";"
    return f"unknown {kind} {name!r}{hint} known: {', '.join(allowed)}"
