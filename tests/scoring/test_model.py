"""PROTOCOL 4: the order of arms wherever they are listed."""

from __future__ import annotations

from itertools import permutations

import pytest

from pytest_retrieval_bench.model import arm_rank

LISTED = ["corvint", "context", "grep", "grep-ident", "bm25:all", "bm25:ident", "impact", "affected"]


def test_the_arms_of_the_protocol_come_in_its_order_and_others_after_them_by_name() -> None:
    assert sorted([*reversed(LISTED), "zoekt", "Aider", "bm25"], key=arm_rank) == [*LISTED, "Aider", "bm25", "zoekt"]


@pytest.mark.parametrize("names", list(permutations(["grep", "context", "mine"])))
def test_the_order_does_not_depend_on_how_the_arms_were_given(names: tuple[str, ...]) -> None:
    assert sorted(names, key=arm_rank) == ["context", "grep", "mine"]
