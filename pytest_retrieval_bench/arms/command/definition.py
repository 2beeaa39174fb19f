"""What `[arms.NAME]` says of an arm that is a command of the user's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pytest_retrieval_bench.arms.command.template import Template
from pytest_retrieval_bench.arms.output.reader import OUTPUT_KEYS, OutputReader
from pytest_retrieval_bench.arms.table import Table
from pytest_retrieval_bench.model import Json

PLACEHOLDERS = ("root", "query", "query_file", "limit", "changed_file", "repo", "commit")
INDEX_PLACEHOLDERS = ("root", "repo", "commit")
# Of an arm with `update`: the folder in which it keeps its index, and the files that list what differs.
STATE, UPDATE_PLACEHOLDERS = "state", ("changed", "deleted")
QUERIES = ("json", "plain")
_KEYS = ("command", "query", "timeout", "index", "update", "index_timeout", "version", "environment", *OUTPUT_KEYS)
_TIMEOUT_S, _INDEX_TIMEOUT_S = 120, 1800


@dataclass(frozen=True, slots=True)
class CommandDefinition:
    """A command, how it is asked and how its output is read.

    `plain` gives it the query as a person would paste it instead of the protocol's JSON text. `index` is run once in
    each copy; `update` is run instead where another commit of the repository was indexed before. `environment` names
    the variables that matter to what is measured. `given` are the keys as the user wrote them, `source` says where.
    """

    name: str
    source: str
    command: Template
    plain: bool
    reader: OutputReader
    timeout_s: float
    index: Template | None
    update: Template | None
    index_timeout_s: float
    version: Template | None
    environment: tuple[str, ...]
    given: Mapping[str, Json]

    @classmethod
    def from_table(cls, name: str, values: Mapping[str, Any], source: str) -> CommandDefinition:
        """Raises SettingsError, naming the source and the key."""
        table = Table(values, source)
        table.check_keys(_KEYS)
        state = (STATE,) if "update" in values else ()
        command = _template(table, "command", (*PLACEHOLDERS, *state))
        if command is None:
            table.refuse("command is missing; give a program and its arguments")
        index = _template(table, "index", (*INDEX_PLACEHOLDERS, *state))
        for key in ("index_timeout", "update"):
            if index is None and key in values:
                table.refuse(f"{key} needs index")
        return cls(
            name=name,
            source=source,
            command=command,
            plain=table.choice("query", QUERIES) == "plain",
            reader=OutputReader.from_table(values, source),
            timeout_s=table.seconds("timeout", _TIMEOUT_S),
            index=index,
            update=_template(table, "update", (*INDEX_PLACEHOLDERS, *state, *UPDATE_PLACEHOLDERS)),
            index_timeout_s=table.seconds("index_timeout", _INDEX_TIMEOUT_S),
            version=_template(table, "version", ()),
            environment=table.texts("environment"),
            given=dict(values),
        )


def _template(table: Table, key: str, placeholders: tuple[str, ...]) -> Template | None:
    text = table.text(key)
    return None if text is None else Template.parse(text, placeholders, f"{table.source}: {key}")
