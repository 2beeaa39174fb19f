"""What is taken from a `conf.py`, and which headings labels have."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.builders.docs.markup.sphinx_settings import SphinxSettings, read_sphinx_settings
from pytest_retrieval_bench.builders.docs.markup.titles import titles_of


@pytest.mark.parametrize(
    ("source", "path", "markup"),
    [
        ("", "docs/a.rst", "restructuredtext"),
        ("", "docs/a.md", "markdown"),
        ("", "docs/a.txt", None),
        ("source_suffix = '.txt'", "docs/a.txt", "restructuredtext"),
        ("source_suffix = ['.rst', '.txt']", "docs/a.txt", "restructuredtext"),
        ("source_suffix = {'.txt': 'markdown', '.x': 'other'}", "docs/a.txt", "markdown"),
        ("source_suffix = {'.txt': 'markdown', '.x': 'other'}", "docs/a.x", None),
        ("source_suffix = {'.txt': None}", "docs/a.txt", "restructuredtext"),
        ("source_suffix = ['.rst', '.md']", "docs/a.md", "markdown"),
        ("source_suffix = compute()", "docs/a.txt", None),
        ("source_suffix = {1: 2, '.txt': []}", "docs/a.txt", "restructuredtext"),
    ],
)
def test_the_end_of_its_name_says_the_markup_of_a_document(source: str, path: str, markup: str | None) -> None:
    assert read_sphinx_settings(source.encode()).markup_of(path) == markup


def test_domain_and_role_are_those_of_the_project() -> None:
    read = read_sphinx_settings(b"primary_domain = 'cpp'\ndefault_role = 'py:obj'\n")
    assert (read.domain, read.default_role) == ("cpp", "py:obj")
    assert read_sphinx_settings(b"primary_domain = None\ndefault_role = 'literal'\n") == SphinxSettings()


@pytest.mark.parametrize(
    "source", [b"x = (", b"\xff", b"\x00", b"x = {[]: 1}\n", b"x = '\\d'\n", b"-" * 100_000 + b"1"]
)
def test_a_file_that_cannot_be_read_says_nothing(source: bytes) -> None:
    assert read_sphinx_settings(source) == SphinxSettings()


def test_labels_have_the_heading_below_them() -> None:
    text = """.. _first:
.. _Second one:

====================
All about ``carts``
====================

.. _`third`:

Of :class:`Cart`
----------------

.. _lost:

A paragraph.

.. _elsewhere: https://example.org

(fourth)=
## Totals of `carts`
"""
    assert dict(titles_of(text)) == {
        "first": "All about carts",
        "second one": "All about carts",
        "third": "Of Cart",
        "fourth": "Totals of carts",
    }


@pytest.mark.parametrize("text", ["", ".. _x:", ".. _x:\n\n====", "(x)=\n", ".. _x:\n" * 1_000])
def test_labels_of_nothing_have_no_heading(text: str) -> None:
    assert list(titles_of(text)) == []
