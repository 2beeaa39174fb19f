"""PROTOCOL 1: what a row of Agent Retrieval Bench means."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.benchmarks import agent_retrieval_bench
from pytest_retrieval_bench.model import Json
from pytest_retrieval_bench.text.strict_json import loads
from tests.benchmarks.rows import COMMIT, arb_row, arb_sample, without

MEMBERS = ["files", "must_context_files", "context_files", "root_cause_files", "related_tests"]
DEFAULT_ORDER = ["files", "root_cause_files", "related_tests"]
ORDERS = {
    "code2test": ["files", "related_tests"],
    "comment2context": MEMBERS,
    "trace2code": DEFAULT_ORDER,
    "edit2ripple": DEFAULT_ORDER,
    "abstention": DEFAULT_ORDER,
    "Code2Test": DEFAULT_ORDER,
}
EMPTY: Json = ["", {"path": ""}, {}, {"path": 5}, {"file": "x"}, None, 7, True, ["x.py"]]
# Everything that a list of paths may hold, right and wrong.
LISTED: Json = [
    EMPTY,
    "",
    None,
    7,
    {"path": ""},
    "b.py",
    {"path": "a.py", "why": "calls it"},
    "b.py",
    {"path": "b.py"},
    "c.py",
    "",
]


@pytest.mark.parametrize(("task_type", "order"), ORDERS.items())
def test_gold_is_the_first_filled_member_in_the_order_of_the_task(task_type: str, order: list[str]) -> None:
    gold: dict[str, Json] = {}
    for member in MEMBERS:
        gold[member] = [f"{member}.py"]
    for member in order:
        assert arb_sample(task_type=task_type, gold=gold).gold == (f"{member}.py",)
        del gold[member]
    assert arb_sample(task_type=task_type, gold=gold).gold == ()


@pytest.mark.parametrize(("task_type", "order"), ORDERS.items())
def test_a_member_without_a_usable_path_does_not_stop_the_search(task_type: str, order: list[str]) -> None:
    gold: Json = {**dict.fromkeys(order, EMPTY), order[-1]: ["last.py"]}
    assert arb_sample(task_type=task_type, gold=gold).gold == ("last.py",)


def test_paths_keep_their_order_once_each_whether_strings_or_objects() -> None:
    assert arb_sample(gold={"files": LISTED}).gold == ("b.py", "a.py", "c.py")
    assert arb_sample(gold={"given_files": LISTED}).given == ("b.py", "a.py", "c.py")
    assert arb_sample(gold={"negative_distractors": LISTED}).hard_negatives == ("b.py", "a.py", "c.py")


@given(st.lists(st.sampled_from(["a", "b", "c"]) | st.sampled_from(["", None, 7, True])))
@settings(deadline=None)
def test_gold_holds_each_listed_path_once_in_order(listed: list[Json]) -> None:
    right: list[str] = []
    for item in listed:
        if isinstance(item, str) and item != "" and item not in right:
            right.append(item)
    assert arb_sample(gold={"files": listed}).gold == tuple(right)


@pytest.mark.parametrize("label", [1, 1.0, "true", "yes", False, None, [True]])
def test_only_the_value_true_says_that_there_is_no_gold(label: Json) -> None:
    sample = arb_sample(gold={"no_gold": label, "files": ["a.py"]}, metadata={"organic": True})
    assert (sample.stratum, sample.gold) == ("positive", ("a.py",))


def test_no_gold_empties_the_gold_whatever_is_listed_and_nothing_else() -> None:
    listed: dict[str, Json] = {"files": ["a"], "given_files": ["c"], "negative_distractors": ["d"]}
    sample = arb_sample(gold={"no_gold": True, **listed})
    assert (sample.gold, sample.given, sample.hard_negatives) == ((), ("c",), ("d",))


@pytest.mark.parametrize(
    ("metadata", "stratum"),
    [
        ({"organic": True}, "natural_no_gold"),
        ({"organic": 1}, "counterfactual_no_gold"),
        ({"organic": "true"}, "counterfactual_no_gold"),
        ({"organic": False}, "counterfactual_no_gold"),
        ({}, "counterfactual_no_gold"),
        (None, "counterfactual_no_gold"),
    ],
)
def test_the_stratum_without_gold_is_natural_only_if_organic_is_true(metadata: Json, stratum: str) -> None:
    assert arb_sample(gold={"no_gold": True}, metadata=metadata).stratum == stratum


@pytest.mark.parametrize("gold", [{}, {"files": []}, {"files": EMPTY}, {"must_context_files": ["a.py"]}])
def test_a_row_with_neither_gold_nor_label_is_a_positive_without_gold(gold: Json) -> None:
    sample = arb_sample(gold=gold)
    assert (sample.stratum, sample.gold) == ("positive", ())


@pytest.mark.parametrize(
    ("task_type", "gold", "query", "given_files"),
    [
        ("comment2context", {"given_files": ["g.py"]}, {"given_file": "a.py", "path": "b.py"}, ("g.py",)),
        ("comment2context", {"given_files": EMPTY}, {"given_file": "a.py", "path": "b.py"}, ("a.py",)),
        ("comment2context", {}, {"given_file": "", "path": "b.py"}, ("b.py",)),
        ("comment2context", {}, {"given_file": 5, "path": "b.py"}, ("b.py",)),
        ("comment2context", {}, {"given_file": ["a.py"], "path": None}, ()),
        ("comment2context", {}, {}, ()),
        ("code2test", {}, {"given_file": "a.py", "path": "b.py"}, ()),
        ("trace2code", {"given_files": ["g.py", "h.py"]}, {"path": "b.py"}, ("g.py", "h.py")),
    ],
)
def test_given_files_are_listed_or_for_a_comment_the_reviewed_file(
    task_type: str, gold: Json, query: Json, given_files: tuple[str, ...]
) -> None:
    assert arb_sample(task_type=task_type, gold=gold, query=query).given == given_files


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ({"b": "\xe9\n", "a": [1, 2.50, None, True]}, '{"a": [1, 2.5, null, true], "b": "\xe9\\n"}'),
        ({"z": {"y": 1, "x": 2}}, '{"z": {"x": 2, "y": 1}}'),
        ({"n": 12345678901234567890123}, '{"n": 12345678901234567890123}'),
        ({"q": 'say "hi" \\ /\t\x7f\U0001f600'}, '{"q": "say \\"hi\\" \\\\ /\\t\x7f\U0001f600"}'),
        ({}, "{}"),
        (None, "{}"),
    ],
    ids=["order and spacing", "nested order", "big integer", "escapes", "empty", "null"],
)
def test_the_query_text_is_the_query_object_as_python_dumps_it(query: Json, text: str) -> None:
    assert arb_sample(query=query).query.text == text


def test_a_row_without_a_query_has_the_text_of_an_empty_one() -> None:
    query = agent_retrieval_bench.sample_of(without(arb_row(), "query"), "x").query
    assert (query.text, dict(query.fields), query.plain) == ("{}", {}, "")


def test_a_lone_surrogate_is_mended_before_the_query_text_is_made() -> None:
    row = loads(json.dumps(arb_row(query={"\ud800": "x\udc00"}, gold={"files": ["a\ud800"]})))
    assert isinstance(row, dict)
    sample = agent_retrieval_bench.sample_of(row, "x")
    assert (sample.query.text, sample.gold) == ('{"\ufffd": "x\ufffd"}', ("a\ufffd",))


def test_what_a_row_says_of_itself_is_kept_verbatim() -> None:
    sample = arb_sample(id="  [odd]::id ", task_type="any task", repo="pallets/click")
    assert (sample.id, sample.task_type, sample.repo) == ("  [odd]::id ", "any task", "pallets/click")
    assert (sample.base_commit, sample.partition, sample.gold_spans) == (COMMIT, "B", None)


@pytest.mark.parametrize(
    ("task_type", "told"),
    [("code2test", "code2test"), ("comment2context", "comment2context"), ("abstention", ""), ("edit2ripple", "")],
)
def test_arms_are_not_told_of_a_task_that_would_tell_whether_there_is_an_answer(task_type: str, told: str) -> None:
    assert agent_retrieval_bench.sample_of(arb_row() | {"task_type": task_type}, "x").query.task_type == told
