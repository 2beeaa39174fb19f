"""The history of a clone, read without running what its configuration names."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.snapshots.git_history import (
    Change,
    changed_lines,
    list_commits,
    origin_url,
    read_changes,
    read_commits,
)
from tests.snapshots.worktree import commit_all, configure, git, make_worktree, state_of, write_tree

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    make_worktree(
        tmp_path / "shop", {"a.py": b"one\ntwo\n", "gone.py": b"x\n", "l\xc3\xb6.py".encode("latin-1").decode(): b"y\n"}
    )
    return tmp_path / "shop"


def test_commits_come_newest_first_and_a_range_leaves_out_what_leads_to_its_start(clone: Path) -> None:
    first = git(clone, "rev-parse", "HEAD")
    git(clone, "tag", "v1")
    second, third = commit_all(clone), commit_all(clone)
    assert list_commits(clone, "HEAD") == [third, second, first]
    assert list_commits(clone, "v1..HEAD") == list_commits(clone, "v1..") == [third, second]
    assert list_commits(clone, third[:12]) == [third, second, first]


@pytest.mark.parametrize("revisions", ["nowhere", "--all", "v9..HEAD", "HEAD..--all", ""])
def test_what_names_no_commit_is_refused(clone: Path, revisions: str) -> None:
    with pytest.raises(SnapshotError, match="does not hold commit"):
        list_commits(clone, revisions)


def test_a_commit_says_who_wrote_it_and_what_in_whatever_encoding(clone: Path) -> None:
    latin = ("-c", "i18n.commitEncoding=ISO-8859-1")
    git(clone, *latin, "commit", "--quiet", "--allow-empty", "--message=\u00f6\n\ny")
    (commit,) = read_commits(clone, [git(clone, "rev-parse", "HEAD")])
    assert commit.author == "t@example.org <t@example.org>"
    assert commit.message == "\u00c3\u00b6\n\ny\n"  # the two bytes of it, read in that encoding
    assert commit.parents == (git(clone, "rev-parse", "HEAD~1"),)


def test_a_commit_that_is_not_there_is_refused(clone: Path) -> None:
    with pytest.raises(SnapshotError, match="the clone lacks commit ffff"):
        list(read_commits(clone, ["f" * 40]))


def test_changes_tell_old_from_new_and_white_space_from_content(clone: Path) -> None:
    (clone / "gone.py").unlink()
    write_tree(clone, {"a.py": b"one\n  two\n\n", "new.py": b"z\n", "picture": b"\0\1"})
    first = git(clone, "rev-parse", "HEAD")
    second = commit_all(clone)
    write_tree(clone, {"a.py": b"1\n  two\n\n", "picture": b"\0\2"})
    third = commit_all(clone)
    changes = read_changes(clone, [third, second, first])
    assert set(changes[second]) == {
        Change("a.py", was_file=True, differs=False),
        Change("gone.py", was_file=True, differs=True),
        Change("new.py", was_file=False, differs=True),
        Change("picture", was_file=False, differs=True),
    }
    assert set(changes[third]) == {
        Change("a.py", was_file=True, differs=True),
        Change("picture", was_file=True, differs=True),
    }
    assert changes[first] == ()
    assert changed_lines(clone, third) == "one\n1"
    assert read_changes(clone, []) == {}


def test_nothing_that_the_clone_names_is_run_and_nothing_is_written(clone: Path, tmp_path: Path) -> None:
    spy = tmp_path / "spy"
    spy.write_text(f'#!/bin/sh\ntouch {tmp_path}/executed\ncat "$1"\n')
    spy.chmod(0o755)
    write_tree(clone, {".gitattributes": b"* diff=spy filter=spy\n", "a.py": b"other\n"})
    commit_all(clone)
    members = {
        'diff "spy"': ("textconv", "command"),
        'filter "spy"': ("clean",),
        "diff": ("external",),
        "core": ("pager", "fsmonitor"),
        "gpg": ("program",),
    }
    lines = (f"[{section}]\n" + "".join(f"\t{name} = {spy}\n" for name in names) for section, names in members.items())
    configure(clone, "".join(lines) + "[log]\n\tshowSignature = true\n")
    before = state_of(clone)
    identities = list_commits(clone, "HEAD")
    assert len(list(read_commits(clone, identities))) == 2
    assert len(read_changes(clone, identities)[identities[0]]) == 2
    assert "other" in changed_lines(clone, identities[0])
    assert not (tmp_path / "executed").exists()
    assert state_of(clone) == before


def test_the_origin_is_told_where_there_is_one(clone: Path) -> None:
    assert origin_url(clone) is None
    git(clone, "remote", "add", "origin", "git@example.org:acme/shop.git")
    assert origin_url(clone) == "git@example.org:acme/shop.git"
