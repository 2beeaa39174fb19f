"""A place in a JSON value: a member by its name, or what a JSONPath (RFC 9535) finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.model import Json

if TYPE_CHECKING:
    from jsonpath import JSONPath


@dataclass(frozen=True, slots=True)
class Place:
    """Where to look; `text` is as the user wrote it: a JSONPath where it begins with `$`, else the name of a member."""

    text: str
    _query: JSONPath | None = None

    @classmethod
    def parse(cls, text: str, source: str) -> Place:
        """Raises SettingsError, naming the source, for a JSONPath that is none."""
        if not text.startswith("$"):
            return cls(text)
        from jsonpath import JSONPathEnvironment, JSONPathError  # most runs have no use for it

        try:
            # No unions in the strict language, so that it is one path.
            return cls(text, cast("JSONPath", JSONPathEnvironment(strict=True).compile(text)))
        except JSONPathError as error:
            raise SettingsError(f"{source}: {text!r} is no JSONPath (RFC 9535): {error.args[0]}") from error

    def find(self, value: Json) -> list[Json]:
        """Everything that lies there.

        Raises ValueError when the value is nested too deeply to be searched.
        """
        if self._query is None:
            return [value[self.text]] if isinstance(value, dict) and self.text in value else []
        if not isinstance(value, dict | list):
            return [value] if self.text == "$" else []
        from jsonpath import JSONPathError

        try:
            return cast("list[Json]", self._query.findall(value))
        except (JSONPathError, RecursionError) as error:
            raise ValueError(f"{self.text!r} cannot be looked up: {error.args[0]}") from error

    def find_one(self, value: Json) -> Json:
        """What lies there; None where nothing does.

        Raises ValueError when several values do.
        """
        found = self.find(value)
        if len(found) > 1:
            raise ValueError(f"{self.text!r} must name one value, it names {len(found)}")
        return found[0] if found else None

    def is_missing(self, value: Json) -> bool:
        """Whether the value has no such place at all; a list that is there and empty is not missing."""
        if self._query is None or self._query.singular_query():
            return not self.find(value)
        holder = self.text.removesuffix("[*]").removesuffix(".*")
        return holder != self.text and Place.parse(holder, holder).is_missing(value)
