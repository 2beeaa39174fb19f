"""Command templates: split into arguments once, then filled, so that no value can become more than one argument."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pytest_retrieval_bench.errors import SettingsError, unknown

_BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


@dataclass(frozen=True, slots=True)
class Template:
    """A command line with placeholders; `arguments` are its words, as they stand, `names` the placeholders in them."""

    text: str
    arguments: tuple[str, ...]
    names: frozenset[str]

    @classmethod
    def parse(cls, text: str, placeholders: Collection[str], source: str) -> Template:
        """Splits a command line as a POSIX shell does; `{name}` is a placeholder, `{{` and `}}` are braces.

        The program itself has no placeholder. Raises SettingsError, naming the source.
        """
        try:
            arguments = tuple(shlex.split(text))
        except ValueError as error:
            raise SettingsError(f"{source}: {text!r} cannot be split into arguments: {error}") from error
        if not arguments or not arguments[0]:
            raise SettingsError(f"{source}: the command is empty; give a program and its arguments")
        names = frozenset(name for argument in arguments for name in _names(argument, source))
        for name in sorted(names.difference(placeholders)):
            allowed = unknown("placeholder", name, placeholders) if placeholders else f"{{{name}}} cannot stand here"
            raise SettingsError(f"{source}: {allowed}; write {{{{ and }}}} for braces")
        if _names(arguments[0], source):
            raise SettingsError(f"{source}: the program {arguments[0]!r} must be named without placeholders")
        return cls(text, arguments, names)

    @property
    def program(self) -> str:
        """The first word: what is to be run."""
        return _BRACES.sub(lambda match: match[0][0], self.arguments[0])

    def fill(self, values: Mapping[str, str]) -> list[str]:
        """The arguments, each with the values of its placeholders."""
        return [_BRACES.sub(lambda match: _filled(match, values), argument) for argument in self.arguments]


def _filled(match: re.Match[str], values: Mapping[str, str]) -> str:
    return match[0][0] if match[1] is None else values[match[1]]


def _names(argument: str, source: str) -> list[str]:
    found = []
    for match in _BRACES.finditer(argument):
        if match[1] is not None:
            found.append(match[1])
        elif len(match[0]) == 1:
            raise SettingsError(f"{source}: {argument!r} has a single {match[0]}; write {{{{ and }}}} for braces")
    return found
