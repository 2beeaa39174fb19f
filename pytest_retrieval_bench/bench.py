"""The state of a run: made once in every process from the settings, kept in the configuration's stash."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pytest

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.registry import GROUPS, built_in_arms
from pytest_retrieval_bench.benchmarks.read import SamplesFile, read_samples
from pytest_retrieval_bench.errors import SettingsError, unknown
from pytest_retrieval_bench.index.cache import IndexCache, default_folder
from pytest_retrieval_bench.index.store import IndexStore
from pytest_retrieval_bench.model import LEXICAL_ARMS, Record, arm_rank
from pytest_retrieval_bench.plan import Plan, make_plan
from pytest_retrieval_bench.settings import Settings, Sourced


@dataclass(frozen=True, slots=True)
class Bench:
    """What is measured and how.

    `arms` are those of this run, in the order of lists; `baselines` are those of them that retrievers are held against;
    `not_run` says why others do not run.
    """

    settings: Settings
    files: tuple[SamplesFile, ...]
    arms: Mapping[str, Arm]
    baselines: tuple[str, ...]
    not_run: Mapping[str, str]
    plan: Plan
    cache: IndexCache | None


_HOOK: Final = "pytest_retrieval_bench_arms"
BENCH = pytest.StashKey[Bench]()
RECORD = pytest.StashKey[Record]()


def make_bench(settings: Settings, config: pytest.Config) -> Bench:
    """Reads the samples, gathers the arms and plans the items.

    Raises SamplesError or SettingsError for what cannot be used.
    """
    cache = IndexCache(settings.cache_folder or default_folder()) if settings.cache else None
    available = _available_arms(config, IndexStore(cache))
    names = _selected(settings.arms, available)
    files = read_samples(settings.samples)
    if settings.task_type is not None:
        known = sorted({sample.task_type for file in files for sample in file.samples})
        if settings.task_type not in known:
            raise SettingsError(f"--rb-task-type: {unknown('task type', settings.task_type, known)}")
    return Bench(
        settings=settings,
        files=files,
        arms={name: available[name] for name in names},
        baselines=_baselines(settings.baseline_arms, names),
        not_run={name: "not selected" for name in sorted(available, key=arm_rank) if name not in names},
        plan=make_plan(files, names, settings.task_type, settings.max_samples),
        cache=cache,
    )


def _available_arms(config: pytest.Config, indexes: IndexStore) -> dict[str, Arm]:
    available = {arm.name: arm for arm in built_in_arms(indexes)}
    for arms in _arms_of_others(config):
        if not isinstance(arms, Iterable):
            raise SettingsError(f"{_HOOK}: return a list of arms, this is {arms!r}")
        for arm in arms:
            name = getattr(arm, "name", None)
            if isinstance(arm, type):
                raise SettingsError(f"{_HOOK}: {arm!r} is a class; return an instance of it")
            if not isinstance(name, str) or not name or not callable(getattr(arm, "answer", None)):
                raise SettingsError(f"{_HOOK}: {arm!r} needs a `name` and an `answer` method")
            if not name.isprintable() or "," in name or name in GROUPS or name != name.strip():
                raise SettingsError(f"{_HOOK}: {name!r} cannot be the name of an arm; rename it")
            if name in available:
                raise SettingsError(f"{_HOOK}: two arms have the name {name!r}; rename one")
            available[name] = arm
    return available


def _arms_of_others(config: pytest.Config) -> list[Any]:
    try:
        found = config.hook.pytest_retrieval_bench_arms(config=config)
        return [list(arms) if isinstance(arms, Iterable) else arms for arms in found]
    except Exception as error:  # a user's code
        place = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error}"
        raise SettingsError(f"{_HOOK} failed at {place.filename}:{place.lineno}: {what}") from error


def _selected(asked: Sourced[tuple[str, ...]], available: Mapping[str, Arm]) -> list[str]:
    names = _members(asked.value or available)
    for name in names:
        if name not in available:
            known = [*sorted(available, key=arm_rank), *GROUPS]
            hint = "arms of your own come from a conftest.py where pytest runs"
            raise SettingsError(f"{asked.source}: {unknown('arm', name, known)}; {hint}")
    return sorted(set(names), key=arm_rank)


def _baselines(asked: Sourced[tuple[str, ...]], running: Sequence[str]) -> tuple[str, ...]:
    """The baselines among the arms that run; by default the lexical ones."""
    for name in _members(asked.value or ()):
        if name not in running:
            raise SettingsError(f"{asked.source}: not in this run: {unknown('arm', name, running)}")
    wanted = _members(asked.value or LEXICAL_ARMS)
    return tuple(name for name in running if name in wanted)


def _members(names: Iterable[str]) -> list[str]:
    """The names with groups such as `bm25` spelled out."""
    return [member for name in names for member in GROUPS.get(name, (name,))]
