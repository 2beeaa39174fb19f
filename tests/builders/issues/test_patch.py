"""Which files a patch touches: of patches as Git writes them, and of any bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.builders.issues.patch import PatchedFiles, patched_files
from tests.snapshots.worktree import git, make_worktree

QUOTED = 'caf\u00e9 "q".py'
BEFORE = {
    "a.py": b"one\n", "gone.py": b"bye\n", "moved.py": b"one\ntwo\nthree\nfour\n", "only moved.py": b"x\n" * 9,
    QUOTED: b"e\n", "minus.sql": b"-- a comment\n-- b\n",
}  # fmt: skip


def patch_of(folder: Path, after: dict[str, bytes], *, gone: tuple[str, ...] = ()) -> str:
    folder /= "clone"
    make_worktree(folder, BEFORE)
    for path in gone:
        (folder / path).unlink()
    for path, content in after.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    git(folder, "add", "--all")
    return git(folder, "diff", "--cached", "-M", "HEAD")


def test_changed_deleted_and_created_files_are_told_apart(tmp_path: Path) -> None:
    patch = patch_of(tmp_path, {"a.py": b"two\n", "new/b.py": b"b\n"}, gone=("gone.py",))
    assert patched_files(patch) == PatchedFiles(("a.py", "gone.py"), ("new/b.py",))


def test_a_renamed_file_counts_by_its_old_name_where_its_content_changes(tmp_path: Path) -> None:
    moved = {"to.py": b"one\ntwo\nthree\nfive\n", "elsewhere.py": BEFORE["only moved.py"]}
    patch = patch_of(tmp_path, moved, gone=("moved.py", "only moved.py"))
    assert "rename from only moved.py" in patch
    assert patched_files(patch) == PatchedFiles(("moved.py",), ())


def test_names_in_quotes_and_with_blanks_are_read(tmp_path: Path) -> None:
    patch = patch_of(tmp_path, {QUOTED: b"f\n", "with blank.py": b"x\n"})
    assert '"a/caf' in patch
    assert patched_files(patch) == PatchedFiles((QUOTED,), ("with blank.py",))


def test_lines_of_a_hunk_that_look_like_heads_are_no_heads(tmp_path: Path) -> None:
    patch = patch_of(tmp_path, {"minus.sql": b"-- b\n++ /dev/null\nend\n"})
    assert "\n--- a comment\n" in patch
    assert "\n+++ /dev/null\n" in patch
    assert patched_files(patch) == PatchedFiles(("minus.sql",), ())


@pytest.mark.parametrize(
    "patch",
    ["", "no patch", "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", "Binary files a/x and b/x differ\n"],
)
def test_where_nothing_is_changed_line_by_line_there_are_no_files(patch: str) -> None:
    assert patched_files(patch) == PatchedFiles((), ())


def test_time_stamps_and_line_ends_are_no_part_of_a_name() -> None:
    patch = "--- a/x.py\t2020-01-01 00:00:00\n+++ b/x.py\t2020-01-02\n@@ -1 +1 @@\n-a\n+b\n--- a/y.py\r\n+++ b/y.py\r\n"
    assert patched_files(patch).existing == ("x.py", "y.py")


@given(st.text(alphabet='-+ @\\/"ab\n0123,/dev/null', max_size=200))
def test_any_text_is_read_to_its_end(patch: str) -> None:
    found = patched_files(patch)
    assert not set(found.existing) & set(found.created)
