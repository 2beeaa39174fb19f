"""A samples file as a test module: its items, their ids, marks and order."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pytest_retrieval_bench import retrieval_test
from pytest_retrieval_bench.bench import Bench
from pytest_retrieval_bench.plan import TEST_NAME, Module, Pair, sample_id


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
        self._modules = {module.name: module for module in bench.plan.modules}
        self._by_path = {module.path.resolve(): module for module in bench.plan.modules}
        self._samples = bench.plan.samples
        self._among_arguments: set[str] = set()

    def take_arguments(self, config: pytest.Config) -> None:
        """Makes pytest collect the benchmark, and the user's tests only where they were asked for.

        A module's node id among the arguments stands for its samples file, so that an id can be copied from the output.
        """
        if config.args_source is not config.ArgsSource.ARGS:
            config.args_source, config.args = config.ArgsSource.ARGS, []
        directory = config.invocation_params.dir
        for number, argument in enumerate(config.args):
            name, separator, rest = argument.partition("::")
            path = directory / name
            if not path.exists() and name in self._modules:
                path = self._modules[name].path
                config.args[number] = f"{path}{separator}{rest}"
            module = self._by_path.get(path.resolve())
            if module is not None:
                self._among_arguments.add(module.name)

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, Any, Any]:
        """Adds the modules to the session itself: no folder of a samples file is searched, no code in it is run."""
        report = yield
        if isinstance(collector, pytest.Session) and report.outcome == "passed":
            added = [module for module in self._modules.values() if module.name not in self._among_arguments]
            report.result = [*report.result, *(_node(module, collector) for module in added)]
        return report

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """A samples file that stands among the arguments."""
        module = self._by_path.get(file_path.resolve())
        if module is None or not parent.session.isinitpath(file_path):
            return None
        return _node(module, parent)

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """An item a pair for the benchmark's own function, an item a sample for a user's test."""
        module = metafunc.definition.parent
        if isinstance(module, SamplesModule):
            pairs = self._modules[module.nodeid].pairs
            values = [pytest.param(pair.sample, pair.arm, id=pair.id, marks=_mark(pair)) for pair in pairs]
            metafunc.parametrize(("rb_case", "rb_arm"), values, indirect=["rb_case"])
        elif "rb_case" in metafunc.fixturenames:
            metafunc.parametrize("rb_case", self._samples, ids=map(sample_id, self._samples), indirect=True)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Brings the items of one snapshot together; the user's tests stay where they are."""
        places = [number for number, item in enumerate(items) if is_benchmark_item(item)]
        ours = [items[number] for number in places]
        first: dict[tuple[str, str], int] = {}
        for item in ours:
            first.setdefault(_snapshot_key(item), len(first))
        ours.sort(key=lambda item: first[_snapshot_key(item)])
        for number, item in zip(places, ours, strict=True):
            items[number] = item


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


def _snapshot_key(item: pytest.Item) -> tuple[str, str]:
    sample = item.callspec.params["rb_case"]  # type: ignore[attr-defined]
    return (sample.repo, sample.base_commit)
