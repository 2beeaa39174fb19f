"""The sections of a document in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it.token import Token

from pytest_retrieval_bench.builders.docs.markup.context import Context
from pytest_retrieval_bench.builders.docs.markup.directives import TITLED, VERBATIM, is_bibliography
from pytest_retrieval_bench.builders.docs.markup.markdown_tokens import parse
from pytest_retrieval_bench.builders.docs.markup.restructuredtext import read_blocks
from pytest_retrieval_bench.builders.docs.markup.section import Block, Reference, Section
from pytest_retrieval_bench.builders.docs.markup.targets import last_part

_DIRECTIVE = re.compile(r"\s*\{([\w:+.-]+)\}\s*(.*)", re.DOTALL)
_OPTION_LINES = re.compile(r"(?:[ \t]*:[\w-]+:[^\n]*(?:\n|\Z))*")
_ATTRIBUTES = re.compile(r"\{[:#.][^{}\n]{0,200}\}")  # of MyST and MkDocs, for the element before them
_MAX_DEPTH = 20
_BREAKS = ("softbreak", "hardbreak")


def read_markdown(path: str, text: str, context: Context) -> list[Section]:
    """The sections, from top to bottom; what stands before the first heading belongs to none.

    Raises RecursionError for directives that nest too deeply.
    """
    reader = _Reader(path, context)
    reader.read_document(text)
    return reader.sections


class _Reader:
    """Reads tokens once; `sections` are those that are complete."""

    def __init__(self, path: str, context: Context) -> None:
        self.sections: list[Section] = []
        self._path = path
        self._context = context
        self._heading: tuple[int, Block] | None = None
        self._blocks: list[Block] = []
        self._depth = 0

    def read_document(self, text: str) -> None:
        tokens = iter(parse(text))
        for token in tokens:
            if token.type == "heading_open":
                self._end()
                self._heading = ((token.map or [0])[0] + 1, self._block(next(tokens)))
            else:
                self._read(token)
        self._end()

    def _read(self, token: Token) -> None:
        if token.type == "inline":
            self._blocks.append(self._block(token))
        elif token.type == "code_block_reference":
            self._blocks.append(Block("", self._context.read_directive("py:data", [token.content])))
        elif token.type in ("fence", "colon_fence"):
            directive = _DIRECTIVE.fullmatch(token.info)
            if directive:
                self._read_directive(directive[1].lower(), directive[2].strip(), token.content)
            elif token.type == "colon_fence":
                self._read_content(token.content)

    def _read_directive(self, name: str, argument: str, content: str) -> None:
        if name == "eval-rst":
            self._blocks += read_blocks(content, self._context)
            return
        references = self._context.read_directive(name, [argument])
        if references:
            self._blocks.append(Block("", references))
        if name in VERBATIM or name == "rubric" or is_bibliography(argument):
            return
        if argument and not references and name in TITLED:
            self._read_content(argument)
        with self._context.inside(name, references):
            self._read_content(_without_options(content))

    def _read_content(self, text: str) -> None:
        """Reads Markdown inside a block; a heading there begins no section."""
        if self._depth == _MAX_DEPTH:
            raise RecursionError(f"directives nest more than {_MAX_DEPTH} deep")
        self._depth += 1
        for token in parse(text):
            self._read(token)
        self._depth -= 1

    def _end(self) -> None:
        if self._heading:
            self.sections.append(Section(self._path, *self._heading, tuple(self._blocks)))
        self._blocks = []

    def _block(self, token: Token) -> Block:
        named: list[tuple[str, Reference]] = []
        text = "".join(self._said(token.children or [], named))
        references = tuple(reference for _, reference in named)
        return Block(" ".join(_ATTRIBUTES.sub("", text).split()), references, sum(len(shown) for shown, _ in named))

    def _said(self, tokens: list[Token], named: list[tuple[str, Reference]]) -> Iterator[str]:
        """What a reader sees of a paragraph; the code that it names is added to `named`, each with what is seen."""
        for token in tokens:
            if token.type == "myst_role":
                shown, reference = self._context.read_role(token.meta["name"], token.content)
                if reference is not None:
                    named.append((shown, reference))
                yield shown
            elif token.type == "code_reference":
                title = token.meta["title"]
                shown = last_part(title) if title == token.content else title
                named.append((shown, Reference(token.content, "python")))
                yield shown
            elif token.type in ("text", "code_inline"):
                yield token.content
            elif token.type in _BREAKS:
                yield " "


def _without_options(content: str) -> str:
    """The content of a directive below its options, which stand between `---`, or in lines that begin with `:name:`."""
    if content.startswith("---\n"):
        _, _, content = content[4:].partition("\n---")
        return content.partition("\n")[2]
    options = _OPTION_LINES.match(content)
    return content[options.end() :] if options else content
