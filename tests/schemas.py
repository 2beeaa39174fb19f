"""Documents held to the JSON Schemas that the package ships."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from pytest_retrieval_bench.commands.schema import NAMES, schema_text


def faults(name: str, document: Any) -> list[str]:
    """What a schema has against a document: places and words."""
    found = _validator(name).iter_errors(document)
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}" for error in found]


@cache
def schemas() -> dict[str, dict[str, Any]]:
    """The schemas by name."""
    return {name: json.loads(schema_text(name)) for name in NAMES}


@cache
def _validator(name: str) -> Draft202012Validator:
    resources = [(schema["$id"], Resource.from_contents(schema)) for schema in schemas().values()]
    return Draft202012Validator(schemas()[name], registry=Registry().with_resources(resources))
