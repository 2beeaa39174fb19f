"""A tree is removed whatever it holds, and nothing outside of it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.processes.run_folder import RunFolder, remove_tree
from tests.processes.conftest import listed

NOBODY = 65534
NAMES = st.sampled_from(["a", "b", ".git", "\xe9", "-rf", "new\nline", "x" * 200])
TREES = st.recursive(st.none(), lambda below: st.dictionaries(NAMES, below, max_size=4), max_leaves=20)


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Path]:
    """A folder with a file, which must stay as they are."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "kept").write_text("kept")
    folder.chmod(0o555)
    yield folder
    assert (folder / "kept").read_text() == "kept"
    assert folder.stat().st_mode & 0o777 == 0o555
    folder.chmod(0o700)


def lay(path: Path, tree: dict[str, object] | None) -> None:
    if tree is None:
        path.write_text("")
        return
    path.mkdir()
    for name, below in tree.items():
        lay(path / name, below)  # type: ignore[arg-type]


@given(TREES)
@settings(deadline=None, max_examples=50)
def test_every_tree_is_gone_and_its_neighbours_are_not(
    tmp_path_factory: pytest.TempPathFactory, tree: dict[str, object] | None
) -> None:
    folder = tmp_path_factory.mktemp("parent")
    (folder / "neighbour").write_text("")
    lay(folder / "tree", tree)
    remove_tree(folder / "tree")
    assert listed(folder) == ["neighbour"]


def test_what_is_gone_already_is_no_error(tmp_path: Path) -> None:
    remove_tree(tmp_path / "absent")
    assert listed(tmp_path) == []


def test_links_are_removed_and_not_followed(tmp_path: Path, outside: Path) -> None:
    tree = tmp_path / "tree"
    lay(tree, {"below": {}})
    for name, target in [
        ("folder", outside),
        ("file", outside / "kept"),
        ("loop", tree),
        ("dangling", tmp_path / "no"),
    ]:
        (tree / "below" / name).symlink_to(target)
    os.link(outside / "kept", tree / "hard")
    remove_tree(tree)
    assert not tree.exists()


def test_a_link_in_the_place_of_a_tree_is_removed_alone(tmp_path: Path, outside: Path) -> None:
    (tmp_path / "tree").symlink_to(outside)
    remove_tree(tmp_path / "tree")
    assert not os.path.lexists(tmp_path / "tree")


def test_names_that_are_no_text_and_pipes(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    lay(tree, {"\udcff": {}})
    os.mkfifo(tree / "\udcff" / "pipe")
    remove_tree(tree)
    assert not os.path.lexists(tree)


def test_a_tree_deeper_than_any_path_can_name(tmp_path: Path) -> None:
    # pytest cannot remove such a tree; should this test be killed, the guard of the run folder does.
    folder = RunFolder(tmp_path / "base")
    tree = folder.new()
    code = "import os\nfor _ in range(1500): os.mkdir('x' * 100); open('file', 'w').close(); os.chdir('x' * 100)"
    subprocess.run([sys.executable, "-c", code], cwd=tree, check=True)
    remove_tree(tree)
    assert not tree.exists()
    folder.close()


def test_a_broad_tree_keeps_few_files_open(tmp_path: Path) -> None:
    lay(tmp_path / "tree", {str(number): {"file": None} for number in range(1200)})
    remove_tree(tmp_path / "tree")
    assert not (tmp_path / "tree").exists()


WRITER = """
import sys, time
for number in range(30):
    open(f"{sys.argv[1]}/{number}", "w").close()
    if number == 0:
        print(flush=True)
    time.sleep(0.001)
"""


def test_a_tree_that_somebody_is_still_writing_to(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    command = [sys.executable, "-c", WRITER, str(tree)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as writer:
        assert writer.stdout
        writer.stdout.readline()
        remove_tree(tree)
    assert not tree.exists()


# Root may do anything, so this gives up being root; nothing can be imported any more then.
AS_NOBODY = f"""
import os, shutil, sys
from pathlib import Path
from pytest_retrieval_bench.processes.run_folder import remove_tree
os.chdir(sys.argv[1])
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
"""
READ_ONLY = """
os.makedirs("tree/a/b/c")
for name in ("tree/f", "tree/a/f", "tree/a/b/f", "tree/a/b/c/f"):
    Path(name).write_text("")
    os.chmod(name, 0o000 if name == "tree/f" else 0o444)
for name, mode in (("tree/a/b/c", 0o000), ("tree/a/b", 0o111), ("tree/a", 0o444), ("tree", 0o555)):
    os.chmod(name, mode)
try:
    shutil.rmtree("tree")
except PermissionError:
    print("read-only")
remove_tree(Path("tree"))
print(os.listdir())
"""
OF_OTHERS = """
try:
    remove_tree(Path("tree"))
except PermissionError as error:
    print(error.filename)
print(sorted(os.listdir("tree")))
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that nobody in particular may work in; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


def as_nobody(code: str, folder: Path) -> str:
    command = [sys.executable, "-c", AS_NOBODY + code, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_read_only_files_and_closed_folders_are_removed_by_their_owner(open_folder: Path) -> None:
    assert as_nobody(READ_ONLY, open_folder) == "read-only\n[]\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to make a file of another user")
def test_what_cannot_be_removed_is_named_and_all_else_is_gone(open_folder: Path) -> None:
    lay(open_folder / "tree", {"kept": {"file": None}, "gone": {"file": None}})
    for path in (open_folder / "tree", open_folder / "tree" / "gone", open_folder / "tree" / "gone" / "file"):
        os.chown(path, NOBODY, NOBODY)
    assert as_nobody(OF_OTHERS, open_folder) == "file\n['kept']\n"
