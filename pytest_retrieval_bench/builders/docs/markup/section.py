"""What a document is made of, whatever markup it is written in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Language = Literal["python", "c", "javascript"]


@dataclass(frozen=True, slots=True)
class Reference:
    """A place in a document that names a piece of code, such as a role or the signature in a directive.

    `target` is a dotted name. It is looked for under each of `scopes` in turn, dotted names as well: the modules and
    classes that are being described where it stands, or nothing. `is_module` says that only a module is meant.
    `by_name` says that the only definition of this name may be meant, wherever it is; a bare member is too common.
    """

    target: str
    language: Language
    scopes: tuple[str, ...] = ("",)
    is_module: bool = False
    by_name: bool = True


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph as it is read, without markup, and the code that it names; a signature has no text.

    `named` is how many characters of the text are names of code.
    """

    text: str
    references: tuple[Reference, ...] = ()
    named: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, and what stands below it until the next heading of any level.

    `line` is that of the heading's text in its document, counted from 1.
    """

    path: str
    line: int
    heading: Block
    blocks: tuple[Block, ...]

    @property
    def references(self) -> Iterator[Reference]:
        """All code that the section names, in order."""
        for block in (self.heading, *self.blocks):
            yield from block.references
