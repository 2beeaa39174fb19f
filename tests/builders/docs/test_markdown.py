"""Markdown: CommonMark, MyST's roles and directives, mkdocstrings and its references."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.builders.docs.markup.context import Context
from pytest_retrieval_bench.builders.docs.markup.markdown import read_markdown
from pytest_retrieval_bench.builders.docs.markup.section import Section


def sections(text: str, domain: str = "py") -> list[Section]:
    return read_markdown("docs/a.md", text, Context(domain, {"carts": "All about carts"}))


def section(text: str) -> Section:
    (only,) = sections(f"# Heading\n\n{text}")
    return only


def prose(text: str) -> list[str]:
    return [block.text for block in section(text).blocks if block.text]


def named(text: str) -> list[str]:
    return [reference.target for reference in section(text).references]


def test_each_heading_begins_a_section_and_front_matter_is_none() -> None:
    found = sections(
        "---\ntitle: x\n---\nlost\n\n# One\n\na\n\nTwo\n---\n\n- b\n- c\n\n### The `x` of {class}`shop.Cart`\n"
    )
    assert [(one.heading.text, one.line, [block.text for block in one.blocks]) for one in found] == [
        ("One", 6, ["a"]),
        ("Two", 10, ["b", "c"]),
        ("The x of Cart", 16, []),
    ]
    assert [reference.target for reference in found[2].references] == ["shop.Cart"]


@pytest.mark.parametrize(
    ("written", "seen", "target"),
    [
        ("{class}`~shop.Cart`", "Cart", "shop.Cart"),
        ("{py:func}`the total <shop.total>`", "the total", "shop.total"),
        ("{c:func}`cart_total`", "cart_total", "cart_total"),
        ("{ref}`carts`", "All about carts", None),
        ("{ref}`the carts <carts>`", "the carts", None),
        ("[the cart][shop.cart.Cart]", "the cart", "shop.cart.Cart"),
        ("[`shop.Cart`][]", "Cart", "shop.Cart"),
        ("[`Cart`][shop.Cart]", "Cart", "shop.Cart"),
        ("[a link](b.md)", "a link", None),
        ("![a picture](b.png)", "", None),
        ("`code` *em* **strong** <b>html</b>", "code em strong html", None),
        ("[](){#anchor} {: .wide} {kept}", "{kept}", None),
        ("[two words][]", "[two words][]", None),
    ],
)
def test_inline_markup_is_what_its_reader_sees_and_names_what_it_leads_to(
    written: str, seen: str, target: str | None
) -> None:
    (block,) = section(f"x {written} y").blocks
    assert block.text == " ".join(f"x {seen} y".split())
    assert [reference.target for reference in block.references] == ([target] if target else [])


def test_a_reference_that_the_document_defines_is_a_link() -> None:
    assert named("[the cart][cart]\n\n[cart]: https://example.org\n") == []


def test_directives_hold_prose_name_code_and_nest() -> None:
    text = """```{py:module} shop
```

````{py:class} Cart(items)
:noindex:

What it holds.

```{py:method} total()
What it costs.
```
````

:::{note}
A note on {meth}`.add`.
:::

:::{admonition} A title
---
class: x
---
Inside.
:::
"""
    assert prose(text) == ["What it holds.", "What it costs.", "A note on add.", "A title", "Inside."]
    assert named(text) == ["shop", "Cart", "Cart.total", "add"]


def test_restructuredtext_inside_is_read_as_such() -> None:
    text = "```{eval-rst}\n.. autoclass:: shop.Cart\n\nSee :func:`total <shop.total>`.\n```\n"
    assert prose(text) == ["See total."]
    assert named(text) == ["shop.Cart", "shop.total"]


def test_blocks_of_mkdocstrings_name_code_and_their_options_are_no_prose() -> None:
    text = "::: shop.cart.Cart\n    options:\n      members: false\n\nAfter.\n\n::: shop\n    handler: python\n"
    assert named(text) == ["shop.cart.Cart", "shop"]
    assert prose(text) == ["After."]


def test_a_container_that_is_closed_is_no_block_of_mkdocstrings() -> None:
    assert named("::: warning\nCareful.\n:::\n") == []
    assert prose("::: warning\nCareful.\n:::\n") == ["Careful."]


def test_admonitions_of_mkdocs_and_definitions_and_tables_are_prose() -> None:
    text = '!!! note "Title"\n    Inside.\n\nTerm\n: meaning\n\n| a | b |\n|---|---|\n| c | d |\n'
    assert prose(text) == ["Title", "Inside.", "Term", "meaning", "a", "b", "c", "d"]


def test_code_comments_and_sources_are_no_prose() -> None:
    text = (
        "Before.\n\n```python\ncode()\n```\n\n```{code-block} python\ncode()\n```\n\n    indented()\n\n% comment\n\n"
        "<!-- comment -->\n\n```{toctree}\nb\n```\n\n```{dropdown} References\nSome Book\n```\n\nAfter.\n"
    )
    assert prose(text) == ["Before.", "After."]


def test_directives_that_nest_without_end_are_refused() -> None:
    text = "".join(f"{'`' * (60 - depth)}{{note}}\n" for depth in range(50))
    with pytest.raises(RecursionError, match="directives nest more than 20 deep"):
        sections(f"# x\n\n{text}")


@pytest.mark.parametrize("text", ["", "\n", "words", "::: ", "```{", "{class}`", "[x][", "\x00", "---\n"])
def test_text_without_sections_has_none(text: str) -> None:
    assert sections(text) == []
