"""A command with `update` keeps its index in a folder that outlives the copies."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pytest_retrieval_bench.arms.command.arm import CommandArm
from pytest_retrieval_bench.arms.command.definition import CommandDefinition
from pytest_retrieval_bench.arms.run import Asker
from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.snapshots.workspaces import Workspaces
from tests.memory_snapshot import MemorySnapshot

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the programs of these tests are scripts")

# The index is a copy of the tree; `update` may be told to forget nothing, or to fail.
PROGRAM = """
import json, os, pathlib, sys
what, state, root, *lists = sys.argv[1:]
index = pathlib.Path(state, "index.json")
tree = json.loads(index.read_text()) if index.exists() else {}
read = lambda path: pathlib.Path(root, path).read_text()
paths = lambda file: [path for path in pathlib.Path(file).read_text().split("\\0") if path]
if what == "index":
    assert not tree, "an index is there already"
    tree = {path: read(path) for path in os.listdir(root) if path.endswith(".py")}
elif what == "update":
    changed, deleted = map(paths, lists)
    tree |= {path: read(path) for path in changed}
    if os.environ.get("FORGETS") != "nothing":
        tree = {path: text for path, text in tree.items() if path not in deleted}
    if os.environ.get("FAILS"):
        sys.exit("no index today")
print("\\n".join(sorted(path for path, text in tree.items() if "cart" in text)) if what == "find" else "")
index.write_text(json.dumps(tree))
"""
KEYS = {
    "command": "./tool find {state} {root}",
    "index": "./tool index {state} {root}",
    "update": "./tool update {state} {root} {changed} {deleted}",
    "output": "lines",
}
FIRST = {"a.py": b"cart", "b.py": b"x", "c d\n.py": b"cart"}
SECOND = {"a.py": b"cart", "b.py": b"cart", "d.py": b"cart"}


@pytest.fixture
def arm(tmp_path: Path) -> CommandArm:
    (tmp_path / "tool").write_text(f"#!{sys.executable} -IS\n{PROGRAM}")
    (tmp_path / "tool").chmod(0o755)
    return CommandArm(CommandDefinition.from_table("mine", KEYS, "arms.toml: [arms.mine]"), tmp_path)


def asked(arm: CommandArm, workspaces: Workspaces, *trees: dict[str, bytes]) -> list[Answer]:
    snapshots = [MemorySnapshot(tree, "acme/shop", f"{number:040x}") for number, tree in enumerate(trees)]
    for snapshot in snapshots:
        snapshot.workspaces = workspaces
    asker = Asker()
    return [asker.ask(arm, Query({}, "cart", "cart"), snapshot, 20).answer for snapshot in snapshots]


def test_the_index_is_brought_up_to_date_from_lists_of_paths(arm: CommandArm, workspaces: Workspaces) -> None:
    first, second, third = asked(arm, workspaces, FIRST, SECOND, FIRST)
    assert [answer.error for answer in (first, second, third)] == [None] * 3
    assert list(second.ranking) == ["a.py", "b.py", "d.py"]
    assert third.index is not None
    assert third.index.bytes is not None
    assert third.index.bytes > 0


def test_an_update_that_forgets_nothing_is_found_out(
    arm: CommandArm, workspaces: Workspaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORGETS", "nothing")
    _, second = asked(arm, workspaces, {"a.py": b"cart", "z.py": b"cart"}, {"a.py": b"cart", "b.py": b"cart"})
    assert second.error is not None
    assert second.error.startswith("update: another answer than from an index built from scratch: ")


def test_an_update_that_fails_is_an_error_with_what_it_said_and_leaves_no_index(
    arm: CommandArm, workspaces: Workspaces, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FAILS", "1")
    first, second = asked(arm, workspaces, FIRST, SECOND)
    assert (first.error, second.error) == (None, "update: exit status 1: no index today")
    assert list(tmp_path.glob("runs/*/*/index.json")) == []
    monkeypatch.delenv("FAILS")
    (third,) = asked(arm, workspaces, SECOND)
    assert third.error is None


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"command": "x", "update": "x"}, "update needs index"),
        ({"command": "x {state}", "index": "x"}, "unknown placeholder 'state'"),
        ({"command": "x", "index": "x {changed}", "update": "x"}, "unknown placeholder 'changed'"),
    ],
)
def test_keys_that_make_no_sense_are_refused(keys: dict[str, str], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        CommandDefinition.from_table("mine", keys, "arms.toml: [arms.mine]")
