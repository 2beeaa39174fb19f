"""Suites: a benchmark that is run by name or by folder (`suite.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.errors import SettingsError, reason, unknown
from pytest_retrieval_bench.model import Json

FILE_NAME = "suite.toml"
ALL_TASKS = "all"
_DATA = ("samples", "corpus", "git", "release", "counts")
_RUN = ("arms", "baseline_arms", "limit", "judge", "gates", "metrics")
_KEYS = ("title", *_DATA, *_RUN, "licence", "citation")
_REPO = re.compile(r"[^/@=]+/[^/@=]+")
_PACKAGE = Path(__file__).parent
# Beside the modules in an installed wheel, beside the package in a checkout.
_BUNDLED = (_PACKAGE / "benchmark_suites", _PACKAGE.parent / "benchmark_suites")


@dataclass(frozen=True, slots=True)
class Suite:
    """What a `suite.toml` says; paths are absolute, what it leaves out is None.

    `clones` are the local clones of repositories, by OWNER/NAME. Its `arms` are names of arms to run, or else tables
    that define arms. With a `release` its data lie elsewhere (`--rb-data`), and `counts` are the samples that they must
    hold, by task type or `all` of them. `metrics` are those that the tables for people show.
    """

    file: Path
    title: str
    samples: tuple[Path, ...]
    corpus: Path | None
    clones: Mapping[str, Path]
    release: str | None
    counts: Mapping[str, int]
    arms: tuple[str, ...] | None
    arm_tables: Mapping[str, Any]
    baseline_arms: tuple[str, ...] | None
    limit: int | None
    judge: str | None
    gates: tuple[str, ...]
    metrics: tuple[str, ...]
    licence: str | None
    citation: str | None

    def is_in(self, folder: Path) -> bool:
        """Whether the suite lies in the folder, as one does in the repository of the team that wrote it."""
        return folder.resolve() in self.file.resolve().parents

    def as_json(self) -> dict[str, Json]:
        """What a report says of the suite that was measured; what the suite leaves out is absent."""
        words: dict[str, Json] = {"title": self.title, "licence": self.licence, "citation": self.citation}
        words["metrics"] = list(self.metrics)
        return {name: value for name, value in words.items() if value}


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
    release = _text(values, "release", path)
    if bool(samples) == bool(release):
        raise SettingsError(f"{path}: samples must name a file or a folder, or else release a benchmark release")
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
        clones=_clones(values, path),
        release=release,
        counts=_counts(values, path),
        arms=arms or None,
        arm_tables=arm_tables,
        baseline_arms=_texts(values, "baseline_arms", path) or None,
        limit=limit,
        judge=_text(values, "judge", path),
        gates=_texts(values, "gates", path),
        metrics=tuple(dict.fromkeys(_texts(values, "metrics", path))),
        licence=_text(values, "licence", path),
        citation=_text(values, "citation", path),
    )


def _text(values: dict[str, Any], key: str, path: Path) -> str | None:
    value = values.get(key)
    if value is not None and not isinstance(value, str):
        raise SettingsError(f"{path}: {key} must be a string, this is {value!r}")
    return value


def _clones(values: dict[str, Any], path: Path) -> dict[str, Path]:
    clones = values.get("git", {})
    if not isinstance(clones, dict) or not all(isinstance(folder, str) for folder in clones.values()):
        raise SettingsError(f'{path}: git must be a table such as {{"acme/shop" = "."}}, this is {clones!r}')
    for repo in clones:
        if not _REPO.fullmatch(repo):
            raise SettingsError(f"{path}: git: {repo!r} is not OWNER/NAME; write it in quotation marks")
    return {repo: path.parent / folder for repo, folder in clones.items()}


def _counts(values: dict[str, Any], path: Path) -> dict[str, int]:
    counts = values.get("counts", {})
    if not isinstance(counts, dict) or not all(type(count) is int and count > 0 for count in counts.values()):
        raise SettingsError(f"{path}: counts must be a table of task types and numbers of samples, this is {counts!r}")
    return counts


def _texts(values: dict[str, Any], key: str, path: Path) -> tuple[str, ...]:
    """A string or a list of strings; none where the key is absent."""
    value = values.get(key, [])
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(item, str) for item in listed):
        raise SettingsError(f"{path}: {key} must be a string or a list of strings, this is {value!r}")
    return tuple(listed)
