"""The state of a run: made once in every process from the settings, kept in the configuration's stash."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import pytest

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.composed import with_components
from pytest_retrieval_bench.arms.fusion import WeightedFusion
from pytest_retrieval_bench.arms.run import Asker
from pytest_retrieval_bench.benchmarks.read import SamplesFile, read_samples
from pytest_retrieval_bench.case import Measured
from pytest_retrieval_bench.errors import SamplesError, SettingsError, unknown
from pytest_retrieval_bench.gathering import available_arms, baselines, not_run, selected
from pytest_retrieval_bench.hooked import metrics_of_hooks, rows_of_hooks
from pytest_retrieval_bench.index.cache import IndexCache
from pytest_retrieval_bench.index.store import IndexStore
from pytest_retrieval_bench.model import Metric
from pytest_retrieval_bench.plan import Plan, make_plan
from pytest_retrieval_bench.reporting.gate_reading import read_gates
from pytest_retrieval_bench.reporting.gates import Gate, Scope, planned_groups, tolerated_arms
from pytest_retrieval_bench.settings import Settings
from pytest_retrieval_bench.sharding import Shard, shard_of
from pytest_retrieval_bench.snapshots.store import SnapshotStore
from pytest_retrieval_bench.snapshots.workspaces import Workspaces
from pytest_retrieval_bench.suites import ALL_TASKS, Suite


@dataclass(frozen=True, slots=True)
class Bench:
    """What is measured and how.

    `arms` are those of this run, in the order of lists; `baselines` are those of them that retrievers are held against;
    `not_run` says why others do not run; `own_metrics` are those of hooks.
    """

    settings: Settings
    files: tuple[SamplesFile, ...]
    arms: Mapping[str, Arm]
    baselines: tuple[str, ...]
    not_run: Mapping[str, str]
    plan: Plan
    shard: Shard | None
    gates: tuple[Gate, ...]
    cache: IndexCache | None
    asker: Asker
    own_metrics: Mapping[str, Metric]

    def tolerated_arms(self) -> frozenset[str]:
        """The arms whose errors a gate counts; none in a shard, where no gate is judged."""
        return frozenset() if self.shard else tolerated_arms(self.gates, self.arms)


BENCH = pytest.StashKey[Bench]()
MEASURED = pytest.StashKey[Measured]()
MEASURED_BEFORE = pytest.StashKey[frozenset[str]]()
# Whether node ids on the command line chose a part of the items, and whether the items collected are all there are.
NODE_IDS_GIVEN = pytest.StashKey[bool]()
ALL_COLLECTED = pytest.StashKey[bool]()


def make_bench(settings: Settings, config: pytest.Config) -> Bench:
    """Reads the samples, gathers the arms and plans the items.

    Raises SamplesError or SettingsError for what cannot be used.
    """
    kept_in = settings.kept_in()
    cache = None if kept_in is None else IndexCache(kept_in)
    available = available_arms(settings, config, IndexStore(cache))
    names = selected(settings, available)
    files = read_samples(settings.samples, kept_in, rows_of_hooks(config))
    if settings.suite is not None:
        _check_counts(settings.suite, files)
    if settings.task_type is not None:
        known = sorted({sample.task_type for file in files for sample in file.samples})
        if settings.task_type not in known:
            raise SettingsError(f"--rb-task-type: {unknown('task type', settings.task_type, known)}")
    plan = make_plan(files, names, settings.task_type, settings.max_samples)
    if settings.suite is not None and plan.samples:
        _check_metrics(settings.suite, planned_groups(plan.samples, settings.limit)["all"])
    arms = {name: available[name] for name in names}
    _refuse_own_weights(arms.values(), plan)
    shard = None if settings.shard is None else _shard(settings, settings.shard, plan, len(names))
    return Bench(
        settings=settings,
        files=files,
        arms=arms,
        baselines=baselines(settings.baseline_arms, arms),
        not_run=not_run(available, names),
        plan=plan if shard is None else plan.part(shard.ordinals),
        shard=shard,
        gates=_gates(settings, plan, names, parallel=config.getoption("dist", "no") != "no"),
        cache=cache,
        asker=Asker(),
        own_metrics=metrics_of_hooks(config),
    )


def snapshot_store(settings: Settings, workspaces: Workspaces | None = None) -> SnapshotStore:
    """The snapshots of a run; without `workspaces` no copies of them are to be had."""
    return SnapshotStore(settings.corpus, settings.snapshots, settings.clones, workspaces, settings.kept_in())


def _refuse_own_weights(arms: Iterable[Arm], plan: Plan) -> None:
    """What was chosen by a repository's samples cannot be measured by them."""
    repositories = {sample.repo for sample in plan.samples}
    for arm in with_components(arms):
        if isinstance(arm, WeightedFusion):
            arm.weights.refuse_own(arm.name, repositories)


def _check_counts(suite: Suite, files: Iterable[SamplesFile]) -> None:
    found = Counter(name for file in files for sample in file.samples for name in (sample.task_type, ALL_TASKS))
    wrong = [f"{found[name]} of {name}, not {count}" for name, count in suite.counts.items() if found[name] != count]
    if wrong:
        raise SamplesError(f"{suite.file}: the samples read are not those of this suite: {', '.join(wrong)}")


def _check_metrics(suite: Suite, known: Collection[str]) -> None:
    for name in suite.metrics:
        if name not in known:
            raise SettingsError(f"{suite.file}: metrics: {unknown('metric', name, sorted(known))}")


def _shard(settings: Settings, shard: tuple[int, int], plan: Plan, arms: int) -> Shard:
    return shard_of(plan.samples, *shard, arms, snapshot_store(settings).size)


def _gates(settings: Settings, plan: Plan, arms: Sequence[str], *, parallel: bool) -> tuple[Gate, ...]:
    """The gates of the run, each once, in the order in which they were given."""
    if not settings.gates:
        return ()
    groups = planned_groups(plan.samples, settings.limit)
    scope = Scope(arms, settings.limit, groups, parallel, settings.gate_report is not None)
    return read_gates([(given.value or "", given.source) for given in settings.gates], scope)
