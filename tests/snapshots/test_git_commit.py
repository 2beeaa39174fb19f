"""A snapshot from a local clone: the committed bytes of any commit, from any kind of clone, which is only read."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.snapshots.directory import Directory
from pytest_retrieval_bench.snapshots.git_commit import Clone, GitCommit
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from tests.snapshots.worktree import commit_all, configure, git, make_worktree, state_of, write_tree

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

FIRST = {"a.py": b"one\n", "src/b.py": b"two\n", "empty": b""}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A worktree whose second commit is checked out; `commits` names both."""
    make_worktree(tmp_path / "source", FIRST)
    write_tree(tmp_path / "source", {"a.py": b"changed\n", "c.py": b"three\n"})
    commit_all(tmp_path / "source")
    return tmp_path / "source"


def commits(source: Path) -> tuple[str, str]:
    return git(source, "rev-parse", "HEAD~1"), git(source, "rev-parse", "HEAD")


def clone(source: Path, *options: str) -> Path:
    made = source.parent / "made"
    git(source.parent, "clone", "--quiet", *options, f"file://{source}", str(made))
    return made


def linked(source: Path) -> Path:
    git(source, "worktree", "add", "--quiet", "--detach", str(source.parent / "linked"))
    return source.parent / "linked"


def packed(source: Path) -> Path:
    git(source, "tag", "-a", "-m", "first", "first", "HEAD~1")
    git(source, "gc", "--quiet")
    assert not list((source / ".git" / "objects").glob("[0-9a-f][0-9a-f]"))
    assert (source / ".git" / "packed-refs").is_file()
    return source


def borrowing(source: Path) -> Path:
    git(source.parent, "clone", "--quiet", "--shared", str(source), str(source.parent / "borrowing"))
    assert (source.parent / "borrowing" / ".git" / "objects" / "info" / "alternates").is_file()
    return source.parent / "borrowing"


def without_configuration(source: Path) -> Path:
    bare = clone(source, "--bare")
    (bare / "config").unlink()
    return bare


WHOLE: dict[str, Callable[[Path], Path]] = {
    "worktree": lambda source: source,
    "git directory": lambda source: source / ".git",
    "linked worktree": linked,
    "bare": lambda source: clone(source, "--bare"),
    "mirror": lambda source: clone(source, "--mirror"),
    "packed": packed,
    "alternates": borrowing,
    "no configuration": without_configuration,
    "without a checkout": lambda source: clone(source, "--no-checkout"),
}


def opened(path: Path, commit: str) -> GitCommit:
    return Clone(path).snapshot("acme/shop", commit)


def tree(snapshot: Snapshot) -> dict[str, bytes]:
    return {path: snapshot.read(path) for path in snapshot.paths}


def make_tree(root: Path, entries: bytes) -> str:
    """A commit of a tree that Git's own commands would not make."""
    command = ["git", "-C", str(root), "hash-object", "-t", "tree", "-w", "--stdin", "--literally"]
    made = subprocess.run(command, input=entries, capture_output=True, check=True).stdout.decode().strip()
    return git(root, "commit-tree", made, "-m", "odd")


def entry(root: Path, name: bytes, mode: bytes = b"100644") -> bytes:
    return mode + b" " + name + b"\0" + bytes.fromhex(git(root, "rev-parse", "HEAD:a.py"))


@pytest.mark.parametrize("make", WHOLE.values(), ids=list(WHOLE))
def test_each_commit_of_each_kind_of_clone_is_read(source: Path, make: Callable[[Path], Path]) -> None:
    first, second = commits(source)
    where = make(source)
    assert tree(opened(where, first)) == FIRST
    assert tree(opened(where, second)) == FIRST | {"a.py": b"changed\n", "c.py": b"three\n"}


@pytest.mark.parametrize("make", WHOLE.values(), ids=list(WHOLE))
def test_a_clone_stays_as_it_is(source: Path, tmp_path: Path, make: Callable[[Path], Path]) -> None:
    first, _ = commits(source)
    where = make(source)
    before = state_of(tmp_path)
    tree(opened(where, first))
    with pytest.raises(SnapshotError):
        opened(where, "0" * 40)
    assert state_of(tmp_path) == before


def test_a_sha_256_clone_is_read(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    git(root, "init", "--quiet", "--object-format=sha256")
    write_tree(root, FIRST)
    commit = commit_all(root)
    assert len(commit) == 64
    assert tree(opened(root, commit)) == FIRST


def test_what_is_checked_out_and_whether_it_is_clean_does_not_matter(source: Path) -> None:
    first, _ = commits(source)
    write_tree(source, {"a.py": b"not committed", "untracked.py": b""})
    (source / ".git" / "index").unlink()
    assert tree(opened(source, first)) == FIRST


def test_a_commit_of_a_shallow_clone_is_read(source: Path) -> None:
    _, second = commits(source)
    assert opened(clone(source, "--depth=1"), second).read("c.py") == b"three\n"


def test_the_committed_bytes_are_read_whatever_a_checkout_would_make_of_them(source: Path) -> None:
    files = {
        ".gitattributes": b"*.txt text eol=crlf ident filter=shout\n*.bin working-tree-encoding=UTF-16\n",
        "a.txt": b"$Id$\nunix\n",
        "b.bin": b"\xff\x00\r\n",
    }
    configure(source, '[core]\n\tautocrlf = true\n[filter "shout"]\n\tsmudge = tr a-z A-Z\n\trequired = true\n')
    names = []
    for name, content in files.items():
        (source / "content").write_bytes(content)
        made = git(source, "hash-object", "-w", "--no-filters", "content")
        names.append(f"100644 blob {made}\t{name}")
    listed = "\n".join(names).encode()
    raw = subprocess.run(["git", "-C", str(source), "mktree"], input=listed, capture_output=True, check=True).stdout
    commit = git(source, "commit-tree", raw.decode().strip(), "-m", "raw")
    assert tree(opened(source, commit)) == files


@pytest.mark.skipif(os.name == "nt", reason="needs symlinks and modes")
def test_a_commit_gives_what_a_directory_of_its_files_gives(tmp_path: Path) -> None:
    root, plain = tmp_path / "root", tmp_path / "plain"
    make_worktree(root, FIRST | {".corvint/index/x": b"1", ".corvint/settings": b"2", "deep/.corvint/index/y": b"3"})
    (root / "link").symlink_to("a.py")
    (root / "loop").symlink_to(".")
    (root / os.fsdecode(b"caf\xe9.py")).write_bytes(b"4")
    write_tree(root, {'\xe9/\U0001f600 \t\n".py': b"5", "Z.py": b"6", "-x": b"7"})
    make_worktree(root / "library", {"x.py": b"8"})
    commit = commit_all(root)
    shutil.copytree(root, plain, symlinks=True, ignore=shutil.ignore_patterns(".git", "library"))
    directory, read = Directory("acme/shop", commit, plain), opened(root, commit)
    assert "caf\ufffd.py" in read.paths
    assert read.paths == directory.paths
    assert tree(read) == tree(directory)
    assert [read.size(path) for path in read.paths] == [directory.size(path) for path in read.paths]
    assert (read.size("link"), read.size("library"), read.size("absent")) == (None, None, None)


@pytest.mark.skipif(os.name == "nt", reason="needs modes")
def test_a_file_is_executable_where_its_commit_says_so(source: Path) -> None:
    (source / "c.py").chmod(0o755)
    read = opened(source, commit_all(source))
    assert [path for path in read.paths if read.is_executable(path)] == ["c.py"]


def test_names_are_ordered_by_their_bytes(source: Path) -> None:
    names = ["a.b", "a/b", "a0", "B", "\xe9", "\uffee", "\U0001f600"]
    for path in ("a.py", "c.py", "empty", "src/b.py"):
        (source / path).unlink()
    write_tree(source, dict.fromkeys(names, b""))
    assert opened(source, commit_all(source)).paths == tuple(sorted(names, key=str.encode))


def test_two_names_that_read_the_same_are_refused(source: Path) -> None:
    commit = make_tree(source, entry(source, b"\xfe") + entry(source, b"\xff"))
    with pytest.raises(SnapshotError, match="two names both read '\ufffd'"):
        opened(source, commit)


def test_a_file_that_is_also_a_folder_is_refused(source: Path) -> None:
    folder = b"40000 \xfe\0" + bytes.fromhex(git(source, "rev-parse", "HEAD:src"))
    commit = make_tree(source, folder + entry(source, b"\xff"))
    with pytest.raises(SnapshotError, match="'\ufffd' is a file and also the folder of another"):
        opened(source, commit)


@pytest.mark.parametrize("name", [b".git", b"..", b"."])
def test_a_name_that_leaves_the_tree_is_left_out_with_a_note(source: Path, name: bytes) -> None:
    read = opened(source, make_tree(source, entry(source, name) + entry(source, b"x.py")))
    assert read.paths == ("x.py",)
    assert read.notes == ["left out 1 files whose path leaves the tree or enters its .git"]


def test_a_commit_without_files_is_refused(source: Path) -> None:
    with pytest.raises(SnapshotError, match="the commit holds no file"):
        opened(source, make_tree(source, b""))


def test_equal_trees_have_equal_digests_and_others_have_not(source: Path) -> None:
    first, second = commits(source)
    git(source, "commit", "--quiet", "--allow-empty", "--message=same files")
    third = git(source, "rev-parse", "HEAD")
    assert opened(source, second).digest() == opened(source, third).digest()
    assert opened(source, first).digest() != opened(source, second).digest()


def test_a_content_that_an_open_snapshot_holds_is_not_read_again(source: Path) -> None:
    first, second = commits(source)
    shop = Clone(source)
    earlier, later = shop.snapshot("acme/shop", first), shop.snapshot("acme/shop", second)
    assert earlier.read("src/b.py") == b"two\n"
    shared = git(source, "rev-parse", "HEAD:src/b.py")
    (source / ".git" / "objects" / shared[:2] / shared[2:]).unlink()
    assert later.read("src/b.py") is earlier.read("src/b.py")
    assert later.read("a.py") == b"changed\n"


def test_a_closed_snapshot_leaves_nothing_behind(source: Path) -> None:
    first, second = commits(source)
    shop = Clone(source)
    earlier, later = shop.snapshot("acme/shop", first), shop.snapshot("acme/shop", second)
    earlier.read("a.py")
    del earlier
    shared = git(source, "rev-parse", "HEAD:src/b.py")
    (source / ".git" / "objects" / shared[:2] / shared[2:]).unlink()
    with pytest.raises(SnapshotError, match=rf"no longer holds object {shared}; fetch what it lacks: git -C .* fetch"):
        later.read("src/b.py")


def test_a_large_file_is_read_whole_and_not_held(source: Path) -> None:
    large = bytes(range(256)) * 4097
    write_tree(source, {"large.bin": large})
    read = opened(source, commit_all(source))
    assert (read.size("large.bin"), read.read("large.bin")) == (len(large), large)
    assert read.read("a.py") == b"changed\n"
    assert large not in read.held.values()


def test_more_than_one_call_of_git_hands_over_is_read_whole(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_retrieval_bench.snapshots.git_objects._BATCH_BYTES", 5)
    _, second = commits(source)
    assert tree(opened(source, second)) == FIRST | {"a.py": b"changed\n", "c.py": b"three\n"}


@pytest.mark.parametrize("name", ["HEAD", "main", "0123456789ab", "--help", "", "0" * 39, "F" * 40])
def test_a_name_that_may_move_is_refused(source: Path, name: str) -> None:
    with pytest.raises(SnapshotError, match="is no whole commit id"):
        opened(source, name)


def test_a_replaced_commit_is_not_read_in_its_place(source: Path) -> None:
    first, second = commits(source)
    git(source, "replace", first, second)
    assert tree(opened(source, first)) == FIRST


def test_a_commit_that_the_clone_lacks_is_refused_with_how_to_fetch_it(source: Path) -> None:
    with pytest.raises(SnapshotError) as refusal:
        opened(source, "0" * 40)
    assert f"does not hold commit '{'0' * 40}'; fetch it: git -C {source} fetch origin {'0' * 40}" in str(refusal.value)


def test_a_file_that_the_clone_lacks_is_refused_by_name(source: Path) -> None:
    _, second = commits(source)
    lost = git(source, "rev-parse", "HEAD:c.py")
    (source / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    with pytest.raises(SnapshotError, match=r"the clone lacks 1 files of tree [0-9a-f]{40}, as 'c\.py'; fetch"):
        opened(source, second)


@pytest.mark.parametrize(
    ("options", "words", "command"),
    [
        (["--depth=1"], "GIT_DEPTH: 0 (GitLab); complete it: ", ["fetch", "--unshallow"]),
        (["--filter=blob:none"], "it is a partial clone; complete it: ", ["fetch", "--refetch", "--no-filter"]),
        (["--filter=tree:0"], "it is a partial clone; complete it: ", ["fetch", "--refetch", "--no-filter"]),
    ],
    ids=["shallow", "without blobs", "without trees"],
)
def test_an_incomplete_clone_is_refused_with_a_command_that_completes_it(
    source: Path, options: list[str], words: str, command: list[str]
) -> None:
    first, _ = commits(source)
    configure(source, "[uploadpack]\n\tallowFilter = true\n\tallowAnySHA1InWant = true\n")
    made = clone(source, "--no-checkout", *options)
    before = state_of(made)
    with pytest.raises(SnapshotError) as refusal:
        opened(made, first)
    assert f"{words}git -C {made} {' '.join(command)}" in str(refusal.value)
    assert state_of(made) == before
    git(made, "-c", "protocol.file.allow=always", *command)
    assert tree(opened(made, first)) == FIRST


@pytest.mark.parametrize("below", [".", "src"])
def test_a_folder_that_is_no_repository_is_refused(source: Path, tmp_path: Path, below: str) -> None:
    folder = tmp_path if below == "." else source / below
    with pytest.raises(SnapshotError, match=r"is no Git repository that can be read: .*; name the top folder"):
        opened(folder, "0" * 40)
