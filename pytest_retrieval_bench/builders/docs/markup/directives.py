"""What is prose in a directive that names no code, as Sphinx, its well-known extensions and MyST have them."""

from __future__ import annotations

from typing import Final

# All of it, from its first line on.
ADMONITIONS: Final = frozenset("attention caution danger error hint important note seealso tip todo warning".split())
# The argument, which is a title, and the content.
TITLED: Final = frozenset("admonition card dropdown rubric sidebar tab tab-item topic".split())
# Nothing. Of any other directive it is the content.
VERBATIM: Final = frozenset(
    "autosummary bibliography code code-block code-cell console csv-table digraph doctest graph graphviz highlight"
    " image include index inheritance-diagram ipython ipython3 jupyter-execute literalinclude math mermaid meta"
    " parsed-literal plot productionlist prompt raw sourcecode tabularcolumns testcleanup testcode testoutput"
    " testsetup toctree uml".split()
)
