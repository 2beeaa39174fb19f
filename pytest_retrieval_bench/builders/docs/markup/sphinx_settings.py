"""What a Sphinx `conf.py` says of its documents, read from its syntax tree: it is never run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_NO_ROLE = ("code", "literal")


@dataclass(frozen=True, slots=True)
class SphinxSettings:
    """The ends of documents' names with the markup of each, the domain without a prefix, the role of `text`."""

    suffixes: Mapping[str, str] = field(default_factory=lambda: {".rst": "restructuredtext", ".md": "markdown"})
    domain: str = "py"
    default_role: str = ""

    def markup_of(self, path: str) -> str | None:
        """The markup of a document by its name, None for a file that is none."""
        return next((markup for suffix, markup in self.suffixes.items() if path.endswith(suffix)), None)


def read_sphinx_settings(source: bytes) -> SphinxSettings:
    """The settings; what is computed there, and a file that is not Python, say nothing."""
    values = _literals(source)
    standard = SphinxSettings()
    domain, role = values.get("primary_domain"), values.get("default_role")
    return SphinxSettings(
        suffixes={**standard.suffixes, **_suffixes(values.get("source_suffix"))},
        domain=domain if isinstance(domain, str) else standard.domain,
        default_role=role if isinstance(role, str) and role not in _NO_ROLE else standard.default_role,
    )


def _literals(source: bytes) -> dict[str, Any]:
    """The variables of a file that are set to a literal."""
    found: dict[str, Any] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(source).body
        for statement in body:
            if isinstance(statement, ast.Assign):
                for target in statement.targets:
                    if isinstance(target, ast.Name) and isinstance(statement.value, (ast.Constant, ast.Dict, ast.List)):
                        found[target.id] = ast.literal_eval(statement.value)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return found
    return found


def _suffixes(value: Any) -> dict[str, str]:
    """Sphinx takes a name, a list of names, or a table of names and their markup."""
    listed = dict.fromkeys([value] if isinstance(value, str) else value or [])
    markups = value if isinstance(value, dict) else {}
    known = {"restructuredtext", "markdown"}
    named = {suffix: markups.get(suffix) or "restructuredtext" for suffix in listed if isinstance(suffix, str)}
    return {suffix: markup for suffix, markup in named.items() if markup in known and not suffix.endswith(".md")}
