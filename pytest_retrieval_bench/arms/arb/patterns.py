"""What a person would search for, taken from the text of a query (ARB 3.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pytest_retrieval_bench.text.tokens import bench_tokens

PatternKind = Literal["file_path", "flag", "error", "code", "identifier", "token"]

_STOP_TERMS = frozenset([
    "a", "an", "and", "are", "arg", "args", "base", "body", "bug", "call", "case", "change", "changed",
    "changed_file", "class", "code", "comment", "config", "context", "could", "data", "default", "does", "error",
    "expected", "fail", "failed", "failure", "failure_excerpt", "file", "files", "fix", "from", "function",
    "given_file", "gold", "has", "have", "issue", "kind", "line", "log", "message", "method", "must", "name", "not",
    "path", "pr", "pr_body", "pr_title", "query", "raw_signal", "review", "review_comment", "run", "should", "signal",
    "source", "stack", "test", "tests", "text", "that", "the", "this", "title", "trace", "type", "update", "value",
    "when", "with",
])  # fmt: skip
_CODE_SUFFIXES = (
    "bash|c|cc|cpp|cs|cxx|fish|go|h|hpp|java|js|jsx|kt|kts|m|mm|php|proto|py|pyi|rb|rs|scala|sh|swift|ts|tsx|zsh"
)
_PART = "[A-Za-z0-9_.@+-]+"
_CODE_SPAN = re.compile(r"`([^`\n]{2,200})`")
_FILE_PATH = re.compile(rf"(?:{_PART}/)+{_PART}\.(?:{_CODE_SUFFIXES}|json|ya?ml|toml|md|rst|txt)\b")
_FILE_NAME = re.compile(rf"\b{_PART}\.(?:{_CODE_SUFFIXES})\b")
_FLAG = re.compile(r"(?<!\w)--[A-Za-z0-9][A-Za-z0-9_-]{1,80}\b")
_IDENTIFIER = re.compile(r"\b[A-Za-z_][A-Za-z0-9_]*(?:(?:::|\.|/)[A-Za-z_][A-Za-z0-9_]*)*\b")
_ERROR = re.compile(r"(?:Error|Exception|Failure|Warning|Panic|Timeout|Traceback)$")
_PUNCTUATION = "'\"“”‘’.,;:()[]{}"  # noqa: RUF001 - quotation marks that people paste
_MIN_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Pattern:
    """A text to look for in lower case, what it looks like, and how much finding it counts."""

    term: str
    kind: PatternKind
    weight: float


def search_patterns(query_text: str, *, expanded: bool) -> list[Pattern]:
    """The patterns of a query text, heaviest first; `expanded` adds its longer words with little weight.

    Of two with the same term in lower case the heavier one is kept, or else the first. `query_text` is the query
    object as JSON, whose line ends are written as two characters.
    """
    text = query_text.replace("\\n", "\n")
    found: dict[str, Pattern] = {}
    for written, kind, weight in _written(text, expanded=expanded):
        term = written.strip().strip(_PUNCTUATION)
        before = found.get(term.lower())
        if _is_usable(term) and (before is None or before.weight < weight):
            found[term.lower()] = Pattern(term.lower(), kind, weight)
    return sorted(found.values(), key=lambda pattern: (-pattern.weight, pattern.kind, pattern.term))


def _written(text: str, *, expanded: bool) -> Iterator[tuple[str, PatternKind, float]]:
    for match in _CODE_SPAN.finditer(text):
        yield match[1], _kind_of_code(match[1].strip()), 12.0
    for regex in (_FILE_PATH, _FILE_NAME):
        for match in regex.finditer(text):
            yield match[0], "file_path", 18.0
    for match in _FLAG.finditer(text):
        yield match[0], "flag", 10.0
    for match in _IDENTIFIER.finditer(text):
        if _is_telling(match[0]):
            yield match[0], "error" if _ERROR.search(match[0]) else "identifier", 7.0
    for token in bench_tokens(text) if expanded else ():
        if len(token) >= _MIN_TOKEN:
            yield token, "token", 1.0


def _is_usable(term: str) -> bool:
    return len(term) > 1 and term.lower() not in _STOP_TERMS and any(map(str.isalnum, term))


def _kind_of_code(span: str) -> PatternKind:
    if _FILE_PATH.fullmatch(span) or _FILE_NAME.fullmatch(span):
        return "file_path"
    if span.startswith("--"):
        return "flag"
    return "error" if _ERROR.search(span) else "code"


def _is_telling(identifier: str) -> bool:
    """Whether it looks like a name and not like an English word."""
    if not _is_usable(identifier):
        return False
    if re.search(r"[/._0-9]|::", identifier) or _ERROR.search(identifier):
        return True
    if identifier.isupper():
        return len(identifier) > 2
    return any(map(str.isupper, identifier[1:])) and any(map(str.islower, identifier))
