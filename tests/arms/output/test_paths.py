"""Paths as retrievers print them, and the files that they mean (ANCHORS E 23)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.arms.output.paths import RepositoryPaths, without_root
from tests.memory_snapshot import MemorySnapshot

FILES = [
    "a.py",
    "src/a.py",
    "src/b.py",
    "src/sub/c.py",
    "shop/own.py",
    "odd\\name.py",
    "x/odd\\name",
    "a.py:3",
    "Icon\r",
]
ROOT = Path("/copies/k3")


def paths_of(*files: str, repo: str = "acme/shop", root: Path | None = ROOT) -> RepositoryPaths:
    return RepositoryPaths.of(MemorySnapshot(dict.fromkeys(files, b""), repo), root)


@pytest.mark.parametrize(
    ("printed", "path"),
    [
        ("src/a.py", "src/a.py"),
        ("./src/a.py", "src/a.py"),
        ("src/../a.py", "a.py"),
        ("src//sub///c.py", "src/sub/c.py"),
        ("src/./sub/../b.py", "src/b.py"),
        ("src\\sub\\c.py", "src/sub/c.py"),
        (".\\src\\a.py", "src/a.py"),
        ("odd\\name.py", "odd\\name.py"),
        ("./odd\\name.py", "odd\\name.py"),
        ("/copies/k3/src/a.py", "src/a.py"),
        ("/copies//./k3/src/../a.py", "a.py"),
        ("shop/src/a.py", "src/a.py"),
        ("./shop/src/a.py", "src/a.py"),
        ("shop\\src\\a.py", "src/a.py"),
        ("acme/shop/src/a.py", "src/a.py"),
        ("k3/src/a.py", "src/a.py"),
        ("shop/own.py", "shop/own.py"),
        ("shop/shop/own.py", "shop/own.py"),
        ("Icon\r", "Icon\r"),
    ],
)
def test_a_spelling_of_a_file_is_that_file(printed: str, path: str) -> None:
    assert paths_of(*FILES).known(printed) == path


@pytest.mark.parametrize(
    "printed",
    [
        "",
        ".",
        "src",
        "src/",
        "a.py/",
        "a.py/.",
        "src/a.py/..",
        "../a.py",
        "src/../../a.py",
        "../k3/a.py",
        "/a.py",
        "/src/a.py",
        "/copies/k3",
        "/copies/k33/a.py",
        "/copies/a.py",
        "/../a.py",
        "shop",
        "other/a.py",
        "acme/a.py",
        "SRC/a.py",
        "src/a.py ",
        "src/missing.py",
    ],
)
def test_a_folder_and_what_lies_elsewhere_is_unknown(printed: str) -> None:
    assert paths_of(*FILES).known(printed) is None


def test_a_path_that_exists_as_it_stands_wins_over_every_other_reading() -> None:
    paths = paths_of("shop/a.py", "a.py", "src\\b.py", "src/b.py", "a.py:3")
    assert [paths.known(path) for path in ("shop/a.py", "src\\b.py")] == ["shop/a.py", "src\\b.py"]
    assert paths.located("a.py:3") == ("a.py:3", None)


def test_of_two_prefixes_the_shorter_is_taken_off() -> None:
    paths = paths_of("numpy/core.py", "core.py", repo="numpy/numpy", root=None)
    assert paths.known("numpy/numpy/core.py") == "numpy/core.py"
    assert paths.known("numpy/core.py") == "numpy/core.py"


def test_unicode_forms_are_not_folded() -> None:
    assert paths_of("caf\xe9.py").known("cafe\u0301.py") is None


def test_the_path_behind_a_linked_temporary_folder_is_inside_the_copy(tmp_path: Path) -> None:
    (tmp_path / "real" / "k3").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    paths = paths_of("a.py", root=tmp_path / "link" / "k3")
    assert paths.known(f"{tmp_path}/link/k3/a.py") == "a.py"
    assert paths.known(f"{os.path.realpath(tmp_path)}/real/k3/a.py") == "a.py"


def test_without_a_copy_an_absolute_path_is_unknown() -> None:
    paths = paths_of("a.py", root=None)
    assert (paths.known("/copies/k3/a.py"), paths.known("k3/a.py")) == (None, None)


@pytest.mark.parametrize(
    ("printed", "located"),
    [
        ("src/a.py:12", ("src/a.py", (12, 12))),
        ("src/a.py:12-30", ("src/a.py", (12, 30))),
        ("./shop/src/a.py:7", ("src/a.py", (7, 7))),
        ("a.py:3", ("a.py:3", None)),
        ("a.py:3:4", ("a.py:3", (4, 4))),
        ("src/a.py:0", (None, None)),
        ("src/a.py:9-3", (None, None)),
        ("src/a.py:12:def a():", (None, None)),
        ("src/missing.py:12", (None, None)),
        ("src:12", (None, None)),
    ],
)
def test_lines_are_split_off_only_where_that_leaves_a_file(
    printed: str, located: tuple[str | None, tuple[int, int] | None]
) -> None:
    assert paths_of(*FILES).located(printed) == located


@given(st.text(st.sampled_from("ab./\\:1\r \xe9"), max_size=12))
def test_whatever_is_printed_the_path_is_a_file_or_none(printed: str) -> None:
    path, _ = paths_of(*FILES, "a/b", "b").located(printed)
    assert path is None or path in {*FILES, "a/b", "b"}


@given(st.lists(st.sampled_from(["a", "b", "a b", "\xe9", "...", "x\\y"]), min_size=1, max_size=4))
def test_detours_do_not_matter(parts: list[str]) -> None:
    path, detour = "/".join(parts), "".join(f"./{part}/../{part}//" for part in parts).rstrip("/")
    paths = paths_of(path)
    assert [paths.known(f"{before}{detour}") for before in ("", "shop/", "acme/shop/", f"{ROOT}/")] == [path] * 4


def test_the_root_is_named_not_shown(tmp_path: Path) -> None:
    (tmp_path / "real" / "k3").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    root = tmp_path / "link" / "k3"
    assert without_root(f"{root}/a.py: {root.resolve()}: no", root) == "{root}/a.py: {root}: no"
