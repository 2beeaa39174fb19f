"""The errors that a user can mend; each message says what, where and what to do."""

from __future__ import annotations


class BenchmarkError(Exception):
    """Something that a user gave cannot be used as it is."""


class SamplesError(BenchmarkError):
    """A samples file that cannot be read, or a row in it that breaks the format."""


class SnapshotError(BenchmarkError):
    """A snapshot that cannot be found, or that is not what its name says."""


class ReportError(BenchmarkError):
    """A report or a registration that cannot be written or read."""
