"""What is prose in a directive that names no code, as Sphinx, its well-known extensions and MyST have them."""

from __future__ import annotations

import re
from typing import Final

_BIBLIOGRAPHY = re.compile(r"\W*(?:references?|bibliography)\W*", re.IGNORECASE)


def names(text: str) -> frozenset[str]:
    """The words of a text, for lists that are easier to read without marks."""
    return frozenset(text.split())


# All of it, from its first line on.
ADMONITIONS: Final = names("attention caution danger error hint important note seealso tip todo warning")
# The argument, which is a title, and the content.
TITLED: Final = names("admonition card dropdown sidebar tab tab-item topic")
# Nothing. Of any other directive it is the content.
VERBATIM: Final = names(
    "autosummary bibliography code code-block code-cell console csv-table digraph doctest graph graphviz highlight"
    " image include index inheritance-diagram ipython ipython3 jupyter-execute literalinclude math mermaid meta"
    " parsed-literal plot productionlist prompt raw sourcecode tabularcolumns testcleanup testcode testoutput"
    " testsetup toctree uml"
)


def is_bibliography(title: str) -> bool:
    """Whether a title is one below which sources are listed, and no prose."""
    return _BIBLIOGRAPHY.fullmatch(title) is not None
