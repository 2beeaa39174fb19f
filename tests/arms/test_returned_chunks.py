"""The chunks that an answer may bring are plain values, or the answer is none."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_retrieval_bench.arms.returned import plain
from pytest_retrieval_bench.model import Answer, Chunk


def test_chunks_stay_as_they_are() -> None:
    chunks = [Chunk("a.py", (1, 2), "symbol", "run", "c1", 9), Chunk("b.py", kind="file")]
    assert plain(Answer(["a.py"], chunks=chunks)).chunks == tuple(chunks)
    assert plain(Answer(["a.py"])).chunks is None


@pytest.mark.parametrize(
    ("chunk", "words"),
    [
        ("a.py", "chunks hold str, not Chunk"),
        (Chunk(7), "path, kind, symbol and id of a chunk are strings"),  # type: ignore[arg-type]
        (Chunk("a.py", chars=-1), "chars of a chunk is -1"),
        (Chunk("a.py", chars=1.5), "chars of a chunk is 1.5"),  # type: ignore[arg-type]
        (Chunk("a.py", (3, 2)), "3 to 2 is no range of lines"),
    ],
)
def test_what_is_no_chunk_is_refused_in_words(chunk: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        plain(Answer(["a.py"], chunks=[chunk]))
