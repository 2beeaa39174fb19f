"""The folder of a process: its own while it lives, removed with it, never another's."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from pytest_retrieval_bench.errors import BenchmarkWarning, RunFolderError
from pytest_retrieval_bench.processes import run_folder
from pytest_retrieval_bench.processes.run_folder import RunFolder
from tests.processes.conftest import ON_LINUX, eventually, listed, open_files, own_children
from tests.processes.owner import owner


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path / "base"


def test_a_closed_folder_leaves_nothing(base: Path) -> None:
    before = open_files(), own_children()
    folder = RunFolder(base)
    (folder.new() / "file").write_text("")
    folder.close()
    assert listed(base) == []
    assert (open_files(), own_children()) == before


def test_closing_again_does_nothing(base: Path) -> None:
    folder = RunFolder(base)
    folder.close()
    folder.path.mkdir()
    folder.close()
    assert folder.path.exists()


def test_new_folders_are_empty_and_their_names_equally_long(base: Path) -> None:
    folder = RunFolder(base)
    made = [folder.new() for _ in range(12)]
    assert len(set(made)) == 12
    assert len({len(str(path)) for path in made}) == 1
    assert all(path.parent == folder.path and listed(path) == [] for path in made)
    folder.close()


def test_only_the_owner_may_enter(base: Path) -> None:
    folder = RunFolder(base)
    for path in (base, folder.path, folder.new()):
        assert path.stat().st_mode & 0o777 == 0o700
    folder.close()


def test_the_folder_is_named_as_the_system_names_it(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    folder = RunFolder(tmp_path / "link" / "base")
    assert folder.path.parent == (tmp_path / "real" / "base").resolve()
    folder.close()


def test_a_new_folder_that_cannot_be_made_says_so(base: Path) -> None:
    folder = RunFolder(base)
    run_folder.remove_tree(folder.path)
    with pytest.raises(RunFolderError, match="cannot be made: No such file"):
        folder.new()
    folder.close()


def test_what_cannot_be_removed_is_a_warning_and_the_next_run_tries_again(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(1, "Operation not permitted", "held")

    before = open_files(), own_children()
    folder = RunFolder(base)
    with monkeypatch.context() as patch:
        patch.setattr(run_folder, "remove_tree", refuse)
        with pytest.warns(BenchmarkWarning, match="cannot be removed.*'held'"):
            folder.close()
    assert (open_files(), own_children()) == before
    RunFolder(base).close()
    assert listed(base) == []


def test_the_folder_of_a_dead_process_is_removed_and_that_of_a_live_one_is_not(base: Path) -> None:
    with owner(base) as dead, owner(base) as live:
        dead.kill(with_guard=True)
        assert dead.path.exists()
        folder = RunFolder(base)
        assert listed(base) == sorted(
            name for path in (live.path, folder.path) for name in (path.name, f"{path.name}.lock")
        )
        assert [file.name for file in live.path.glob("*/*")] == ["file"]
        folder.close()


def test_a_folder_without_a_lock_is_removed(base: Path) -> None:
    (base / "0123abcd" / "below").mkdir(parents=True)
    base.chmod(0o700)
    RunFolder(base).close()
    assert listed(base) == []


def test_what_is_not_ours_stays(base: Path) -> None:
    base.mkdir(mode=0o700)
    names = ["notes.txt", "0123abcd.txt", "0123ABCD", "0123abcde", "x.lock"]
    for name in names:
        (base / name).write_text("mine")
    RunFolder(base).close()
    assert listed(base) == sorted(names)


def test_a_lock_that_is_a_link_is_not_followed(base: Path, tmp_path: Path) -> None:
    base.mkdir(mode=0o700)
    (tmp_path / "target").write_text("mine")
    (base / "0123abcd.lock").symlink_to(tmp_path / "target")
    (base / "89abcdef.lock").symlink_to(tmp_path / "absent")
    RunFolder(base).close()
    assert (tmp_path / "target").read_text() == "mine"
    assert not (tmp_path / "absent").exists()


def test_a_lock_that_a_sweep_takes_away_is_made_anew(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process may find a lock between its creation and its locking; it is unlocked then, as if left behind."""
    flock, swept = fcntl.flock, list[Path]()

    def swept_first(lock: int, how: int) -> None:
        if not swept:
            swept.extend(base.glob("*.lock"))
            swept[0].unlink()
        flock(lock, how)

    monkeypatch.setattr(fcntl, "flock", swept_first)
    folder = RunFolder(base)
    assert folder.path.name != swept[0].stem
    assert listed(base) == [folder.path.name, f"{folder.path.name}.lock"]
    folder.close()


def test_a_lock_that_a_sweep_holds_is_left_to_it(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flock, held = fcntl.flock, list[int]()

    def held_first(lock: int, how: int) -> None:
        if not held:
            held.append(lock)
            raise BlockingIOError
        flock(lock, how)

    monkeypatch.setattr(fcntl, "flock", held_first)
    folder = RunFolder(base)
    assert len(listed(base)) == 3  # the sweep removes the lock that it holds
    folder.close()


def test_a_file_system_without_locks_keeps_the_folders_of_all(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(lock: int, how: int) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", refuse)
    first, second = RunFolder(base), RunFolder(base)
    assert first.path.exists()
    first.close()
    second.close()
    assert listed(base) == []


RACE = """
import os, random, signal, sys, time
from pathlib import Path
from pytest_retrieval_bench.processes.run_folder import RunFolder
random.seed(int(sys.argv[2]))
for _ in range(6):
    folder = RunFolder(Path(sys.argv[1]))
    file = folder.new() / "file"
    file.write_text("mine")
    time.sleep(random.random() / 50)
    assert file.read_text() == "mine"
    folder.close()
folder = RunFolder(Path(sys.argv[1]))
if random.random() < 0.5:
    folder._guard.kill()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_many_processes_that_come_and_die_at_once_never_meet(base: Path) -> None:
    """Each finds its own folder whole as long as it lives, and nothing is left of any."""
    running = [
        subprocess.Popen([sys.executable, "-c", RACE, str(base), str(seed)], stderr=subprocess.PIPE)
        for seed in range(16)
    ]
    outcomes = [(process.communicate()[1], process.returncode) for process in running]
    assert outcomes == [(b"", -signal.SIGKILL)] * 16
    RunFolder(base).close()
    assert eventually(lambda: listed(base) == [])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of forking beside threads
def test_a_forked_child_does_not_remove_the_folder(base: Path) -> None:
    folder = RunFolder(base)
    (folder.new() / "file").write_text("")
    child = multiprocessing.get_context("fork").Process(target=folder.close)
    child.start()
    child.join()
    assert child.exitcode == 0
    assert [file.name for file in folder.path.glob("*/*")] == ["file"]
    folder.close()
    assert listed(base) == []


FORK = """
if os.fork() == 0:
    folder.ended(1)
    print(flush=True)
    time.sleep(100)
sys.stdin.read()
"""


@pytest.mark.parametrize("with_guard", [True, False], ids=["the next run", "the guard"])
def test_a_forked_child_that_lives_on_does_not_keep_the_folder(base: Path, with_guard: bool) -> None:
    with owner(base, FORK) as forking:
        assert forking.process.stdout
        forking.process.stdout.readline()
        forking.kill(with_guard=with_guard)
        if with_guard:
            RunFolder(base).close()
        assert eventually(lambda: listed(base) == [])
        os.killpg(forking.process.pid, signal.SIGKILL)


@pytest.mark.parametrize("home", [None, "/nonexistent", "/proc"], ids=["none", "missing", "read-only"])
def test_no_home_is_needed(tmp_path: Path, home: str | None) -> None:
    with owner(None, HOME=home, TMPDIR=str(tmp_path)) as homeless:
        assert homeless.path.parent == tmp_path.resolve() / f"pytest-retrieval-bench-{os.geteuid()}"
        assert homeless.process.communicate(b"")[1] is None
    assert eventually(lambda: listed(homeless.path.parent) == [])


def test_a_base_that_is_a_link_is_refused(base: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    base.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RunFolderError, match="base: not safe for temporary copies: it is a link; remove it, or set"):
        RunFolder(base)
    assert listed(tmp_path / "elsewhere") == []


def test_a_base_of_another_user_is_refused(base: Path) -> None:
    if os.geteuid() == 0:
        base.mkdir(mode=0o700)
        os.chown(base, 65534, 65534)
    with pytest.raises(RunFolderError, match="it belongs to another user"):
        RunFolder(base if os.geteuid() == 0 else Path("/usr"))


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o770, 0o702])
def test_a_base_that_others_may_write_to_is_refused(base: Path, mode: int) -> None:
    base.mkdir()
    base.chmod(mode)
    with pytest.raises(RunFolderError, match=rf"others may write to it \(mode {mode:04o}\)"):
        RunFolder(base)
    assert listed(base) == []


def test_a_base_that_is_a_file_is_refused(base: Path) -> None:
    base.write_text("")
    with pytest.raises(RunFolderError, match="base: cannot be used for temporary copies: File exists"):
        RunFolder(base)


@pytest.mark.skipif(not ON_LINUX, reason="needs a place that takes no files")
def test_a_base_that_takes_no_folder_is_refused() -> None:
    with pytest.raises(RunFolderError, match="cannot be used for temporary copies"):
        RunFolder(Path("/proc/base"))


def test_no_temporary_folder_at_all_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", fail)
    with pytest.raises(RunFolderError, match="No usable temporary directory"):
        RunFolder()
