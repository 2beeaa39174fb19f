"""A section as a question."""

from __future__ import annotations

from pytest_retrieval_bench.builders.docs.markup.section import Block, Section
from pytest_retrieval_bench.builders.docs.overlap import bucket, leaks, lexical_overlap
from pytest_retrieval_bench.builders.docs.query import MAX_CHARACTERS, question_of, shortened


def question(heading: str, *texts: str) -> str:
    section = Section("docs/a.rst", 1, Block(heading), tuple(Block(text) for text in texts))
    return question_of(section, lambda name: name.startswith("shop."))


def test_a_question_is_the_heading_and_its_paragraphs() -> None:
    assert question("Carts", "One.", "", "Two.") == "Carts. One. Two."
    assert question("What is a cart?", "One.") == "What is a cart? One."


def test_paths_into_the_project_keep_their_last_part_alone() -> None:
    assert question("shop.cart", "See shop.cart.Cart, numpy.array, e.g. shop::Cart::add(1).") == (
        "cart. See Cart, numpy.array, e.g. add(1)."
    )


def test_a_question_ends_after_1500_characters_with_a_whole_word() -> None:
    long = question("Carts", "word " * 1_000)
    assert MAX_CHARACTERS - 5 < len(long) <= MAX_CHARACTERS
    assert long.endswith("word")
    assert len(question("Carts", "x" * 5_000)) <= MAX_CHARACTERS
    exact = question("Carts", "x" * 8, "y" * (MAX_CHARACTERS - 16))
    assert len(exact) == MAX_CHARACTERS
    assert exact.endswith("y")


def test_a_short_question_ends_with_the_last_sentence_within_200_characters() -> None:
    first, second = f"{'a' * 60}.", f"{'b' * 60}!"
    assert shortened(f"{first} {second} {'c' * 100}.") == f"{first} {second}"
    assert shortened(f"{'a' * 199}. more") == f"{'a' * 199}."
    assert shortened(f"{'a' * 200}. more") is None
    assert shortened("no end, and short") == "no end, and short"
    assert shortened(f"Too short. {'a' * 300}") is None
    assert shortened(f"{'a' * 30} v1.2 {'b' * 200}") is None


def test_overlap_is_the_share_of_words_that_stand_in_the_names_of_the_gold() -> None:
    gold = {"shop/cart_items.py": frozenset(["EmptyCart", "EmptyCart.add_total"])}
    assert lexical_overlap("Empty carts have one total", gold) == 0.5  # empty, total of empty, carts, have, total
    assert lexical_overlap("shopItems", gold) == 1
    assert lexical_overlap("a b c", gold) == 0


def test_buckets_are_those_of_the_seed() -> None:
    assert [bucket(overlap) for overlap in (1, 0.25, 0.2499, 0.1, 0.0999, 0)] == [
        *("obvious", "obvious", "mixed", "mixed", "non-obvious", "non-obvious")
    ]


def test_each_kind_of_leak_is_told_apart() -> None:
    def told(text: str) -> list[str]:
        return [name for name, leaking in leaks(text, ["shop/cart.py"], ["total"]).items() if leaking]

    assert told("in shop/cart.py") == ["leaks_gold_path", "leaks_gold_basename"]
    assert told("in cart.py") == ["leaks_gold_basename"]
    assert told("in shop.cart") == ["leaks_gold_module"]
    assert told("the total, it is") == ["leaks_gold_symbol"]
    assert told("totals of a cart in a shop") == []
