"""The `--rb-*` options and their ini twins; what they say becomes one frozen `Settings`.

Command line over suite over ini over default.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

    from pytest_retrieval_bench.suites import Suite

DEFAULT_LIMIT, MAX_LIMIT = 20, 50
JUDGES = ("record", "strict")
_SNAPSHOT = re.compile(r"([^/@=]+/[^/@=]+)@([0-9a-f]{40}|[0-9a-f]{64})=(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user asked for. Paths are absolute; None means the default, `max_samples` 0 means all."""

    samples: tuple[Path, ...]
    corpus: Path | None
    snapshots: Mapping[tuple[str, str], Path]
    arms: tuple[str, ...] | None
    task_type: str | None
    max_samples: int
    limit: int
    judge: str
    output: Path | None
    registration: Path | None
    cache: bool
    cache_folder: Path | None
    suite: Suite | None


def add(parser: pytest.Parser) -> None:
    """Adds the options and the ini values."""
    group = parser.getgroup("retrieval-bench", "repository-retrieval benchmarks (pytest-retrieval-bench)")

    def option(name: str, **attributes: Any) -> None:
        group.addoption(f"--rb-{name}", dest=f"rb_{name.replace('-', '_')}", default=None, **attributes)

    option("samples", action="append", metavar="PATH", help="samples file or folder, to be measured (repeatable)")
    option("suite", metavar="NAME|DIR", help="a bundled suite, or a folder with a suite.toml")
    option(
        "corpus",
        metavar="DIR",
        help="folder of the snapshots: OWNER__NAME/COMMIT.chunks.jsonl or directories",
    )
    option(
        "snapshot",
        action="append",
        metavar="OWNER/NAME@COMMIT=PATH",
        help="the snapshot of one repository at one commit: a chunk file or a directory (repeatable)",
    )
    option("arms", action="append", metavar="ARMS", help="retrievers to measure, comma-separated (repeatable)")
    option("task-type", metavar="TASK", help="measure the samples of this task type only")
    option("max-samples", metavar="N", help="measure the first N samples only")
    option("limit", metavar="K", help=f"how deep rankings are scored, 1 to {MAX_LIMIT} (default {DEFAULT_LIMIT})")
    option(
        "judge",
        metavar="|".join(JUDGES),
        help="record: an answer passes; strict: a miss fails (default record)",
    )
    option("output", metavar="REPORT.json", help="where to write the canonical report")
    option(
        "registration",
        metavar="FILE",
        help="where to write the registration (default REPORT.json.registration.json)",
    )
    option("cache-dir", metavar="DIR", help="where indexes of snapshots are kept (default: the user's cache folder)")
    option("no-cache", action="store_true", help="neither use nor keep indexes of snapshots")
    parser.addini("rb_corpus", "folder of the snapshots, relative to this file")
    parser.addini("rb_arms", "retrievers to measure", type="args")
    parser.addini("rb_limit", "how deep rankings are scored")
    parser.addini("rb_judge", "record or strict")
    parser.addini("rb_cache_dir", "where indexes of snapshots are kept, relative to this file")


def asked(config: pytest.Config) -> bool:
    """Whether any option or ini value of the plugin is given, or samples may stand among the test paths."""
    given = vars(config.option).items()
    return any(name.startswith("rb_") and value for name, value in given) or bool(config.getini("rb_corpus"))


def prefer_worksteal(config: pytest.Config) -> None:
    """Lets pytest-xdist steal work, where a benchmark runs on workers and the user gave no `--dist`.

    Its default scatters the items of a snapshot over the workers; its modes by group lose items after a crash
    (pytest-xdist 1323).
    """
    if asked(config) and getattr(config.option, "numprocesses", None) and config.option.dist == "no":
        config.option.dist = "worksteal"


def settings(config: pytest.Config) -> Settings | None:
    """What was asked for, or None where no samples are.

    Raises SettingsError for what cannot be done.
    """
    option = _Options(config)
    suite = option.suite()
    samples = (*option.paths("samples"), *(suite.samples if suite else ()))
    if option.has_corpus(suite):
        samples += option.samples_arguments(samples)
    output, registration = option.path("output"), option.path("registration")
    if not samples:
        if output or registration:
            option.refuse("output" if output else "registration", "there is nothing to measure; give --rb-samples")
        return None
    found = Settings(
        samples=samples,
        corpus=option.corpus(suite),
        snapshots=option.snapshots(),
        arms=option.arms(suite),
        task_type=option.value("task-type"),
        max_samples=option.number("max-samples", option.value("max-samples"), 0, 1, 10**9),
        limit=option.number(
            "limit",
            _first(option.value("limit"), suite and suite.limit, config.getini("rb_limit")),
            DEFAULT_LIMIT,
            1,
            MAX_LIMIT,
        ),
        judge=option.judge(),
        output=output,
        registration=registration or (output and output.with_name(f"{output.name}.registration.json")),
        cache=not option.value("no-cache"),
        cache_folder=option.path("cache-dir") or option.ini_path("rb_cache_dir"),
        suite=suite,
    )
    option.check_paths(found)
    return found


def _first(*values: Any) -> Any:
    """The first value that says something."""
    return next((value for value in values if value not in (None, "")), None)


class _Options:
    """Reads single options; each refusal names the option and what would be right."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._directory = config.invocation_params.dir

    def value(self, name: str) -> Any:
        return self._config.getoption(f"rb_{name.replace('-', '_')}")

    def refuse(self, name: str, why: str) -> None:
        from pytest_retrieval_bench.errors import SettingsError

        raise SettingsError(f"--rb-{name}: {why}")

    def path(self, name: str) -> Path | None:
        value = self.value(name)
        return None if value is None else self._directory / value

    def paths(self, name: str) -> tuple[Path, ...]:
        return tuple(self._directory / value for value in self.value(name) or ())

    def suite(self) -> Suite | None:
        name = self.value("suite")
        if name is None:
            return None
        from pytest_retrieval_bench.suites import find_suite

        return find_suite(name, self._directory)

    def samples_arguments(self, known: tuple[Path, ...]) -> tuple[Path, ...]:
        """The further `*.jsonl` files among the test paths, for `pytest FILE.jsonl --rb-corpus=DIR`."""
        named = (self._directory / argument.partition("::")[0] for argument in self._config.args)
        files = {path.resolve(): path for path in named if path.suffix == ".jsonl" and path.is_file()}
        return tuple(path for real, path in files.items() if real not in [other.resolve() for other in known])

    def has_corpus(self, suite: Suite | None) -> bool:
        return self.corpus(suite) is not None or bool(self.value("snapshot"))

    def corpus(self, suite: Suite | None) -> Path | None:
        return self.path("corpus") or (suite and suite.corpus) or self.ini_path("rb_corpus")

    def ini_path(self, name: str) -> Path | None:
        value = self._config.getini(name)
        base = self._config.inipath.parent if self._config.inipath else self._config.rootpath
        return base / value if value else None

    def snapshots(self) -> dict[tuple[str, str], Path]:
        found = {}
        for value in self.value("snapshot") or ():
            match = _SNAPSHOT.fullmatch(value)
            if match is None:
                self.refuse("snapshot", f"{value!r} is not OWNER/NAME@COMMIT=PATH with a whole commit id")
            else:
                found[match[1], match[2]] = self._directory / match[3]
        return found

    def arms(self, suite: Suite | None) -> tuple[str, ...] | None:
        lists = self.value("arms") or (suite and suite.arms) or self._config.getini("rb_arms") or ()
        names = [name.strip() for listed in lists for name in listed.split(",")]
        return tuple(dict.fromkeys(filter(None, names))) or None

    def judge(self) -> str:
        value = str(self.value("judge") or self._config.getini("rb_judge") or JUDGES[0])
        if value not in JUDGES:
            from pytest_retrieval_bench.errors import unknown

            self.refuse("judge", unknown("verdict", value, JUDGES))
        return value

    def number(self, name: str, value: Any, default: int, low: int, high: int) -> int:
        if value in (None, ""):
            return default
        if not str(value).isascii() or not str(value).isdigit() or not low <= int(value) <= high:
            self.refuse(name, f"must be a whole number from {low} to {high}, this is {value!r}")
        return int(value)

    def check_paths(self, found: Settings) -> None:
        from pytest_retrieval_bench.reporting.files import same_file, unwritable

        if found.corpus is not None and not found.corpus.is_dir():
            self.refuse("corpus", f"{found.corpus} is no directory")
        for name, path in (("output", found.output), ("registration", found.registration)):
            reason = None if path is None else unwritable(path)
            if reason is not None:
                self.refuse(name, reason)
        if found.output and found.registration and same_file(found.output, found.registration):
            self.refuse("registration", f"{found.registration} is also the report; give another path")
