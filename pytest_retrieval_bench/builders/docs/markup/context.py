"""What is being described at a point of a document, which decides what a short name there means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from pytest_retrieval_bench.builders.docs.markup.domains import Marker, directive_marker, role_marker
from pytest_retrieval_bench.builders.docs.markup.section import Language, Reference
from pytest_retrieval_bench.builders.docs.markup.targets import (
    last_part,
    name_of_signature,
    name_of_target,
    title_and_target,
)

_NAMESPACES: Mapping[str, Language] = {
    "module": "python",
    "currentmodule": "python",
    "automodule": "python",
    "py:module": "python",
    "py:currentmodule": "python",
    "js:module": "javascript",
    "c:namespace": "c",
    "cpp:namespace": "c",
}
_LABELS = ("ref", "numref", "eq")
_NOWHERE = ("None", "NULL", "nullptr")


class Context:
    """The module, of each language, and the class that are described, while a document is read from top to bottom.

    `domain` is the one whose directives and roles need no prefix; `titles` are the headings behind labels.
    """

    def __init__(self, domain: str, titles: Mapping[str, str]) -> None:
        self._domain = domain
        self._titles = titles
        self._modules: dict[Language, str] = {}
        self._class: dict[Language, str] = {}

    def read_role(self, name: str, text: str) -> tuple[str, Reference | None]:
        """What a reader sees of a role, and the code that it names."""
        title, target = title_and_target(text)
        marker = role_marker(name, self._domain)
        if marker is None:
            return title or self._without_title(name, target), None
        dotted = name_of_target(target, marker.language)
        shown = title or (last_part(dotted) if dotted else target.lstrip("!~."))
        return shown, self._reference(dotted, marker, target) if dotted else None

    def _without_title(self, name: str, target: str) -> str:
        """What a reader sees of a role that names no code: the heading behind a label, a formula that is plain."""
        if name in _LABELS:
            return self._titles.get(target.lower(), "")
        if name == "doc":
            return target.rpartition("/")[2]
        return "" if name == "math" and "\\" in target else target

    def read_directive(self, name: str, signatures: list[str]) -> tuple[Reference, ...]:
        """The code that a directive names; from here on it may be another module that is described."""
        if name == "default-domain":
            self._domain = "".join(signatures).strip()
        if name in _NAMESPACES:
            self._enter(_NAMESPACES[name], "".join(signatures).strip())
        marker = directive_marker(name, self._domain)
        if marker is None:
            return ()
        names = (name_of_signature(signature, marker.language) for signature in signatures)
        return tuple(self._declared(dotted, marker) for dotted in names if dotted)

    @contextmanager
    def inside(self, name: str, references: tuple[Reference, ...]) -> Iterator[None]:
        """While the content of a directive is read: members stand in the class that the directive describes."""
        marker = directive_marker(name, self._domain)
        before = dict(self._class)
        if marker is not None and marker.is_class and references:
            self._class[marker.language] = references[0].target
        yield
        self._class = before

    def listed(self, name: str) -> Reference:
        """The code that an entry of an `autosummary` names."""
        return self._reference(name, Marker("python"), name)

    def _enter(self, language: Language, name: str) -> None:
        self._modules[language] = "" if name in _NOWHERE else re.sub(r"\s*::\s*", ".", name)

    def _reference(self, dotted: str, marker: Marker, written: str) -> Reference:
        """A name that is searched for: as it is, in the module, in the class; with a dot before it the other way."""
        module = self._modules.get(marker.language, "")
        scopes = ["", module, _joined(module, self._class.get(marker.language, ""))]
        if written.lstrip("~").startswith("."):
            scopes.reverse()
        by_name = not marker.is_module and ("." in dotted or not marker.is_member)
        return Reference(dotted, marker.language, tuple(dict.fromkeys(scopes)), marker.is_module, by_name)

    def _declared(self, dotted: str, marker: Marker) -> Reference:
        """A name that is declared, in the class and the module around it."""
        if marker.is_module:
            return Reference(dotted, marker.language, ("",), is_module=True, by_name=False)
        around = self._class.get(marker.language, "")
        target = dotted if dotted.startswith(f"{around}.") else _joined(around, dotted)
        scopes = dict.fromkeys((self._modules.get(marker.language, ""), ""))
        return Reference(target, marker.language, tuple(scopes), by_name="." in target or not marker.is_member)


def _joined(around: str, name: str) -> str:
    return f"{around}.{name}" if around and name else around or name
