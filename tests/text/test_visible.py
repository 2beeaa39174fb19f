from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.text.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("src/cart.py", "src/cart.py"),
        ("naïve 文件", "naïve 文件"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("\ud800", "\\ud800"),
    ],
)
def test_what_a_terminal_would_obey_is_escaped(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_long_text_is_cut_and_says_so() -> None:
    assert visible("x" * 10_000) == "x" * 200 + "…"
    assert visible("x" * 200) == "x" * 200


@given(st.text())
def test_whatever_it_is_it_can_be_printed(text: str) -> None:
    assert visible(text).isprintable()
    assert visible(text).encode().decode() == visible(text)
