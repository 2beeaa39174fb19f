"""An arm that is a command of the user's own: what it is given, and what becomes of all that it can do."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.arms.command.arm import CommandArm
from pytest_retrieval_bench.arms.command.definition import CommandDefinition
from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.snapshots.workspaces import Workspaces
from tests.memory_snapshot import MemorySnapshot

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the programs of these tests are scripts")

FIELDS = {"title": "a caf\xe9 {root}", "changed_file": "src/b.py"}
QUERY = Query(FIELDS, json.dumps(FIELDS, ensure_ascii=False), "title: a caf\xe9 {root}")
LARGE = Query({}, "x" * 5_000_000, "")
TREE = {"a.py": b"a\n", "src/b.py": b"b\n"}

REPORT_WHAT_IT_SEES = """
import json, os, sys
seen = {"arguments": sys.argv[1:], "directory": os.getcwd(), "stdin": sys.stdin.buffer.read().decode()}
seen["files"] = {path: open(path, encoding="utf-8").read() for path in sys.argv[1:] if os.path.isfile(path)}
seen["variables"] = dict(os.environ)
open(os.environ["SEEN"], "w").write(json.dumps(seen))
print("a.py")
"""


@pytest.fixture
def snapshot(workspaces: Workspaces) -> MemorySnapshot:
    snapshot = MemorySnapshot(TREE, "acme/shop")
    snapshot.workspaces = workspaces
    return snapshot


@pytest.fixture
def caller(tmp_path: Path) -> Path:
    """The caller's directory, where the programs are."""
    directory = tmp_path / "caller"
    directory.mkdir()
    return directory


@pytest.fixture
def seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the program of REPORT_WHAT_IT_SEES tells what it was given."""
    monkeypatch.setenv("SEEN", str(tmp_path / "seen.json"))
    return tmp_path / "seen.json"


def make_arm(caller: Path, program: str, command: str = "./find", index: str | None = None, **keys: Any) -> CommandArm:
    """An arm of the program, in Python, whose file is `find`; `index` is the program `./index`."""
    for name, text in (("find", program), ("index", index)):
        if text is not None:
            (caller / name).write_text(f"#!{sys.executable} -IS\n{text}")
            (caller / name).chmod(0o755)
    keys |= {} if index is None else {"index": "./index"}
    return CommandArm(
        CommandDefinition.from_table("mine", {"command": command, **keys}, "arms.toml: [arms.mine]"), caller
    )


def ask(arm: CommandArm, snapshot: MemorySnapshot, query: Query = QUERY) -> Answer:
    return arm.answer(query, snapshot, 20)


def given(seen: Path) -> Any:
    return json.loads(seen.read_text())


def test_the_query_goes_to_standard_input_where_the_command_names_none(
    snapshot: MemorySnapshot, caller: Path, seen: Path
) -> None:
    answer = ask(make_arm(caller, REPORT_WHAT_IT_SEES), snapshot)
    assert (answer.ranking, answer.error, answer.packet_bytes) == (("a.py",), None, 5)
    assert given(seen)["stdin"] == QUERY.text


def test_the_query_is_plain_text_where_that_is_asked_for(snapshot: MemorySnapshot, caller: Path, seen: Path) -> None:
    ask(make_arm(caller, REPORT_WHAT_IT_SEES, query="plain"), snapshot)
    assert given(seen)["stdin"] == "title: a caf\xe9 {root}"


def test_placeholders_are_filled_inside_of_single_arguments(snapshot: MemorySnapshot, caller: Path, seen: Path) -> None:
    command = "./find -q {query} --top={limit} {changed_file} {repo}@{commit} '{root}/a.py' {{}}"
    ask(make_arm(caller, REPORT_WHAT_IT_SEES, command), snapshot)
    root = snapshot.workspace().root
    assert given(seen)["arguments"] == [
        *("-q", QUERY.text, "--top=20", "src/b.py", f"acme/shop@{'0' * 40}", f"{root}/a.py", "{}"),
    ]
    assert given(seen)["stdin"] == ""


@pytest.mark.parametrize(("query", "text"), [("json", QUERY.text), ("plain", QUERY.plain)])
def test_a_query_file_lies_outside_of_the_copy_and_is_gone_afterwards(
    snapshot: MemorySnapshot, caller: Path, seen: Path, query: str, text: str
) -> None:
    ask(make_arm(caller, REPORT_WHAT_IT_SEES, "./find {query_file}", query=query), snapshot)
    workspace = snapshot.workspace()
    ((path, content),) = given(seen)["files"].items()
    assert content == text
    assert given(seen)["stdin"] == ""
    assert not Path(path).parent.exists()
    assert workspace.root not in Path(path).parents
    assert workspace.folder.path in Path(path).parents


def test_it_runs_in_the_copy_unless_it_is_told_where_that_is(
    snapshot: MemorySnapshot, caller: Path, seen: Path
) -> None:
    ask(make_arm(caller, REPORT_WHAT_IT_SEES), snapshot)
    assert given(seen)["directory"] == os.path.realpath(snapshot.workspace().root)
    ask(make_arm(caller, REPORT_WHAT_IT_SEES, "./find {root}"), snapshot)
    assert given(seen)["directory"] == os.path.realpath(caller)


def test_it_gets_the_callers_environment_but_not_the_callers_repository(
    snapshot: MemorySnapshot, caller: Path, seen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_git = subprocess.run(["git", "rev-parse", "--local-env-vars"], capture_output=True, text=True, check=True)
    location = of_git.stdout.split()
    for name in (*location, "GIT_PAGER", "MODEL"):
        monkeypatch.setenv(name, "0")
    ask(make_arm(caller, REPORT_WHAT_IT_SEES), snapshot)
    variables = given(seen)["variables"]
    assert {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"} <= set(location)
    assert variables.keys() & location == set()
    assert (variables["GIT_PAGER"], variables["MODEL"]) == ("0", "0")


def test_a_query_without_a_changed_file_is_not_applicable(snapshot: MemorySnapshot, caller: Path, seen: Path) -> None:
    arm = make_arm(caller, REPORT_WHAT_IT_SEES, "./find {changed_file}")
    answer = ask(arm, snapshot, Query({"changed_file": ["a.py"]}, "", ""))
    assert answer == Answer(applicable=False, error="no changed_file in query")
    assert not seen.exists()


def test_a_program_on_path_is_found_in_whatever_directory_it_runs(
    snapshot: MemorySnapshot, caller: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_arm(caller, "print('a.py')")
    monkeypatch.chdir(caller)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    assert ask(make_arm(caller, "print('a.py')", "find"), snapshot).ranking == ("a.py",)


ENDINGS = {
    "sleeps past its bound": ("import time; time.sleep(60)", "it had not ended after 0.5 s", "timeout"),
    "ignores TERM": (
        "import signal, time; signal.signal(15, signal.SIG_IGN)\nprint('a.py', flush=True); time.sleep(60)",
        "it had not ended after 0.5 s",
        "timeout",
    ),
    "floods": (
        "import sys\nwhile True: sys.stdout.buffer.write(bytes(2**20))",
        "it printed over 8 MiB",
        "output limit",
    ),
    "exits with 3": ("print('a.py'); raise SystemExit(3)", "exit status 3", None),
    "dies by a signal": (
        "import os; print('a.py', flush=True); os.kill(os.getpid(), 9)",
        "it was ended by SIGKILL",
        None,
    ),
    "prints no UTF-8": (
        "import sys; sys.stdout.buffer.write(b'a.py\\n\\xff')",
        "the output is not UTF-8: line 2, byte 5: invalid start byte",
        None,
    ),
    "prints only unknown paths": (
        "import os; print(os.getcwd() + '/gone.py')",
        "none of the 1 paths is a file of the snapshot; the first is '{root}/gone.py'; "
        "paths must be relative to the root of the repository",
        None,
    ),
}


@pytest.mark.parametrize(("program", "error", "outcome"), ENDINGS.values(), ids=list(ENDINGS))
def test_a_bad_end_is_an_error_that_says_how(
    snapshot: MemorySnapshot, caller: Path, program: str, error: str, outcome: str | None
) -> None:
    timeout = 0.5 if outcome == "timeout" else 30
    answer = ask(make_arm(caller, program, timeout=timeout), snapshot)
    assert (answer.error, answer.failure) == (error, outcome)
    assert (answer.ranking, answer.abstained, answer.packet_bytes) == ((), None, None)
    assert answer.wall_ms is not None
    assert 0 < answer.wall_ms < 20_000
    assert snapshot.workspace().changes() == []


def test_the_end_of_standard_error_is_told_on_one_line_without_the_path_of_the_copy(
    snapshot: MemorySnapshot, caller: Path
) -> None:
    program = "import os, sys; sys.exit('noise\\n' * 1000 + 'cannot open\\n' + os.getcwd() + '/a.py')"
    error = ask(make_arm(caller, program), snapshot).error
    assert error is not None
    assert error.startswith("exit status 1: \u2026")
    assert error.endswith(" noise noise cannot open {root}/a.py")
    assert len(error) < 700


READERS = {
    "writes before it reads": "print('a.py\\n' * 200_000, flush=True); assert len(sys.stdin.read()) == 5_000_000",
    "never reads": "print('a.py')",
    "closes its input": "os.close(0); print('a.py')",
}


@pytest.mark.parametrize("program", READERS.values(), ids=list(READERS))
def test_a_large_query_is_taken_as_the_program_likes(snapshot: MemorySnapshot, caller: Path, program: str) -> None:
    answer = ask(make_arm(caller, f"import os, sys; {program}"), snapshot, LARGE)
    assert (answer.ranking, answer.error) == (("a.py",), None)


def test_a_query_that_is_too_long_for_an_argument_is_an_error_that_says_what_to_do(
    snapshot: MemorySnapshot, caller: Path
) -> None:
    error = ask(make_arm(caller, "print('a.py')", "./find {query}"), snapshot, LARGE).error
    assert error is not None
    assert "too long" in error
    assert "pass the text in a file or on standard input" in error


def test_no_output_is_an_abstention(snapshot: MemorySnapshot, caller: Path) -> None:
    answer = ask(make_arm(caller, ""), snapshot)
    assert (answer.abstained, answer.error, answer.packet_bytes) == (True, None, 0)


MEDDLERS = {
    "deletes its working directory": "import shutil; shutil.rmtree(os.getcwd())",
    "writes into the copy": "open('a.py', 'a').write('more')",
    "adds to the copy": "open('new.py', 'w').close()",
    "makes the copy read-only": "os.chmod('src', 0o500); os.chmod('.', 0o500)",
}


@pytest.mark.parametrize("program", MEDDLERS.values(), ids=list(MEDDLERS))
def test_what_is_done_to_the_copy_shows_and_does_not_reach_the_next_question(
    snapshot: MemorySnapshot, caller: Path, workspaces: Workspaces, program: str
) -> None:
    answer = ask(make_arm(caller, f"import os; {program}; print('a.py')"), snapshot)
    assert (answer.ranking, answer.error) == (("a.py",), None)
    assert snapshot.changes() != []
    snapshot.settle(distrusted=False)
    assert ask(make_arm(caller, "print(open('a.py').read().strip() + '.py')"), snapshot).ranking == ("a.py",)
    assert snapshot.workspace().changes() == []


BUILD = "import os\nopen(os.environ['LOG'], 'a').write('built ')\nopen('names.idx', 'w').write('src/b.py')"
USE = "print(open('names.idx').read())"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    return tmp_path / "log"


def test_the_index_is_built_once_and_its_time_and_size_go_with_each_answer(
    snapshot: MemorySnapshot, caller: Path, log: Path
) -> None:
    arm = make_arm(caller, USE, index=BUILD)
    answers = [ask(arm, snapshot) for _ in range(2)]
    assert log.read_text() == "built "
    for answer in answers:
        assert answer.ranking == ("src/b.py",)
        assert answer.index is not None
        assert answer.index.bytes == len("src/b.py")
        assert 0 < answer.index.wall_ms < 60_000
    assert snapshot.workspace("mine").changes() == []


def test_an_index_is_in_a_copy_of_its_own(snapshot: MemorySnapshot, caller: Path, log: Path) -> None:
    ask(make_arm(caller, USE, index=BUILD), snapshot)
    assert not (snapshot.workspace().root / "names.idx").exists()
    assert snapshot.workspace("mine").root != snapshot.workspace().root


def test_a_copy_that_was_replaced_is_indexed_again(
    snapshot: MemorySnapshot, caller: Path, workspaces: Workspaces, log: Path
) -> None:
    arm = make_arm(caller, USE, index=BUILD)
    ask(arm, snapshot)
    workspaces.replace(snapshot.workspace("mine"))
    assert arm.answer(QUERY, snapshot, 20).ranking == ("src/b.py",)
    assert log.read_text() == "built built "


BAD_INDEXES = {
    "exits with 3": ("raise SystemExit(3)", "index: exit status 3", None),
    "sleeps": ("import time; time.sleep(60)", "index: it had not ended after 0.5 s", "timeout"),
    "changes a file": (
        "open('a.py', 'a').write('more')",
        "index: it changed the copy, to which it may only add files:  M a.py",
        None,
    ),
}


@pytest.mark.parametrize(("index", "error", "outcome"), BAD_INDEXES.values(), ids=list(BAD_INDEXES))
def test_an_index_that_fails_is_an_error_of_every_question_and_is_not_built_again(
    snapshot: MemorySnapshot,
    caller: Path,
    workspaces: Workspaces,
    log: Path,
    index: str,
    error: str,
    outcome: str | None,
) -> None:
    timeout = 0.5 if outcome else 30
    arm = make_arm(caller, USE, index=f"{BUILD}\n{index}", index_timeout=timeout)
    for _ in range(2):
        answer = ask(arm, snapshot)
        assert (answer.error, answer.failure, answer.wall_ms) == (error, outcome, None)
        workspaces.replace(snapshot.workspace("mine"))
    assert log.read_text() == "built "


def test_the_description_binds_template_program_version_and_environment(
    snapshot: MemorySnapshot, caller: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEL", "small")
    monkeypatch.delenv("OTHER", raising=False)
    keys: dict[str, Any] = {"version": "./find --version", "environment": ["MODEL", "OTHER"]}
    arm = make_arm(caller, "print('find 1.2')", "./find {root}", **keys)
    assert arm.describe() == {
        "kind": "command",
        "command": "./find {root}",
        "definition": keys,
        "sha256": hashlib.sha256((caller / "find").read_bytes()).hexdigest(),
        "files": {},
        "version": "find 1.2",
        "environment": {"MODEL": "small", "OTHER": None},
    }


def test_a_script_is_bound_as_well_as_its_interpreter(caller: Path) -> None:
    (caller / "search.py").write_text("print('a.py')")
    arm = make_arm(caller, "1", f"{sys.executable} search.py {{root}} no-file.py")
    digest = hashlib.sha256(b"print('a.py')").hexdigest()
    assert arm.describe()["files"] == {"search.py": digest}


def test_the_description_changes_with_each_of_its_programs(caller: Path) -> None:
    arm = make_arm(caller, "1", index="1")
    descriptions = [arm.describe()]
    for name in ("find", "index"):
        with (caller / name).open("a") as stream:
            stream.write("# rebuilt\n")
        descriptions.append(arm.describe())
    assert descriptions[0] != descriptions[1] != descriptions[2]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"command": "./gone"}, "the program './gone' is not in "),
        ({"command": "no-such-program"}, "the program 'no-such-program' is not in any folder of PATH"),
        ({"version": "./find"}, "version: exit status 1: no version"),
    ],
)
def test_a_program_that_is_not_there_or_tells_no_version_is_refused(
    caller: Path, keys: dict[str, str], words: str
) -> None:
    arm = make_arm(caller, "raise SystemExit('no version')", **keys)
    with pytest.raises(SettingsError) as refused:
        arm.describe()
    assert str(refused.value).startswith(f"arms.toml: [arms.mine]: {words}")
