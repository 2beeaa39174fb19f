"""PROTOCOL 2: the tree of a directory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.snapshots.directory import Directory
from tests.snapshots.worktree import state_of, write_tree

COMMIT = "0" * 40
posix_only = pytest.mark.skipif(os.name == "nt", reason="needs names and links that Windows lacks")


def tree(directory: Path) -> dict[str, bytes]:
    opened = Directory("acme/shop", COMMIT, directory)
    return {path: opened.read(path) for path in opened.paths}


def test_each_regular_file_is_part_of_the_tree_byte_for_byte(tmp_path: Path) -> None:
    files = {"a.py": b"x\r\n\xff", "src/deep/b": b"", ".gitignore": b"*\n", "build/out.log": b"\0", ".hidden": b"1"}
    write_tree(tmp_path, files)
    assert tree(tmp_path) == files


def test_paths_stand_in_the_order_of_their_bytes(tmp_path: Path) -> None:
    write_tree(tmp_path, dict.fromkeys(["b", "a/z", "a.c", "B", "\xe9", "a-b"], b""))
    assert Directory("acme/shop", COMMIT, tmp_path).paths == ("B", "a-b", "a.c", "a/z", "b", "\xe9")


def test_git_directories_at_any_depth_and_the_index_store_are_left_out(tmp_path: Path) -> None:
    kept = {
        "a.py": b"1",
        ".gitmodules": b"2",
        ".corvint/notes.jsonl": b"3",
        "sub/.corvint/index/x": b"4",
        "git/x": b"5",
    }
    write_tree(tmp_path, kept)
    # No `.git` at the root, which would make it a worktree.
    write_tree(tmp_path, {"sub/.git/config": b"", "sub/deep/.git/x": b"", "mod/.git": b"gitdir: ../x\n"})
    write_tree(tmp_path, {".corvint/index/words": b"", ".corvint/index/deep/words": b""})
    assert tree(tmp_path) == kept


@posix_only
def test_links_are_never_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write_tree(outside, {"secret": b"s", "folder/inner": b"s"})
    root = tmp_path / "root"
    write_tree(root, {"a.py": b"1", "src/b.py": b"2"})
    links = {"out": outside / "secret", "out_folder": outside / "folder", "nothing": tmp_path / "absent"}
    around = {"loop": Path(), "src/up": Path("..") / "src", "self": Path("self"), "within": Path("a.py")}
    for name, target in (links | around).items():
        (root / name).symlink_to(target)
    assert tree(root) == {"a.py": b"1", "src/b.py": b"2"}
    opened = Directory("acme/shop", COMMIT, root)
    assert [opened.size(name) for name in (*links, *around)] == [None] * 7


@posix_only
def test_a_file_that_has_become_a_link_is_not_read(tmp_path: Path) -> None:
    write_tree(tmp_path, {"outside": b"secret", "root/a.py": b"1"})
    opened = Directory("acme/shop", COMMIT, tmp_path / "root")
    assert opened.paths == ("a.py",)
    (tmp_path / "root" / "a.py").unlink()
    (tmp_path / "root" / "a.py").symlink_to(tmp_path / "outside")
    with pytest.raises(SnapshotError, match=r"a\.py: cannot be read"):
        opened.read("a.py")


@posix_only
def test_what_is_no_regular_file_is_left_out(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": b"1"})
    os.mkfifo(tmp_path / "pipe")
    assert tree(tmp_path) == {"a.py": b"1"}


def write_undecodable(folder: Path, *names: bytes) -> None:
    for name in names:
        try:
            Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_bytes(name)
        except OSError:
            pytest.skip("the file system takes UTF-8 names alone")


@posix_only
def test_a_name_that_is_not_utf_8_is_shown_with_replacement_characters(tmp_path: Path) -> None:
    write_undecodable(tmp_path, b"caf\xe9.py", b"z\xff\xfe")
    assert tree(tmp_path) == {"caf\ufffd.py": b"caf\xe9.py", "z\ufffd\ufffd": b"z\xff\xfe"}


@posix_only
def test_two_names_that_read_the_same_are_refused(tmp_path: Path) -> None:
    write_undecodable(tmp_path, b"caf\xe9.py", b"caf\xe8.py")
    with pytest.raises(SnapshotError, match="rename one"):
        tree(tmp_path)


@posix_only
def test_names_may_hold_anything_else(tmp_path: Path) -> None:
    names = ["a b", "a\nb", "a\\b", "-x", "*", "\u2028", 'q"'] + (["x" * 255] if os.name == "posix" else [])
    write_tree(tmp_path, {name: name.encode() for name in names})
    assert tree(tmp_path) == {name: name.encode() for name in names}


def test_a_size_is_none_for_what_is_no_file(tmp_path: Path) -> None:
    write_tree(tmp_path, {"src/a.py": b"123"})
    opened = Directory("acme/shop", COMMIT, tmp_path)
    assert [opened.size(path) for path in ("src/a.py", "src", "b.py", "../x")] == [3, None, None, None]


def test_a_directory_without_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty" / "deeper").mkdir(parents=True)
    with pytest.raises(SnapshotError, match="holds no file"):
        tree(tmp_path / "empty")


def test_a_file_that_vanished_is_refused_by_name(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": b"1"})
    opened = Directory("acme/shop", COMMIT, tmp_path)
    assert opened.paths == ("a.py",)
    (tmp_path / "a.py").unlink()
    with pytest.raises(SnapshotError, match=r"a\.py: cannot be read"):
        opened.read("a.py")
    with pytest.raises(SnapshotError, match=r"a\.py: cannot be read"):
        opened.size("a.py")


def test_a_tree_is_only_read(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": b"1", ".corvint/index/x": b"2", "src/b.py": b"3"})
    before = state_of(tmp_path)
    tree(tmp_path)
    assert state_of(tmp_path) == before
