"""Which lines of a file begin a symbol, and its name, as releases of Agent Retrieval Bench have it (ARB 1.2).

Lines are tried against nine patterns in order, whatever the language. The eighth, written as a regular expression,
takes polynomial time on long lines; here each line takes linear time.
"""

from __future__ import annotations

import re

_NAME, _JS_NAME = "([A-Za-z_][A-Za-z0-9_]*)", "([A-Za-z_$][A-Za-z0-9_$]*)"
_MODIFIERS = frozenset(["public", "private", "protected", "static", "final", "abstract", "synchronized"])

# No pattern has two neighbours that could share a run of characters, so none takes more than linear time.
_FIRST_TO_SEVENTH = re.compile(
    r"\s*+(?:"
    rf"(?:async\s+)?def\s+{_NAME}\s*\("
    rf"|class\s+{_NAME}\b"
    rf"|(?:export\s+)?(?:async\s+)?function\s+{_JS_NAME}\s*\("
    rf"|(?:export\s+)?(?:const|let|var)\s+{_JS_NAME}\s*="
    rf"|(?:export\s+)?class\s+{_JS_NAME}\b"
    rf"|func\s+(?:\([^)]*\)\s*)?{_NAME}\s*\("
    rf"|(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+{_NAME}\s*\("
    r")"
)
_NINTH = re.compile(rf"\s*+(?:public\s+)?(?:class|interface|enum|record)\s+{_NAME}\b")
_WHOLE_NAME = re.compile(_NAME)
_SPACES_AND_MODIFIERS = re.compile(rf"(?:\s++|{'|'.join(sorted(_MODIFIERS))})*+")
_TYPE = re.compile(r"[\w<>\[\], ?]+")


def symbol_of(line: str) -> str | None:
    """The name of the symbol that a line begins, None where it begins none; the line holds no line ending."""
    match = _FIRST_TO_SEVENTH.match(line)
    if match is not None and match.lastindex is not None:
        return match[match.lastindex]
    name = _method(line)
    if name is not None:
        return name
    match = _NINTH.match(line)
    return None if match is None else match[1]


def _method(line: str) -> str | None:
    r"""What the eighth pattern finds: `\s*(?:MODIFIER|\s)+[\w<>\[\], ?]+\s+NAME\s*\(`.

    The line up to NAME has to be a head of white space and modifiers, a type, and white space, none of them empty.
    The longest heads decide: a shorter one leaves more to the type, whose characters must all be of its class.
    """
    before, parenthesis, _ = line.partition("(")
    words = before.rsplit(None, 1)
    if not parenthesis or not words:
        return None
    name = words[-1]
    start = before.rstrip()[: -len(name)]
    if not start or not _WHOLE_NAME.fullmatch(name):
        return None
    end = len(start.rstrip())
    head = _head(start)
    if head < end:
        found = head > 0 and _TYPE.fullmatch(start, head, end) is not None
    else:
        # All of it is white space and modifiers: the last modifier is the type, or else a space behind it.
        found = (end > 0 and start[:end] not in _MODIFIERS) or " " in start[max(end, 1) : -1]
    return name if found else None


def _head(start: str) -> int:
    match = _SPACES_AND_MODIFIERS.match(start)
    return 0 if match is None else match.end()
