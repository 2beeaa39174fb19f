"""The names in roles and signatures."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.builders.docs.markup.domains import directive_marker, role_marker
from pytest_retrieval_bench.builders.docs.markup.targets import (
    MAX_CHARACTERS,
    name_of_signature,
    name_of_target,
    title_and_target,
)

Language = Literal["python", "c", "javascript"]
LANGUAGES = st.sampled_from(["python", "c", "javascript"])
PIECES = st.lists(
    st.sampled_from([*"ab_:<>()[]{}=.,~!#*& \n`|", "::", "operator", "template", "shop", "é"]), max_size=30
)


@pytest.mark.parametrize(
    ("signature", "language", "name"),
    [
        ("total(cart, *, tax=0)", "python", "total"),
        ("Cart.total", "python", "Cart.total"),
        ("Cart.total -> int", "python", "Cart.total"),
        ("Cart[T](items)", "python", "Cart"),
        ("LIMIT: int = 3", "python", "LIMIT"),
        ("größe", "python", "größe"),
        ("*, tax=0)", "python", None),
        ("two words", "python", None),
        ("Cart.", "python", None),
        ("", "python", None),
        ("int total(struct cart *c)", "c", "total"),
        ("static const char *names[3]", "c", "names"),
        ("char[LIMIT] cart_t.name", "c", "cart_t.name"),
        ("LIMIT", "c", "LIMIT"),
        ("struct cart", "c", "cart"),
        ("Cart : public Base", "c", "Cart"),
        ("using Items = std::vector<Item>", "c", "Items"),
        ("void shop::Cart::add(Item item) noexcept", "c", "shop.Cart.add"),
        ("template<typename T, class U = A<B<T>>> class shop::Cart", "c", "shop.Cart"),
        ("shop::Cart::~Cart()", "c", "shop.Cart.Cart"),
        ("bool operator==(const Cart &other)", "c", None),
        ("()", "c", None),
        ("Cart#total(items)", "javascript", "Cart.total"),
        ("cart.total", "javascript", "cart.total"),
    ],
)
def test_a_signature_declares_a_name(signature: str, language: Language, name: str | None) -> None:
    assert name_of_signature(signature, language) == name


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        ("shop.Cart", (None, "shop.Cart")),
        ("a cart <shop.Cart>", ("a cart", "shop.Cart")),
        ("a\n  cart\n<~shop.Cart>", ("a\n  cart", "~shop.Cart")),
        ("a < b", (None, "a < b")),
        ("<shop.Cart>", (None, "<shop.Cart>")),
    ],
)
def test_a_role_has_a_title_where_its_target_stands_in_brackets(text: str, halves: tuple[str | None, str]) -> None:
    assert title_and_target(text) == halves


def test_an_exclamation_mark_says_that_a_name_is_no_link() -> None:
    assert name_of_target("!shop.Cart", "python") is None
    assert name_of_target("~.Cart.total()", "python") == "Cart.total"


@given(PIECES.map("".join), LANGUAGES)
def test_whatever_is_written_a_name_is_dotted_or_there_is_none(text: str, language: Language) -> None:
    for name in (name_of_signature(text, language), name_of_target(title_and_target(text)[1], language)):
        assert name is None or re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*", name)


@given(st.lists(st.text("abc_", min_size=1, max_size=4), min_size=1, max_size=4))
def test_a_name_is_found_again_in_each_form_that_is_written(parts: list[str]) -> None:
    name = ".".join(parts)
    assert name_of_target(title_and_target(f"any title <~{name}>")[1], "python") == name
    assert name_of_signature(f"{name}(x, y=1)", "python") == name
    assert name_of_signature(f"const int *{'::'.join(parts)}(int x = f(2))", "c") == name


@pytest.mark.parametrize("piece", ["<", "a<", "::", "a::", "(", "a ", "a<b>", "~"])
@pytest.mark.parametrize("language", ["python", "c", "javascript"])
def test_what_is_longer_than_any_name_is_not_read(piece: str, language: Language) -> None:
    assert name_of_signature(piece * MAX_CHARACTERS, language) is None
    assert title_and_target(f"{piece * MAX_CHARACTERS} <x>")[0] is None


def test_prefixes_choose_the_domain_and_unknown_names_none() -> None:
    assert [
        marker.language for name in ("class", "cpp:class", "js:class") if (marker := directive_marker(name, "py"))
    ] == [*("python", "c", "javascript")]
    assert role_marker("func", "c") == role_marker("c:func", "py")
    for name in ("note", "rst:directive", "py:note", "x:class", "doxygen", "doxygenfile"):
        assert directive_marker(name, "py") is None
        assert role_marker(name, "py") is None
