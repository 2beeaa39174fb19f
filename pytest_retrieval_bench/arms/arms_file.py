"""Arms of the user's own, from `[arms.NAME]` tables of a TOML file and from one-liners."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.arms.arb.dense.settings import DenseSettings, check_installed
from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.command.arm import CommandArm
from pytest_retrieval_bench.arms.command.definition import CommandDefinition
from pytest_retrieval_bench.arms.floor.fts5 import FullTextSearch
from pytest_retrieval_bench.arms.floor.settings import FullTextSettings
from pytest_retrieval_bench.arms.table import Table
from pytest_retrieval_bench.errors import SettingsError, reason, unknown

KINDS = ("command", "http", "dense", "fts5")
MakeDense = Callable[[str, DenseSettings], Arm]


def read_arms_file(path: Path, directory: Path, dense: MakeDense) -> list[Arm]:
    """The arms of a file that holds nothing but `[arms.NAME]` tables; commands run from `directory`, the caller's.

    `dense` makes the arms that embed.

    Raises SettingsError, naming the file, the arm and the key.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(f"{path}: {reason(error)}") from error
    for key in values:
        if key != "arms":
            raise SettingsError(f"{path}: {unknown('key', key, ['arms'])}")
    tables = values.get("arms")
    if not isinstance(tables, dict) or not tables:
        raise SettingsError(f"{path}: there is no [arms.NAME] table in it")
    return arms_of_tables(tables, str(path), directory, dense)


def arms_of_tables(tables: Mapping[str, Any], file: str, directory: Path, dense: MakeDense) -> list[Arm]:
    """The arms of the `[arms.NAME]` tables of a file, by name.

    Raises SettingsError, naming the file, the arm and the key.
    """
    return [_arm(name, values, f"{file}: [arms.{name}]", directory, dense) for name, values in tables.items()]


def command_from_one_liner(text: str, directory: Path) -> Arm:
    """The arm of `--rb-command=NAME=TEMPLATE`: a command with nothing but defaults.

    Raises SettingsError.
    """
    name, separator, template = text.partition("=")
    if not separator or not name.strip() or not template.strip():
        raise SettingsError(f"--rb-command: {text!r} is not NAME=TEMPLATE")
    source = f"--rb-command {name}"
    _check_name(name, source)
    return _command(name, {"command": template}, source, directory)


def _arm(name: str, values: Any, source: str, directory: Path, dense: MakeDense) -> Arm:
    _check_name(name, source)
    if not isinstance(values, dict):
        raise SettingsError(f"{source}: it must be a table, this is {values!r}")
    kind = Table(values, source).choice("kind", KINDS)
    table = {key: value for key, value in values.items() if key != "kind"}
    if kind == "http":
        from pytest_retrieval_bench.arms.http.arm import http_arm  # httpx is slow to import

        return http_arm(name, table, source)
    if kind == "dense":
        check_installed(source)
        return dense(name, DenseSettings.from_table(Table(table, source), directory))
    if kind == "fts5":
        return FullTextSearch(name, FullTextSettings.from_table(Table(table, source)))
    return _command(name, table, source, directory)


def _command(name: str, table: Mapping[str, Any], source: str, directory: Path) -> Arm:
    return CommandArm(CommandDefinition.from_table(name, table, source), directory)


def _check_name(name: str, source: str) -> None:
    if not name or not name.isprintable() or "," in name or name != name.strip():
        raise SettingsError(f"{source}: {name!r} cannot be the name of an arm; rename it")
