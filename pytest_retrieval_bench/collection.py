"""A samples file as a test module: its items, their ids, marks and order."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from types import ModuleType
from typing import Any

import pytest

from pytest_retrieval_bench import retrieval_test
from pytest_retrieval_bench.bench import ALL_COLLECTED, MEASURED_BEFORE, NODE_IDS_GIVEN, Bench, snapshot_store
from pytest_retrieval_bench.plan import TEST_NAME, Module, Pair, sample_id
from pytest_retrieval_bench.snapshots.store import SnapshotKey


class SamplesModule(pytest.Module):
    """The module of one samples file; whatever the file is called, it holds the one test function."""

    # pytest's private name for "where a module's code comes from": a samples file has no code to import.
    def _getobj(self) -> ModuleType:
        return retrieval_test

    def istestfunction(self, obj: object, name: str) -> bool:
        """Whatever a user's `python_functions` says, the test function is one."""
        return name == TEST_NAME

    def istestclass(self, obj: object, name: str) -> bool:
        """The classes that the module imports are no tests."""
        return False


class Collection:
    """The plugin object that turns the plan into items."""

    def __init__(self, bench: Bench) -> None:
        self._modules = bench.plan.modules
        self._samples = bench.plan.samples
        self._pairs = {module.name: module.pairs for module in bench.plan.modules}
        self._node_ids = bench.plan.pairs().keys()
        self._snapshots = snapshot_store(bench.settings)

    def take_arguments(self, config: pytest.Config) -> None:
        """Takes what names the benchmark out of pytest's arguments: it is collected without a search for files.

        What is left are the user's own tests, which run beside the benchmark only where they were asked for. A node id
        that names an item, as printed or with the path of its samples file, selects that item.

        Raises UsageError for a node id of a samples file that names nothing in it.
        """
        if config.args_source is not config.ArgsSource.ARGS:
            config.args_source, config.args = config.ArgsSource.ARGS, []
        theirs, selected = [], set[str]()
        names = {module.name: module for module in self._modules}
        names |= {str(module.path.resolve()): module for module in self._modules}
        for argument in config.args:
            file, separator, name = argument.partition("::")
            path = (config.invocation_params.dir / file).resolve()
            module = names.get(str(path)) or names.get(file)
            if module is None:
                theirs.append(argument)
            elif separator:
                selected |= self._named(module, name, argument)
        config.args = theirs
        config.stash[NODE_IDS_GIVEN] = bool(selected)
        if selected:
            self._pairs = {
                module.name: tuple(pair for pair in module.pairs if pair.node_id in selected)
                for module in self._modules
            }

    def _named(self, module: Module, name: str, argument: str) -> set[str]:
        """The node ids that the part of an argument after its file names: one item, or all of the test function."""
        node_id = f"{module.name}::{name}"
        if name == TEST_NAME:
            return {pair.node_id for pair in module.pairs}
        if node_id not in self._node_ids:
            raise pytest.UsageError(f"not found: {argument}: no such item in {module.path}; list them with --co -q")
        return {node_id}

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, Any, Any]:
        """Adds the modules to the session itself: no folder of a samples file is searched, no code in it is run."""
        report = yield
        if isinstance(collector, pytest.Session) and report.outcome == "passed":
            added = [module for module in self._modules if self._pairs[module.name]]
            report.result = [*report.result, *(_node(module, collector) for module in added)]
        if isinstance(collector, SamplesModule) and report.outcome == "passed" and not report.result:
            # `--lf` skips a file whose path did not fail; a samples file's node id is no path.
            report.result = list(collector.collect())
        return report

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """An item a pair for the benchmark's own function, an item a sample for a user's test."""
        module = metafunc.definition.parent
        if isinstance(module, SamplesModule):
            pairs = self._pairs[module.nodeid]
            values = [pytest.param(pair.sample, pair.arm, id=pair.id, marks=_mark(pair)) for pair in pairs]
            metafunc.parametrize(("rb_case", "rb_arm"), values, indirect=["rb_case"])
        elif "rb_case" in metafunc.fixturenames:
            metafunc.parametrize("rb_case", self._samples, ids=map(sample_id, self._samples), indirect=True)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Brings the items of one snapshot together, and the snapshots of one repository; large ones first.

        In an archive the snapshots stand in its order. The user's tests stay where they are.
        """
        places = [number for number, item in enumerate(items) if is_benchmark_item(item)]
        ours = [items[number] for number in places]
        order = self._snapshot_order(dict.fromkeys(map(_snapshot_key, ours)))
        ours.sort(key=lambda item: order[_snapshot_key(item)])
        for number, item in zip(places, ours, strict=True):
            items[number] = item

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Whether options of pytest left items of the benchmark out."""
        done = session.config.stash.get(MEASURED_BEFORE, frozenset())
        session.config.stash[ALL_COLLECTED] = self._node_ids <= done.union(item.nodeid for item in session.items)

    def _snapshot_order(self, snapshots: Iterable[SnapshotKey]) -> dict[SnapshotKey, int]:
        sizes = {key: self._snapshots.size(*key) for key in snapshots}
        totals: dict[str, int] = {}
        for (repo, _), size in sizes.items():
            totals[repo] = totals.get(repo, 0) + size
        places = {key: self._snapshots.place(*key) for key in sizes}
        ordered = sorted(sizes, key=lambda key: (places[key], -totals[key[0]], key[0], -sizes[key]))
        return {key: number for number, key in enumerate(ordered)}


def is_benchmark_item(item: pytest.Item) -> bool:
    """Whether an item is a pair of sample and arm, and not a user's test."""
    return isinstance(item.parent, SamplesModule)


def _node(module: Module, parent: pytest.Collector) -> SamplesModule:
    node: SamplesModule = SamplesModule.from_parent(parent, path=module.path, nodeid=module.name)
    return node


def _mark(pair: Pair) -> pytest.MarkDecorator:
    sample = pair.sample
    return pytest.mark.rb(
        arm=pair.arm, task=sample.task_type, repo=sample.repo, stratum=sample.stratum, fold=sample.partition
    )


def _snapshot_key(item: pytest.Item) -> SnapshotKey:
    sample = item.callspec.params["rb_case"]  # type: ignore[attr-defined]
    return (sample.repo, sample.base_commit)
