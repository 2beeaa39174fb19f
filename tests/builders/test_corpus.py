"""ARB 1.2: the rows of a chunk file, from the commits of a clone."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.builders import corpus
from pytest_retrieval_bench.builders.corpus import build_corpus, chunks, is_quoted, is_wanted, shortened
from tests.snapshots.worktree import git, make_worktree

REPO = "acme/shop"
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
CART = "import x\n\nclass Cart:\n    def add(self):\n        pass\n\n\ndef total(cart):\n    return 1\n"


def rows(root: Path) -> list[dict[str, Any]]:
    data = build_corpus(root, REPO, git(root, "rev-parse", "HEAD")).data
    return [json.loads(line) for line in data.decode().split("\n")[:-1]]


def file_paths(root: Path) -> list[str]:
    return [row["path"] for row in rows(root) if row["kind"] == "file"]


@needs_git
def test_a_file_is_a_row_and_each_of_its_symbols_another(tmp_path: Path) -> None:
    commit = make_worktree(tmp_path / "root", {"shop/cart.py": CART.encode()})
    found = rows(tmp_path / "root")
    assert [(row["kind"], row["symbol"], row["start_line"], row["end_line"], row["text"]) for row in found] == [
        ("file", "", 1, 9, CART.strip()),
        ("symbol", "Cart", 3, 3, "class Cart:"),
        ("symbol", "add", 4, 7, "def add(self):\n        pass"),
        ("symbol", "total", 8, 9, "def total(cart):\n    return 1"),
    ]
    assert {(row["repo"], row["base_commit"], row["path"]) for row in found} == {(REPO, commit, "shop/cart.py")}
    members = "base_commit chunk_id end_line kind path repo start_line symbol text"
    assert {" ".join(row) for row in found} == {members}


@needs_git
def test_a_chunk_id_is_the_digest_of_what_names_the_chunk(tmp_path: Path) -> None:
    commit = make_worktree(tmp_path / "root", {"shop/cart.py": CART.encode()})
    named = f"acme/shop\x1f{commit}\x1fshop/cart.py\x1fsymbol\x1fadd\x1f4\x1f7"
    assert rows(tmp_path / "root")[2]["chunk_id"] == hashlib.sha256(named.encode()).hexdigest()[:24]


@needs_git
def test_text_that_is_not_ascii_stands_as_it_is(tmp_path: Path) -> None:
    make_worktree(tmp_path / "root", {"a.txt": "\xe9 \u2028 \U0001f600".encode() + b"\xff"})
    data = build_corpus(tmp_path / "root", REPO, git(tmp_path / "root", "rev-parse", "HEAD")).data
    assert '"text": "\xe9 \u2028 \U0001f600\ufffd"}\n'.encode() in data


@needs_git
def test_files_stand_in_the_order_of_their_paths_bytes(tmp_path: Path) -> None:
    paths = ["a.b", "a/b", "a0", "B", "a-b/c"]
    make_worktree(tmp_path / "root", dict.fromkeys(paths, b"x"))
    assert file_paths(tmp_path / "root") == sorted(paths)


@needs_git
@pytest.mark.skipif(os.name == "nt", reason="needs symlinks")
def test_a_symlink_is_a_file_that_holds_its_target_and_a_submodule_is_none(tmp_path: Path) -> None:
    root = tmp_path / "root"
    make_worktree(root, {"a.py": b"x"})
    (root / "link").symlink_to("a.py")
    make_worktree(root / "library")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=more")
    assert [(row["path"], row["text"]) for row in rows(root)] == [("a.py", "x"), ("link", "a.py")]


@needs_git
def test_what_is_left_out_is_counted_by_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "MAX_FILES", 5)
    files = {
        "1 exact": b"x" * 400_000,
        "2 large": b"x" * 400_001,
        "3 empty": b"",
        "4 binary": b"x" * 9000 + b"\0",
        "5 spaces": b" \n",
        "6 beyond": b"x",
        "0/yarn.lock": b"x",
        "0/\xe9.md": b"x",
        "0/\xe9.png": b"x",
    }
    made = build_corpus(tmp_path / "root", REPO, make_worktree(tmp_path / "root", files))
    assert [row["path"] for row in rows(tmp_path / "root")] == ["1 exact", "5 spaces"]
    assert (made.files, made.symbols) == (2, 0)
    assert made.left_out == {
        "with a name that Git quotes": 1,
        "beyond the first 5": 1,
        "over 400000 bytes": 1,
        "empty or with a NUL byte": 2,
    }


@needs_git
@pytest.mark.skipif(os.name == "nt", reason="needs odd file names")
def test_a_name_is_quoted_where_git_quotes_it(tmp_path: Path) -> None:
    names = [
        "plain",
        "a b",
        "a'b",
        'a"b',
        "a\\b",
        "a\tb",
        "a\nb",
        "a\x7fb",
        "\xe9",
        "~!@#$%^&*()[]{};,",
        os.fsdecode(b"\xff"),
    ]
    make_worktree(tmp_path / "root", dict.fromkeys(names, b"x"))
    shown = git(tmp_path / "root", "-c", "core.quotePath=true", "ls-tree", "--name-only", "HEAD").split("\n")
    assert sorted(name for name in shown if not name.startswith('"')) == sorted(
        name for name in names if not is_quoted(os.fsencode(name))
    )


@pytest.mark.parametrize(
    "path",
    [
        *("package-lock.json", "a/go.sum", "Gemfile.lock", "a/pnpm-lock.yaml", "x.lock"),
        *("dist/a.py", "a/build/b.py", "rebuild/b.py", "redist/x", "mytarget/x", ".tox/x", "vendor/a/b"),
        *("a.min.js", "a.js.map", "a.snap", "a.pb.go", "a.generated.go", "a.g.cs"),
        *("a.png", "a.PNG", "a.tar.gz", "a.Zip", "lib.so", "a.woff2"),
    ],
)
def test_a_lock_file_and_what_is_generated_or_binary_is_not_wanted(path: str) -> None:
    assert not is_wanted(path)


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "LICENSE",
        "go.summary",
        "a/Go.sum",
        "build",
        "builds.py",
        "Vendor/a",
        "a.MAP",
        ".png",
        "a.py",
        "a.s",
    ],
)
def test_any_other_file_is_wanted(path: str) -> None:
    assert is_wanted(path)


def test_a_line_ends_wherever_python_says() -> None:
    content = "a\x0bb\x0cc\x1cd\x85e\u2028f\r\ng\rclass A\n\n"
    file, symbol = chunks(content)
    assert file[3] == 9
    assert symbol == ("symbol", "A", 8, 9, "class A")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        (" \r\n\t", ""),
        ("  a\r\nb\rc  \n", "a\nb\nc"),
        ("x" * 8000, "x" * 8000),
        ("x" * 8001, "x" * 8000 + "\n...[truncated]"),
        ("x" * 7990 + " " * 20 + "y", "x" * 7990 + "\n...[truncated]"),
        (" " * 9 + "x" * 8000 + " ", "x" * 8000),
    ],
)
def test_a_text_is_cut_after_eight_thousand_characters(text: str, shown: str) -> None:
    assert shortened(text) == shown


def test_a_file_of_one_long_line_takes_no_time() -> None:
    assert [row[0] for row in chunks(" a" * 200_000 + " foo")] == ["file"]
