"""Whatever is done to a copy is seen, and nothing that is left in it runs (PROTOCOL 4)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.snapshots.workspace import Workspace
from pytest_retrieval_bench.snapshots.workspaces import Workspaces
from tests.memory_snapshot import MemorySnapshot
from tests.snapshots.test_git_runs_no_code import BITING, HARMLESS_TO_STATUS, script
from tests.snapshots.worktree import commit_all, configure, git, look_touched, make_worktree, write_tree

pytestmark = pytest.mark.skipif(os.name == "nt" or shutil.which("git") is None, reason="needs git and a shell")

TREE = {".gitignore": b"*.log\n", "a.py": b"one\n", "b.py": b"two\n", "src/deep/c.py": b"three\n"}


@pytest.fixture
def workspace(workspaces: Workspaces) -> Workspace:
    return workspaces.of(MemorySnapshot(TREE), "")


def rewrite_with_the_old_times(path: Path) -> None:
    before = path.stat()
    path.write_bytes(path.read_bytes().swapcase() + b"#")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def same_size(path: Path) -> None:
    path.write_bytes(path.read_bytes().swapcase())


def turn_into_link(path: Path) -> None:
    target = path.rename(path.with_name(f"real-{path.name}"))
    path.symlink_to(target)


def in_turn(*actions: Callable[[Path], object]) -> Callable[[Path], object]:
    def act(root: Path) -> None:
        for action in actions:
            action(root)

    return act


def git_of_an_arm(*arguments: str) -> Callable[[Path], object]:
    return lambda root: git(root, *arguments)


def write(name: str, content: bytes = b"") -> Callable[[Path], object]:
    return lambda root: write_tree(root, {name: content})


def delete(name: str) -> Callable[[Path], object]:
    return lambda root: (root / name).unlink()


MEDDLING: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "changed": (write("a.py", b"other\n"), [" M a.py"]),
    "changed in the same size": (lambda root: same_size(root / "a.py"), [" M a.py"]),
    "changed, old times": (lambda root: rewrite_with_the_old_times(root / "a.py"), [" M a.py"]),
    "emptied": (write("a.py"), [" M a.py"]),
    "deleted": (delete("src/deep/c.py"), [" D src/deep/c.py"]),
    "folder deleted": (lambda root: shutil.rmtree(root / "src"), [" D src/deep/c.py"]),
    "added": (in_turn(write("new/x.py"), write("y z")), ["?? new/x.py", "?? y z"]),
    "moved": (lambda root: (root / "a.py").rename(root / "d.py"), [" D a.py", "?? d.py"]),
    "executable": (lambda root: (root / "a.py").chmod(0o755), [" M a.py"]),
    "file turned folder": (
        in_turn(delete("a.py"), write("a.py/x")),
        [" D a.py", "?? a.py/x"],
    ),
    "file turned link": (lambda root: turn_into_link(root / "a.py"), [" T a.py", "?? real-a.py"]),
    "folder turned link": (
        lambda root: turn_into_link(root / "src"),
        [" D src/deep/c.py", "?? real-src/deep/c.py", "?? src"],
    ),
    "link added": (lambda root: (root / "link").symlink_to("nowhere"), ["?? link"]),
    "inner repository": (lambda root: make_worktree(root / "inner"), ["?? inner/"]),
    "staged": (in_turn(write("x"), git_of_an_arm("add", "x")), ["?? x", "A  x"]),
    "staged and taken back": (
        in_turn(write("x"), git_of_an_arm("add", "x"), delete("x")),
        ["A  x"],
    ),
    "unstaged": (git_of_an_arm("rm", "--quiet", "--cached", "a.py"), ["D  a.py"]),
    "read-only file": (lambda root: (root / "b.py").chmod(0o444), ["read-only: b.py"]),
    "read-only folder": (lambda root: (root / "src").chmod(0o555), ["read-only: src"]),
    "read-only root": (lambda root: root.chmod(0o555), ["read-only: ."]),
}


@pytest.mark.parametrize(("meddle", "expected"), MEDDLING.values(), ids=list(MEDDLING))
def test_what_was_done_is_named(workspace: Workspace, meddle: Callable[[Path], object], expected: list[str]) -> None:
    meddle(workspace.root)
    assert workspace.changes() == expected


HARMLESS: dict[str, Callable[[Path], object]] = {
    "touched": lambda root: look_touched(root / "a.py"),
    "changed and restored": in_turn(write("a.py", b"x"), write("a.py", b"one\n")),
    "replaced by its equal": in_turn(delete("a.py"), write("a.py", b"one\n")),
    "ignored by the tree": in_turn(write("src/x.log"), write(".corvint/index/x")),
    "empty folder": lambda root: (root / "empty").mkdir(),
    "files of its own in .git": write(".git/corvint/index/0.gob"),
    "status": in_turn(lambda root: look_touched(root / "a.py"), git_of_an_arm("status")),
    "collected garbage": git_of_an_arm("gc", "--quiet"),
    "head detached": git_of_an_arm("checkout", "--quiet", "--detach"),
    "staged and unstaged": in_turn(
        lambda root: (root / "a.py").chmod(0o755),
        git_of_an_arm("add", "."),
        git_of_an_arm("reset", "--quiet", "--hard"),
    ),
}


@pytest.mark.parametrize("touch", HARMLESS.values(), ids=list(HARMLESS))
def test_what_leaves_every_byte_is_clean(workspace: Workspace, touch: Callable[[Path], object]) -> None:
    touch(workspace.root)
    assert workspace.changes() == []


def test_a_commit_of_the_arm_is_named(workspace: Workspace) -> None:
    (workspace.root / "a.py").write_bytes(b"other\n")
    moved = commit_all(workspace.root)
    assert workspace.changes() == [" M a.py", "M  a.py", f"HEAD is {moved}, no longer {workspace.commit}"]


def test_an_empty_commit_of_the_arm_is_named(workspace: Workspace) -> None:
    moved = commit_all(workspace.root)
    assert workspace.changes() == [f"HEAD is {moved}, no longer {workspace.commit}"]


def hide(*settings: str) -> Callable[[Path], object]:
    return lambda root: configure(root, "".join(f"{setting}\n" for setting in settings))


HIDING: dict[str, Callable[[Path], object]] = {
    "assume unchanged": git_of_an_arm("update-index", "--assume-unchanged", "a.py"),
    "skip worktree": git_of_an_arm("update-index", "--skip-worktree", "a.py"),
    "sparse checkout": git_of_an_arm("sparse-checkout", "set", "--no-cone", "src"),
    "settings": hide("[core]", "\tignoreStat = true", "\ttrustCtime = false", "\tworktree = /", "\tbare = true"),
    "attributes": write(".git/info/attributes", b"* text=auto ident\n"),
    "no index": delete(".git/index"),
    "no settings": delete(".git/config"),
    "an index of rubbish": write(".git/index", b"rubbish"),
    "a lock": write(".git/index.lock"),
}


@pytest.mark.parametrize("conceal", HIDING.values(), ids=list(HIDING))
def test_a_change_cannot_be_hidden(workspace: Workspace, conceal: Callable[[Path], object]) -> None:
    conceal(workspace.root)
    (workspace.root / "a.py").write_bytes(b"ONE\n")
    assert [entry for entry in workspace.changes() if entry.endswith("a.py") or "index" in entry]


def test_an_ignored_mode_cannot_hide_a_change_of_mode(workspace: Workspace) -> None:
    configure(workspace.root, "[core]\n\tfileMode = false\n\tsymlinks = false\n")
    (workspace.root / "a.py").chmod(0o755)
    assert workspace.changes() == [" M a.py", ".git/config was changed"]


def test_a_copy_without_its_git_directory_is_reported_in_words(workspace: Workspace) -> None:
    shutil.rmtree(workspace.root / ".git")
    [words] = workspace.changes()
    assert words.startswith("{root}: git status failed: ")


def test_a_copy_that_is_gone_is_reported_in_words(workspace: Workspace) -> None:
    shutil.rmtree(workspace.root)
    [words] = workspace.changes()
    assert words.startswith("{root}: git status failed: ")
    assert str(workspace.root) not in words


def test_a_broken_head_is_reported_in_words(workspace: Workspace) -> None:
    (workspace.root / ".git" / "HEAD").write_text("rubbish\n")
    [words] = workspace.changes()
    assert words.startswith("{root}: git rev-parse failed: ")


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    return tmp_path / "mark"


@pytest.fixture
def trap(tmp_path: Path, mark: Path) -> Path:
    return script(tmp_path / "trap", f'touch "{mark}"\n')


@pytest.mark.parametrize("config", (BITING | HARMLESS_TO_STATUS).values(), ids=[*BITING, *HARMLESS_TO_STATUS])
def test_a_trap_that_an_arm_left_in_the_copy_is_not_sprung(
    workspace: Workspace, mark: Path, trap: Path, config: str
) -> None:
    included = trap.parent / "included"
    included.write_text(BITING["clean filter"].format(trap=trap))
    hooks = script(trap.parent / "hooks" / "post-index-change", f'exec "{trap}"\n').parent
    configure(workspace.root, config.format(trap=trap, included=included, hooks=hooks))
    write_tree(workspace.root, {".gitattributes": b"* filter=trap diff=trap merge=trap\n"})
    (workspace.root / ".git" / "info" / "attributes").write_text("* filter=trap\n")
    look_touched(workspace.root / "a.py")
    (workspace.root / ".git" / "packed-refs").touch()
    (workspace.root / ".git" / "HEAD").write_text(f"{workspace.commit}\n")  # so that Git is asked about it
    steering = [".git/config was changed", ".git/info/attributes was changed"]
    assert workspace.changes() == ["?? .gitattributes", *steering]
    assert not mark.exists()


def test_a_trap_in_a_repository_that_an_arm_made_inside_is_not_sprung(
    workspace: Workspace, mark: Path, trap: Path
) -> None:
    make_worktree(workspace.root / "inner", {"x.py": b"1", ".gitattributes": b"* filter=trap\n"})
    git(workspace.root, "-c", "advice.addEmbeddedRepo=false", "add", "inner")
    configure(workspace.root / "inner", (BITING["fsmonitor"] + BITING["clean filter"]).format(trap=trap))
    look_touched(workspace.root / "inner" / "x.py")
    assert workspace.changes() == ["?? inner/", "A  inner"]
    assert not mark.exists()


def test_an_accepted_index_leaves_the_copy_clean(workspace: Workspace) -> None:
    write_tree(workspace.root, {".tool/db/0": b"12345", "src/tags": b"678", "odd [x]*\n /b": b"9"})
    assert workspace.accept_new_files() == 9
    assert workspace.changes() == []


def test_a_folder_of_an_accepted_index_may_grow(workspace: Workspace) -> None:
    write_tree(workspace.root, {".tool/db/0": b"12345"})
    workspace.accept_new_files()
    write_tree(workspace.root, {".tool/db/1": b"6", "src/.tool": b"7"})
    assert workspace.changes() == ["?? src/.tool"]


def test_the_size_of_an_index_counts_ignored_files_and_those_beside_git_s_own(workspace: Workspace) -> None:
    write_tree(workspace.root, {"x.log": b"1", ".corvint/x": b"22", ".git/corvint/index/0.gob": b"4444"})
    assert workspace.accept_new_files() == 7


def test_an_index_may_be_read_only(workspace: Workspace) -> None:
    write_tree(workspace.root, {".tool/db/0": b"12345"})
    (workspace.root / ".tool" / "db" / "0").chmod(0o444)
    (workspace.root / ".tool" / "db").chmod(0o555)
    workspace.accept_new_files()
    assert workspace.changes() == []


def test_without_an_index_nothing_is_accepted(workspace: Workspace) -> None:
    before = (workspace.root / ".git" / "info" / "exclude").read_bytes()
    assert workspace.accept_new_files() == 0
    assert (workspace.root / ".git" / "info" / "exclude").read_bytes() == before


def test_a_change_beside_an_index_is_not_accepted(workspace: Workspace) -> None:
    write_tree(workspace.root, {"a.py": b"other\n", ".tool": b"1"})
    workspace.accept_new_files()
    assert workspace.changes() == [" M a.py"]


def test_nothing_can_be_accepted_in_a_copy_that_is_gone(workspace: Workspace) -> None:
    shutil.rmtree(workspace.root)
    with pytest.raises(SnapshotError, match="git status failed"):
        workspace.accept_new_files()


def test_what_is_no_file_would_hold_up_whoever_reads_it(workspace: Workspace) -> None:
    os.mkfifo(workspace.root / "AAA")
    assert workspace.changes() == ["no file: AAA"]


def test_an_exclude_file_that_hides_new_files_is_a_change(workspace: Workspace) -> None:
    (workspace.root / ".git" / "info" / "exclude").write_text("*\n")
    assert workspace.changes() == [".git/info/exclude was changed"]
    workspace.accept_new_files()
    (workspace.root / ".git" / "info" / "exclude").write_text("**\n")
    assert workspace.changes() == [".git/info/exclude was changed"]
