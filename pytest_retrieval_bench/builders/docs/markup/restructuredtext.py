"""The sections of a document in reStructuredText."""

from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes

from pytest_retrieval_bench.builders.docs.markup.context import Context
from pytest_retrieval_bench.builders.docs.markup.directives import is_bibliography
from pytest_retrieval_bench.builders.docs.markup.docutils_tree import DirectiveNode, RoleNode, parse
from pytest_retrieval_bench.builders.docs.markup.section import Block, Reference, Section
from pytest_retrieval_bench.builders.docs.markup.targets import name_of_signature

_NO_PROSE = (
    nodes.literal_block,
    nodes.doctest_block,
    nodes.comment,
    nodes.target,
    nodes.substitution_definition,
    nodes.footnote,
    nodes.citation,
    nodes.system_message,
    nodes.field_name,
    nodes.raw,
)
_LISTS = (nodes.bullet_list, nodes.enumerated_list)
_NOT_SAID = (nodes.footnote_reference, nodes.citation_reference, nodes.system_message, nodes.target)


def read_restructuredtext(path: str, text: str, context: Context, default_role: str = "") -> list[Section]:
    """The sections, from top to bottom; what stands before the first heading belongs to none.

    `default_role` is that of text in single backticks. Raises what `parse` raises.
    """
    reader = _Reader(path, context, default_role)
    reader.read_document(parse(text))
    return reader.sections


def read_blocks(text: str, context: Context, default_role: str = "") -> list[Block]:
    """The paragraphs of a part of a document, headings or no."""
    reader = _Reader("", context, default_role)
    reader.read_document(parse(text))
    below = [block for section in reader.sections for block in (section.heading, *section.blocks)]
    return reader.preface + below


class _Reader:
    """Walks a tree once; `sections` are those that are complete, `preface` is what stands before them."""

    def __init__(self, path: str, context: Context, default_role: str) -> None:
        self.sections: list[Section] = []
        self.preface: list[Block] = []
        self._path = path
        self._context = context
        self._default_role = default_role
        self._heading: tuple[int, Block] | None = None
        self._blocks: list[Block] = []
        self._is_cited = False  # whether a list is one of sources

    def read_document(self, document: nodes.document) -> None:
        self._read_children(document)
        self._end()

    def _read(self, node: nodes.Node) -> None:
        if isinstance(node, nodes.title):
            self._end()
            self._is_cited = False
            # docutils counts the lines up to the one below the heading.
            self._heading = ((node.line or 2) - 1, self._block(node))
        elif isinstance(node, DirectiveNode):
            self._read_directive(node)
        elif isinstance(node, (nodes.paragraph, nodes.term)):
            self._is_cited = False
            self._blocks.append(self._block(node))
        elif isinstance(node, _LISTS) and self._is_cited:
            return
        elif not isinstance(node, _NO_PROSE):
            self._read_children(node)

    def _read_children(self, node: nodes.Node) -> None:
        for child in node.children:
            self._read(child)

    def _read_directive(self, node: DirectiveNode) -> None:
        name = node["name"]
        if name == "default-role":
            self._default_role = "".join(node["argument"]).strip()
        elif name == "autosummary":
            self._read_autosummary(node["verbatim"])
        elif name == "rubric":
            self._is_cited = is_bibliography(" ".join(node["argument"]))
        elif not is_bibliography(" ".join(node["argument"])):
            references = self._context.read_directive(name, node["argument"])
            if references:
                self._blocks.append(Block("", references))
            with self._context.inside(name, references):
                self._read_children(node)
            self._is_cited = False

    def _read_autosummary(self, lines: list[str]) -> None:
        entries = (name_of_signature(line.strip().lstrip("~."), "python") for line in lines)
        self._blocks.append(Block("", tuple(self._context.listed(entry) for entry in entries if entry)))

    def _end(self) -> None:
        if self._heading is None:
            self.preface = self._blocks
        else:
            self.sections.append(Section(self._path, *self._heading, tuple(self._blocks)))
        self._blocks = []

    def _block(self, node: nodes.Node) -> Block:
        named: list[tuple[str, Reference]] = []
        text = "".join(self._said(node, named))
        references = tuple(reference for _, reference in named)
        return Block(" ".join(text.split()), references, sum(len(shown) for shown, _ in named))

    def _said(self, node: nodes.Node, named: list[tuple[str, Reference]]) -> Iterator[str]:
        """What a reader sees of a paragraph; the code that it names is added to `named`, each with what is seen."""
        for child in node.children:
            if isinstance(child, RoleNode):
                shown, reference = self._context.read_role(child["name"] or self._default_role, child.astext())
                yield shown
                if reference is not None:
                    named.append((shown, reference))
            elif isinstance(child, nodes.Text):
                yield child.astext()
            elif not isinstance(child, _NOT_SAID):
                yield from self._said(child, named)
