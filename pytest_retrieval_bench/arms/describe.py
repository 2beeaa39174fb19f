"""What the arms of a run say that they are bound to: versions, digests, templates, environment."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.run import described
from pytest_retrieval_bench.errors import BenchmarkError, SettingsError
from pytest_retrieval_bench.model import Json
from pytest_retrieval_bench.text.strict_json import loads


def described_arms(arms: Mapping[str, Arm]) -> dict[str, dict[str, Json]]:
    """The description of each arm that has one, as JSON values.

    Raises SettingsError for an arm that cannot be described: a program that is not there, a value that is no JSON.
    """
    describing = {name: describe for name, arm in arms.items() if (describe := getattr(arm, "describe", None))}
    return {name: _as_json(name, _told(name, describe)) for name, describe in describing.items()}


def _told(name: str, describe: Callable[[], object]) -> object:
    try:
        return describe()
    except BenchmarkError:
        raise
    except Exception as error:  # a user's code
        raise SettingsError(f"describe() of the arm {name!r} failed: {described(error)}") from error


def _as_json(name: str, told: object) -> dict[str, Json]:
    try:
        value = loads(json.dumps(told, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise SettingsError(f"describe() of the arm {name!r} is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise SettingsError(f"describe() of the arm {name!r} must be an object, this is {told!r}")
    return value
