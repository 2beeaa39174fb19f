"""Which commits make candidates, and what stands in their rows."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pytest_retrieval_bench.benchmarks.agent_retrieval_bench import sample_of
from pytest_retrieval_bench.builders.candidates import (
    Candidate,
    candidate_of,
    names_file,
    row_of,
    shared_identifiers,
    why_no_question,
)
from pytest_retrieval_bench.snapshots.git_history import Change, Commit

PARENT, COMMIT = "a" * 40, "b" * 40
GOOD = Commit(COMMIT, (PARENT,), "Ann <ann@example.org>", "The total of an empty cart is wrong")


def changed(*paths: str, was_file: bool = True, differs: bool = True) -> list[Change]:
    return [Change(path, was_file, differs) for path in paths]


def candidate(*changes: Change, commit: Commit = GOOD) -> Candidate:
    made = candidate_of(commit, changes)
    assert isinstance(made, Candidate)
    return made


def test_a_plain_commit_is_a_question() -> None:
    assert why_no_question(GOOD) is None


@pytest.mark.parametrize(
    ("commit", "reason"),
    [
        (replace(GOOD, parents=(PARENT, COMMIT)), "merges"),
        (replace(GOOD, parents=()), "without a parent"),
        (replace(GOOD, author="dependabot[bot] <1+dependabot[bot]@users.example.org>"), "by bots"),
        (replace(GOOD, author="Release Bot <release@example.org>"), "by bots"),
        (replace(GOOD, message='Revert "the total of an empty cart"'), "reverts"),
        (replace(GOOD, message="Undo the total of the cart\n\nThis reverts commit 0123abc."), "reverts"),
        (replace(GOOD, message="Bump the version of the cart to 2"), "releases and version bumps"),
        (replace(GOOD, message="chore(release): release the new cart today"), "releases and version bumps"),
        (replace(GOOD, message="v2.1 of the cart is here"), "releases and version bumps"),
        (replace(GOOD, message="Reformat all of the code in here"), "formatting and typos"),
        (replace(GOOD, message="style: all of the code in here"), "formatting and typos"),
        (replace(GOOD, message=f"{GOOD.message}\n\ndiff --git a/x b/x"), "with a patch in the message"),
        (replace(GOOD, message="fix: the cart (#12)\n\nSigned-off-by: Ann B C D <a@b.org>"), "with fewer than 5 words"),
        (replace(GOOD, message=""), "with fewer than 5 words"),
    ],
)
def test_a_message_that_asks_nothing_is_left_out_for_its_reason(commit: Commit, reason: str) -> None:
    assert why_no_question(commit) == reason


@pytest.mark.parametrize("author", ["Abbott <abbott@example.org>", "Robot Jones <jones@example.org>"])
def test_a_person_is_no_bot(author: str) -> None:
    assert why_no_question(replace(GOOD, author=author)) is None


def test_the_gold_is_what_was_there_and_differs_and_is_source() -> None:
    made = candidate(
        *changed("shop/total.py", "shop/cart.py", "tests/test_cart.py", "README.md", "CHANGELOG.md"),
        *changed("shop/new.py", was_file=False),
        *changed("shop/indented.py", differs=False),
    )
    assert made.gold == ("shop/cart.py", "shop/total.py")
    assert (made.tests, made.documents, made.by_products) == (
        ("tests/test_cart.py",),
        ("README.md",),
        ("CHANGELOG.md",),
    )
    assert made.added == ("shop/new.py",)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ([], "that change no source file which was there before"),
        (changed("a.py", differs=False), "that change white space alone"),
        (changed("a.py", was_file=False), "that change no source file which was there before"),
        (changed("README.md", "tests/a.py"), "that change no source file which was there before"),
        (changed(*(f"{number}.py" for number in range(11))), "that change over 10 source files"),
        (
            changed("a.py") + changed(*(f"{number}.py" for number in range(10)), was_file=False),
            "that change over 10 source files",
        ),
    ],
)
def test_a_commit_that_has_no_gold_to_find_is_left_out_for_its_reason(changes: list[Change], reason: str) -> None:
    assert candidate_of(GOOD, changes) == reason


@pytest.mark.parametrize("words", ["shop/cart.py", "Cart.py", "shop.cart", "src.shop.cart"])
def test_a_question_that_names_its_gold_is_left_out(words: str) -> None:
    commit = replace(GOOD, message=f"the total in {words} is wrong")
    assert candidate_of(commit, changed("src/shop/cart.py")) == "that name a file which they change"


@pytest.mark.parametrize("words", ["cart", "cart.python", "my-cart.py", "workshop.cart"])
def test_a_word_that_is_like_a_file_does_not_name_it(words: str) -> None:
    assert not names_file(f"the total in {words} is wrong", "shop/cart.py")


def test_names_that_stand_in_the_answer_are_told() -> None:
    assert shared_identifiers("totalPrice of add_item is wrong", "def totalPrice(cart):\n  add_items()") == [
        "totalPrice"
    ]


def test_a_row_is_a_sample_that_nobody_has_reviewed_and_names_no_person() -> None:
    made = candidate(*changed("shop/cart.py", "tests/test_cart.py"))
    row = row_of(made, "acme/shop", ["totalPrice"])
    sample = sample_of(row, "row")
    assert (sample.id, sample.base_commit, sample.gold) == (f"shop-{COMMIT[:12]}", PARENT, ("shop/cart.py",))
    assert not sample.reviewed
    assert sample.query.plain == "text: The total of an empty cart is wrong"
    assert row["metadata"] == {
        "reviewed": False,
        "commit": COMMIT,
        "tests": ["tests/test_cart.py"],
        "identifiers_of_the_answer": ["totalPrice"],
    }
    assert "ann" not in json.dumps(row).lower()
