"""The file that a query is about, for arms that start from a change."""

from __future__ import annotations

from typing import Final

from pytest_retrieval_bench.model import Answer, Query

NO_CHANGED_FILE: Final = Answer(applicable=False, error="no changed_file in query")


def changed_file(query: Query) -> str | None:
    """The member `changed_file` of the query object; None where it is no string."""
    value = query.fields.get("changed_file")
    return value if isinstance(value, str) else None
