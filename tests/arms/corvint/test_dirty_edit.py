"""The edit that makes a file dirty for a while: what is there afterwards, whatever a command did in between."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest

from pytest_retrieval_bench.arms.corvint.dirty_edit import dirty_edit

CONTENT = b"one\r\ntwo \xff\x00 without a line end"


@pytest.fixture(params=[0o644, 0o755, 0o444, 0o640])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file in a folder, with each of a few modes."""
    folder = tmp_path / "copy" / "shop"
    folder.mkdir(parents=True)
    return write(folder / "cart.py", request.param)


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A file that is none of the copy's."""
    folder = tmp_path / "outside"
    folder.mkdir()
    return write(folder / "cart.py", 0o644)


def write(path: Path, mode: int) -> Path:
    path.write_bytes(CONTENT)
    path.chmod(mode)
    return path


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def is_as_it_was(path: Path, before: int) -> bool:
    return not path.is_symlink() and path.read_bytes() == CONTENT and mode(path) == before


def test_the_file_ends_in_two_more_line_feeds_while_it_lasts(file: Path) -> None:
    with dirty_edit(file):
        assert file.read_bytes() == CONTENT + b"\n\n"


def test_bytes_and_mode_come_back(file: Path) -> None:
    before = mode(file)
    with dirty_edit(file):
        pass
    assert is_as_it_was(file, before)


def test_they_come_back_after_an_exception_which_goes_on(file: Path) -> None:
    before = mode(file)
    with pytest.raises(KeyboardInterrupt), dirty_edit(file):
        raise KeyboardInterrupt
    assert is_as_it_was(file, before)


@pytest.mark.parametrize("what", ["deletes", "rewrites", "takes all rights", "renames"])
def test_they_come_back_when_the_command(file: Path, what: str) -> None:
    before = mode(file)
    with dirty_edit(file):
        if what == "deletes":
            file.unlink()
        elif what == "rewrites":
            file.write_bytes(b"something else")
        elif what == "takes all rights":
            file.chmod(0)
        else:
            file.rename(file.with_name("other.py"))
    assert is_as_it_was(file, before)


def test_a_link_in_its_place_is_not_written_through(file: Path, outside: Path) -> None:
    before = mode(file)
    with dirty_edit(file):
        file.unlink()
        file.symlink_to(outside)
    assert is_as_it_was(file, before)
    assert is_as_it_was(outside, 0o644)


def test_a_hard_link_in_its_place_is_not_written_through(file: Path, outside: Path) -> None:
    before = mode(file)
    with dirty_edit(file):
        file.unlink()
        os.link(outside, file)
    assert is_as_it_was(file, before)
    assert is_as_it_was(outside, 0o644)


def test_nothing_is_touched_through_a_link_in_the_place_of_its_folder(file: Path, outside: Path) -> None:
    inode = outside.stat().st_ino
    with dirty_edit(file):
        shutil.rmtree(file.parent)
        file.parent.symlink_to(outside.parent)
    assert is_as_it_was(outside, 0o644)
    assert outside.stat().st_ino == inode


@pytest.mark.parametrize("what", ["folder", "nothing"])
def test_what_cannot_be_restored_stays_for_the_check_to_find(file: Path, what: str) -> None:
    with dirty_edit(file):
        if what == "folder":
            file.unlink()
            file.mkdir()
        else:
            shutil.rmtree(file.parent)
    assert file.is_dir() if what == "folder" else not file.parent.exists()
