"""reStructuredText as a tree of docutils, in which every directive and role is only text: none of them does anything.

No file but the text is read, and nothing in it is run: the directives that would (`include`, `raw`, `csv-table`,
`autoclass` …) are never looked up. Sphinx puts its own directives in the same place of docutils.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from docutils import frontend, nodes, utils
from docutils.parsers.rst import Directive, Parser, directives, roles

from pytest_retrieval_bench.builders.docs.markup.directives import ADMONITIONS, TITLED, VERBATIM

# docutils takes quadratic time where a paragraph does not end what it begins.
_MAX_PARAGRAPH = 2**14
_EMPTY_LINES = re.compile(r"\n[ \t]*\n")


class DirectiveNode(nodes.Element):
    """A directive: its `name`, the lines of its `argument`, the lines of its `verbatim` content; children are prose."""


class RoleNode(nodes.Inline, nodes.TextElement):
    """A role: its `name`, and the text in it."""


class _AnyOptions(dict[str, Any]):
    """Takes each option as it is."""

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, name: str) -> Any:
        return lambda value: value


class _AnyDirective(Directive):
    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = _AnyOptions()

    def run(self) -> Sequence[nodes.Node]:
        node = DirectiveNode()
        argument = self.arguments[0] if self.arguments else ""
        kind = self.name.lower()
        verbatim = kind in VERBATIM
        node["name"] = kind
        node["argument"] = argument.replace("\\\n", " ").split("\n")
        node["verbatim"] = list(self.content) if verbatim else []
        if kind in TITLED and argument:
            title, _ = self.state.inline_text(argument, self.lineno)
            node += nodes.paragraph(argument, "", *title)
        if not verbatim:
            self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


class _Admonition(_AnyDirective):
    optional_arguments = 0


def parse(text: str) -> nodes.document:
    """The tree of a document.

    Raises RecursionError for what nests too deeply, ValueError for a paragraph of over 16,384 characters, and whatever
    docutils raises for text that it cannot read.
    """
    if any(len(paragraph) > _MAX_PARAGRAPH for paragraph in _EMPTY_LINES.split(text)):
        raise ValueError(f"a paragraph has over {_MAX_PARAGRAPH} characters")
    settings = frontend.get_default_settings(Parser)
    settings.report_level = settings.halt_level = 5  # nothing is told, nothing stops
    document = utils.new_document("", settings)
    with _any_markup():
        Parser().parse(text, document)
    return document


@contextmanager
def _any_markup() -> Iterator[None]:
    directive, role = directives.directive, roles.role
    vars(directives)["directive"], vars(roles)["role"] = _directive, _role
    try:
        yield
    finally:
        vars(directives)["directive"], vars(roles)["role"] = directive, role


def _directive(name: str, *_: object) -> tuple[type[Directive], list[nodes.system_message]]:
    return _Admonition if name.lower() in ADMONITIONS else _AnyDirective, []


def _role(name: str, *_: object) -> tuple[Any, list[nodes.system_message]]:
    return _role_node, []


def _role_node(
    name: str, rawtext: str, text: str, *_: object, **__: object
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    return [RoleNode(rawtext, utils.unescape(text, restore_backslashes=name == "math"), name=name)], []
