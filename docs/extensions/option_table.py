"""The directive `option-table`: the options and ini values of the plugin, as its code tells pytest of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from pytest_retrieval_bench import options

# The ini values whose option has another name.
_OPTION_OF_INI = {"rb_gates": "--rb-gate"}
_CODE = re.compile(r"(`[^`]+`|--rb-[a-z-]+)")
Row = tuple[str, str, str]


@dataclass
class Listing:
    """Takes the place of pytest's parser, and keeps what it is told."""

    options: dict[str, dict[str, Any]] = field(default_factory=dict)
    inis: list[str] = field(default_factory=list)

    def getgroup(self, *_: str) -> Listing:
        """The one group that there is."""
        return self

    def addoption(self, name: str, **attributes: Any) -> None:
        """Keeps an option."""
        self.options[name] = attributes

    def addini(self, name: str, *_: str, **__: str) -> None:
        """Keeps an ini value."""
        self.inis.append(name)


def rows() -> list[Row]:
    """Each option in the order of the code: how it is written, what it means, its ini value."""
    listing = Listing()
    options.add(listing)  # type: ignore[arg-type]
    ini_of = {_OPTION_OF_INI.get(ini, f"--{ini.replace('_', '-')}"): ini for ini in listing.inis}
    return [(_written(name, told), told["help"], ini_of.get(name, "")) for name, told in listing.options.items()]


def _written(name: str, told: dict[str, Any]) -> str:
    metavar = told.get("metavar")
    if metavar is None:
        return name
    if isinstance(metavar, tuple):
        return " ".join((name, *metavar))
    return f"{name}[={metavar}]" if told.get("nargs") == "?" else f"{name}={metavar}"


class OptionTable(SphinxDirective):
    """A table of all options."""

    def run(self) -> list[nodes.Node]:
        """The table."""
        group = nodes.tgroup("", *(nodes.colspec("", colwidth=width) for width in (45, 55)), cols=2)
        group += nodes.thead("", _row([nodes.Text("option")], [nodes.Text("meaning")]))
        group += nodes.tbody("", *(_row([nodes.literal("", option)], _meaning(*told)) for option, *told in rows()))
        return [nodes.table("", group)]


def _meaning(words: str, ini: str) -> list[nodes.Node]:
    """What an option means, with options and quoted words as code."""
    parts = _CODE.split(words + (f"; ini: `{ini}`" if ini else ""))
    return [nodes.literal("", part.strip("`")) if place % 2 else nodes.Text(part) for place, part in enumerate(parts)]


def _row(*cells: list[nodes.Node]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *cell)) for cell in cells))


def setup(app: Sphinx) -> dict[str, bool]:
    """Makes the directive known."""
    app.add_directive("option-table", OptionTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
