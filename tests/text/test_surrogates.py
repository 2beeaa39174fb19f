"""PROTOCOL 1: a lone surrogate becomes U+FFFD."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.text.surrogates import mended


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("\ud800", "\ufffd"),
        ("a\udfffb\ud912", "a\ufffdb\ufffd"),
        ("\udc00\ud800", "\ufffd\ufffd"),
        ("plain", "plain"),
        ("\U0001f600 \xe9", "\U0001f600 \xe9"),
        ("", ""),
    ],
)
def test_each_lone_surrogate_becomes_one_replacement_character(text: str, right: str) -> None:
    assert mended(text) == right


@given(st.text(st.characters(categories=["Cs", "Lu", "So"])))
def test_every_other_character_stays_where_it_is(text: str) -> None:
    assert mended(text) == "".join("\ufffd" if 0xD800 <= ord(one) <= 0xDFFF else one for one in text)
