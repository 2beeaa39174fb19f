"""A benchmark from the documentation of a repository: sections are questions, what they name is the answer.

    documents ──► markup ──► Section ──► question ─┐
                                 └─► references ───┤
    sources ───► symbols ──► SymbolTable ──────────┴─► Instance ──► row

Only objects of the commit are read, and nothing in them is run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pytest_retrieval_bench.builders.docs.instance import Instance, instance_of
from pytest_retrieval_bench.builders.docs.markup.context import Context
from pytest_retrieval_bench.builders.docs.markup.markdown import read_markdown
from pytest_retrieval_bench.builders.docs.markup.restructuredtext import read_restructuredtext
from pytest_retrieval_bench.builders.docs.markup.section import Section
from pytest_retrieval_bench.builders.docs.markup.titles import titles_of
from pytest_retrieval_bench.builders.docs.report import Tally, drop_report
from pytest_retrieval_bench.builders.docs.rows import row_of
from pytest_retrieval_bench.builders.docs.rules import DocsRules
from pytest_retrieval_bench.builders.docs.symbols.table import SymbolTable
from pytest_retrieval_bench.builders.docs.tree import Tree, list_tree, path_of
from pytest_retrieval_bench.model import Json


@dataclass(frozen=True, slots=True)
class DocsBenchmark:
    """The rows of a samples file, in the order of the documents; sections by what became of them; the drop report."""

    rows: tuple[dict[str, Json], ...]
    sections: Counter[str]
    report: dict[str, Json]


def build_docs(clone: Path, rules: DocsRules) -> DocsBenchmark:
    """Makes the benchmark from a clone, of which objects are read; equal rules and commits give equal results.

    Raises SettingsError for folders that the commit does not have, SnapshotError when the clone lacks the commit.
    """
    tree = list_tree(clone, rules)
    table = SymbolTable(tree.read(tree.sources), [path_of(blob) for blob in tree.sources])
    tally = Tally(documents=Counter(tree.documents_left_out), sources=Counter(tree.sources_left_out))
    tally.sources.update("defines names" if names else "defines nothing" for names in table.names.values())
    kept: list[Instance] = []
    questions: set[str] = set()
    for section in _sections(tree, tally):
        references = list(section.references)
        resolved = {reference: table.resolve(reference) for reference in references}
        tally.references.update(resolved[reference].outcome for reference in references)
        made = instance_of(section, resolved, table, short=rules.short)
        if isinstance(made, str):
            tally.sections[made] += 1
        elif made.question in questions:
            tally.sections["asked before"] += 1
        else:
            tally.sections["kept"] += 1
            questions.add(made.question)
            kept.append(made)
    return DocsBenchmark(tuple(row_of(one, rules) for one in kept), tally.sections, drop_report(rules, tally, kept))


def _sections(tree: Tree, tally: Tally) -> Iterator[Section]:
    """The sections of all documents; a document that cannot be read is counted."""
    texts = {path: content.decode("utf-8-sig", "replace") for path, content in tree.read(tree.documents)}
    titles = {label: heading for text in texts.values() for label, heading in titles_of(text)}
    for path, text in texts.items():
        try:
            sections = _read(tree, path, text, titles)
        except Exception:  # noqa: BLE001 - a parser may fail in any way on a stranger's text
            tally.documents["not readable"] += 1
            continue
        tally.documents["read"] += 1
        yield from sections


def _read(tree: Tree, path: str, text: str, titles: dict[str, str]) -> list[Section]:
    settings = tree.settings
    context = Context(settings.domain, titles)
    if settings.markup_of(path) == "markdown":
        return read_markdown(path, text, context)
    return read_restructuredtext(path, text, context, settings.default_role)
