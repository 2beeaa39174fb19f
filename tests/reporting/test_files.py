from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.reporting.files import (
    create_exclusively,
    same_file,
    unwritable,
    write_atomically,
    write_folder,
)


def test_an_atomic_write_replaces_the_file_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text("old")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_keeps_the_old_file_and_leaves_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.json"
    path.write_text("old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ReportError, match=r"report.json: cannot be written: No space left on device"):
        write_atomically(path, b"new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"a": b"1", "b": b"2"}
    write_folder(tmp_path / "whole", files)
    assert {path.name: path.read_bytes() for path in (tmp_path / "whole").iterdir()} == files
    sync, synced = os.fsync, []

    def full(descriptor: int) -> None:
        synced.append(descriptor)
        if len(synced) > 1:
            raise OSError(28, "No space left on device")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ReportError, match=r"torn: cannot be written: No space left on device"):
        write_folder(tmp_path / "torn", files)
    assert list(tmp_path.iterdir()) == [tmp_path / "whole"]


def test_of_a_folder_that_is_there_other_files_stay(tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(b"0")
    (tmp_path / "a").write_bytes(b"old")
    write_folder(tmp_path, {"a": b"1"})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"mine": b"0", "a": b"1"}


def test_what_a_killed_process_of_the_same_number_left_is_in_nobodys_way(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.with_name(f".report.json.{os.getpid()}.partial").write_text("torn")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_an_exclusive_file_is_never_overwritten(tmp_path: Path) -> None:
    create_exclusively(tmp_path / "registration", b"first")
    with pytest.raises(FileExistsError):
        create_exclusively(tmp_path / "registration", b"second")
    assert (tmp_path / "registration").read_bytes() == b"first"


def test_an_exclusive_file_is_not_written_through_a_dangling_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        create_exclusively(tmp_path / "link", b"data")
    assert not (tmp_path / "elsewhere").exists()


def test_aliases_of_one_file_are_seen(tmp_path: Path) -> None:
    first = tmp_path / "report.json"
    assert same_file(first, tmp_path / "sub" / ".." / "report.json")
    (tmp_path / "link").symlink_to(first)
    assert same_file(first, tmp_path / "link")
    first.write_text("x")
    os.link(first, tmp_path / "hard")
    assert same_file(first, tmp_path / "hard")
    assert not same_file(first, tmp_path / "other")


def test_what_cannot_be_written_is_said_beforehand(tmp_path: Path) -> None:
    assert unwritable(tmp_path / "new.json") is None
    assert unwritable(tmp_path) == f"{tmp_path} is a directory; name a file"
    assert unwritable(tmp_path, folder=True) is None
    (tmp_path / "file").touch()
    assert unwritable(tmp_path / "file", folder=True) == f"{tmp_path / 'file'} is a file; name a folder"
    assert unwritable(tmp_path / "no" / "file") == f"{tmp_path / 'no'} is no directory; make it first"
