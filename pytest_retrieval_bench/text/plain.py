"""A query object as a person would paste it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pytest_retrieval_bench.model import Json


def plain_reading(fields: Mapping[str, Json]) -> str:
    """The string values of a query object, each under its label: `pr_title` becomes `pr title: …`."""
    return "\n".join(
        f"{label}:\n{value}" if "\n" in value else f"{label}: {value}"
        for key, field in fields.items()
        for label, value in _labelled(key, field)
        if value.strip()
    )


def _labelled(label: str, value: Json) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield label.replace("_", " "), value
    elif isinstance(value, list):
        for item in value:
            yield from _labelled(label, item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _labelled(f"{label} {key}", item)
