"""PROTOCOL 1: a samples file is strict, bounded JSON Lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.benchmarks import jsonl
from pytest_retrieval_bench.benchmarks.jsonl import Row
from pytest_retrieval_bench.errors import SamplesError

TEXT = st.text(
    st.one_of(st.sampled_from('\u2028\u2029\x85\x0b\x0c\x1c\ufeff"\\'), st.characters(exclude_categories=["Cs"]))
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(TEXT, VALUES, max_size=4)


def read(data: bytes) -> list[tuple[int, Row]]:
    return [(int(where.removeprefix("s.jsonl:")), row) for where, row in jsonl.rows(data, Path("s.jsonl"))]


@pytest.mark.parametrize(
    ("data", "rows"),
    [
        (b'{"a":1}\n{"a":2}\n', [(1, {"a": 1}), (2, {"a": 2})]),
        (b'{"a":1}\n{"a":2}', [(1, {"a": 1}), (2, {"a": 2})]),
        (b'{"a":1}\r\n{"a":2}\r\n', [(1, {"a": 1}), (2, {"a": 2})]),
        (b'\xef\xbb\xbf{"a":1}\n', [(1, {"a": 1})]),
        (b'\xef\xbb\xbf\r\n{"a":1}\r\n', [(2, {"a": 1})]),
        (b'\n \t\n{"a":1}\n\r\n\n{"a":2}\n\n', [(3, {"a": 1}), (6, {"a": 2})]),
        ('{"a":"x\u2028y\x85z"}\n{"a":2}'.encode(), [(1, {"a": "x\u2028y\x85z"}), (2, {"a": 2})]),
        (b"", []),
        (b"\xef\xbb\xbf", []),
    ],
    ids=["LF", "no LF at the end", "CRLF", "BOM", "BOM and CRLF", "blank lines", "U+2028", "empty", "BOM alone"],
)
def test_lines_end_at_lf_and_blank_ones_are_skipped_but_counted(data: bytes, rows: list[tuple[int, Row]]) -> None:
    assert read(data) == rows


@given(
    st.lists(OBJECTS, max_size=5),
    st.sampled_from([b"\n", b"\r\n", b"\n\n", b"\r\n \t\r\n"]),
    st.booleans(),
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
)
@settings(deadline=None)
def test_what_was_written_is_read_back(rows: list[Row], end: bytes, escaped: bool, mark: bytes) -> None:
    lines = [json.dumps(row, ensure_ascii=escaped).encode() + end for row in rows]
    height = end.count(b"\n")
    assert read(mark + b"".join(lines)) == [(1 + height * number, row) for number, row in enumerate(rows)]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b'{"a": "to', "not JSON"),
        (b'{"a": 1', "not JSON"),
        (b'{"a": 1} {"a": 2}', "not JSON"),
        (b"{'a': 1}", "not JSON"),
        (b'{"a": "x\ty"}', "not JSON"),
        (b'\xef\xbb\xbf{"a": 1}', "not JSON"),
        (b'{"a": "\xff"}', "not UTF-8 at byte 8"),
        (b'{"a": "\xed\xa0\x80"}', "not UTF-8 at byte 8"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": [Infinity]}', "Infinity"),
        (b'{"a": {"b": -Infinity}}', "-Infinity"),
        (b'{"a": 1, "a": 1}', "'a' stands twice"),
        (b'{"x": [{"a": 1, "b": 2, "a": 3}]}', "'a' stands twice"),
        (b'{"a": 1, "\\u0061": 2}', "'a' stands twice"),
        (rb'{"\ud800": 1, "\udfff": 2}', "'\ufffd' stands twice"),
        (b'{"a": 1}\r{"a": 2}', "not JSON"),
        (b"[" * 100_000 + b"]" * 100_000, "too deep"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "digits"),
        (b"null", "a JSON object, this is null"),
        (b"true", "a JSON object, this is a boolean"),
        (b'"a"', "a JSON object, this is a string"),
        (b"[]", "a JSON object, this is a list"),
        (b"7", "a JSON object, this is a number"),
    ],
)
def test_a_bad_line_is_refused_with_its_file_and_number(line: bytes, complaint: str) -> None:
    with pytest.raises(SamplesError, match=r"^s\.jsonl:4: ") as refusal:
        read(b'{"a": 1}\n\r\n{"a": 2}\n' + line + b"\n")
    assert complaint in str(refusal.value)


def test_rows_before_a_torn_last_line_do_not_hide_it() -> None:
    with pytest.raises(SamplesError, match=r"^s\.jsonl:2: not JSON"):
        read(b'{"a": 1}\n{"a": "cut of')


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (rb'{"a": "\ud800"}', "\ufffd"),
        (rb'{"a": "x\udfff\ud800y"}', "x\ufffd\ufffdy"),
        (rb'{"a": "\ud83d\ude00"}', "\U0001f600"),
        (rb'{"a": ["\ud800", {"b": "\ud800"}]}', ["\ufffd", {"b": "\ufffd"}]),
        (rb'{"a": {"\ud800": 1}}', {"\ufffd": 1}),
    ],
)
def test_a_lone_surrogate_becomes_a_replacement_character_in_keys_and_values(line: bytes, value: object) -> None:
    assert read(line) == [(1, {"a": value})]


def test_a_big_integer_keeps_each_digit() -> None:
    assert read(b'{"a": 123456789012345678901234567890}') == [(1, {"a": 123456789012345678901234567890})]


def test_a_line_over_the_bound_is_refused_and_one_at_it_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert jsonl.MAX_LINE_BYTES == 4 * 1024 * 1024
    monkeypatch.setattr(jsonl, "MAX_LINE_BYTES", 10)
    assert read(b'{"a":"xy"}\n') == [(1, {"a": "xy"})]
    with pytest.raises(SamplesError, match=r"^s\.jsonl:2: the line is over"):
        read(b'{"a":"xy"}\n{"a":"xyz"}\n')


def test_a_file_over_the_bound_is_refused_and_one_at_it_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert jsonl.MAX_FILE_BYTES == 256 * 1024 * 1024
    monkeypatch.setattr(jsonl, "MAX_FILE_BYTES", 10)
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"x" * 10)
    assert jsonl.read_bounded(path) == b"x" * 10
    path.write_bytes(b"x" * 11)
    with pytest.raises(SamplesError, match=r"s\.jsonl: is over"):
        jsonl.read_bounded(path)


@pytest.mark.parametrize("name", ["absent.jsonl", "."])
def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(SamplesError, match="cannot be read") as refusal:
        jsonl.read_bounded(tmp_path / name)
    assert str(refusal.value).startswith(f"{tmp_path / name}: ")
