"""What lexical arms and packets say for a file, held to what they answered."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import reduce
from operator import add

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.corvint.evidence import packet_evidence
from pytest_retrieval_bench.arms.evidence import Evidence, Explaining, checked
from pytest_retrieval_bench.arms.registry import built_in_arms
from pytest_retrieval_bench.index.store import IndexStore
from pytest_retrieval_bench.model import Answer, Invocation, Query
from tests.memory_snapshot import MemorySnapshot

PATHS = ["a.py", "foo.py", "foo_bar/fooBar.py", "src/k.py", "tests/test_foo.py"]
WORDS = ["foo", "bar", "fooBar", "foo_bar", "foo.py", "fooBar.ts", "k", "the", "FOO", "x"]
TEXTS = st.lists(st.sampled_from([*WORDS, "\n", "-", "()"]), max_size=30).map(" ".join)
TREES = st.dictionaries(st.sampled_from(PATHS), TEXTS.map(str.encode), min_size=1)
QUERIES = TEXTS.map(lambda text: Query({"text": text}, json.dumps({"text": text}), text))


def arms() -> list[Arm]:
    return built_in_arms(IndexStore(None))


def reasons(arm: Arm, query: Query, snapshot: MemorySnapshot, answer: Answer) -> dict[str, Sequence[Evidence]]:
    assert isinstance(arm, Explaining)
    return dict(checked(arm.explain(query, snapshot, answer, PATHS)))


@settings(deadline=None)
@given(tree=TREES, query=QUERIES)
def test_what_speaks_for_a_file_adds_up_to_its_score_to_the_last_digit(tree: dict[str, bytes], query: Query) -> None:
    snapshot = MemorySnapshot(tree)
    for arm in arms():
        answer = arm.answer(query, snapshot, 20)
        assert isinstance(answer, Answer)
        assert answer.scores is not None
        found = reasons(arm, query, snapshot, answer)
        assert found.keys() == tree.keys()
        sums = {path: reduce(add, [one.adds or 0 for one in said], 0) for path, said in found.items()}
        assert {path: total for path, total in sums.items() if total} == dict(
            zip(answer.ranking, answer.scores, strict=True)
        )


@settings(deadline=None)
@given(tree=TREES, query=QUERIES)
def test_counts_are_those_of_the_text_and_only_what_is_there_speaks(tree: dict[str, bytes], query: Query) -> None:
    snapshot = MemorySnapshot(tree)
    for arm in arms():
        for path, said in reasons(arm, query, snapshot, Answer()).items():
            text = tree[path].decode().lower()
            assert len({one.what for one in said}) == len(said)
            for one in said:
                assert one.count or one.in_path
                assert one.count is not None
                assert one.count <= text.count(one.what.lower())
                assert not one.in_path or one.what.lower() in path.lower()


def test_a_file_that_an_arm_does_not_read_is_left_out() -> None:
    snapshot = MemorySnapshot({"a.py": b"foo", "foo.py": b"\0foo"})
    query = Query({"text": "foo"}, '{"text": "foo"}', "foo")
    for arm in arms():
        assert reasons(arm, query, snapshot, Answer()).keys() == {"a.py"}


def packet(document: object) -> Answer:
    invocation = Invocation(("corvint",), "/", "/", stdout=json.dumps(document).encode())
    return Answer(["pkg/w.go"], invocations=(invocation,))


def said(document: object) -> dict[str, list[str]]:
    return {path: [one.what for one in evidence] for path, evidence in packet_evidence(packet(document)).items()}


def test_a_packet_says_kind_score_reason_and_line() -> None:
    row = {"authority": "syntax", "confidence": "high", "line": 3, "path": "pkg/w.go", "reason": "defines Widget"}
    result = {"id": "pkg/w.go", "kind": "definition", "score": 850, "summary": "also lexical", "evidence": [row]}
    expected = {"pkg/w.go": ["definition, score 850: defines Widget (line 3, syntax, high)"]}
    assert said({"state": "READY", "results": [result]}) == expected
    assert said({"context": {"state": "READY", "results": [result]}}) == expected


def test_a_packet_without_evidence_says_what_it_has() -> None:
    results = [{"id": "a.go", "score": 5}, {"id": "b.go", "summary": "a sibling"}, {"id": "c.go"}, {}]
    assert said({"results": results}) == {"a.go": ["score 5"], "b.go": ["a sibling"], "c.go": ["listed"]}


def test_a_plan_says_which_unit_a_test_is_of() -> None:
    unit = {"tests": ["w_test.go"], "unitId": "go:m/pkg", "witness": {"kind": "DIRECT_SOURCE_CHANGE"}}
    assert said({"plan": {"selected": [unit]}}) == {"w_test.go": ["go:m/pkg DIRECT_SOURCE_CHANGE"]}


def test_nothing_is_said_where_there_is_no_packet() -> None:
    assert packet_evidence(Answer(error="it failed")) == {}
    assert packet_evidence(Answer(invocations=(Invocation(("corvint",), "/", "/"),))) == {}


@pytest.mark.parametrize("returned", [None, ["a.py"], {"a.py": ["because"]}, {"a.py": [Evidence("x", "1")]}])  # type: ignore[arg-type]
def test_what_is_no_evidence_is_refused_in_words(returned: object) -> None:
    with pytest.raises(TypeError, match="explain returned"):
        checked(returned)
