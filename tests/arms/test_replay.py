"""Stored answers as an arm: what is read from each kind of file, and what is refused."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.arms.replay import Replay, read_replay
from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.model import Answer, IndexCost, Query
from tests.memory_snapshot import MemorySnapshot

SNAPSHOT = MemorySnapshot({"a.py": b""})
NO_CHANGED_FILE: dict[str, Any] = {
    "ranked": None,
    "abstained": False,
    "wall_ms": 0.0018,
    "cache_state": "COLD_UNIQUE",
    "error": "no changed_file in query",
}
FOUND: dict[str, Any] = {
    "ranked": ["a.py", "b c.py"],
    "abstained": False,
    "state": "READY",
    "packet_bytes": 4408,
    "wall_ms": 92.221728,
    "cache_state": "COLD_UNIQUE",
}
# As the reference tool writes it, but for what no replay looks at.
REFERENCE: dict[str, Any] = {
    "profile": "corvint-retrieval-bench/0",
    "limit": 20,
    "details": [
        {"id": "one", "given": None, "arms": {"corvint": FOUND, "impact": NO_CHANGED_FILE}},
        {"id": "two", "given": ["b.py"], "arms": {"corvint": {**FOUND, "ranked": None, "abstained": True}}},
    ],
}
ROWS: list[dict[str, Any]] = [
    {"id": "one", "ranked": ["a.py", "b c.py"], "scores": [2, 1.5]},
    {"id": "two", "ranked": [], "abstained": True},
]
TREC = "one Q0 b c.py 1 0.5 mine\none Q0 a.py 2 7 mine\ntwo\tQ0\td.py\t1\t1e-3\tmine\n"


def replay(folder: Path, text: str, ask: str = "mine=stored", limit: int = 20) -> Replay:
    (folder / "stored").write_bytes(text.encode())
    return read_replay(ask, folder, limit)


def answer(arm: Replay, sample: str) -> Answer:
    return arm.of(sample).answer(Query({}, "{}", ""), SNAPSHOT, 20)


def refusal(folder: Path, text: str, ask: str = "mine=stored", limit: int = 20) -> str:
    with pytest.raises(SettingsError) as refused:
        replay(folder, text, ask, limit)
    return str(refused.value).removeprefix(f"--rb-replay: {folder / 'stored'}: ")


@pytest.mark.parametrize("indent", [None, 2])
def test_a_report_of_the_reference_tool_is_read(tmp_path: Path, indent: int | None) -> None:
    arm = replay(tmp_path, json.dumps(REFERENCE, indent=indent), "mine=stored#corvint")
    found = answer(arm, "one")
    assert (found.ranking, found.abstained, found.state) == (("a.py", "b c.py"), False, "READY")
    assert (found.packet_bytes, found.cache_state, found.wall_ms) == (4408, "COLD_UNIQUE", 92.221728)
    silent = answer(arm, "two")
    assert (silent.ranking, silent.abstained, silent.error) == ((), True, None)


def test_an_error_of_a_report_stays_one(tmp_path: Path) -> None:
    found = answer(replay(tmp_path, json.dumps(REFERENCE), "mine=stored#impact"), "one")
    assert (found.ranking, found.error, found.wall_ms) == ((), "no changed_file in query", 0.0018)


def test_of_several_arms_the_one_of_the_same_name_is_meant(tmp_path: Path) -> None:
    assert answer(replay(tmp_path, json.dumps(REFERENCE), "impact=stored"), "one").error == "no changed_file in query"


def test_one_arm_alone_needs_no_name(tmp_path: Path) -> None:
    report = {**REFERENCE, "details": [{"id": "one", "arms": {"corvint": FOUND}}]}
    assert answer(replay(tmp_path, json.dumps(report)), "one").state == "READY"


def test_all_that_a_report_of_this_plugin_says_of_an_answer_is_kept(tmp_path: Path) -> None:
    more = {
        "lines": [[1, 2], None],
        "figures": {"tokens": 9},
        "index": {"wall_ms": 3.5, "bytes": 8},
        "cold_wall_ms": 400.5,
    }
    report = {**REFERENCE, "details": [{"id": "one", "arms": {"other": {**FOUND, "outcome": "answered", **more}}}]}
    found = answer(replay(tmp_path, json.dumps(report)), "one")
    assert (found.lines, found.figures) == ([[1, 2], None], {"tokens": 9})
    assert (found.index, found.cold_wall_ms) == (IndexCost(3.5, 8), 400.5)


@pytest.mark.parametrize(
    ("outcome", "applicable", "failure"),
    [
        ("error", True, None),
        ("timeout", True, "timeout"),
        ("output limit", True, "output limit"),
        ("not applicable", False, None),
    ],
)
def test_the_kind_of_a_failure_is_kept(tmp_path: Path, outcome: str, applicable: bool, failure: str | None) -> None:
    row = {"ranked": [], "abstained": False, "error": "no", "outcome": outcome}
    found = answer(
        replay(tmp_path, json.dumps({"limit": 20, "details": [{"id": "one", "arms": {"a": row}}]})),
        "one",
    )
    assert (found.error, found.applicable, found.failure) == ("no", applicable, failure)


def test_a_ranking_that_was_cut_higher_up_is_refused_and_a_longer_one_is_not(tmp_path: Path) -> None:
    text = json.dumps({**REFERENCE, "limit": 10})
    words = "its rankings were cut at 10, this run's limit is 11; lower --rb-limit"
    assert refusal(tmp_path, text, "corvint=stored", 11) == words
    assert answer(replay(tmp_path, text, "corvint=stored", 10), "one").state == "READY"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_json_lines_are_read_with_scores_and_abstention(tmp_path: Path, end: str) -> None:
    arm = replay(tmp_path, "\ufeff" + "".join(json.dumps(row) + end for row in ROWS))
    found = answer(arm, "one")
    assert (found.ranking, found.scores, found.abstained) == (("a.py", "b c.py"), (2, 1.5), None)
    assert (found.wall_ms, found.error) == (None, None)
    assert answer(arm, "two").abstained is True


def test_one_row_alone_is_json_lines_too(tmp_path: Path) -> None:
    assert answer(replay(tmp_path, json.dumps({**ROWS[0], "wall_ms": 7})), "one").wall_ms == 7


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_trec_run_is_ordered_by_score_and_may_have_blanks_in_paths(tmp_path: Path, end: str) -> None:
    arm = replay(tmp_path, TREC.replace("\n", end))
    found = answer(arm, "one")
    assert (list(found.ranking), found.scores) == (["a.py", "b c.py"], [7, 0.5])
    assert list(answer(arm, "two").ranking) == ["d.py"]


def test_ties_of_a_trec_run_stay_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = "".join(f"one Q0 {path} {rank} 1.0 mine\n" for rank, path in enumerate(["z.py", "a.py", "m.py"], 1))
    assert list(answer(replay(tmp_path, text), "one").ranking) == ["z.py", "a.py", "m.py"]


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(
        st.text(st.characters(categories=["L", "N", "S"]), min_size=1, max_size=8),
        st.floats(allow_nan=False, allow_infinity=False, width=32),
        min_size=1,
        max_size=8,
    )
)
def test_any_trec_run_gives_its_paths_by_falling_score(tmp_path: Path, scores: dict[str, float]) -> None:
    text = "".join(f"one Q0 dir one/{name} 1 {score!r} mine\n" for name, score in scores.items())
    found = answer(replay(tmp_path, text), "one")
    assert dict(zip(found.ranking, found.scores or (), strict=True)) == {f"dir one/{n}": s for n, s in scores.items()}
    assert list(found.scores or ()) == sorted(scores.values(), reverse=True)


def test_a_sample_without_an_answer_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    found = answer(replay(tmp_path, TREC), "three")
    assert (found.error, found.applicable) == ("stored has no answer to this sample", True)


ROW = json.dumps(ROWS[0])
REFUSED = {
    "an empty file": ("\n", "there is no answer in it"),
    "neither": ("hello", "line 1: neither JSON nor a line of a TREC run: ID Q0 PATH RANK SCORE TAG"),
    "a list": ("[1]", "line 1: neither JSON nor a line of a TREC run: ID Q0 PATH RANK SCORE TAG"),
    "no JSON": (f"{ROW}\n\n{{", "line 3: Expecting property name enclosed in double quotes"),
    "a key twice in the first of several rows": (
        f'{{"id": "two", "id": "two"}}\n{ROW}',
        "line 1: the key 'id' stands twice in one object",
    ),
    "a NaN": (f'{ROW}\n{{"id": "two", "ranked": ["a"], "scores": [NaN]}}', "line 2: NaN is not JSON"),
    "no id": (f'{ROW}\n{{"ranked": []}}', "line 2: a row needs a string `id` and a list `ranked`"),
    "no ranking": ('{"id": "one"}', "line 1: a row needs a string `id` and a list `ranked`"),
    "an unknown member": (
        '{"id": "one", "ranked": [], "score": []}',
        "line 1: unknown member 'score'; did you mean 'scores'?",
    ),
    "a ranking that is a string": (
        '{"id": "one", "ranked": "a.py"}',
        "line 1: `ranked` must be a list of paths, it is 'a.py'",
    ),
    "a path that is no string": ('{"id": "one", "ranked": [1]}', "line 1: the ranking must hold paths as strings"),
    "too few scores": ('{"id": "one", "ranked": ["a"], "scores": []}', "line 1: there are 0 scores for 1 paths"),
    "abstained as a word": (
        '{"id": "one", "ranked": [], "abstained": "no"}',
        "line 1: abstained is str, not bool",
    ),
    "a time below 0": (
        '{"id": "one", "ranked": [], "wall_ms": -1}',
        "line 1: `wall_ms` must be a number of milliseconds, it is -1",
    ),
    "a sample twice": (f"{ROW}\n{ROW}", "line 2: 'one' stands twice"),
    "a path twice": ("one Q0 a 1 2 m\none Q0 a 2 1 m", "line 2: ('one', 'a') stands twice"),
    "a score that is none": (f"{TREC}two Q0 e.py 2 high m", "line 4: could not convert string to float: 'high'"),
    "a score without end": ("one Q0 a 1 inf m", "line 1: the score 'inf' is not finite"),
    "a report without arms": ('{"details": [{"id": "one"}]}', "it looks like a report and is none: KeyError: 'arms'"),
    "details that are none": ('{"details": 3}', "it looks like a report and is none: TypeError: "),
}


@pytest.mark.parametrize(("text", "words"), REFUSED.values(), ids=list(REFUSED))
def test_what_cannot_be_read_is_refused_by_file_and_line(tmp_path: Path, text: str, words: str) -> None:
    assert refusal(tmp_path, text).startswith(words)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        ("mine=stored", "unknown arm 'mine'; known: corvint, impact; name one as FILE#ARM"),
        ("mine=stored#corvin", "unknown arm 'corvin'; did you mean 'corvint'?"),
    ],
)
def test_an_arm_that_a_report_does_not_have_is_refused(tmp_path: Path, ask: str, words: str) -> None:
    assert refusal(tmp_path, json.dumps(REFERENCE), ask).startswith(words)


def test_an_arm_of_what_is_no_report_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, TREC, "mine=stored#corvint") == "only a report has arms; leave out #corvint"


@pytest.mark.parametrize("ask", ["mine", "=stored", "mine="])
def test_what_is_no_name_and_file_is_refused(tmp_path: Path, ask: str) -> None:
    assert refusal(tmp_path, TREC, ask) == f"--rb-replay: {ask!r} is not NAME=FILE"


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"--rb-replay: .*gone: .*No such file or directory"):
        read_replay("mine=gone", tmp_path, 20)


def test_a_file_may_have_the_sign_in_its_name(tmp_path: Path) -> None:
    (tmp_path / "a#b").write_text(TREC)
    assert list(answer(read_replay("mine=a#b", tmp_path, 20), "two").ranking) == ["d.py"]


def test_the_description_names_file_arm_and_digest_and_changes_with_the_file(tmp_path: Path) -> None:
    text = json.dumps(REFERENCE)
    arm = replay(tmp_path, text, "corvint=stored")
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert arm.describe() == {"kind": "replay", "file": "stored", "arm": "corvint", "sha256": digest}
    replay(tmp_path, f"{text}\n", "corvint=stored")
    assert arm.describe()["sha256"] != digest
