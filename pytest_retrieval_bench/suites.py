"""Suites: a benchmark that is run by name or by folder (`suite.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.errors import SettingsError, reason, unknown

FILE_NAME = "suite.toml"
_KEYS = ("title", "samples", "corpus", "arms", "limit", "gates", "licence", "citation")
_PACKAGE = Path(__file__).parent
# Beside the modules in an installed wheel, beside the package in a checkout.
_BUNDLED = (_PACKAGE / "benchmark_suites", _PACKAGE.parent / "benchmark_suites")


@dataclass(frozen=True, slots=True)
class Suite:
    """What a `suite.toml` says; paths are absolute, what it leaves out is None.

    Its `arms` are names of arms to run, or else tables that define arms.
    """

    file: Path
    title: str
    samples: tuple[Path, ...]
    corpus: Path | None
    arms: tuple[str, ...] | None
    arm_tables: Mapping[str, Any]
    limit: int | None
    gates: tuple[str, ...]
    licence: str | None
    citation: str | None


def find_suite(name: str, directory: Path) -> Suite:
    """The suite in the folder `name` (relative to `directory`), or else the bundled suite of that name.

    Raises SettingsError when there is none, or when its `suite.toml` is not as it must be.
    """
    places = [directory / name, *(bundle / name for bundle in _BUNDLED)]
    for place in places:
        if (place / FILE_NAME).is_file():
            return read_suite(place / FILE_NAME)
    if places[0].is_dir():
        raise SettingsError(f"--rb-suite: {places[0]} has no {FILE_NAME}")
    raise SettingsError(f"--rb-suite: {unknown('suite', name, bundled_suites())}; or a folder with a {FILE_NAME}")


def bundled_suites() -> list[str]:
    """The names of the suites that come with the plugin, sorted."""
    found = {file.parent.relative_to(bundle).as_posix() for bundle in _BUNDLED for file in bundle.rglob(FILE_NAME)}
    return sorted(found)


def read_suite(path: Path) -> Suite:
    """Reads a `suite.toml`; its paths are relative to its folder.

    Raises SettingsError, naming the key and what would be right.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(f"{path}: {reason(error)}") from error
    for key in values:
        if key not in _KEYS:
            raise SettingsError(f"{path}: {unknown('key', key, _KEYS)}")
    samples = _texts(values, "samples", path)
    if not samples:
        raise SettingsError(f"{path}: samples must name a file or a folder")
    corpus = _text(values, "corpus", path)
    arm_tables = values["arms"] if isinstance(values.get("arms"), dict) else {}
    arms = () if arm_tables else _texts(values, "arms", path)
    limit = values.get("limit")
    if limit is not None and type(limit) is not int:
        raise SettingsError(f"{path}: limit must be a whole number, this is {limit!r}")
    return Suite(
        file=path,
        title=_text(values, "title", path) or path.parent.name,
        samples=tuple(path.parent / name for name in samples),
        corpus=None if corpus is None else path.parent / corpus,
        arms=arms or None,
        arm_tables=arm_tables,
        limit=limit,
        gates=_texts(values, "gates", path),
        licence=_text(values, "licence", path),
        citation=_text(values, "citation", path),
    )


def _text(values: dict[str, Any], key: str, path: Path) -> str | None:
    value = values.get(key)
    if value is not None and not isinstance(value, str):
        raise SettingsError(f"{path}: {key} must be a string, this is {value!r}")
    return value


def _texts(values: dict[str, Any], key: str, path: Path) -> tuple[str, ...]:
    """A string or a list of strings; none where the key is absent."""
    value = values.get(key, [])
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(item, str) for item in listed):
        raise SettingsError(f"{path}: {key} must be a string or a list of strings, this is {value!r}")
    return tuple(listed)
