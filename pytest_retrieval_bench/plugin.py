"""The pytest side and nothing else: each hook is a few lines that call a room.

This module is imported in every pytest run on the machine; whatever costs time is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Generator

import pytest

from pytest_retrieval_bench import fixtures, hooks, options

_MARKER = "rb(arm, task, repo, stratum, fold): on every item of a retrieval benchmark, for -m \"rb(arm='grep')\""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The `--rb-*` options and ini values."""
    options.add(parser)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """The hooks that others implement."""
    pluginmanager.add_hookspecs(hooks)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Before pytest runs the first file of a user, which must not be one of a snapshot."""
    if options.given(early_config.known_args_namespace):
        from pytest_retrieval_bench.conftests import refuse_those_of_snapshots

        refuse_those_of_snapshots(early_config)


@pytest.hookimpl(wrapper=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, int | None, int | None]:
    """Before pytest-xdist settles its mode."""
    options.settle_workers(config)
    return (yield)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Registers the fixtures, and, where samples are given, everything that measures them."""
    config.addinivalue_line("markers", _MARKER)
    config.pluginmanager.register(fixtures, "retrieval-bench-fixtures")
    if options.asked(config):
        from pytest_retrieval_bench.activation import activate

        activate(config)
