"""The template of a request to a service, and the request that it becomes for one question.

`{name}` stands for a value, `{{name}}` for these characters themselves; other braces mean nothing. In a URL and in its
parameters a value is percent-encoded whole, so that no question can change where a request goes.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from pytest_retrieval_bench.arms.table import Table
from pytest_retrieval_bench.errors import unknown
from pytest_retrieval_bench.model import Json

REQUEST_KEYS = ("url", "method", "params", "body")
_PLACEHOLDER = re.compile(r"\{\{([A-Za-z_][\w:.-]*)\}\}|\{([A-Za-z_][\w:.-]*)\}")


@dataclass(frozen=True, slots=True)
class Request:
    """What goes to the service but for the headers; `content` is JSON, None where the request has no body."""

    method: str
    url: str
    content: bytes | None


@dataclass(frozen=True, slots=True)
class RequestTemplate:
    """A request with placeholders in it; `body` is the JSON value to send, where `has_body`."""

    method: str
    url: str
    params: Mapping[str, Json]
    body: Json
    has_body: bool

    @classmethod
    def read(cls, table: Table, placeholders: Collection[str]) -> RequestTemplate:
        """The request that the keys `REQUEST_KEYS` of a table describe.

        Raises SettingsError for what cannot be sent, and for a placeholder that is none of those given.
        """
        method = table.choice("method", ("POST", "GET")) or "POST"
        has_body = "body" in table.values
        if has_body and method == "GET":
            table.refuse('body goes with method = "POST"; a GET request has params')
        template = cls(method, _url(table), _params(table), _body(table) if has_body else None, has_body)
        for name in template.placeholders():
            if name not in placeholders:
                table.refuse(f"{unknown('placeholder', name, placeholders)}; {{{{{name}}}}} is {{{name}}} itself")
        return template

    @property
    def origin(self) -> str:
        """The scheme, the host and the port, which hold no placeholder."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    def placeholders(self) -> list[str]:
        """The names of the placeholders, each once."""
        leaves = [self.url, *_strings(list(self.params.values())), *_strings(self.body)]
        return list(dict.fromkeys(match[2] for leaf in leaves for match in _PLACEHOLDER.finditer(leaf) if match[2]))

    def filled(self, values: Mapping[str, Json]) -> Request:
        """The request with these values in it."""
        url = _PLACEHOLDER.sub(lambda match: _encoded(_value(match, values)), self.url)
        for key, value in self.params.items():
            url += f"{'&' if '?' in url else '?'}{_encoded(key)}={_encoded(_text(_filled(value, values)))}"
        content = json.dumps(_filled(self.body, values)).encode("ascii") if self.has_body else None
        return Request(self.method, url, content)


def _url(table: Table) -> str:
    url = table.text("url")
    if url is None:
        table.refuse("url is missing; give the address that answers questions")
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not url.isprintable() or " " in url:
        table.refuse(f"url must be an http:// or https:// address, this is {url!r}")
    if "{" in parts.netloc:
        table.refuse("url must not have a placeholder in its host")
    if parts.username is not None or parts.password is not None:
        table.refuse("url must not hold a user; put what the service needs into headers, from {env:NAME}")
    if parts.fragment:
        table.refuse("url must not have a fragment (#), which is never sent")
    return url


def _params(table: Table) -> dict[str, Json]:
    params = table.values.get("params", {})
    if not isinstance(params, dict) or not all(type(value) in (str, int, float, bool) for value in params.values()):
        table.refuse(f"params must be a table of strings and numbers, this is {params!r}")
    return params


def _body(table: Table) -> Json:
    body = table.values["body"]
    if isinstance(body, str):
        try:
            body = json.loads(body)
        except (ValueError, RecursionError) as error:
            table.refuse(f"body must be a table, a list or JSON text: {error}")
    reason = _not_json(body)
    if reason is not None:
        table.refuse(f"body must hold what JSON can hold; {reason}")
    checked: Json = body
    return checked


def _not_json(value: Any) -> str | None:
    """Why a value of a TOML file is no JSON, None where it is."""
    if isinstance(value, dict | list):
        members = value.values() if isinstance(value, dict) else value
        return next(filter(None, map(_not_json, members)), None)
    if isinstance(value, float):
        return None if math.isfinite(value) else f"{value} is no number there"
    return None if value is None or isinstance(value, str | int) else f"{value} is not, write it as a string"


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for member in value.values() if isinstance(value, dict) else value:
            yield from _strings(member)


def _filled(value: Json, values: Mapping[str, Json]) -> Json:
    """The value with the placeholders in its strings filled; a string that is one placeholder becomes the value."""
    if isinstance(value, dict):
        return {key: _filled(member, values) for key, member in value.items()}
    if isinstance(value, list):
        return [_filled(member, values) for member in value]
    if not isinstance(value, str):
        return value
    whole = _PLACEHOLDER.fullmatch(value)
    if whole and whole[2]:
        return values[whole[2]]
    return _PLACEHOLDER.sub(lambda match: _value(match, values), value)


def _value(match: re.Match[str], values: Mapping[str, Json]) -> str:
    return _text(values[match[2]]) if match[2] else f"{{{match[1]}}}"


def _encoded(text: str) -> str:
    return quote(text, safe="", errors="surrogateescape")  # a folder's name need not be UTF-8


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)
