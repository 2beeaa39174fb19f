"""A worktree that is not ours cannot run code: not by its configuration, its attributes, its hooks or a missing object.

Each trap is a program that leaves a mark.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.snapshots.directory import Directory
from pytest_retrieval_bench.snapshots.git_commit import Clone
from tests.snapshots.worktree import commit_all, configure, git, look_touched, make_worktree, state_of

pytestmark = pytest.mark.skipif(os.name == "nt" or shutil.which("git") is None, reason="needs git and a shell")

FILTERED = b"* filter=trap diff=trap merge=trap\n"
# Settings that a plain `git status` obeys.
BITING = {
    "fsmonitor": "[core]\n\tfsmonitor = {trap}\n",
    "clean filter": '[filter "trap"]\n\tclean = {trap}\n\trequired = true\n',
    "process filter": '[filter "trap"]\n\tprocess = {trap}\n',
    "included filter": "[include]\n\tpath = {included}\n",
    "hooks path": "[core]\n\thooksPath = {hooks}\n",
}
HARMLESS_TO_STATUS = {
    "smudge filter": '[filter "trap"]\n\tsmudge = {trap}\n',
    "filter without a name": "[filter]\n\tclean = {trap}\n",
    "filter with an empty name": '[filter ""]\n\tclean = {trap}\n',
    "pager": "[core]\n\tpager = {trap}\n[pager]\n\tstatus = true\n\tconfig = {trap}\n",
    "alias": "[alias]\n\tstatus = !{trap}\n\trev-parse = !{trap}\n\tconfig = !{trap}\n",
    "text conversion": '[diff]\n\texternal = {trap}\n[diff "trap"]\n\ttextconv = {trap}\n\tcommand = {trap}\n',
    "editor and helpers": "[core]\n\teditor = {trap}\n\tsshCommand = {trap}\n\taskPass = {trap}\n",
    "credentials": "[credential]\n\thelper = !{trap}\n",
    "submodule summary": "[status]\n\tsubmoduleSummary = true\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    return tmp_path / "mark"


@pytest.fixture
def trap(tmp_path: Path, mark: Path) -> Path:
    return script(tmp_path / "trap", f'touch "{mark}"\n')


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}")
    path.chmod(0o755)
    return path


def lay(root: Path, trap: Path, config: str) -> str:
    """A clean worktree with that configuration and a file that Git has to read again."""
    commit = make_worktree(root, {"a.py": b"one\n", ".gitattributes": FILTERED})
    included = trap.parent / "included"
    included.write_text(BITING["clean filter"].format(trap=trap))
    hooks = script(trap.parent / "hooks" / "post-index-change", f'exec "{trap}"\n').parent
    configure(root, config.format(trap=trap, included=included, hooks=hooks))
    look_touched(root / "a.py")
    return commit


def assert_only_read(root: Path, commit: str, mark: Path) -> None:
    """Opening the worktree, as a directory and as a clone, and reading all of it leaves no mark and no trace."""
    before = state_of(root)
    opened = Directory("acme/shop", commit, root)
    assert [opened.read(path) for path in opened.paths] == [(root / path).read_bytes() for path in opened.paths]
    cloned = Clone(root).snapshot("acme/shop", commit)
    assert [cloned.read(path) for path in cloned.paths] == [(root / path).read_bytes() for path in cloned.paths]
    assert not mark.exists()
    assert state_of(root) == before


@pytest.mark.parametrize("config", BITING.values(), ids=list(BITING))
def test_each_trap_works_on_a_plain_git_status(root: Path, mark: Path, trap: Path, config: str) -> None:
    lay(root, trap, config)
    with suppress(subprocess.CalledProcessError):
        git(root, "status")
    assert mark.exists()


@pytest.mark.parametrize("config", (BITING | HARMLESS_TO_STATUS).values(), ids=[*BITING, *HARMLESS_TO_STATUS])
def test_a_trap_in_the_configuration_is_not_sprung(root: Path, mark: Path, trap: Path, config: str) -> None:
    assert_only_read(root, lay(root, trap, config), mark)


@pytest.mark.parametrize("name", ["a.b", "Upper", "a b", "\xe9", "x=y", "clean", 'q\\"'])
def test_a_filter_of_any_name_is_switched_off(root: Path, mark: Path, trap: Path, name: str) -> None:
    commit = lay(root, trap, f'[filter "{name}"]\n\tclean = {trap}\n\trequired\n')
    (root / ".git" / "info" / "attributes").write_text(f"* filter={name}\n", encoding="utf-8")
    assert_only_read(root, commit, mark)


def test_a_filter_in_the_configuration_of_one_worktree_is_switched_off(root: Path, mark: Path, trap: Path) -> None:
    commit = lay(root, trap, "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n")
    (root / ".git" / "config.worktree").write_text(BITING["clean filter"].format(trap=trap))
    assert_only_read(root, commit, mark)


@pytest.mark.parametrize("hook", ["post-index-change", "fsmonitor-watchman", "post-checkout", "pre-commit"])
def test_a_hook_is_not_run(root: Path, mark: Path, trap: Path, hook: str) -> None:
    commit = lay(root, trap, "[core]\n\tfsmonitor = .git/hooks/fsmonitor-watchman\n")
    script(root / ".git" / "hooks" / hook, f'exec "{trap}"\n')
    assert_only_read(root, commit, mark)


def test_a_dirty_worktree_is_refused_without_running_its_filter(root: Path, mark: Path, trap: Path) -> None:
    commit = lay(root, trap, BITING["clean filter"])
    (root / "a.py").write_bytes(b"changed\n")
    before = state_of(root)
    with pytest.raises(SnapshotError, match="not clean"):
        Directory("acme/shop", commit, root)
    assert not mark.exists()
    assert state_of(root) == before


def test_a_trap_in_a_submodule_is_not_sprung(root: Path, tmp_path: Path, mark: Path, trap: Path) -> None:
    make_worktree(tmp_path / "library", {"x.py": b"1", ".gitattributes": FILTERED})
    make_worktree(root)
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tmp_path / "library"), "lib")
    commit = commit_all(root)
    with (root / ".git" / "modules" / "lib" / "config").open("a") as stream:
        stream.write((BITING["fsmonitor"] + BITING["clean filter"]).format(trap=trap))
    look_touched(root / "lib" / "x.py")
    assert_only_read(root, commit, mark)


LAZY = """[core]
\trepositoryformatversion = 1
[extensions]
\tpartialClone = origin
[remote "origin"]
\turl = "ext::{trap}"
\tpromisor = true
[protocol "ext"]
\tallow = always
"""


def lose_an_object(root: Path, name: str) -> None:
    identity = git(root, "rev-parse", name)
    (root / ".git" / "objects" / identity[:2] / identity[2:]).unlink()


@pytest.mark.parametrize("name", ["HEAD", "HEAD^{tree}", "HEAD:a.py"])
def test_a_missing_object_is_not_fetched(root: Path, mark: Path, trap: Path, name: str) -> None:
    commit = make_worktree(root)
    lose_an_object(root, name)
    configure(root, LAZY.format(trap=trap))
    with suppress(SnapshotError):  # the content of a file may be missing, as status need not read it
        Directory("acme/shop", commit, root)
    with pytest.raises(SnapshotError, match="--refetch --no-filter"):
        Clone(root).snapshot("acme/shop", commit)
    assert not mark.exists()


def test_a_git_that_cannot_be_told_not_to_fetch_fetches_nothing_either(
    root: Path, tmp_path: Path, mark: Path, trap: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = make_worktree(root)
    lose_an_object(root, "HEAD")
    configure(root, LAZY.format(trap=trap))
    # Git learnt GIT_NO_LAZY_FETCH in 2.45; this one behaves as those before it.
    older = script(tmp_path / "bin" / "git", f'unset GIT_NO_LAZY_FETCH\nexec "{shutil.which("git")}" "$@"\n')
    monkeypatch.setenv("PATH", f"{older.parent}{os.pathsep}{os.environ['PATH']}")
    before = state_of(root)
    with pytest.raises(SnapshotError):
        Directory("acme/shop", commit, root)
    with pytest.raises(SnapshotError, match="--refetch --no-filter"):
        Clone(root).snapshot("acme/shop", commit)
    assert not mark.exists()
    assert state_of(root) == before
