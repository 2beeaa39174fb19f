"""PROTOCOL 2: the tree of a chunk file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from blake3 import blake3
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.snapshots import chunk_file
from pytest_retrieval_bench.snapshots.chunk_file import ChunkFile, is_safe
from pytest_retrieval_bench.snapshots.chunk_row import ChunkRow

Row = dict[str, object]
UNSAFE = ["", "/", "/a.py", "\\a.py", "a//b.py", "a/", "./a.py", "a/./b.py", "..", "../a.py", "a/../b.py"]
UNSAFE_GIT = [".git", ".git/config", "a/.git", "a/.git/hooks/x", "a/.git/"]
SAFE = ["a.py", "a/b.py", ".gitignore", ".github/x.yml", "a/.gitmodules", "git/x", "...", "a b", "\xe9/\u2028", "a\\b"]


def file_row(path: object, text: object = "x\n") -> Row:
    return {"kind": "file", "path": path, "text": text}


def snapshot(folder: Path, *rows: Row | bytes, end: bytes = b"\n") -> ChunkFile:
    lines = [row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows]
    path = folder / "c.chunks.jsonl"
    path.write_bytes(b"".join(line + end for line in lines))
    return ChunkFile("acme/shop", "0" * 40, path)


def tree(opened: ChunkFile) -> dict[str, bytes]:
    return {path: opened.read(path) for path in opened.paths}


def test_file_rows_are_the_tree_and_other_kinds_are_ignored(tmp_path: Path) -> None:
    chunk: Row = {"kind": "chunk", "path": "c.py", "text": 5}
    opened = snapshot(tmp_path, file_row("b.py", "\xe9\r\n"), chunk, {}, {"kind": None}, file_row("a.py", ""))
    assert tree(opened) == {"a.py": b"", "b.py": b"\xc3\xa9\r\n"}
    assert list(opened.notes) == []


def test_paths_stand_in_the_order_of_their_bytes(tmp_path: Path) -> None:
    names = ["b", "a/z", "a.c", "B", "\uffff", "\U00010000", "\xe9", "a-b"]
    opened = snapshot(tmp_path, *map(file_row, names))
    assert opened.paths == ("B", "a-b", "a.c", "a/z", "b", "\xe9", "\uffff", "\U00010000")


def test_a_later_row_of_a_path_wins(tmp_path: Path) -> None:
    opened = snapshot(tmp_path, file_row("a.py", "1"), file_row("b.py", "2"), file_row("a.py", "3"))
    assert tree(opened) == {"a.py": b"3", "b.py": b"2"}


def test_a_size_is_the_number_of_bytes_and_none_for_what_is_no_file(tmp_path: Path) -> None:
    opened = snapshot(tmp_path, file_row("a/b.py", "\xe9\n"), file_row("empty", ""))
    assert [opened.size(path) for path in ("a/b.py", "empty", "a", "c.py")] == [3, 0, None, None]


@pytest.mark.parametrize("path", UNSAFE + UNSAFE_GIT)
def test_a_row_whose_path_leaves_the_tree_is_left_out_with_a_count(tmp_path: Path, path: str) -> None:
    opened = snapshot(tmp_path, file_row(path), file_row("a.py"), file_row(path))
    assert opened.paths == ("a.py",)
    (note,) = opened.notes
    assert " 2 " in note


@pytest.mark.parametrize("path", SAFE)
def test_a_row_whose_path_only_looks_odd_is_kept(tmp_path: Path, path: str) -> None:
    assert snapshot(tmp_path, file_row(path)).paths == (path,)


@given(st.lists(st.sampled_from(["", ".", "..", ".git", ".gita", "a", "\\", "b\\"]), min_size=1).map("/".join))
@settings(deadline=None)
def test_a_path_is_safe_unless_it_has_a_part_that_leaves_the_tree(path: str) -> None:
    unsafe = path.startswith("\\") or any(part in ("", ".", "..", ".git") for part in path.split("/"))
    assert is_safe(path) is not unsafe


@pytest.mark.parametrize("paths", [["a", "a/b"], ["a/b/c", "a"], ["x", "a/b", "a/b/c/d"]])
def test_a_file_that_is_the_folder_of_another_is_refused(tmp_path: Path, paths: list[str]) -> None:
    with pytest.raises(SnapshotError, match="is a file and also the folder of"):
        _ = snapshot(tmp_path, *map(file_row, paths)).paths


@pytest.mark.parametrize("paths", [["a", "ab/c"], ["a.b", "a/b"], ["a", "b/a/c"]])
def test_paths_that_only_begin_alike_are_no_conflict(tmp_path: Path, paths: list[str]) -> None:
    assert set(snapshot(tmp_path, *map(file_row, paths)).paths) == set(paths)


@pytest.mark.parametrize("rows", [[], [{"kind": "chunk", "path": "a.py", "text": "x"}], [b"", b"  "]])
def test_a_chunk_file_without_a_file_row_is_refused(tmp_path: Path, rows: list[Row | bytes]) -> None:
    with pytest.raises(SnapshotError, match=r"c\.chunks\.jsonl: no row of kind `file`"):
        _ = snapshot(tmp_path, *rows).paths


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b'{"kind": "file", "path": "b.py", "te', "not JSON"),
        (rb'{"kind": "file", "path": "b.py", "text": "\ud800"}', "not JSON"),
        (rb'{"kind": "other", "text": "\udfff"}', "not JSON"),
        (b'{"kind": "file", "path": "b.py", "text": "\xff"}', "not JSON"),
        (b'{"kind": "file", "path": "b.py", "text": NaN}', "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "a chunk row is a JSON object"),
        (b'{"kind": "file", "path": "b.py"}', "`text`"),
        (b'{"kind": "file", "path": "b.py", "text": null}', "`text`"),
        (b'{"kind": "file", "path": "b.py", "text": 5}', "`text`"),
        (b'{"kind": "file", "path": "b.py", "text": ["x"]}', "`text`"),
        (b'{"kind": "file", "path": 5, "text": "x"}', "`path`"),
    ],
)
def test_a_bad_row_is_refused_with_its_file_and_line(tmp_path: Path, line: bytes, complaint: str) -> None:
    opened = snapshot(tmp_path, file_row("a.py"), b"", line, file_row("c.py"))
    with pytest.raises(SnapshotError, match=r"c\.chunks\.jsonl:3: ") as refusal:
        _ = opened.paths
    assert complaint in str(refusal.value)


def test_the_last_of_two_equal_keys_wins(tmp_path: Path) -> None:
    line = b'{"kind": "chunk", "path": "a", "path": "b", "text": "1", "text": "2", "kind": "file"}'
    assert tree(snapshot(tmp_path, line)) == {"b": b"2"}


def test_crlf_a_byte_order_mark_and_blank_lines_do_no_harm(tmp_path: Path) -> None:
    marked = b"\xef\xbb\xbf" + json.dumps(file_row("a.py", "x\u2028y")).encode()
    assert tree(snapshot(tmp_path, marked, b"", file_row("b.py"), end=b"\r\n")) == {
        "a.py": b"x\xe2\x80\xa8y",
        "b.py": b"x\n",
    }


def test_a_line_over_the_bound_is_refused_with_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert chunk_file.MAX_LINE_BYTES == 64 * 1024 * 1024
    monkeypatch.setattr(chunk_file, "MAX_LINE_BYTES", 100)
    assert snapshot(tmp_path, file_row("a.py", "x" * 50)).size("a.py") == 50
    with pytest.raises(SnapshotError, match=r"c\.chunks\.jsonl:2: the line is over"):
        _ = snapshot(tmp_path, file_row("a.py"), file_row("b.py", "x" * 100)).paths


def test_the_digest_is_over_the_raw_bytes_of_the_file(tmp_path: Path) -> None:
    opened = snapshot(tmp_path, file_row("a.py"), b"not JSON")
    assert opened.digest() == blake3((tmp_path / "c.chunks.jsonl").read_bytes()).hexdigest()


def test_an_absent_chunk_file_is_refused_by_the_first_question(tmp_path: Path) -> None:
    opened = ChunkFile("acme/shop", "0" * 40, tmp_path / "absent")
    with pytest.raises(SnapshotError, match="absent: cannot be read"):
        opened.size("a.py")
    with pytest.raises(SnapshotError, match="absent: cannot be read"):
        opened.digest()


def test_a_refusal_is_remembered_without_reading_the_file_again(tmp_path: Path) -> None:
    opened = snapshot(tmp_path, b"{")
    with pytest.raises(SnapshotError) as first:
        _ = opened.paths
    (tmp_path / "c.chunks.jsonl").unlink()
    with pytest.raises(SnapshotError) as second:
        opened.read("a.py")
    assert str(second.value) == str(first.value)


PATHS = st.lists(st.sampled_from(["a", "b", "..", ".git", ""]), min_size=1, max_size=3).map("/".join)


@given(rows=st.lists(st.tuples(PATHS, st.text(st.characters(exclude_categories=["Cs"]))), min_size=1, max_size=6))
@settings(deadline=None)
def test_any_rows_give_the_tree_that_writing_them_in_turn_gives(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    right = {path: text.encode() for path, text in rows if not {"", "..", ".git"} & set(path.split("/"))}
    conflict = any(other.startswith(f"{path}/") for path in right for other in right)
    opened = snapshot(tmp_path_factory.getbasetemp(), *(file_row(path, text) for path, text in rows))
    if conflict or not right:
        with pytest.raises(SnapshotError):
            tree(opened)
    else:
        assert tree(opened) == right


def test_the_chunks_are_all_rows_in_order_and_unsafe_paths_are_left_out(tmp_path: Path) -> None:
    symbol: Row = {"kind": "symbol", "path": "a.py", "symbol": "f", "text": "y", "start_line": 3, "end_line": 4}
    rows = [file_row("../a.py"), file_row("a.py"), symbol | {"chunk_id": "1f"}, symbol | {"symbol": None}]
    assert list(snapshot(tmp_path, *rows).chunks()) == [
        ChunkRow("a.py", "file", "", "x\n"),
        ChunkRow("a.py", "symbol", "f", "y", 3, 4, "1f"),
        ChunkRow("a.py", "symbol", "", "y", 3, 4),
    ]


@pytest.mark.parametrize(
    "row", [{"kind": 1}, {"path": ["a"]}, {"text": None}, {"symbol": 5}, {"start_line": "1"}, {"chunk_id": 7}]
)
def test_a_row_that_is_no_chunk_is_refused_when_chunks_are_asked_for(tmp_path: Path, row: Row) -> None:
    opened = snapshot(tmp_path, file_row("a.py"), {"kind": "symbol", "path": "a.py", "text": "y"} | row)
    assert opened.paths == ("a.py",)
    with pytest.raises(SnapshotError, match=r"c\.chunks\.jsonl:2: .* of a row must be (strings|whole numbers)"):
        list(opened.chunks())


def test_chunks_are_read_only_when_they_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = snapshot(tmp_path, file_row("a.py"))
    monkeypatch.setattr(chunk_file, "ChunkRow", None)
    assert tree(opened) == {"a.py": b"x\n"}
    with pytest.raises(TypeError):
        list(opened.chunks())
