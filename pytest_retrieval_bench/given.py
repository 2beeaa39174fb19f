"""Single values, each from where it was given first: command line, suite, ini file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, NoReturn, TypeVar

import pytest

from pytest_retrieval_bench.errors import SettingsError, unknown
from pytest_retrieval_bench.options import CANDIDATE_FILTERS, EXPORTS, JUDGES, RESUMES, TABLE_SUFFIXES, VIEWS, dest
from pytest_retrieval_bench.releases.layout import release_places
from pytest_retrieval_bench.suites import Suite, find_suite
from pytest_retrieval_bench.text.arm_names import split_names

_SNAPSHOT = re.compile(r"([^/@=]+/[^/@=]+)@([0-9a-f]{40}|[0-9a-f]{64})=(.+)", re.DOTALL)
_CLONE = re.compile(r"([^/@=]+/[^/@=]+)=(.+)", re.DOTALL)
_EXTRAS = {"html": ("jinja2", "matplotlib"), "parquet": ("pyarrow",)}

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Sourced(Generic[Value]):
    """A value and where it was given, for messages; `value` None means that it was given nowhere."""

    value: Value | None
    source: str


def refuse(source: str, why: str) -> NoReturn:
    """Raises SettingsError, naming where the value was given."""
    raise SettingsError(f"{source}: {why}")


class Given:
    """What the options, the suite and the ini file of a run hold; every method raises SettingsError for a bad value."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._directory = config.invocation_params.dir
        self.suite = self._suite()

    def value(self, name: str) -> Any:
        """What pytest has for an option; an empty text is refused."""
        value = self._config.getoption(dest(name))
        if "" in (value if isinstance(value, list) else [value]):
            refuse(f"--rb-{name}", "the value is empty; leave the option out or give it one")
        return value

    def text(self, name: str) -> str | None:
        """The value of an option that is given once."""
        value: str | None = self.value(name)
        return value

    def path(self, name: str) -> Path | None:
        """A path, relative to the caller's directory."""
        value = self.text(name)
        return None if value is None else self._directory / value

    def ini_path(self, name: str) -> Path | None:
        """A path in the ini file, relative to that file."""
        value = self._config.getini(name)
        base = self._config.inipath.parent if self._config.inipath else self._config.rootpath
        return base / value if value else None

    def samples(self) -> tuple[Path, ...]:
        """The samples of options and suite, and the further `*.jsonl` files among the test paths."""
        given = [self._directory / value for value in self.value("samples") or ()]
        given += self._of_suite()[0]
        if self.corpus().value is None and not self.value("snapshot") and not self.clones():
            return tuple(given)
        named = (self._directory / argument.partition("::")[0] for argument in self._config.args)
        files = {path.resolve(): path for path in named if path.suffix == ".jsonl" and path.is_file()}
        known = [path.resolve() for path in given]
        return (*given, *(path for real, path in files.items() if real not in known))

    def corpus(self) -> Sourced[Path]:
        """The folder of the snapshots."""
        return self._first("corpus", self.path("corpus"), self._of_suite()[1], self.ini_path("rb_corpus"))

    def arms(self) -> Sourced[tuple[str, ...]]:
        """The names of the arms to run."""
        given = self._first("arms", self.value("arms"), self.suite and self.suite.arms, self._config.getini("rb_arms"))
        return _listed(given)

    def baseline_arms(self) -> Sourced[tuple[str, ...]]:
        """The names of the arms that others are held against."""
        in_ini = self._config.getini("rb_baseline_arms")
        in_suite = self.suite and self.suite.baseline_arms
        return _listed(self._first("baseline_arms", self.value("baseline-arms"), in_suite, in_ini))

    def limit(self) -> Sourced[Any]:
        """How deep rankings are scored, unchecked."""
        in_ini = self._config.getini("rb_limit")
        return self._first("limit", self.value("limit"), self.suite and self.suite.limit, in_ini)

    def corvint(self) -> str | None:
        """The path of a file, or a name to be found on PATH."""
        given, in_ini = self.text("corvint"), self.ini_path("rb_corvint")
        if given is None:
            return None if in_ini is None else str(in_ini)
        file = self._directory / given
        return str(file) if file.exists() else given

    def judge(self) -> str:
        """What makes an item fail."""
        in_suite, in_ini = self.suite and self.suite.judge, self._config.getini("rb_judge")
        given = self._first("judge", self.text("judge"), in_suite, in_ini)
        if given.value is not None and given.value not in JUDGES:
            refuse(given.source, unknown("verdict", given.value, JUDGES))
        return given.value or JUDGES[0]

    def candidate_filter(self) -> str | None:
        """Which files some arms may rank."""
        given = self.text("candidate-filter")
        if given is not None and given not in CANDIDATE_FILTERS:
            refuse("--rb-candidate-filter", unknown("filter", given, CANDIDATE_FILTERS))
        return given

    def shard(self) -> tuple[int, int] | None:
        """Which part of the run this is, and of how many."""
        given = self.text("shard")
        if given is None:
            return None
        number, separator, of = given.partition("/")
        whole = separator and all(part.isascii() and part.isdigit() and len(part) < 6 for part in (number, of))
        if not whole or not 1 <= int(number) <= int(of):
            refuse("--rb-shard", f"{given!r} is not K/N, such as 1/4 for the first of four parts")
        return int(number), int(of)

    def resume(self) -> str | None:
        """What is measured of a run that ended early."""
        given = self.text("resume")
        if given is not None and given not in RESUMES:
            refuse("--rb-resume", unknown("part", given, RESUMES))
        return given

    def top(self) -> int:
        """How many of the worst misses and largest disagreements are shown; 0 for none."""
        return whole_number(Sourced(self.text("top"), "--rb-top"), 0, 1, 1000)

    def gates(self) -> tuple[Sourced[str], ...]:
        """Every gate, wherever it was given: one that is not judged must not look like one that held."""
        suite, ini = self.suite, self._config.inipath
        return (
            *(Sourced(text, "--rb-gate") for text in self.value("gate") or ()),
            *(Sourced(text, f"{suite and suite.file}: gates") for text in (suite.gates if suite else ())),
            *(Sourced(text, f"{ini}: rb_gates") for text in self._config.getini("rb_gates")),
        )

    def exports(self) -> dict[str, Path]:
        """The further files that are made of the report, by the names of their options."""
        asked = {name: path for name in EXPORTS if (path := self.path(name)) is not None}
        if "table" in asked and asked["table"].suffix not in TABLE_SUFFIXES:
            refuse("--rb-table", f"{asked['table']}: the name must end in {' or '.join(TABLE_SUFFIXES)}")
        if "html" in asked:
            _check_extra("--rb-html", "html")
        if "table" in asked and asked["table"].suffix == ".parquet":
            _check_extra("--rb-table", "parquet")
        return asked

    def views(self) -> tuple[str, ...]:
        """The tables of further measures to show, each once."""
        names = _listed(Sourced(self.value("view"), "--rb-view")).value or ()
        for name in names:
            if name not in VIEWS:
                refuse("--rb-view", unknown("view", name, VIEWS))
        return VIEWS[1:] if VIEWS[0] in names else names

    def snapshots(self) -> dict[tuple[str, str], Path]:
        """The snapshots given one by one: (OWNER/NAME, commit) -> path."""
        found = {}
        for value in self.value("snapshot") or ():
            match = _SNAPSHOT.fullmatch(value)
            if match is None:
                refuse("--rb-snapshot", f"{value!r} is not OWNER/NAME@COMMIT=PATH with a whole commit id")
            found[match[1], match[2]] = self._directory / match[3]
        return found

    def clones(self) -> dict[str, Path]:
        """The clones: OWNER/NAME -> directory; those of the command line come before those of the suite."""
        found: dict[str, Path] = {}
        for value in self.value("git") or ():
            match = _CLONE.fullmatch(value)
            if match is None:
                refuse("--rb-git", f"{value!r} is not OWNER/NAME=DIR")
            if match[1] in found:
                refuse("--rb-git", f"{match[1]} has two clones, {found[match[1]]} and {match[2]}; give one")
            found[match[1]] = self._directory / match[2]
        return {**(self.suite.clones if self.suite else {}), **found}

    def _of_suite(self) -> tuple[tuple[Path, ...], Path | None]:
        """The samples and the corpus of the suite; those of a release lie in the folder of data."""
        if self.suite is None or self.suite.release is None:
            return (self.suite.samples, self.suite.corpus) if self.suite else ((), None)
        data = self.path("data") or self.ini_path("rb_data")
        if data is None:
            refuse("--rb-suite", f"{self.suite.title} needs the data of its release; give --rb-data=DIR")
        samples, corpus = release_places(data, self.suite.release)
        return (samples,), corpus

    def _suite(self) -> Suite | None:
        name = self.text("suite")
        if name is None:
            return None
        return find_suite(name, self._directory)

    def _first(self, name: str, on_command_line: Any, in_suite: Any, in_ini: Any) -> Sourced[Any]:
        """The value of an option; `name` is its key in a suite."""
        option = f"--rb-{name.replace('_', '-')}"
        sources = [
            (on_command_line, option),
            (in_suite, f"{self.suite and self.suite.file}: {name}"),
            (in_ini or None, f"{self._config.inipath}: {dest(name)}"),
        ]
        nowhere: Sourced[Any] = Sourced(None, option)
        return next((Sourced(value, source) for value, source in sources if value is not None), nowhere)


def _check_extra(option: str, extra: str) -> None:
    for module in _EXTRAS[extra]:
        if find_spec(module) is None:
            refuse(option, f"needs {module}: pip install 'pytest-retrieval-bench[{extra}]'")


def _listed(given: Sourced[Any]) -> Sourced[tuple[str, ...]]:
    """Names from comma-separated lists, each once."""
    names = [name for listed in given.value or () for name in split_names(listed)]
    return Sourced(tuple(dict.fromkeys(names)) or None, given.source)


def whole_number(given: Sourced[Any], default: int, low: int, high: int) -> int:
    """The number that was given, or the default; raises SettingsError for one that is none or out of bounds."""
    if given.value is None:
        return default
    text = str(given.value)
    if not text.isascii() or not text.isdigit() or len(text) > 10 or not low <= int(text) <= high:
        refuse(given.source, f"must be a whole number from {low} to {high}, this is {given.value!r}")
    return int(text)
