"""Budgeted Context Yield: its tokens, and what a budget shows."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.scoring.arb.budgeted_yield import count_tokens, yield_measures

# The worked example of the benchmark: a header of 6 tokens, a text of 3, and 1 for the line break.
WORKED = {"gold.py": "alpha beta gamma"}


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("### gold.py\n", 6),
        ("alpha beta gamma", 3),
        ("1abc", 2),
        ("a1_b", 1),
        ("12.5", 3),
        ("été", 3),
        ("...[truncated]", 6),
        ("a\u2028b\x1fc\xa0d", 4),
        ("_ __x", 2),
        ("\n \t", 0),
    ],
)
def test_a_token_is_an_identifier_a_number_or_another_character(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@pytest.mark.parametrize(
    ("budget", "shown_at"), [(2, ()), (6, ()), (7, (1,)), (8, (1,)), (9, (1, 16, 128)), (10, (1, 16, 128))]
)
def test_the_worked_example_to_the_token(budget: int, shown_at: tuple[int, ...]) -> None:
    values = yield_measures(["gold.py"], ["gold.py"], WORKED.get, [budget])
    assert {tau for tau in (1, 16, 128) if values["BCY@0k" + (f"/{tau}" if tau > 1 else "")]} == set(shown_at)
    assert values["BCY_used_tokens@0k"] == budget
    assert values["BCY_partial_files@0k"] == (budget < 10)


def test_the_line_break_is_charged_though_the_tokenizer_sees_none() -> None:
    values = yield_measures(["gold.py"], ["gold.py"], WORKED.get, [100])
    assert values["BCY_used_tokens@0k"] == 10


def test_a_file_that_the_snapshot_lacks_costs_nothing_and_stays_in_the_denominator() -> None:
    values = yield_measures(["absent.py", "gold.py"], ["absent.py", "gold.py"], WORKED.get)
    assert values["BCY@4k"] == 0.5
    assert values["BCY_missing_ranked_files@4k"] == 1
    assert values["BCY_packed_files@4k"] == 1


def test_an_empty_gold_file_is_never_shown_and_charged_its_header_alone() -> None:
    values = yield_measures(["gold.py"], ["gold.py"], {"gold.py": ""}.get)
    assert (values["BCY@4k"], values["BCY_used_tokens@4k"]) == (0, 6)


def test_files_beyond_the_twentieth_are_not_packed() -> None:
    ranked = [f"{number}.py" for number in range(21)]
    values = yield_measures(ranked, ["20.py"], dict.fromkeys(ranked, "x").get)
    assert (values["BCY@32k"], values["BCY_packed_files@32k"]) == (0, 20)


def test_nothing_ranked_shows_nothing() -> None:
    values = yield_measures([], ["gold.py"], WORKED.get)
    assert set(values.values()) == {0}
