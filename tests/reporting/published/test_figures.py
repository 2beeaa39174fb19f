"""Marked numbers: where they stand, what they name, and whether they are the figure."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.reporting.published.figures import Quoted, disagreement, quoted_figures

ARTEFACT: dict[str, Any] = {
    "samples": 70,
    "arms": {"bm25:all": {"all": {"hit@k": 0.886792}}, "my.arm": {"all": {"hit@k": 0.5, "flag": True}}},
    "list": [{"p": 0.25}],
    "a": {"b.c": 1, "b": {"c": 2}},
    "large": 12345,
    "loss": -0.0551,
}
HIT = "arms.bm25:all.all.hit@k"


def only(text: str) -> Quoted:
    (quoted,) = quoted_figures(text)
    return quoted


def checked(number: str, path: str) -> str | None:
    return disagreement(Quoted(1, number, "demo.json", path), {"demo.json": ARTEFACT})


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("hits 0.887<!-- rb: demo.json x --> of", "0.887"),
        ("**0.887**<!-- rb: demo.json x -->", "0.887"),
        ("`0.887`<!-- rb: demo.json x -->", "0.887"),
        ("a loss of -0.055<!--rb:demo.json x-->", "-0.055"),
        ("0.752-0.935<!-- rb: demo.json x -->", "0.935"),
        ("88.7 %<!-- rb: demo.json x -->", "88.7 %"),
        ("12,345<!-- rb: demo.json x -->", "12,345"),
        ("| a |\n| - |\n| 0.5<!-- rb: demo.json x --> |", "0.5"),
        ("# Title 0.5<!-- rb: demo.json x -->", "0.5"),
    ],
)
def test_the_number_is_what_stands_before_the_comment(text: str, number: str) -> None:
    assert only(text) == Quoted(only(text).line, number, "demo.json", "x")


def test_names_may_hold_spaces_and_each_number_has_its_line() -> None:
    text = (
        "one\n\ntwo 1<!-- rb: my demo.json arms.my arm.all.n -->\nand\n2<!-- rb: b.json y --> 3<!-- rb: b.json z -->\n"
    )
    assert list(quoted_figures(text)) == [
        Quoted(3, "1", "my demo.json", "arms.my arm.all.n"),
        Quoted(5, "2", "b.json", "y"),
        Quoted(5, "3", "b.json", "z"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "```\n0.887<!-- rb: demo.json x -->\n```",
        "    0.887<!-- rb: demo.json x -->",
        "`0.887<!-- rb: demo.json x -->`",
        "0.887<!-- another comment -->",
        "0.887",
    ],
)
def test_code_and_other_comments_mark_nothing(text: str) -> None:
    assert list(quoted_figures(text)) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0.887<!-- rb: arms.x -->", "names no figure"),
        ("hits<!-- rb: demo.json samples -->", "there is no number before the comment on demo.json samples"),
        ("<!-- rb: demo.json samples -->", "there is no number before the comment"),
        ("v2.0.887<!-- rb: demo.json samples -->", "there is no number before the comment"),
        ("1,2345<!-- rb: demo.json samples -->", "there is no number before the comment"),
        ("0.887 of them<!-- rb: demo.json samples -->", "there is no number before the comment"),
    ],
)
def test_a_marker_without_number_or_figure_disagrees(text: str, words: str) -> None:
    assert words in (disagreement(only(text), {"demo.json": ARTEFACT}) or "")


@pytest.mark.parametrize(
    ("number", "path"),
    [
        ("0.887", HIT), ("0.89", HIT), ("0.9", HIT), ("1", HIT), ("88.7%", HIT), ("89 %", HIT), ("+0.8868", HIT),
        ("0.886792", HIT), ("0.8867920", HIT), ("70", "samples"), ("70.0", "samples"), ("12,345", "large"),
        ("-0.055", "loss"), ("\u22120.06", "loss"), ("0.25", "list.0.p"), ("0.2", "list.0.p"), ("0.3", "list.0.p"),
        ("0.5", "arms.my.arm.all.hit@k"),
    ],
)  # fmt: skip
def test_a_number_that_is_rounded_to_its_digits_holds(number: str, path: str) -> None:
    assert checked(number, path) is None


@pytest.mark.parametrize(
    ("number", "path", "words"),
    [
        ("0.886", HIT, "0.886 is not 0.886792 (demo.json arms.bm25:all.all.hit@k)"),
        ("0.88", HIT, "0.88 is not"),
        ("0.8870", HIT, "0.8870 is not"),
        ("0.887%", HIT, "is not"),
        ("0.055", "loss", "is not"),
        ("71", "samples", "71 is not 70"),
        ("0.5", "arms.bm25.all.hit@k", "nothing is at demo.json arms.bm25.all.hit@k"),
        ("0.5", "arms", "what is at demo.json arms is no number"),
        ("1", "arms.my.arm.all.flag", "is no number"),
        ("1", "a.b.c", "more than one figure is at demo.json a.b.c"),
    ],
)
def test_another_number_disagrees(number: str, path: str, words: str) -> None:
    assert words in (checked(number, path) or "")


def test_an_artefact_that_is_not_there_disagrees() -> None:
    assert disagreement(Quoted(1, "1", "other.json", "samples"), {"demo.json": ARTEFACT}) == (
        "1: there is no artefact other.json"
    )


@given(st.integers(-(10**6), 10**6), st.integers(0, 6), st.sampled_from([ROUND_HALF_UP, ROUND_HALF_EVEN]))
def test_whatever_is_rounded_holds_and_the_next_one_does_not(millionths: int, places: int, way: str) -> None:
    value = millionths / 1e6
    step = Decimal(1).scaleb(-places)
    printed = Decimal(repr(value)).quantize(step, way)
    artefacts = {"a.json": {"x": value}}
    assert disagreement(Quoted(1, f"{printed:f}", "a.json", "x"), artefacts) is None
    assert disagreement(Quoted(1, f"{printed + 2 * step:f}", "a.json", "x"), artefacts) is not None
