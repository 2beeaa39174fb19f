"""A name as somebody types it who does not remember it well."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_UNDERSCORE = re.compile(r"(?<=[A-Za-z0-9])_([A-Za-z0-9])")
_VOWELS = re.compile(r"[aeiouAEIOU]")
_LEAST_CHARS = 4


def mangled(name: str, chance: random.Random) -> str:
    """The name with one change: the other case style, no vowels, or two neighbours swapped.

    The rules are tried from a random one on, and the first that changes the name counts; a name that none changes is
    returned as it is.
    """
    rules: list[Callable[[str], str]] = [_other_style, _without_vowels, lambda text: _swapped(text, chance)]
    start = chance.randrange(len(rules))
    changed = (rule(name) for rule in rules[start:] + rules[:start])
    return next((text for text in changed if text != name), name)


def _other_style(name: str) -> str:
    if "_" in name.strip("_"):
        return _UNDERSCORE.sub(lambda match: match[1].upper(), name)
    return _HUMP.sub("_", name).lower() if _HUMP.search(name) else name


def _without_vowels(name: str) -> str:
    short = name[:1] + _VOWELS.sub("", name[1:])
    return short if len(short) >= _LEAST_CHARS - 1 else name


def _swapped(name: str, chance: random.Random) -> str:
    if len(name) < _LEAST_CHARS:
        return name
    place = chance.randrange(1, len(name) - 2)
    return name[:place] + name[place + 1] + name[place] + name[place + 2 :]
