"""The four verbs as arms: what the executable is given, and what becomes of a call that fails."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.arms.corvint.arms import AffectedVerb, ContextVerb, ImpactVerb, QueryVerb, Verb
from pytest_retrieval_bench.arms.corvint.call import Corvint
from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.model import Answer, Query
from tests.corvint_program import write_corvint
from tests.memory_snapshot import MemorySnapshot

VERBS = (QueryVerb, ContextVerb, ImpactVerb, AffectedVerb)
TRACE = "CORVINT_BENCH_SNAPSHOT_TRACE"
FIELDS = {"changed_file": "a.py", "title": "a caf\xe9"}
QUERY = Query(FIELDS, json.dumps(FIELDS, ensure_ascii=False), "")
REPORT = """
seen = {"arguments": sys.argv[1:], "directory": os.getcwd(), "stdin": sys.stdin.read(), "variables": dict(os.environ)}
seen["changed"] = (root / "a.py").read_text()
pathlib.Path("seen.json").write_text(json.dumps(seen))
"""


def ask(
    verb: type[Verb], snapshot: MemorySnapshot, caller: Path, awkward: str = REPORT, query: Query = QUERY
) -> Answer:
    corvint = Corvint(str(write_corvint(caller / "corvint", awkward)), caller)
    return verb(corvint).answer(query, snapshot, 7)


def seen(caller: Path) -> Any:
    return json.loads((caller / "seen.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("verb", "arguments", "ranking", "state"),
    [
        (QueryVerb, ["query", "--task", QUERY.text, "--limit", "7"], ("a.py", "tests/test_a.py"), "READY"),
        (ContextVerb, ["context", "--task", QUERY.text, "--limit", "7"], ("a.py", "tests/test_a.py"), "READY"),
        (ImpactVerb, ["impact", "a.py", "--limit", "7"], ("tests/test_a.py",), "READY"),
        (AffectedVerb, ["affected"], ("tests/test_a.py",), "BOUNDED"),
    ],
)
def test_the_arguments_and_the_answer_of_each_verb(
    snapshot: MemorySnapshot, caller: Path, verb: type[Verb], arguments: list[str], ranking: tuple[str, ...], state: str
) -> None:
    answer = ask(verb, snapshot, caller)
    root = snapshot.workspace().root
    assert seen(caller)["arguments"] == ["--root", str(root), *arguments]
    assert (answer.ranking, answer.state, answer.error) == (ranking, state, None)
    (invocation,) = answer.invocations
    assert answer.packet_bytes == len(invocation.stdout or b"")
    assert (invocation.stdout or b"").endswith(b"\n")
    assert snapshot.changes() == []


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("of_the_caller", [None, "of the caller"])
def test_only_context_is_asked_to_tell_of_its_index(
    snapshot: MemorySnapshot,
    caller: Path,
    monkeypatch: pytest.MonkeyPatch,
    verb: type[Verb],
    of_the_caller: str | None,
) -> None:
    if of_the_caller is not None:
        monkeypatch.setenv(TRACE, of_the_caller)
    ask(verb, snapshot, caller)
    assert seen(caller)["variables"].get(TRACE) == ("1" if verb is ContextVerb else None)


def test_it_runs_in_the_callers_directory_with_nothing_on_standard_input(
    snapshot: MemorySnapshot, caller: Path
) -> None:
    for verb in VERBS:
        ask(verb, snapshot, caller)
        assert (seen(caller)["directory"], seen(caller)["stdin"]) == (os.path.realpath(caller), "")


def test_it_gets_the_callers_environment_but_not_the_callers_repository(
    snapshot: MemorySnapshot, caller: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["git", "rev-parse", "--local-env-vars"]
    location = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    for name in location:
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("CORVINT_CONTEXT_ANCHORS", "on")
    ask(QueryVerb, snapshot, caller)
    variables = seen(caller)["variables"]
    assert variables["CORVINT_CONTEXT_ANCHORS"] == "on"
    assert not set(location) & set(variables)
    assert {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"} < set(location)


def test_query_sees_two_thousand_code_points_and_context_the_whole_text(snapshot: MemorySnapshot, caller: Path) -> None:
    long = Query({}, "\N{GRINNING FACE}" * 1999 + "e\u0301" + "x" * 3000, "")
    ask(QueryVerb, snapshot, caller, query=long)
    assert seen(caller)["arguments"][4] == "\N{GRINNING FACE}" * 1999 + "e"
    ask(ContextVerb, snapshot, caller, query=long)
    assert seen(caller)["arguments"][4] == long.text


def test_a_text_that_no_system_passes_on_is_an_error_of_context_alone(snapshot: MemorySnapshot, caller: Path) -> None:
    huge = Query({}, "x" * 5_000_000, "")
    answer = ask(ContextVerb, snapshot, caller, query=huge)
    assert "its arguments and environment are too long" in (answer.error or "")
    assert (answer.ranking, answer.abstained, answer.cache_state) == ((), None, "COLD_UNIQUE")
    assert ask(QueryVerb, snapshot, caller, query=huge).ranking == ("a.py", "tests/test_a.py")


@pytest.mark.parametrize("verb", [ImpactVerb, AffectedVerb])
@pytest.mark.parametrize("fields", [{}, {"changed_file": None}, {"changed_file": ["a.py"]}])
def test_without_a_changed_file_nothing_runs_and_the_cache_is_looked_at_all_the_same(
    snapshot: MemorySnapshot, caller: Path, verb: type[Verb], fields: dict[str, Any]
) -> None:
    answer = ask(verb, snapshot, caller, query=Query(fields, "", ""))
    assert (answer.applicable, answer.error) == (False, "no changed_file in query")
    assert (answer.invocations, answer.cache_state) == ((), "COLD_UNIQUE")
    assert not (caller / "seen.json").exists()


def test_affected_finds_the_changed_file_dirty_and_leaves_it_as_it_was(snapshot: MemorySnapshot, caller: Path) -> None:
    ask(AffectedVerb, snapshot, caller)
    assert seen(caller)["changed"] == "a\n\n\n"
    assert (snapshot.workspace().root / "a.py").read_bytes() == b"a\n"


@pytest.mark.parametrize("changed", ["", "gone.py", "tests", "../outside.py", "tests/../a.py", "{outside}"])
def test_affected_edits_nothing_that_the_snapshot_does_not_hold(
    snapshot: MemorySnapshot, caller: Path, changed: str
) -> None:
    outside = [snapshot.workspace().root.parent / "outside.py", caller / "outside.py"]
    for file in outside:
        file.write_text("outside")
    changed = changed.replace("{outside}", str(caller / "outside.py"))
    answer = ask(AffectedVerb, snapshot, caller, query=Query({"changed_file": changed}, "", ""))
    assert answer.error == f"the copy does not hold the changed file {changed!r}"
    assert answer.applicable is True
    assert [file.read_text() for file in outside] == ["outside", "outside"]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    ("awkward", "error"),
    [
        ("print('{', file=sys.stderr); sys.exit(2)", "exit status 2: {"),
        ("print('[1'); sys.exit()", "what it printed is not one JSON document: "),
        ("print('{} {}'); sys.exit()", "what it printed is not one JSON document: "),
        ("print('{\"state\": NaN}'); sys.exit()", "what it printed is not one JSON document: "),
        ("sys.stdout.buffer.write(b'\"\\xff\"'); sys.exit()", "what it printed is not one JSON document: "),
        ("sys.exit()", "what it printed is not one JSON document: "),
        ("print('[]'); sys.exit()", "the packet is no JSON object"),
        ("os.kill(os.getpid(), 11)", "it was ended by SIGSEGV"),
        ("print('x' * (8 * 2**20)); sys.exit()", "it printed over 8 MiB"),
        ("print(root, file=sys.stderr); sys.exit(3)", "exit status 3: {root}"),
    ],
)
def test_a_call_that_fails_is_an_error_and_no_abstention(
    snapshot: MemorySnapshot, caller: Path, verb: type[Verb], awkward: str, error: str
) -> None:
    answer = ask(verb, snapshot, caller, awkward)
    assert (answer.error or "").startswith(error)
    assert (answer.ranking, answer.abstained, answer.state, answer.packet_bytes) == ((), None, None, None)
    assert answer.cache_state == "COLD_UNIQUE"
    assert snapshot.changes() == []


@pytest.mark.parametrize("store", [".git/corvint/index", ".corvint/index"])
def test_the_cache_state_is_what_was_there_before_the_call(snapshot: MemorySnapshot, caller: Path, store: str) -> None:
    make = f"(root / {store!r}).mkdir(parents=True, exist_ok=True)"
    states = [ask(verb, snapshot, caller, make).cache_state for verb in VERBS]
    assert states == ["COLD_UNIQUE", "PRIMED_SHARED", "PRIMED_SHARED", "PRIMED_SHARED"]
    assert snapshot.changes() == []


def test_the_description_is_the_digest_and_the_first_line_about_the_version(caller: Path) -> None:
    program = write_corvint(caller / "corvint")
    digest = hashlib.sha256(program.read_bytes()).hexdigest()
    described = {"kind": "corvint", "sha256": digest, "version": "corvint 1.2.3"}
    assert all(verb(Corvint(str(program), caller)).describe() == described for verb in VERBS)


def test_an_executable_that_cannot_be_read_cannot_be_registered(caller: Path) -> None:
    program = str(caller / "gone")
    with pytest.raises(SettingsError, match=f"--rb-corvint: {program} cannot be read"):
        Corvint(program, caller).describe()
