"""The names in the text of roles and in the signatures of directives, as dotted names."""

from __future__ import annotations

import re

from pytest_retrieval_bench.builders.docs.markup.section import Language

MAX_CHARACTERS = 1_000  # no name is longer, and a signature that is one is not read

_TITLE_AND_TARGET = re.compile(r"(.+?)\s*<([^<>]*)>\s*", re.DOTALL)
_SIGNATURE = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*)\s*(?:[(\[:=-].*)?", re.DOTALL)
_BRACKETS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_C_NAME = re.compile(r"[^\W\d]\w*(?:(?:\s*::\s*|\.)~?[^\W\d]\w*)*")
_C_END = re.compile(r"[({=;]|(?<!:):(?!:)")


def title_and_target(text: str) -> tuple[str | None, str]:
    """The two halves of `title <target>`, None for a title that is not there."""
    halves = _TITLE_AND_TARGET.fullmatch(text) if len(text) <= MAX_CHARACTERS else None
    return (halves[1], halves[2].strip()) if halves else (None, text.strip())


def name_of_target(target: str, language: Language) -> str | None:
    """The dotted name that the target of a role means; None where it is none, or where `!` says that it is no link."""
    return None if target.startswith("!") else name_of_signature(target.lstrip("~."), language)


def name_of_signature(signature: str, language: Language) -> str | None:
    """The dotted name that a signature declares; None where it declares none.

    >>> name_of_signature("Cart.add(item, *, count=1)", "python")
    'Cart.add'
    >>> name_of_signature("template<class T> const T &shop::Cart<T>::item(int n) const", "c")
    'shop.Cart.item'
    """
    if len(signature) > MAX_CHARACTERS:
        return None
    if language == "c":
        return _declared(signature)
    # JSDoc has `Cart#total` for members of what is made, `cart~total` for what is inside.
    dotted = re.sub(r"[#~]", ".", signature) if language == "javascript" else signature
    name = _SIGNATURE.fullmatch(dotted.strip())
    return name[1] if name else None


def last_part(name: str) -> str:
    """A dotted name as a reader says it."""
    return name.rpartition(".")[2]


def _declared(declaration: str) -> str | None:
    """The name in a declaration of C or C++: the last one before its parameters, bases or value."""
    plain, found = declaration, 1
    while found:
        plain, found = _BRACKETS.subn("", plain)
    end = _C_END.search(plain)
    names = _C_NAME.findall(plain[: end.start()] if end else plain)
    if not names or names[-1].endswith("operator"):
        return None
    return re.sub(r"\s*::\s*~?", ".", names[-1])
