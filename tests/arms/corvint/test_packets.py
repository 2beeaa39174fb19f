"""What corvint prints, read into rankings: the shapes that it has, and those that it must not have."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.arms.corvint.packets import (
    Packet,
    affected_plan,
    context_packet,
    context_top_score,
    impact_packet,
    query_packet,
)
from pytest_retrieval_bench.arms.output.reader import OutputError

impact = partial(impact_packet, changed="pkg/w.go")
affected = partial(affected_plan, changed="pkg/w.go")
READERS = (query_packet, context_packet, impact, affected)


def evidence(*paths: object) -> dict[str, Any]:
    return {"id": "x", "evidence": [{"authority": "syntax", "line": 3, "path": path} for path in paths]}


def in_context(*results: object, state: object = "READY") -> dict[str, Any]:
    return {"context": {"mode": "query", "results": list(results), "state": state}, "ok": True, "tool": "query"}


def context(*ids: object, state: object = "READY", verdict: object = "supported") -> dict[str, Any]:
    results = [{"evidence": [{"path": "elsewhere.go"}], "id": name, "kind": "lexical", "score": 850} for name in ids]
    return {"coverage": {"answerability": {"verdict": verdict}}, "results": results, "state": state}


def plan(*selected: object, scope: object = "BOUNDED", profile: str = "affected-plan/0") -> dict[str, Any]:
    return {"plan": {"scope": scope, "selected": list(selected), "unknown": []}, "profile": profile}


def unit(*tests: object) -> dict[str, Any]:
    return {"tests": list(tests), "unitId": "go:example.test/m/pkg"}


def test_query_ranks_the_first_evidence_path_of_each_result() -> None:
    document = in_context(evidence("a.go", "b.go"), evidence("c.go"), evidence("b.go", "a.go"))
    assert query_packet(document) == Packet(("a.go", "c.go", "b.go"), "READY", abstained=False)


def test_query_skips_results_without_evidence() -> None:
    document = in_context({"id": "a.go:A", "evidence": []}, {"id": "a.go:B", "evidence": None}, {"id": "c"})
    assert query_packet(document) == Packet((), "READY", abstained=True)
    assert query_packet(in_context({"id": "a"}, evidence("b.go"))).ranking == ("b.go",)


def test_query_out_of_scope_abstains_and_keeps_its_ranking() -> None:
    assert query_packet(in_context(evidence("a.go"), state="OUT_OF_SCOPE")) == Packet(("a.go",), "OUT_OF_SCOPE", True)


def test_context_ranks_ids_and_not_evidence() -> None:
    assert context_packet(context("a.go", "b.go")) == Packet(("a.go", "b.go"), "READY", abstained=False)


def test_context_skips_results_without_an_id() -> None:
    assert context_packet(context("", "a.go", None)).ranking == ("a.go",)
    assert context_packet({"state": "READY", "results": [{}]}) == Packet((), "READY", abstained=True)


def test_context_without_candidates_abstains() -> None:
    assert context_packet(context("a.go", state="NO_CANDIDATES")) == Packet(("a.go",), "NO_CANDIDATES", abstained=True)


def test_a_verdict_against_the_question_is_part_of_the_state_and_an_abstention() -> None:
    for state in ("READY", "NO_CANDIDATES"):
        packet = context_packet(context("AGENTS.md", state=state, verdict="unsupported-conjunction"))
        assert packet == Packet(("AGENTS.md",), f"{state}/unsupported-conjunction", abstained=True)


@pytest.mark.parametrize("verdict", ["supported", "not-withheld", "no-specific-terms", None, 7])
def test_every_other_verdict_leaves_the_state_alone(verdict: object) -> None:
    assert context_packet(context("a.go", verdict=verdict)) == Packet(("a.go",), "READY", abstained=False)


@pytest.mark.parametrize("coverage", [None, [], "none", {}, {"answerability": None}, {"answerability": []}])
def test_a_context_packet_needs_no_verdict(coverage: object) -> None:
    packet = context_packet(context("a.go") | {"coverage": coverage})
    assert packet == Packet(("a.go",), "READY", abstained=False)


def test_the_top_score_is_that_of_the_first_ranked_result() -> None:
    assert context_top_score({"results": [{"id": "", "score": 9}, {"id": "a", "score": 7}]}) == 7
    assert context_top_score({"results": [{"id": "a"}]}) is None
    assert context_top_score({"results": None}) is None


def test_impact_ranks_every_evidence_path_but_the_changed_file() -> None:
    document = in_context(evidence("pkg/w.go"), evidence("pkg/w_test.go", "pkg/w.go", "doc.md"), evidence("cmd/x.go"))
    assert impact(document) == Packet(("pkg/w_test.go", "doc.md", "cmd/x.go"), "READY", abstained=None)


def test_impact_out_of_scope_abstains_and_else_what_is_left_decides() -> None:
    assert impact(in_context(evidence("a.go"), state="OUT_OF_SCOPE")).abstained is True
    assert impact(in_context(evidence("pkg/w.go"))) == Packet((), "READY", abstained=None)


def test_affected_ranks_the_tests_of_all_units_but_the_changed_file() -> None:
    document = plan(unit("b_test.go", "a_test.go"), unit("pkg/w.go", "b_test.go"), unit("c_test.go"), scope="UNKNOWN")
    assert affected(document) == Packet(("b_test.go", "a_test.go", "c_test.go"), "UNKNOWN", abstained=None)


def test_a_plan_that_selects_nothing_leaves_abstention_to_its_empty_ranking() -> None:
    for selected in ([], [unit()], [{"unitId": "u", "tests": None}], [{"unitId": "u"}]):
        assert affected(plan(*selected)) == Packet((), "BOUNDED", abstained=None)


@pytest.mark.parametrize(
    "document",
    [
        plan(profile="affected-plan/1"),
        plan({"testCount": 3, "unitId": "u"}, profile="affected-plan/1"),
        plan({"testCount": 3, "unitId": "u"}),
    ],
)
def test_a_plan_that_only_counts_its_tests_is_an_error_that_says_so(document: dict[str, Any]) -> None:
    with pytest.raises(OutputError, match=r"counts tests and does not name them \(profile affected-plan/1\)"):
        affected(document)


@pytest.mark.parametrize(
    ("reader", "document"),
    [
        (query_packet, {"context": {"state": "READY", "results": None}}),
        (query_packet, {"context": {"state": "READY"}}),
        (context_packet, {"state": "READY", "results": None}),
        (context_packet, {"state": "READY"}),
    ],
)
def test_a_list_that_is_null_or_absent_is_empty(reader: Callable[[object], Packet], document: object) -> None:
    assert reader(document) == Packet((), "READY", abstained=True)


def test_for_impact_and_affected_too() -> None:
    assert impact({"context": {"state": "READY", "results": None}}) == Packet((), "READY", abstained=None)
    assert affected({"plan": {"scope": "BOUNDED", "selected": None}}) == Packet((), "BOUNDED", abstained=None)


@pytest.mark.parametrize(
    ("reader", "document", "words"),
    [
        (query_packet, [], "the packet is no JSON object"),
        (query_packet, {}, "the packet's `context` is None, it must be dict"),
        (query_packet, {"context": {"results": []}}, "the packet's `state` is None, it must be str"),
        (query_packet, in_context(state=None), "the packet's `state` is None, it must be str"),
        (query_packet, {"context": {"state": "READY", "results": {}}}, "the packet's `results` is {}, it must be list"),
        (query_packet, in_context("a.go"), "the packet is no JSON object"),
        (query_packet, in_context({"evidence": ["a.go"]}), "the packet is no JSON object"),
        (query_packet, in_context(evidence(7)), "the packet has 7 in the place of a path"),
        (context_packet, in_context(evidence("a.go")), "the packet's `state` is None"),
        (context_packet, context(7), "the packet has 7 in the place of a path"),
        (context_packet, context(["a.go"]), r"the packet has \['a.go'\] in the place of a path"),
        (impact, context("a.go"), "the packet's `context` is None"),
        (impact, in_context(evidence("a.go", {})), "the packet has {} in the place of a path"),
        (affected, in_context(), "the packet's `plan` is None"),
        (affected, plan(scope=None), "the packet's `scope` is None"),
        (affected, plan(unit("a", 7)), "the packet has 7 in the place of a path"),
        (affected, plan({"tests": "a_test.go"}), "the packet's `tests` is 'a_test.go', it must be list"),
    ],
)
def test_a_value_of_another_type_is_an_error_that_names_it(
    reader: Callable[[object], Packet], document: object, words: str
) -> None:
    with pytest.raises(OutputError, match=words):
        reader(document)


@pytest.mark.parametrize("reader", READERS)
def test_what_is_shown_of_a_deep_or_long_value_is_short(reader: Callable[[object], Packet]) -> None:
    deep = orjson.loads(b"[" * 1000 + b"]" * 1000)
    for value in (deep, ["x" * 10**6], {"x" * 10**6: 1}):
        with pytest.raises(OutputError) as raised:
            reader({"context": {"state": value}, "state": value, "plan": {"scope": value}})
        assert len(str(raised.value)) < 200


TEXTS = st.sampled_from(["", "a.go", "b.go", "pkg/w.go", "READY", "OUT_OF_SCOPE", "unsupported-conjunction"])
MEMBERS = st.sampled_from(
    [
        *("answerability", "context", "coverage", "evidence", "id", "path", "plan", "profile", "results", "scope"),
        *("selected", "state", "testCount", "tests", "verdict"),
    ]
)
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(MEMBERS, inner, max_size=6),
    max_leaves=30,
)
# Close to what corvint prints, so that the deeper rules are reached.
RESULTS = st.none() | st.lists(
    DOCUMENTS
    | st.fixed_dictionaries(
        {},
        optional={
            "id": TEXTS | st.none(),
            "evidence": st.none() | st.lists(st.fixed_dictionaries({"path": TEXTS | st.none()}), max_size=3),
            "tests": st.none() | st.lists(TEXTS, max_size=3),
        },
    ),
    max_size=4,
)
PACKETS = st.fixed_dictionaries(
    {
        "state": TEXTS,
        "results": RESULTS,
        "context": st.fixed_dictionaries({"state": TEXTS, "results": RESULTS}),
        "plan": st.fixed_dictionaries({"scope": TEXTS, "selected": RESULTS}),
    },
    optional={"coverage": DOCUMENTS, "profile": st.sampled_from(["affected-plan/0", "affected-plan/1"])},
)


@given(document=DOCUMENTS | PACKETS)
def test_every_document_is_a_packet_of_distinct_paths_or_an_output_error(document: object) -> None:
    for reader in READERS:
        try:
            packet = reader(document)
        except OutputError:
            continue
        assert all(isinstance(path, str) and path for path in packet.ranking)
        assert len(set(packet.ranking)) == len(packet.ranking)
        assert isinstance(packet.state, str)
        assert "pkg/w.go" not in packet.ranking or reader in (query_packet, context_packet)
