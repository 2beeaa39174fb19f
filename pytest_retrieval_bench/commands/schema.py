"""`schema`: the JSON Schema of a document that the plugin reads or writes."""

from __future__ import annotations

import argparse
from importlib.resources import files
from typing import Any

NAMES = (
    "report", "registration", "journal", "comparison", "noise", "published", "manifest", "suite", "sample",
    "agents",
)  # fmt: skip


def add(commands: Any) -> None:
    """Adds the command to a parser's sub-commands."""
    parser = commands.add_parser("schema", help="print the JSON Schema of a document", description=__doc__)
    parser.add_argument("name", choices=NAMES, help="the document; a journal and samples by the line")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Prints the schema."""
    print(schema_text(options.name), end="")  # noqa: T201
    return 0


def schema_text(name: str) -> str:
    """The JSON Schema (2020-12) of a document, one of `NAMES`."""
    return files("pytest_retrieval_bench").joinpath("schemas", f"{name}.schema.json").read_text(encoding="utf-8")
