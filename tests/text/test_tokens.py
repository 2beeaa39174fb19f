"""PROTOCOL 3: bench tokens and grep terms."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.text.tokens import bench_tokens, grep_terms, simple_lower

WORD_LIKE = st.text(st.one_of(st.sampled_from("abzABZ09_- \n\u212a\u0130\xe9\u0663"), st.characters()))


def tokens_restated(text: str) -> list[str]:
    """One character at a time, as the protocol words it."""
    tokens, before = [""], ""
    for character in text:
        kept = character in string.ascii_letters + string.digits
        if not kept or (before in string.ascii_lowercase and character in string.ascii_uppercase):
            tokens.append("")
        if kept:
            tokens[-1] += character
        before = character if kept else " "
    return [token.lower() for token in tokens if token]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("HTTPServer", ["httpserver"]),
        ("fooBar2Baz", ["foo", "bar2baz"]),
        ("aBcD", ["a", "bc", "d"]),
        ("snake_case__twice_", ["snake", "case", "twice"]),
        ("kebab-case.py/x", ["kebab", "case", "py", "x"]),
        ("na\xefveCase", ["na", "ve", "case"]),
        ("\u212aelvin \u0130zmir", ["elvin", "zmir"]),
        ("\u06634", ["4"]),
        ("again again", ["again", "again"]),
        ("", []),
        ("_ - _", []),
    ],
)
def test_tokens_are_ascii_runs_split_at_camel_case_and_lowered(text: str, tokens: list[str]) -> None:
    assert bench_tokens(text) == tokens


@given(WORD_LIKE)
@settings(deadline=None)
def test_tokens_are_what_the_protocol_says_of_any_text(text: str) -> None:
    assert bench_tokens(text) == tokens_restated(text)


@pytest.mark.parametrize(
    ("text", "count"),
    [("a" * 300_000, 1), ("aB" * 150_000, 150_001), ("_" * 300_000, 0), ("a_" * 150_000, 150_000)],
    ids=["one word", "camel case", "underscores", "letters and underscores"],
)
def test_a_run_of_300_000_characters_is_taken_apart(text: str, count: int) -> None:
    assert len(bench_tokens(text)) == count


def test_terms_are_distinct_and_have_two_characters() -> None:
    assert sorted(grep_terms("fooBar bar x FOO a1 9")) == ["a1", "bar", "foo"]


def test_terms_come_from_keys_and_escapes_of_the_query_text_too() -> None:
    assert sorted(grep_terms('{"pr_title": "one\\ntwo"}')) == ["ntwo", "one", "pr", "title"]


@given(WORD_LIKE)
@settings(deadline=None)
def test_terms_are_the_distinct_tokens_of_two_characters(text: str) -> None:
    terms = grep_terms(text)
    assert sorted(terms) == sorted({token for token in tokens_restated(text) if len(token) >= 2})


def test_lower_casing_yields_ascii_wherever_simple_case_folding_does() -> None:
    text = "".join(map(chr, range(0x110000)))
    simple = [character.lower()[0] for character in text]  # only U+0130 has more than one
    lowered = simple_lower(text)
    assert len(lowered) == len(text)
    differing = [
        (before, after, right)
        for before, after, right in zip(text, lowered, simple, strict=True)
        if after != right and (after.isascii() or right.isascii())
    ]
    assert differing == []


@pytest.mark.parametrize(("text", "lowered"), [("AZ_09", "az_09"), ("\u212aey", "key"), ("\u0130d", "id")])
def test_the_kelvin_sign_reads_k_and_the_dotted_i_reads_i(text: str, lowered: str) -> None:
    assert simple_lower(text) == lowered
