"""Indexes on disk: found by content, never believed when damaged, bounded."""

from __future__ import annotations

import gc
import os
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.index import cache
from pytest_retrieval_bench.index.cache import IndexCache
from pytest_retrieval_bench.index.store import IndexStore
from tests.index.restated import answers, right_answers, token
from tests.index.test_snapshot_index import FILES
from tests.memory_snapshot import MemorySnapshot

TREE = {"foo.py": b"fooBar foo-Bar\n", "k": "\u212aey".encode(), "empty": b"", "x\ny": b"k-k"}


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.npz"))


def read_through(folder: Path, tree: dict[str, bytes], max_bytes: int = cache.MAX_BYTES) -> None:
    """A new store over the folder gives right answers for the tree."""
    assert answers(IndexStore(IndexCache(folder, max_bytes)).of(MemorySnapshot(tree))) == right_answers(tree)


@given(FILES)
@settings(deadline=None, max_examples=30)
def test_an_index_from_disk_answers_as_the_one_that_was_kept(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]
) -> None:
    folder = tmp_path_factory.mktemp("cache")
    for _ in range(2):
        read_through(folder, files)
        assert len(entries(folder)) == 1


def test_the_second_run_reads_the_entry_and_writes_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_through(tmp_path, TREE)
    monkeypatch.setattr("pytest_retrieval_bench.index.build.IndexBuilder.build", None)
    before = [path.read_bytes() for path in entries(tmp_path)]
    read_through(tmp_path, TREE)
    assert [path.read_bytes() for path in entries(tmp_path)] == before


@pytest.mark.parametrize(
    "other",
    [
        TREE | {"empty": b" "},
        TREE | {"more": b""},
        {path: content for path, content in TREE.items() if path != "empty"},
        {("foo.go" if path == "foo.py" else path): content for path, content in TREE.items()},
        {"foo.py": b"", "k": "\u212aey".encode(), "empty": b"fooBar foo-Bar\n", "x\ny": b"k-k"},
    ],
    ids=["changed", "added", "removed", "renamed", "swapped"],
)
def test_another_content_has_another_entry(tmp_path: Path, other: dict[str, bytes]) -> None:
    read_through(tmp_path, TREE)
    read_through(tmp_path, other)
    assert len(entries(tmp_path)) == 2
    read_through(tmp_path, TREE)


LEAKY = pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # see the test of that, below


@LEAKY
@given(st.data())
@settings(deadline=None, max_examples=60)
def test_a_damaged_entry_is_built_anew(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = tmp_path_factory.mktemp("cache")
    read_through(folder, TREE)
    (path,) = entries(folder)
    sound = path.read_bytes()
    place = data.draw(st.integers(0, len(sound) - 1))
    cut = data.draw(st.booleans())
    flipped = bytes([sound[place] ^ data.draw(st.integers(1, 255))])
    path.write_bytes(sound[:place] if cut else sound[:place] + flipped + sound[place + 1 :])
    read_through(folder, TREE)


@LEAKY
@pytest.mark.parametrize("content", [b"", b"\0" * 100, b"PK\x03\x04", b"\x93NUMPY\x01\x00", b"text"])
def test_a_file_that_is_no_entry_is_none(tmp_path: Path, content: bytes) -> None:
    read_through(tmp_path, TREE)
    (path,) = entries(tmp_path)
    path.write_bytes(content)
    read_through(tmp_path, TREE)
    assert len(path.read_bytes()) > len(content)


def test_a_damaged_entry_is_not_left_open(tmp_path: Path) -> None:
    read_through(tmp_path, TREE)
    (path,) = entries(tmp_path)
    path.write_bytes(b"PK\x03\x04")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read_through(tmp_path, TREE)
        gc.collect()
    assert [str(warning.message) for warning in caught] == []


def test_an_entry_that_calls_itself_encrypted_is_none(tmp_path: Path) -> None:
    read_through(tmp_path, TREE)
    (path,) = entries(tmp_path)
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    read_through(tmp_path, TREE)


def test_an_entry_of_another_format_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_through(tmp_path, TREE)
    monkeypatch.setattr(cache, "FORMAT", cache.FORMAT + 1)
    read_through(tmp_path, TREE)
    assert len(entries(tmp_path)) == 2


def test_an_entry_under_the_name_of_another_content_is_none(tmp_path: Path) -> None:
    read_through(tmp_path, TREE)
    (first,) = entries(tmp_path)
    other = {"foo.py": b"other"}
    read_through(tmp_path, other)
    (second,) = (path for path in entries(tmp_path) if path != first)
    second.write_bytes(first.read_bytes())
    read_through(tmp_path, other)


def test_entries_not_used_for_longest_go_when_the_bound_is_crossed(tmp_path: Path) -> None:
    trees = [{"a": f"word{number}".encode()} for number in range(4)]
    kept: list[Path] = []
    for number, tree in enumerate(trees[:3]):
        read_through(tmp_path, tree)
        kept += [path for path in entries(tmp_path) if path not in kept]
        os.utime(kept[-1], (1_000_000_000 + number, 1_000_000_000 + number))
    read_through(tmp_path, trees[0])  # used again: now the second is the one not used for longest
    size = IndexCache(tmp_path).info().size
    read_through(tmp_path, trees[3], max_bytes=size)
    assert [path in entries(tmp_path) for path in kept] == [True, False, True]
    assert IndexCache(tmp_path).info().entries == 3


def test_counts_and_files_beyond_two_bytes_come_back_from_disk(tmp_path: Path) -> None:
    tree = {"many": b"foo " * 70_000} | {f"{number:05}": b"" for number in range(66_000)} | {"~last": b"bar"}
    for _ in range(2):
        index = IndexStore(IndexCache(tmp_path)).of(MemorySnapshot(tree))
        assert token(index, "foo") == {"many": 70_000}
        assert token(index, "bar") == {"~last": 1}


def test_a_folder_that_cannot_be_written_to_stops_nothing_and_is_noted_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = IndexCache(tmp_path / "file" / "below")
    store = IndexStore(kept)
    for tree in (TREE, {"a": b"x"}):
        assert answers(store.of(MemorySnapshot(tree))) == right_answers(tree)
    (note,) = kept.new_notes()
    assert str(tmp_path / "file" / "below") in note
    assert kept.new_notes() == []


def test_a_cleared_folder_has_no_entry_and_keeps_every_other_file(tmp_path: Path) -> None:
    read_through(tmp_path, TREE)
    (tmp_path / "notes.txt").write_text("mine")
    size = entries(tmp_path)[0].stat().st_size
    info = IndexCache(tmp_path).clear()
    assert (info.folder, info.entries, info.size) == (tmp_path, 1, size)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    assert IndexCache(tmp_path / "absent").info().entries == 0


def test_an_archive_of_somebody_else_is_never_removed(tmp_path: Path) -> None:
    (tmp_path / "embeddings.npz").write_bytes(b"mine")
    read_through(tmp_path, TREE, max_bytes=1)
    IndexCache(tmp_path).clear()
    assert (tmp_path / "embeddings.npz").read_bytes() == b"mine"
