"""What a person would search for (ARB 3.4)."""

from __future__ import annotations

import json

import pytest

from pytest_retrieval_bench.arms.arb.patterns import Pattern, search_patterns


def found(text: str, *, expanded: bool = False) -> dict[str, tuple[str, float]]:
    patterns = search_patterns(json.dumps({"q": text}, ensure_ascii=False), expanded=expanded)
    return {pattern.term: (pattern.kind, pattern.weight) for pattern in patterns}


@pytest.mark.parametrize(
    ("text", "patterns"),
    [
        ("see src/shop/cart.py", {"src/shop/cart.py": ("file_path", 18.0), "cart.py": ("file_path", 18.0)}),
        ("see `a b`", {"a b": ("code", 12.0)}),
        ("`IndexError`", {"indexerror": ("error", 12.0)}),
        ("`--no-cache`", {"--no-cache": ("flag", 12.0)}),
        ("with --no-cache on", {"--no-cache": ("flag", 10.0)}),
        ("the parseThing of it", {"parsething": ("identifier", 7.0)}),
        ("a KeyError in IO", {"keyerror": ("error", 7.0)}),
        ("an HTTP call", {"http": ("identifier", 7.0)}),
        ("plain words only, Capital too", {}),
        ("first\nsnake_case", {"snake_case": ("identifier", 7.0)}),
        ("the_test `test` `x` `..`", {"the_test": ("identifier", 7.0)}),
    ],
)  # fmt: skip
def test_what_looks_like_code_is_searched_for(text: str, patterns: dict[str, tuple[str, float]]) -> None:
    assert {term: kind for term, kind in found(text).items() if term != "q"} == patterns


def test_the_heavier_of_two_patterns_of_a_term_is_kept_and_heavier_ones_come_first() -> None:
    patterns = search_patterns("Cart.py `cart.py` some_name", expanded=False)
    assert patterns == [Pattern("cart.py", "file_path", 18.0), Pattern("some_name", "identifier", 7.0)]


def test_expanded_patterns_have_the_longer_words_with_little_weight() -> None:
    words = found("the total is wrong for empty carts in foo", expanded=True)
    assert words == dict.fromkeys(("carts", "empty", "total", "wrong"), ("token", 1.0))
