"""PROTOCOL 2: bytes are read as UTF-8 with replacement."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_retrieval_bench.snapshots.directory import Directory


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"plain\r\n", "plain\r\n"),
        ("\xe9\u2028".encode(), "\xe9\u2028"),
        (b"a\xffb", "a\ufffdb"),
        (b"\xe2\x84", "\ufffd"),
        (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd"),
        (b"\xef\xbb\xbfx", "\ufeffx"),
        (b"", ""),
    ],
)
def test_a_text_is_utf_8_with_a_replacement_character_for_what_is_not(
    tmp_path: Path, content: bytes, text: str
) -> None:
    (tmp_path / "a").write_bytes(content)
    assert Directory("acme/shop", "0" * 40, tmp_path).text("a") == text
