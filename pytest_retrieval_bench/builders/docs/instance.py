"""A section that became a question with an answer, or the reason why it became none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pytest_retrieval_bench.builders.docs.markup.section import Reference, Section
from pytest_retrieval_bench.builders.docs.overlap import leaks, lexical_overlap
from pytest_retrieval_bench.builders.docs.query import MIN_CHARACTERS, question_of, shortened
from pytest_retrieval_bench.builders.docs.symbols.resolution import Resolution
from pytest_retrieval_bench.builders.docs.symbols.table import SymbolTable

Drop = Literal["names no code", "no gold", "under 120 characters", "mostly names", "no short form"]


@dataclass(frozen=True, slots=True)
class Instance:
    """A question, and the files that define what its section names, sorted.

    `references` are the distinct ones with what became of each, `overlap` the share of the question's words that stand
    in the names of its gold, `leaks` says what of its gold the question gives away.
    """

    section: Section
    question: str
    gold: tuple[str, ...]
    references: Mapping[Reference, Resolution]
    overlap: float
    leaks: Mapping[str, bool]


def instance_of(
    section: Section, references: Mapping[Reference, Resolution], table: SymbolTable, *, short: bool
) -> Instance | Drop:
    """The instance of a section and its resolved references.

    The gold is that of the whole section also where only a part of its text is asked: what is left out is mostly more
    of the same, and a file that the section is about must not count as wrong.
    """
    gold = tuple(sorted({found.path for found in references.values() if found.path is not None}))
    if not gold:
        return "no gold" if references else "names no code"
    question = question_of(section, table.names_code)
    if len(question) < MIN_CHARACTERS:
        return "under 120 characters"
    if _is_list(section):
        return "mostly names"
    asked = shortened(question) if short else question
    if asked is None:
        return "no short form"
    names = {path: table.names[path] for path in gold}
    symbols = {one.target.rpartition(".")[2] for one, found in references.items() if found.path is not None}
    return Instance(section, asked, gold, references, lexical_overlap(asked, names), leaks(asked, gold, symbols))


def _is_list(section: Section) -> bool:
    """Whether the names of code are more than half of the text, as in an index."""
    return 2 * sum(block.named for block in section.blocks) > sum(len(block.text) for block in section.blocks)
