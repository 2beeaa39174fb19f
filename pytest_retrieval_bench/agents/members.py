"""The members of a row of a log, checked; every error names the row's place, the member and what would be right."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_retrieval_bench.benchmarks.jsonl import Row, object_of, type_name
from pytest_retrieval_bench.errors import LogError

# Beyond it a double skips whole numbers, and so do figures.
_LARGEST = 2**53


def sample_id(row: Row, where: str) -> str:
    """The sample that a row is about: `sample_id`, or else `id`."""
    identity = text(row, ("sample_id", "id"), where)
    if not identity:
        raise LogError(f"{where}: names no sample; each row needs its sample_id")
    return identity


def text(row: Row, names: Sequence[str], where: str) -> str:
    """The first of the members that says something, which must be a string; empty where none does."""
    for name in names:
        value = row.get(name)
        if value is not None and not isinstance(value, str):
            raise LogError(f"{where}: {name} must be a string, this is {type_name(value)}")
        if value:
            return value
    return ""


def number(row: Row, name: str, where: str) -> float | None:
    """A member that must be a number; None where it is absent or null."""
    value = row.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise LogError(f"{where}: {name} must be a number, this is {type_name(value)}")
    if not -_LARGEST <= value <= _LARGEST:
        raise LogError(f"{where}: {name} must lie between -2^53 and 2^53")
    return value


def whole(row: Row, name: str, where: str) -> int | None:
    """A member that must be a whole number; None where it is absent or null."""
    value = number(row, name, where)
    if isinstance(value, float):
        raise LogError(f"{where}: {name} must be a whole number, this is {value!r}")
    return value


def flag(row: Row, names: Sequence[str], where: str) -> bool:
    """Whether one of the members is true; each must be true, false, null or absent."""
    for name in names:
        if not isinstance(row.get(name), bool | None):
            raise LogError(f"{where}: {name} must be true or false, this is {type_name(row[name])}")
    return any(row.get(name) for name in names)


def objects(row: Row, name: str, where: str) -> list[Row]:
    """A member that must be a list of objects."""
    value = row.get(name)
    if not isinstance(value, list):
        raise LogError(f"{where}: {name} must be a list of objects, this is {type_name(value)}")
    for item in value:
        if not isinstance(item, dict):
            raise LogError(f"{where}: {name} must be a list of objects, one of it is {type_name(item)}")
    return [object_of(item) for item in value]
