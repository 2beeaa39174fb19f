"""Which directives and roles of Sphinx name code, and in which language: the domains py, c, cpp and js, and Breathe.

Sources: the pages "Domains" and "autodoc" of Sphinx's documentation, and that of Breathe's directives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from pytest_retrieval_bench.builders.docs.markup.directives import names
from pytest_retrieval_bench.builders.docs.markup.section import Language

Domain = Literal["py", "c", "cpp", "js"]

_LANGUAGES: Final[Mapping[str, Language]] = {"py": "python", "c": "c", "cpp": "c", "js": "javascript"}
_C: Final = "function member data var macro struct union enum enumerator type"
_DIRECTIVES: Final = {
    "py": names(
        "module class exception function method classmethod staticmethod attribute property data decorator"
        " decoratormethod type automodule autoclass autoexception autofunction automethod autoattribute autoproperty"
        " autodata autodecorator"
    ),
    "c": names(_C),
    "cpp": names(f"{_C} class concept enum-class enum-struct alias"),
    "js": names("module function method class data attribute autofunction autoclass autoattribute"),
}
_ROLES: Final = {
    "py": names("any autolink mod func data const class meth attr type exc obj deco"),
    "c": names(f"{_C} func"),
    "cpp": names(f"{_C} func class concept any"),
    "js": names("mod func meth class data attr"),
}
_OF_BREATHE: Final = names("class concept define enum enumvalue function struct typedef union variable")
_CLASSES: Final = names("class exception autoclass autoexception struct union enum enum-class enum-struct")
_MEMBERS: Final = names("attr attribute classmethod meth member method property staticmethod")
_MODULES: Final = frozenset(["mod", "module", "automodule"])


@dataclass(frozen=True, slots=True)
class Marker:
    """A directive or a role that names code: a module, a class, to which belongs what stands in it, or its member."""

    language: Language
    is_module: bool = False
    is_class: bool = False
    is_member: bool = False


def directive_marker(name: str, domain: str) -> Marker | None:
    """What a directive of this name says where `domain` is the one that needs no prefix; None: it names no code."""
    if name.removeprefix("doxygen") in _OF_BREATHE and name.startswith("doxygen"):
        return Marker("c", is_class=name in ("doxygenclass", "doxygenstruct"))
    return _marker(name, domain, _DIRECTIVES)


def role_marker(name: str, domain: str) -> Marker | None:
    """The same for a role."""
    return _marker(name, domain, _ROLES)


def _marker(name: str, domain: str, known: Mapping[str, frozenset[str]]) -> Marker | None:
    prefix, _, kind = name.rpartition(":")
    of_domain = prefix or domain
    if kind not in known.get(of_domain, frozenset()):
        return None
    language = _LANGUAGES[of_domain]
    # A module of JavaScript is what its author calls it; no file has that name.
    is_module = kind in _MODULES and language == "python"
    return Marker(language, is_module=is_module, is_class=kind in _CLASSES, is_member=kind in _MEMBERS)
