"""Arms of the user's own for the tests: small programs, and the file that makes arms of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def write_program(folder: Path, name: str, text: str) -> Path:
    """A program in Python; `python -IS` starts in a few milliseconds."""
    path = folder / name
    path.write_text(f"#!{sys.executable} -IS\nimport json, os, signal, sys, time\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def write_arms(folder: Path, tables: Mapping[str, Mapping[str, Any]]) -> str:
    """Writes the `[arms.NAME]` tables, and returns the option that names their file."""
    (folder / "arms.toml").write_text(arms_toml(tables), encoding="utf-8")
    return f"--rb-arms-file={folder / 'arms.toml'}"


def write_programs(folder: Path, programs: Mapping[str, str], **keys: Any) -> str:
    """An arm of each program, by name, all with the same further keys; returns the option that names their file."""
    for name, text in programs.items():
        write_program(folder, name, text)
    return write_arms(folder, {name: {"command": f"./{name}", **keys} for name in programs})


def arms_toml(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """The `[arms.NAME]` tables as TOML."""
    return "".join(
        f"[arms.{json.dumps(name)}]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in table.items())
        for name, table in tables.items()
    )


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
    return json.dumps(value)


def answers(report: Mapping[str, Any], sample: str) -> dict[str, dict[str, Any]]:
    """What each arm answered to a sample, by arm."""
    rows: dict[str, dict[str, dict[str, Any]]] = {row["id"]: row["arms"] for row in report["details"]}
    return rows[sample]
