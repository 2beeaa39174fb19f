"""What files of C, C++, JavaScript and TypeScript define, by the grammars that tree-sitter's own project keeps.

A prototype, an `extern` and a `declare` define nothing; nor does what only the inside of a function can use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import PurePosixPath
from typing import Final

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

from pytest_retrieval_bench.builders.docs.markup.section import Language

_GRAMMARS: Final[Mapping[str, tuple[str, str]]] = {
    ".c": ("tree_sitter_c", "language"),
    **dict.fromkeys([".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"], ("tree_sitter_cpp", "language")),
    **dict.fromkeys([".js", ".mjs", ".cjs", ".jsx"], ("tree_sitter_javascript", "language")),
    **dict.fromkeys([".ts", ".mts", ".cts"], ("tree_sitter_typescript", "language_typescript")),
    ".tsx": ("tree_sitter_typescript", "language_tsx"),
}


@dataclass(frozen=True, slots=True)
class _Rules:
    """Of the nodes of a language's grammars: the member that has the name of what a node defines, by its type.

    What stands in `scopes` belongs to them; the inside of `functions` is not read.
    """

    defining: Mapping[str, str]
    scopes: frozenset[str]
    functions: frozenset[str]


_C_TYPES: Final = ("class_specifier", "enum_specifier", "struct_specifier", "union_specifier")
_JAVASCRIPT_TYPES: Final = (
    *("abstract_class_declaration", "class_declaration", "enum_declaration", "interface_declaration"),
    *("internal_module", "module"),
)
_RULES: Final[Mapping[Language, _Rules]] = {
    "c": _Rules(
        defining={
            **dict.fromkeys(
                ("declaration", "field_declaration", "function_definition", "type_definition"), "declarator"
            ),
            **dict.fromkeys((*_C_TYPES, "alias_declaration", "concept_definition", "enumerator"), "name"),
            **dict.fromkeys(("namespace_definition", "preproc_def", "preproc_function_def"), "name"),
        },
        scopes=frozenset([*_C_TYPES, "namespace_definition"]),
        functions=frozenset(["friend_declaration", "function_definition", "lambda_expression"]),
    ),
    "javascript": _Rules(
        defining={
            **dict.fromkeys((*_JAVASCRIPT_TYPES, "function_declaration", "generator_function_declaration"), "name"),
            **dict.fromkeys(("abstract_method_signature", "method_definition", "method_signature"), "name"),
            **dict.fromkeys(("property_signature", "public_field_definition", "type_alias_declaration"), "name"),
            **dict.fromkeys(("enum_assignment", "variable_declarator"), "name"),
            "field_definition": "property",
            "assignment_expression": "left",
        },
        scopes=frozenset([*_JAVASCRIPT_TYPES, "assignment_expression", "variable_declarator"]),
        functions=frozenset(
            [
                *("arrow_function", "function_declaration", "function_expression", "generator_function"),
                *("generator_function_declaration", "method_definition"),
            ]
        ),
    ),
}
_TEMPLATE_ARGUMENTS = re.compile(r"<[^<>]*>")
_DOTTED = re.compile(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*")
_EXPORTS = re.compile(r"(?:module\.)?exports\.|(?:this|window|globalThis)\.")
_LONGEST_NAME = 1_000


def language_of(path: str) -> Language | None:
    """The language of a file by the end of its name, None where it has no grammar here."""
    grammar, _ = _GRAMMARS.get(PurePosixPath(path).suffix, ("", ""))
    if not grammar:
        return None
    return "c" if grammar in ("tree_sitter_c", "tree_sitter_cpp") else "javascript"


def defined_names(path: str, source: bytes) -> frozenset[str]:
    """The dotted names that a file defines: namespaces and classes, and what is in them, as `shop.Cart.total`."""
    language = language_of(path)
    if language is None:
        return frozenset()
    root = _parser(PurePosixPath(path).suffix).parse(source).root_node
    return frozenset(_definitions(root, _RULES[language]))


@cache
def _parser(suffix: str) -> Parser:
    module, function = _GRAMMARS[suffix]
    return Parser(Grammar(getattr(import_module(module), function)()))


def _definitions(root: Node, rules: _Rules) -> Iterator[str]:
    waiting = [(root, "")]
    while waiting:
        node, scope = waiting.pop()
        names = [f"{scope}{name}" for name in _names(node, rules)]
        yield from names
        if node.type in rules.functions:
            continue
        inner = f"{names[0]}." if names and node.type in rules.scopes else scope
        waiting += [(child, inner) for child in node.named_children]


def _names(node: Node, rules: _Rules) -> Iterator[str]:
    member = rules.defining.get(node.type)
    if member is None or (node.type in _C_TYPES and node.child_by_field_name("body") is None) or _is_extern(node):
        return
    for named in node.children_by_field_name(member):
        innermost = _declared(named, in_definition=node.type == "function_definition")
        name = _dotted(innermost) if innermost is not None else None
        if name is not None:
            yield name


def _is_extern(node: Node) -> bool:
    return node.type == "declaration" and any(
        child.type == "storage_class_specifier" and child.text == b"extern" for child in node.named_children
    )


def _declared(node: Node, *, in_definition: bool) -> Node | None:
    """What is named inside pointers, references, arrays and parameters; None for a prototype."""
    while True:
        if node.type == "function_declarator" and not in_definition:
            return None
        inner = node.child_by_field_name("declarator")
        if inner is None and node.type == "reference_declarator" and node.named_children:
            inner = node.named_children[-1]
        if inner is None:
            return node
        node = inner


def _dotted(node: Node) -> str | None:
    """The dotted name that a node is, None for a pattern, an operator and whatever else is none."""
    if node.end_byte - node.start_byte > _LONGEST_NAME:
        return None
    text, found = (node.text or b"").decode("utf-8", "replace"), 1
    while found:
        text, found = _TEMPLATE_ARGUMENTS.subn("", text)
    text = _EXPORTS.sub("", text.replace("::", ".").replace(".prototype.", "."), count=1)
    return text if _DOTTED.fullmatch(text) else None
