"""What the options, the suite and the ini file say, as one frozen `Settings`; every refusal of a bad command line.

Command line over suite over ini over default.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Generic, NoReturn, TypeVar

import pytest

from pytest_retrieval_bench.errors import SettingsError, SnapshotError, unknown
from pytest_retrieval_bench.options import DEFAULT_LIMIT, JUDGES, MAX_LIMIT, RESUMES, dest
from pytest_retrieval_bench.reporting.files import same_file, unwritable
from pytest_retrieval_bench.reporting.inference_choice import InferenceChoice, read_choice
from pytest_retrieval_bench.reporting.stored_run import journal_path
from pytest_retrieval_bench.snapshots.git import check_repository
from pytest_retrieval_bench.suites import Suite, find_suite

_SNAPSHOT = re.compile(r"([^/@=]+/[^/@=]+)@([0-9a-f]{40}|[0-9a-f]{64})=(.+)", re.DOTALL)
_CLONE = re.compile(r"([^/@=]+/[^/@=]+)=(.+)", re.DOTALL)

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Sourced(Generic[Value]):
    """A value and where it was given, for messages; `value` None means that it was given nowhere."""

    value: Value | None
    source: str


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user asked for. Paths are absolute; None means the default, `max_samples` 0 means all.

    `directory` is the caller's.
    """

    samples: tuple[Path, ...]
    corpus: Path | None
    snapshots: Mapping[tuple[str, str], Path]
    clones: Mapping[str, Path]
    arms: Sourced[tuple[str, ...]]
    baseline_arms: Sourced[tuple[str, ...]]
    task_type: str | None
    max_samples: int
    shard: tuple[int, int] | None
    limit: int
    judge: str
    output: Path | None
    registration: Path | None
    resume: str | None
    cache: bool
    cache_folder: Path | None
    corvint: str | None
    arms_file: Path | None
    commands: tuple[str, ...]
    replays: tuple[str, ...]
    snapshot_latency: bool
    context_packets: Path | None
    keep_workspace: bool
    inference: InferenceChoice | None
    gates: tuple[Sourced[str], ...]
    gate_report: Path | None
    suite: Suite | None
    directory: Path

    def context_modes(self) -> dict[str, bool]:
        """The options that do more than measure the arm `context`, and whether they were given."""
        return {
            "--rb-snapshot-latency": self.snapshot_latency,
            "--rb-context-packets": self.context_packets is not None,
        }


def snapshot_places(config: pytest.Config) -> list[Path]:
    """The folders and files of snapshots and the clones, in which nothing is to be collected."""
    options = _Options(config)
    corpus = options.corpus().value
    return [*([corpus] if corpus else []), *options.snapshots().values(), *options.clones().values()]


def read_settings(config: pytest.Config) -> Settings | None:
    """What was asked for, or None where no samples are.

    Raises SettingsError for what cannot be done.
    """
    options = _Options(config)
    samples, output = options.samples(), options.path("output")
    registration, corpus, snapshots = options.path("registration"), options.corpus(), options.snapshots()
    clones = options.clones()
    if not samples:
        for name in ("output", "registration", "context-packets", "snapshot-latency", "gate", "gate-report"):
            if options.value(name):
                refuse(f"--rb-{name}", "there is nothing to measure; give --rb-samples")
        return None
    if corpus.value is None and not snapshots and not clones:
        what = "--rb-corpus=DIR, --rb-snapshot, --rb-git or a suite with a corpus"
        refuse("--rb-samples", f"there are no snapshots; give {what}")
    found = Settings(
        samples=samples,
        corpus=corpus.value,
        snapshots=snapshots,
        clones=clones,
        arms=options.arms(),
        baseline_arms=options.baseline_arms(),
        task_type=options.text("task-type"),
        max_samples=_number(Sourced(options.text("max-samples"), "--rb-max-samples"), 0, 1, 10**9),
        shard=options.shard(),
        limit=_number(options.limit(), DEFAULT_LIMIT, 1, MAX_LIMIT),
        judge=options.judge(),
        output=output,
        registration=registration or (output and output.with_name(f"{output.name}.registration.json")),
        resume=options.resume(),
        cache=not options.value("no-cache"),
        cache_folder=options.path("cache-dir") or options.ini_path("rb_cache_dir"),
        corvint=options.corvint(),
        arms_file=options.path("arms-file") or options.ini_path("rb_arms_file"),
        commands=tuple(options.value("command") or ()),
        replays=tuple(options.value("replay") or ()),
        snapshot_latency=bool(options.value("snapshot-latency")),
        context_packets=options.path("context-packets"),
        keep_workspace=bool(options.value("keep-workspace")),
        inference=read_choice(options.value("inference"), options.text("margin")),
        gates=options.gates(),
        gate_report=options.path("gate-report"),
        suite=options.suite,
        directory=config.invocation_params.dir,
    )
    _check_context_modes(found, config)
    if found.resume is not None and (found.output is None or found.context_packets is not None):
        why = "a capture is of one run, from its beginning" if found.output else "give the --rb-output of the run"
        refuse("--rb-resume", why)
    _check_paths(found, corpus.source)
    return found


def refuse(source: str, why: str) -> NoReturn:
    """Raises SettingsError, naming where the value was given."""
    raise SettingsError(f"{source}: {why}")


class _Options:
    """Reads single values, each from where it was given first: command line, suite, ini file."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._directory = config.invocation_params.dir
        self.suite = self._suite()

    def value(self, name: str) -> Any:
        value = self._config.getoption(dest(name))
        if "" in (value if isinstance(value, list) else [value]):
            refuse(f"--rb-{name}", "the value is empty; leave the option out or give it one")
        return value

    def text(self, name: str) -> str | None:
        value: str | None = self.value(name)
        return value

    def path(self, name: str) -> Path | None:
        value = self.text(name)
        return None if value is None else self._directory / value

    def ini_path(self, name: str) -> Path | None:
        value = self._config.getini(name)
        base = self._config.inipath.parent if self._config.inipath else self._config.rootpath
        return base / value if value else None

    def samples(self) -> tuple[Path, ...]:
        """The samples of options and suite, and the further `*.jsonl` files among the test paths."""
        given = [self._directory / value for value in self.value("samples") or ()]
        given += self.suite.samples if self.suite else ()
        if self.corpus().value is None and not self.value("snapshot") and not self.value("git"):
            return tuple(given)
        named = (self._directory / argument.partition("::")[0] for argument in self._config.args)
        files = {path.resolve(): path for path in named if path.suffix == ".jsonl" and path.is_file()}
        known = [path.resolve() for path in given]
        return (*given, *(path for real, path in files.items() if real not in known))

    def corpus(self) -> Sourced[Path]:
        return self._first("corpus", self.path("corpus"), self.suite and self.suite.corpus, self.ini_path("rb_corpus"))

    def arms(self) -> Sourced[tuple[str, ...]]:
        given = self._first("arms", self.value("arms"), self.suite and self.suite.arms, self._config.getini("rb_arms"))
        return _listed(given)

    def baseline_arms(self) -> Sourced[tuple[str, ...]]:
        in_ini = self._config.getini("rb_baseline_arms")
        return _listed(self._first("baseline-arms", self.value("baseline-arms"), None, in_ini))

    def limit(self) -> Sourced[Any]:
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
        given = self._first("judge", self.text("judge"), None, self._config.getini("rb_judge"))
        if given.value is not None and given.value not in JUDGES:
            refuse(given.source, unknown("verdict", given.value, JUDGES))
        return given.value or JUDGES[0]

    def shard(self) -> tuple[int, int] | None:
        given = self.text("shard")
        if given is None:
            return None
        number, separator, of = given.partition("/")
        whole = separator and all(part.isascii() and part.isdigit() and len(part) < 6 for part in (number, of))
        if not whole or not 1 <= int(number) <= int(of):
            refuse("--rb-shard", f"{given!r} is not K/N, such as 1/4 for the first of four parts")
        return int(number), int(of)

    def resume(self) -> str | None:
        given = self.text("resume")
        if given is not None and given not in RESUMES:
            refuse("--rb-resume", unknown("part", given, RESUMES))
        return given

    def gates(self) -> tuple[Sourced[str], ...]:
        """Every gate, wherever it was given: one that is not judged must not look like one that held."""
        suite, ini = self.suite, self._config.inipath
        return (
            *(Sourced(text, "--rb-gate") for text in self.value("gate") or ()),
            *(Sourced(text, f"{suite and suite.file}: gates") for text in (suite.gates if suite else ())),
            *(Sourced(text, f"{ini}: rb_gates") for text in self._config.getini("rb_gates")),
        )

    def snapshots(self) -> dict[tuple[str, str], Path]:
        found = {}
        for value in self.value("snapshot") or ():
            match = _SNAPSHOT.fullmatch(value)
            if match is None:
                refuse("--rb-snapshot", f"{value!r} is not OWNER/NAME@COMMIT=PATH with a whole commit id")
            found[match[1], match[2]] = self._directory / match[3]
        return found

    def clones(self) -> dict[str, Path]:
        found: dict[str, Path] = {}
        for value in self.value("git") or ():
            match = _CLONE.fullmatch(value)
            if match is None:
                refuse("--rb-git", f"{value!r} is not OWNER/NAME=DIR")
            if match[1] in found:
                refuse("--rb-git", f"{match[1]} has two clones, {found[match[1]]} and {match[2]}; give one")
            found[match[1]] = self._directory / match[2]
        return found

    def _suite(self) -> Suite | None:
        name = self.text("suite")
        if name is None:
            return None
        return find_suite(name, self._directory)

    def _first(self, name: str, on_command_line: Any, in_suite: Any, in_ini: Any) -> Sourced[Any]:
        sources = [
            (on_command_line, f"--rb-{name}"),
            (in_suite, f"{self.suite and self.suite.file}: {name}"),
            (in_ini or None, f"{self._config.inipath}: {dest(name)}"),
        ]
        nowhere: Sourced[Any] = Sourced(None, f"--rb-{name}")
        return next((Sourced(value, source) for value, source in sources if value is not None), nowhere)


def _listed(given: Sourced[Any]) -> Sourced[tuple[str, ...]]:
    """Names from comma-separated lists, each once."""
    names = [name.strip() for listed in given.value or () for name in listed.split(",")]
    return Sourced(tuple(dict.fromkeys(filter(None, names))) or None, given.source)


def _number(given: Sourced[Any], default: int, low: int, high: int) -> int:
    if given.value is None:
        return default
    text = str(given.value)
    if not text.isascii() or not text.isdigit() or len(text) > 10 or not low <= int(text) <= high:
        refuse(given.source, f"must be a whole number from {low} to {high}, this is {given.value!r}")
    return int(text)


def _check_context_modes(found: Settings, config: pytest.Config) -> None:
    """What measures time or keeps one order cannot be spread over workers."""
    for option, asked in found.context_modes().items():
        if asked and config.getoption("dist", "no") != "no":
            refuse(option, "cannot be used with -n: calls side by side spoil times and order; leave -n out")
        if asked and found.registration is None:
            refuse(option, "it belongs to a registered run; give --rb-output or --rb-registration")


def _check_paths(found: Settings, corpus_source: str) -> None:
    if found.corpus is not None and not found.corpus.is_dir():
        refuse(corpus_source, f"{found.corpus} is no directory")
    for clone in found.clones.values():
        try:
            check_repository(clone)
        except SnapshotError as error:
            refuse("--rb-git", str(error))
    outputs = {"output": found.output, "registration": found.registration, "context-packets": found.context_packets}
    for name, path in outputs.items():
        reason = None if path is None else unwritable(path)
        if reason is not None:
            refuse(f"--rb-{name}", reason)
        if path is not None and _is_in_a_snapshot(path, found):
            refuse(f"--rb-{name}", f"{path} lies in a snapshot, which is never written to; give another path")
        if path is not None and path.resolve().parent in map(Path.resolve, _listed_folders(found.samples)):
            refuse(f"--rb-{name}", f"every *.jsonl file in {path.parent} is read as samples; give a path elsewhere")
    made = {"report": ("output", found.output), "journal": ("output", found.output and journal_path(found.output))}
    made |= {name: (name, outputs[name]) for name in ("registration", "context-packets")}
    for (what, (_, first)), (_, (name, second)) in combinations(made.items(), 2):
        if first and second and same_file(first, second):
            refuse(f"--rb-{name}", f"{second} is also the {what}; give another path")
    if found.context_packets is not None:
        _check_capture(found, found.context_packets)


def _check_capture(found: Settings, capture: Path) -> None:
    name = "--rb-context-packets"
    if os.path.lexists(capture):
        refuse(name, f"{capture} exists; give a new path")
    if any(folder.is_symlink() for folder in capture.parents):
        refuse(name, f"{capture} leads through a symbolic link; give the path without it")
    if found.corpus is not None and found.corpus.resolve() in capture.resolve().parents:
        refuse(name, f"{capture} lies in the corpus, which is never written to; give another path")


def _is_in_a_snapshot(path: Path, found: Settings) -> bool:
    folders = path.resolve().parents
    below_corpus = found.corpus is not None and found.corpus.resolve() in folders[1:]
    places = (*found.snapshots.values(), *found.clones.values())
    return below_corpus or any(place.resolve() in folders for place in places)


def _listed_folders(samples: tuple[Path, ...]) -> list[Path]:
    """The folders of samples that stand for all their `*.jsonl`, a journal among them."""
    return [path for path in samples if path.is_dir() and not (path / "samples.jsonl").is_file()]
