from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.builders.messages import question_of


@pytest.mark.parametrize(
    ("message", "question"),
    [
        ("total of an empty cart\n", "total of an empty cart"),
        ("fix(cart)!: total of an empty cart (#12)", "total of an empty cart"),
        ("SHOP-12: fix: total of an empty cart", "total of an empty cart"),
        ("[SHOP-12] total in UTF-8", "total in UTF-8"),
        ("total, see acme/shop#12 and GH-7 and !3", "total, see and and"),
        ("one\r\n\r\ntwo\r\n", "one\n\ntwo"),
        ("one\n\nSigned-off-by: Ann <ann@example.org>\nCo-authored-by: Ben <ben@example.org>", "one"),
        ("one\n\ntwo\nReviewed-By: Ann\n\nKey: value\nOther-key: value", "one\n\ntwo"),
        ("note: a subject alone is no trailer", "note: a subject alone is no trailer"),
        ("one\n\nFixes #12\n\nCloses: https://example.org/12", "one"),
        ("one, as ann@example.org and @ben say, in https://example.org/x?y", "one, as and say, in"),
        ("use @pytest.fixture and @cache()", "use @pytest.fixture and @cache()"),
        ("broken since 0123456789abcdef, not since deadline 1234567", "broken since , not since deadline 1234567"),
        ("one\n\n(cherry picked from commit 0123abc)", "one"),
        ("", ""),
    ],
)
def test_what_names_persons_tickets_and_commits_is_taken_out(message: str, question: str) -> None:
    assert question_of(message) == question


@given(st.text(max_size=50), st.from_regex(r"[a-z]{1,9}@[a-z]{1,9}\.(org|com)", fullmatch=True), st.text(max_size=50))
def test_no_address_is_left_whatever_stands_around_it(before: str, address: str, after: str) -> None:
    assert address not in question_of(f"{before} {address} {after}")


@pytest.mark.parametrize("part", ["a/", "a.", "-by: ", "@a", "#1 ", "a@a.", "[A-1] ", "fix: ", "0a", "(", " \n"])
def test_a_long_message_takes_no_long_time(part: str) -> None:
    assert len(question_of(part * 20_000)) <= 20_000 * len(part)
