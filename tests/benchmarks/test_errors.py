"""What a user reads who misspelt a name."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.errors import unknown


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("grpe", "unknown arm 'grpe'; did you mean 'grep'? known: grep, bm25:all"),
        ("bm25", "unknown arm 'bm25'; did you mean 'bm25:all'? known: grep, bm25:all"),
        ("zzz", "unknown arm 'zzz'; known: grep, bm25:all"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest_and_all_known_ones(name: str, message: str) -> None:
    assert unknown("arm", name, ["grep", "bm25:all"]) == message
