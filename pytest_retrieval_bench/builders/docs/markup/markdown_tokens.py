"""Markdown as tokens of markdown-it: CommonMark, MyST, and what MkDocs adds for code.

A block of mkdocstrings (`::: shop.cart.Cart`, its options indented below) is a token `code_block_reference`, and a
reference of its autorefs (`[the cart][shop.cart.Cart]`) a token `code_reference`; the name is the token's `content`.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

_NAME = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_BLOCK = re.compile(rf"::: ({_NAME})\s*")
_CONTAINER_END = re.compile(r"^\s*:::+\s*$", re.MULTILINE)
_REFERENCE = re.compile(rf"\[([^\[\]\n]{{1,200}})\]\[({_NAME})?\]")
_PLUGINS = (admon_plugin, colon_fence_plugin, deflist_plugin, front_matter_plugin, myst_block_plugin, myst_role_plugin)


def parse(text: str) -> list[Token]:
    """The tokens of a document."""
    parser = MarkdownIt("commonmark").enable("table")
    for plugin in _PLUGINS:
        parser.use(plugin)
    parser.use(footnote_plugin, inline=False)
    parser.block.ruler.before("colon_fence", "code_block_reference", _block_reference)
    parser.inline.ruler.before("link", "code_reference", _reference)
    return parser.parse(text, {"has_containers": _CONTAINER_END.search(text) is not None})


def _block_reference(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    found = _BLOCK.fullmatch(_line(state, first))
    # A name without a dot may be that of a container.
    if not found or ("." not in found[1] and state.env["has_containers"]):
        return False
    if silent:
        return True
    end = first + 1
    while end < last and not state.isEmpty(end) and state.sCount[end] > state.blkIndent:
        end += 1
    token = state.push("code_block_reference", "", 0)
    token.content = found[1]
    token.map = [first, end]
    state.line = end
    return True


def _reference(state: StateInline, silent: bool) -> bool:
    found = _REFERENCE.match(state.src, state.pos)
    if not found:
        return False
    name = found[2] or found[1].strip("`")
    if not re.fullmatch(_NAME, name) or _is_link(state, name):
        return False
    if not silent:
        token = state.push("code_reference", "", 0)
        token.content = name
        token.meta = {"title": found[1].strip("`")}
    state.pos = found.end()
    return True


def _is_link(state: StateInline, name: str) -> bool:
    """Whether the document says itself where a reference leads."""
    return name.upper() in state.env.get("references", {})


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
