"""reStructuredText: sections, what a reader sees of them, and the code that they name."""

from __future__ import annotations

from pathlib import Path

import pytest
from docutils.parsers.rst import directives, roles

from pytest_retrieval_bench.builders.docs.markup.context import Context
from pytest_retrieval_bench.builders.docs.markup.restructuredtext import read_restructuredtext
from pytest_retrieval_bench.builders.docs.markup.section import Section


def sections(
    text: str, domain: str = "py", default_role: str = "", titles: dict[str, str] | None = None
) -> list[Section]:
    return read_restructuredtext("docs/a.rst", text, Context(domain, titles or {}), default_role)


def section(text: str, domain: str = "py", default_role: str = "", titles: dict[str, str] | None = None) -> Section:
    (only,) = sections(f"Heading\n=======\n\n{text}", domain, default_role, titles)
    return only


def prose(text: str) -> list[str]:
    return [block.text for block in section(text).blocks if block.text]


def named(text: str, domain: str = "py") -> list[str]:
    return [reference.target for reference in section(text, domain).references]


def test_each_heading_of_any_level_begins_a_section_that_the_next_one_ends() -> None:
    found = sections("lost\n\n====\nOver\n====\n\none\n\nUnder\n-----\n\ntwo\n\nLower\n~~~~~\n\nNext\n-----\n\nthree\n")
    assert [(one.heading.text, one.line, [block.text for block in one.blocks]) for one in found] == [
        ("Over", 4, ["one"]),
        ("Under", 9, ["two"]),
        ("Lower", 14, []),
        ("Next", 17, ["three"]),
    ]


def test_a_heading_stands_without_its_markup_and_names_code_too() -> None:
    (only,) = sections("The ``x`` of :class:`~shop.Cart`\n================================\n\ntext\n")
    assert only.heading.text == "The x of Cart"
    assert [reference.target for reference in only.references] == ["shop.Cart"]


@pytest.mark.parametrize(
    ("role", "seen", "target"),
    [
        (":class:`Cart`", "Cart", "Cart"),
        (":class:`shop.cart.Cart`", "Cart", "shop.cart.Cart"),
        (":py:meth:`~shop.Cart.total()`", "total", "shop.Cart.total"),
        (":func:`the total <shop.total>`", "the total", "shop.total"),
        (":meth:`.Cart.total`", "total", "Cart.total"),
        (":class:`the\ncart <shop.Cart>`", "the cart", "shop.Cart"),
        (":class:`!Cart`", "Cart", None),
        (":class:`a cart, not a name`", "a cart, not a name", None),
        (":setting:`DEBUG`", "DEBUG", None),
        (":doc:`/topics/carts`", "carts", None),
        (":ref:`the carts <carts>`", "the carts", None),
        (":ref:`carts`", "All about carts", None),
        (":ref:`nowhere`", "", None),
        (":math:`x^2`", "x^2", None),
        (r":math:`\hat{y}`", "", None),
        (":unheard-of:`text`", "text", None),
        (":c:func:`cart_total`", "cart_total", "cart_total"),
        (":cpp:class:`shop::Cart`", "Cart", "shop.Cart"),
        (":js:func:`cart.total`", "total", "cart.total"),
    ],
)
def test_a_role_is_what_its_reader_sees_and_names_what_it_leads_to(role: str, seen: str, target: str | None) -> None:
    found = section(f"x {role} y", titles={"carts": "All about carts"})
    assert found.blocks[0].text == " ".join(f"x {seen} y".split())
    assert [reference.target for reference in found.references] == ([target] if target else [])


def test_literals_links_and_emphasis_leave_their_text_and_notes_leave_nothing() -> None:
    text = "``lit`` *em* **strong** `link <http://example.org>`_ `plain` |sub| named_ [1]_ [Ann99]_ end\n"
    assert prose(text) == ["lit em strong link plain sub named end"]


def test_prose_of_admonitions_lists_tables_and_descriptions_is_kept() -> None:
    text = """.. note:: Begins here
   and goes on.

.. versionadded:: 5.0

   Was added.

.. dropdown:: A title
   :open:

   Inside.

* one

  * two

term
   meaning

.. function:: total(cart)

   What it is.

   :param cart: what it holds

=====  =====
cell   other
=====  =====
"""
    assert prose(text) == [
        *("Begins here and goes on.", "Was added.", "A title", "Inside.", "one", "two", "term", "meaning"),
        *("What it is.", "what it holds", "cell", "other"),
    ]


def test_code_comments_and_lists_of_sources_are_no_prose() -> None:
    text = """Before::

    code()

>>> doctest()
1

.. code-block:: python

   code()

.. comment

.. rubric:: References

* Ann, Some Book

After.

.. dropdown:: References

   * Bob, Another Book

.. [1] A footnote.
"""
    assert prose(text) == ["Before:", "After."]


def test_signatures_name_code_in_the_module_and_class_around_them() -> None:
    text = """.. module:: shop.cart

.. class:: Cart(items,
           *, count=1)

   .. method:: total()
               Cart.count()

   .. attribute:: items

.. function:: empty(cart) -> bool
.. autoclass:: shop.order.Order
"""
    found = [(reference.target, reference.scopes) for reference in section(text).references]
    inside = ("shop.cart", "")
    assert found == [
        ("shop.cart", ("",)),
        ("Cart", inside),
        ("Cart.total", inside),
        ("Cart.count", inside),
        ("Cart.items", inside),
        ("empty", inside),
        ("shop.order.Order", inside),
    ]


def test_a_reference_is_looked_up_under_the_module_in_force_where_it_stands() -> None:
    found = sections(
        "First\n=====\n\n.. currentmodule:: shop.a\n\n:func:`f`\n\n.. currentmodule:: shop.b\n\n:func:`g`\n\n"
        "Second\n======\n\n:func:`h`\n\n.. currentmodule:: None\n\n:func:`i`\n"
    )
    scopes = {reference.target: reference.scopes for one in found for reference in one.references}
    assert scopes == {"f": ("", "shop.a"), "g": ("", "shop.b"), "h": ("", "shop.b"), "i": ("",)}


def test_names_of_an_autosummary_are_code() -> None:
    assert named(".. currentmodule:: shop\n\n.. autosummary::\n   :toctree: x\n\n   Cart\n   ~cart.total\n") == [
        "Cart",
        "cart.total",
    ]


def test_names_of_other_languages_are_taken_from_their_declarations() -> None:
    text = """.. c:function:: int cart_total(const struct cart *c, int n)
.. cpp:namespace:: shop
.. cpp:class:: template<class T> Cart : public Base<T>
.. cpp:function:: bool operator==(Cart a)
.. js:method:: Cart#total(items)
.. doxygenclass:: shop::Order
   :members:
"""
    assert named(text) == ["cart_total", "Cart", "Cart.total", "shop.Order"]


def test_the_domain_without_a_prefix_is_that_of_the_project_until_another_is_named() -> None:
    text = ".. function:: int f(int)\n\n.. default-domain:: py\n\n.. function:: g(x)\n"
    assert [(one.target, one.language) for one in section(text, "c").references] == [("f", "c"), ("g", "python")]


def test_single_backticks_name_code_where_the_project_says_so() -> None:
    assert list(section("`shop.Cart`").references) == []
    assert [one.target for one in section("`shop.Cart`", default_role="py:obj").references] == ["shop.Cart"]
    assert [one.target for one in section("`f`\n\n.. default-role:: func\n\n`g`").references] == ["g"]


def test_nothing_but_the_text_is_read_and_nothing_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret.txt").write_text("secret, words")
    monkeypatch.chdir(tmp_path)
    text = "".join(
        f".. {directive}\n\n"
        for directive in (
            "include:: secret.txt",
            "include:: /etc/passwd",
            "literalinclude:: secret.txt",
            "csv-table:: Title\n   :file: secret.txt",
            "raw:: html\n   :file: secret.txt",
            "figure:: secret.txt",
        )
    )
    assert all("secret," not in one and "root" not in one for one in prose(f"{text}the end"))
    assert prose(f"{text}the end")[-1] == "the end"


def test_docutils_is_left_as_it_was_also_after_a_failure() -> None:
    before = directives.directive, roles.role
    sections("Heading\n=======\n\n.. note:: x\n")
    with pytest.raises(RecursionError):
        sections("Heading\n=======\n\n" + "".join("  " * depth + "* x\n\n" for depth in range(2_000)))
    assert (directives.directive, roles.role) == before


def test_a_paragraph_that_takes_quadratic_time_is_refused() -> None:
    for text in ("*a\n" * 20_000, ".. _a:\n" * 10_000, "`" * 40_000):
        with pytest.raises(ValueError, match="a paragraph has over 16384 characters"):
            sections(f"Heading\n=======\n\n{text}")


@pytest.mark.parametrize(
    "text",
    ["", "\n", "Heading", ":class:`", "``", ".. class::", ".. class:: \n", "::", "====\n", "-", ".. |x| y::", "\x00"],
)
def test_text_without_sections_has_none(text: str) -> None:
    assert sections(text) == []
