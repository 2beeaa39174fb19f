"""Reading the keys of an `[arms.NAME]` table, with errors that name the file, the arm and the key."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from pytest_retrieval_bench.errors import SettingsError, unknown

Word = TypeVar("Word", bound=str)
Number = TypeVar("Number", int, None)
_MAX_SECONDS = 10_000_000


@dataclass(frozen=True, slots=True)
class Table:
    """The values of one table; `source` says where it stands, for messages."""

    values: Mapping[str, Any]
    source: str

    def refuse(self, why: str) -> NoReturn:
        """Raises SettingsError, naming where the table stands."""
        raise SettingsError(f"{self.source}: {why}")

    def check_keys(self, known: Collection[str]) -> None:
        """Refuses a key that does not exist, with the nearest one that does."""
        for key in self.values:
            if key not in known:
                self.refuse(unknown("key", key, known))

    def text(self, key: str) -> str | None:
        """A string that is not empty; None where the key is absent."""
        value = self.values.get(key)
        if value is not None and (not isinstance(value, str) or not value.strip()):
            self.refuse(f"{key} must be a string that is not empty, this is {value!r}")
        return value

    def choice(self, key: str, allowed: Collection[Word]) -> Word | None:
        """One of the allowed words; None where the key is absent."""
        value = self.text(key)
        found = next((word for word in allowed if word == value), None)
        if value is not None and found is None:
            self.refuse(unknown(key, value, allowed))
        return found

    def seconds(self, key: str, default: float) -> float:
        """A time in seconds, above 0, four months at most."""
        value = self.values.get(key, default)
        if type(value) not in (int, float) or not 0 < value <= _MAX_SECONDS:
            self.refuse(f"{key} must be a number of seconds above 0 and up to {_MAX_SECONDS:,}, this is {value!r}")
        return float(value)

    def whole_number(self, key: str, default: Number, most: int) -> int | Number:
        """A whole number from 1 to `most`; the default where the key is absent."""
        value = self.values.get(key)
        if value is None:
            return default
        if type(value) is not int or not 1 <= value <= most:
            self.refuse(f"{key} must be a whole number from 1 to {most:,}, this is {value!r}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings; none where the key is absent."""
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            self.refuse(f"{key} must be a list of strings, this is {value!r}")
        return tuple(value)
