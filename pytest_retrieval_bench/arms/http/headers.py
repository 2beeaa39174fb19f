"""Headers whose values come from the environment, and texts without these values in them."""

from __future__ import annotations

import base64
import html
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote, quote_plus

from pytest_retrieval_bench.arms.table import Table
from pytest_retrieval_bench.errors import SettingsError

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VARIABLE = re.compile(r"\{env:([A-Za-z_][A-Za-z0-9_]*)\}")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
# A part of a value is hidden as well (`Bearer abc` without the `Bearer`) unless it is too short to be a secret.
_SHORTEST_PART = 6


@dataclass(frozen=True, slots=True)
class HeaderTemplates:
    """Header values in which `{env:NAME}` stands for a variable of the environment."""

    values: Mapping[str, str]
    source: str

    @classmethod
    def read(cls, table: Table) -> HeaderTemplates:
        """The headers of a table.

        Raises SettingsError for what no header can be, without showing values, which may be secret.
        """
        headers = table.values.get("headers", {})
        if not isinstance(headers, dict) or not all(isinstance(value, str) for value in headers.values()):
            table.refuse("headers must be a table of strings")
        for name, value in headers.items():
            if not _NAME.fullmatch(name):
                table.refuse(f"headers: {name!r} is no name of a header")
            if _CONTROL.search(value) or "{" in _VARIABLE.sub("", value):
                table.refuse(f"headers: {name} must be one line, and its only placeholders {{env:NAME}}")
        return cls(headers, table.source)

    @property
    def variables(self) -> list[str]:
        """The names of the variables, sorted."""
        return sorted({name for value in self.values.values() for name in _VARIABLE.findall(value)})

    def secrets(self) -> Secrets:
        """The values of the variables as they are now.

        Raises SettingsError where one is missing, or is nothing that a header can hold.
        """
        found = {}
        for name in self.variables:
            value = os.environ.get(name, "").strip()
            if not value:
                raise SettingsError(f"{self.source}: headers: the environment variable {name} is missing or empty")
            if _CONTROL.search(value):
                raise SettingsError(f"{self.source}: headers: the environment variable {name} is more than one line")
            found[name] = value
        return Secrets(found)

    def filled(self, secrets: Secrets) -> list[tuple[bytes, bytes]]:
        """Names and values as they go to the service."""
        return [
            (name.encode("ascii"), os.fsencode(_VARIABLE.sub(lambda match: secrets.values[match[1]], value)))
            for name, value in self.values.items()
        ]


class Secrets:
    """Values by the name of their variable, never to be shown."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self.values = values

    def __repr__(self) -> str:
        return f"Secrets({', '.join(self.values)})"

    def hidden(self, text: str) -> str:
        """The text with `{env:NAME}` for each value, in whatever way a service may have escaped it."""
        if not self.values:
            return text
        return self._pattern.sub(lambda match: f"{{env:{self._name(match[0])}}}", text)

    def _name(self, found: str) -> str:
        return self._names.get(found) or self._names.get(found.lower()) or ""

    @cached_property
    def _names(self) -> dict[str, str]:
        """The variable behind each form of a value, as it is and in lower case."""
        forms = [(form, name) for name, value in self.values.items() for part in _parts(value) for form in _forms(part)]
        return {spelling: name for form, name in forms for spelling in (form, form.lower())}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self._names, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)


def _parts(value: str) -> list[str]:
    """The value, its words, and what it reads as a service sees it, as in `Basic BASE64`."""
    words = [part for part in value.split() if len(part) >= _SHORTEST_PART]
    return [value, *words, *(text for part in (value, *words) for text in _unpacked(part))]


def _unpacked(value: str) -> list[str]:
    """What a value holds in base 64, whole and behind its colon; nothing where it is none."""
    try:
        text = base64.b64decode(value, validate=True).decode()
    except ValueError:
        return []
    parts = [text, *text.split(":", 1)[1:]]
    return [part for part in parts if len(part) >= _SHORTEST_PART and part.isprintable()]


def _forms(value: str) -> set[str]:
    """How a service may write a value: as it is, in JSON as several languages do it, in a URL, in HTML, misread."""
    in_json = {json.dumps(value, ensure_ascii=ascii_only)[1:-1] for ascii_only in (True, False)}
    for plain, escaped in (("/", "\\/"), ("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026"), ("+", "\\u002b")):
        in_json |= {form.replace(plain, escaped) for form in in_json}
    sent = value.encode("utf-8", "surrogateescape")
    in_python = {repr(value)[1:-1], repr(sent)[2:-1], sent.decode("latin-1")}
    in_a_page = {quote(value), quote(value, safe=""), quote_plus(value), html.escape(value)}
    return {value} | in_json | in_python | in_a_page
