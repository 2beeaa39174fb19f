"""Whatever a tree holds and the caller has set, the copy has its bytes and is clean (ANCHORS E 14 to 18)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.snapshots.chunk_file import is_safe
from pytest_retrieval_bench.snapshots.workspaces import Workspaces
from tests.memory_snapshot import MemorySnapshot
from tests.snapshots.copies import blobs, committed, on_disk, seen_by_others
from tests.snapshots.worktree import look_touched, write_tree

pytestmark = pytest.mark.skipif(os.name == "nt" or shutil.which("git") is None, reason="needs git and POSIX names")

CONTENTS = {
    "crlf.txt": b"one\r\ntwo\r\n",
    "lf.txt": b"one\ntwo\n",
    "mixed.txt": b"one\r\ntwo\n\r",
    "ident.c": b"$Id$ and $Id: 0123 $\n",
    "latin.txt": b"caf\xe9\n",
    "utf16.txt": "\ufeffone\r\n".encode("utf-16-le"),
}


def assert_faithful(workspaces: Workspaces, tree: dict[str, bytes]) -> None:
    """The files on disk and in the commit are those of the tree, also when Git has to read each of them again."""
    workspace = workspaces.of(MemorySnapshot(tree), "")
    assert on_disk(workspace.root) == tree
    assert committed(workspace.root) == blobs(tree)
    assert workspace.changes() == []
    for path in tree:
        look_touched(workspace.root / path)
    assert workspace.changes() == []
    assert seen_by_others(workspace.root) == ""


@pytest.mark.parametrize(
    "attributes",
    [
        "* text=auto eol=crlf",
        "* text eol=lf",
        "* crlf=input",
        "* ident",
        "* filter=lfs diff=lfs merge=lfs -text",
        "* working-tree-encoding=UTF-16LE-BOM text",
        "*.txt working-tree-encoding=no-such-encoding",
        "[attr]odd text ident\n* odd",
        "* binary\n*.c !binary text=auto",
        "\xff broken \\",
    ],
)
@pytest.mark.parametrize("folder", ["", "src/deep/"])
def test_attributes_change_no_byte(workspaces: Workspaces, folder: str, attributes: str) -> None:
    tree = {f"{folder}{name}": content for name, content in CONTENTS.items()}
    assert_faithful(workspaces, tree | {f"{folder}.gitattributes": attributes.encode("latin-1") + b"\n"})


def test_ignored_files_are_committed(workspaces: Workspaces) -> None:
    tree = {
        ".gitignore": b"*.log\nbuild/\n",
        "src/.gitignore": b"*\n",
        "a.log": b"1",
        "build/out.js": b"2",
        "src/a.py": b"3",
        "src/deep/.gitignore": b"/b.py\n",
        "src/deep/b.py": b"4",
    }
    assert_faithful(workspaces, tree)


@pytest.mark.parametrize(
    "modules",
    [
        b'[submodule "lib"]\n\tpath = lib\n\turl = ../lib\n\tignore = all\n',
        b'[submodule "x"]\n\tpath = src\n\turl = --upload-pack=touch\n\tupdate = !touch mark\n',
        b'[submodule "x"\n!!!',
    ],
)
def test_submodule_settings_change_nothing(workspaces: Workspaces, modules: bytes) -> None:
    assert_faithful(workspaces, {".gitmodules": modules, "lib/a.c": b"1", "src/a.py": b"2"})


NAMES = [
    "git~1",
    ".git ",
    ".git.",
    ".gi\u200ct/config",
    ".git::$INDEX_ALLOCATION/config",
    "a\\b.py",
    "..\\.git\\config",
    "new\nline.py",
    'quo"ted\t.py',
    '"quoted"',
    "-leading",
    "--help",
    ":(top)magic",
    "~",
    "#hash",
    "!bang",
    "a*[b]?.py",
    " lead",
    "trail ",
    "trail.",
    "trail\r",
    "\x01\x1b[31m",
    "n\u0303 \xf1 \u6587\u4ef6 \U0001f600",
    "A/a.py",
    "CON",
    "HEAD",
    "refs/heads/main",
    "objects/pack",
    "config",
    "n" * 255,
    "\u6587" * 85,
    "src/.gitignore/odd",
    "..a/...",
]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_names_are_kept(workspaces: Workspaces, name: str) -> None:
    assert_faithful(workspaces, {name: b"1\n", "other.py": b"2\n"})


def test_names_that_differ_in_case_or_form_only_are_kept_apart(workspaces: Workspaces) -> None:
    tree = {"README": b"1", "readme": b"2", "src/a": b"3", "Src/a": b"4", "\xe9": b"5", "e\u0301": b"6"}
    assert_faithful(workspaces, tree)


names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\0"), min_size=1, max_size=20)
paths = st.lists(names, min_size=1, max_size=3).map("/".join)
usable = paths.filter(lambda path: is_safe(path) and ".git" not in path.lower().split("/"))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(usable, st.binary(max_size=40), min_size=1, max_size=8))
def test_any_tree_is_copied(workspaces: Workspaces, tree: dict[str, bytes]) -> None:
    tree["a"] = b""
    folders = {path[:end] for path in tree for end in range(len(path)) if path[end] == "/"}
    assert_faithful(workspaces, {path: content for path, content in tree.items() if path not in folders})


@pytest.mark.parametrize(
    "path",
    [".GIT/config", "src/.Git/hooks/post-checkout", "src/.giT", "odd\n[x]* \r/.gIt/trail \\", ".GIT/.gitignore"],
    ids=ascii,
)
def test_what_git_refuses_is_on_disk_and_out_of_its_sight(workspaces: Workspaces, path: str) -> None:
    tree = {"a.py": b"one\n", path: b"[core]\n\tfsmonitor = touch mark\n"}
    workspace = workspaces.of(MemorySnapshot(tree), "")
    assert on_disk(workspace.root) == tree
    assert committed(workspace.root) == blobs({"a.py": b"one\n"})
    assert workspace.changes() == []
    assert seen_by_others(workspace.root) == ""


def test_a_file_beside_one_that_git_refuses_is_seen(workspaces: Workspaces) -> None:
    workspace = workspaces.of(MemorySnapshot({"a.py": b"one\n", "b/.GIT/x?y": b""}), "")
    write_tree(workspace.root, {"b/.GIT/x_y": b""})
    assert workspace.changes() == ["?? b/.GIT/x_y"]


def spoil_the_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings of a caller in every place that Git looks for them; what they would run leaves a mark."""
    mark = folder / "mark"
    hooks = {f"template/hooks/{name}": b"" for name in ("post-checkout", "reference-transaction", "post-index-change")}
    write_tree(folder, hooks | {"exclude": b"*\n", "attributes": b"* text eol=crlf filter=trap\n"})
    for name in hooks:
        (folder / name).write_text(f'#!/bin/sh\ntouch "{mark}"\n')
        (folder / name).chmod(0o755)
    settings = f"""[core]
\tautocrlf = true
\thooksPath = {folder}/template/hooks
\tattributesFile = {folder}/attributes
\texcludesFile = {folder}/exclude
\tfsmonitor = touch "{mark}"
[init]
\ttemplateDir = {folder}/template
\tdefaultBranch = trunk
\tdefaultObjectFormat = sha256
[filter "trap"]
\tclean = touch "{mark}"; cat
\tsmudge = touch "{mark}"; cat
\trequired = true
[commit]
\tgpgSign = true
[user]
\tuseConfigOnly = true
"""
    write_tree(folder, {"home/.gitconfig": settings.encode(), "xdg/git/config": settings.encode()})
    variables = {
        "HOME": folder / "home",
        "XDG_CONFIG_HOME": folder / "xdg",
        "GIT_CONFIG_GLOBAL": folder / "home" / ".gitconfig",
        "GIT_CONFIG_SYSTEM": folder / "home" / ".gitconfig",
        "GIT_TEMPLATE_DIR": folder / "template",
        "GIT_DEFAULT_HASH": "sha256",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, str(value))
    return mark


def test_settings_of_the_caller_change_nothing(
    workspaces: Workspaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = CONTENTS | {".gitattributes": b"* text=auto filter=trap\n"}
    plain = workspaces.of(MemorySnapshot(tree), "").commit
    mark = spoil_the_environment(tmp_path, monkeypatch)
    workspace = workspaces.of(MemorySnapshot(tree), "")
    assert workspace.commit == plain
    assert not (workspace.root / ".git" / "hooks").exists()
    for path in tree:
        look_touched(workspace.root / path)
    assert workspace.changes() == []
    assert not mark.exists()


def test_settings_of_the_caller_do_not_reach_into_the_copy_when_others_ask_git_there(
    workspaces: Workspaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = CONTENTS | {".gitattributes": b"* text=auto filter=trap\n"}
    workspace = workspaces.of(MemorySnapshot(tree), "")
    mark = spoil_the_environment(tmp_path, monkeypatch)
    for path in tree:
        look_touched(workspace.root / path)
    (workspace.root / "new.log").write_bytes(b"")
    assert seen_by_others(workspace.root) == "?? new.log\n"
    assert not mark.exists()


@pytest.mark.parametrize(
    "name", ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"]
)
def test_variables_that_point_git_elsewhere_are_not_heeded(
    workspaces: Workspaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    workspace = workspaces.of(MemorySnapshot({"a.py": b"one\n"}), "")
    assert workspace.changes() == []
    assert not (tmp_path / "elsewhere").exists()


def test_settings_in_variables_are_not_heeded(workspaces: Workspaces, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.autocrlf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "true")
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'core.autocrlf'='true'")
    workspace = workspaces.of(MemorySnapshot(CONTENTS), "")
    assert committed(workspace.root) == blobs(CONTENTS)
    assert workspace.changes() == []
