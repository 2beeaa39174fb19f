"""What the hooks of others give; what goes wrong in their code is said in words, with its place."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import pytest

from pytest_retrieval_bench.benchmarks.jsonl import Row
from pytest_retrieval_bench.benchmarks.read import InForm, as_it_is
from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.given import refuse
from pytest_retrieval_bench.model import Metric
from pytest_retrieval_bench.options import MAX_LIMIT
from pytest_retrieval_bench.scoring.arb.names import MEASURES
from pytest_retrieval_bench.scoring.ir import IR_MEASURES
from pytest_retrieval_bench.scoring.lines import LINE_METRICS
from pytest_retrieval_bench.scoring.ranking import metric_names
from pytest_retrieval_bench.text.strict_json import loads

ARMS: Final = "pytest_retrieval_bench_arms"
ROW: Final = "pytest_retrieval_bench_row"
METRICS: Final = "pytest_retrieval_bench_metrics"


def arms_of_hooks(config: pytest.Config) -> list[Any]:
    """What each implementation of the hook for arms returned; lists are listed."""

    def listed(found: list[Any]) -> list[Any]:
        return [list(arms) if isinstance(arms, Iterable) else arms for arms in found]

    arms: list[Any] = _called(config, ARMS, listed)
    return arms


def rows_of_hooks(config: pytest.Config) -> InForm:
    """What brings the rows of samples files into the plugin's own form; they stay as they are where there is no hook.

    It raises SettingsError, naming the row, where the hook fails or gives no row.
    """
    if not config.hook.pytest_retrieval_bench_row.get_hookimpls():
        return as_it_is

    def in_form(row: Row, where: str) -> Row:
        found = _called(config, ROW, lambda found: found, row=row)
        if found is None:
            return row
        try:
            formed = loads(json.dumps(found))
        except (TypeError, ValueError, RecursionError) as error:
            refuse(ROW, f"what it made of {where} is no JSON: {error}")
        if not isinstance(formed, dict):
            refuse(ROW, f"return a row, an object, or None; of {where} it made {found!r}")
        return formed

    return in_form


def metrics_of_hooks(config: pytest.Config) -> dict[str, Metric]:
    """The metrics that hooks add, by name.

    Raises SettingsError for what cannot be one, and for a name that is taken.
    """
    found: dict[str, Metric] = {}
    taken = {*metric_names(MAX_LIMIT), *LINE_METRICS, *MEASURES, *IR_MEASURES, "abstained", "selective_success"}
    for given in _called(config, METRICS, list):
        if not isinstance(given, Mapping):
            refuse(METRICS, f"return a dict of functions by name, this is {given!r}")
        for name, metric in given.items():
            if not isinstance(name, str) or not name.isprintable() or name != name.strip() or not name:
                refuse(METRICS, f"{name!r} cannot be the name of a metric; rename it")
            if name in taken or name in found:
                refuse(METRICS, f"there is a metric {name!r} already; rename yours")
            if not callable(metric):
                refuse(METRICS, f"{name!r} must be a function of a sample and a record, this is {metric!r}")
            found[name] = metric
    return found


def _called(config: pytest.Config, name: str, listed: Callable[[Any], Any], **given: Any) -> Any:
    """What a hook gives, `listed` while errors of the user's code are still told from ours."""
    try:
        return listed(getattr(config.hook, name)(config=config, **given))
    except Exception as error:  # a user's code
        place = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error}"
        raise SettingsError(f"{name} failed at {place.filename}:{place.lineno}: {what}") from error
