"""Logs of agents: what is read from rows of each form, and what is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.agents.logs import Step, Trajectory, trajectories
from pytest_retrieval_bench.agents.packets import Prediction, packets
from pytest_retrieval_bench.benchmarks.jsonl import Row
from pytest_retrieval_bench.errors import LogError

_NAMES = st.sampled_from(
    ["id", "sample_id", "path", "step", "turn", "trajectory", "steps", "closed_tool", "gold_files", "final", "trace",
     "tool", "tokens", "start_line", "end_line", "gold_spans", "task_type", "seed_files"]
)  # fmt: skip
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=4),
    max_leaves=8,
)


def read(*rows: Row) -> dict[str, Trajectory]:
    return trajectories((f"log.jsonl:{number}", row) for number, row in enumerate(rows, start=1))


def numbers(*steps: Row) -> list[int | None]:
    return [step.number for step in read({"id": "one", "trajectory": [*steps]})["one"].steps]


def test_rows_of_steps_and_rows_of_samples_add_up_in_the_order_of_the_log() -> None:
    found = read(
        {"sample_id": "one", "path": "a.py"},
        {"id": "two", "trajectory": []},
        {"id": "one", "trajectory": [{"path": "b.py"}, {"path": "c.py"}]},
        {"sample_id": "one", "path": "d.py"},
    )
    assert list(found) == ["one", "two"]
    assert [(step.path, step.number) for step in found["one"].steps] == [
        ("a.py", 1), ("b.py", 2), ("c.py", 3), ("d.py", 4),
    ]  # fmt: skip
    assert found["two"].steps == ()


def test_a_step_counts_by_its_number_its_turn_or_its_place_and_0_is_no_number() -> None:
    assert numbers({"path": "a", "step": 7, "turn": 8}, {"path": "a", "turn": 8}, {"path": "a"}) == [7, 8, 3]
    assert numbers({"path": "a", "step": 0, "turn": 0}, {"path": "a", "step": 0, "turn": 5}) == [1, 5]


def test_steps_without_a_file_are_dropped_but_have_their_places() -> None:
    assert numbers({"tool": "grep"}, {"path": ""}, {"path": None}, {"path": "a"}) == [4]


def test_a_step_has_what_its_row_says_and_the_benchmarks_defaults() -> None:
    row: Row = {"action": "open", "start_line": 3, "end_line": 5, "kind": "symbol", "symbol": "f", "content_hash": "h"}
    (step,) = read({"id": "one", "path": "a.py", **row, "selected": True, "used": True})["one"].steps
    assert step == Step("a.py", 1, "open", 3, 5, "symbol", "f", "h", final=True, utilized=True)
    (step,) = read({"id": "one", "path": "a.py", "final": False, "selected": None})["one"].steps
    assert step == Step("a.py", 1, "read", None, None, "block", "", "", final=False, utilized=False)


@pytest.mark.parametrize("lines", [(0, 3), (5, 3), (-1, 4)])
def test_lines_that_are_no_range_are_not_known(lines: tuple[int, int]) -> None:
    (step,) = read({"id": "one", "path": "a.py", "start_line": lines[0], "end_line": lines[1]})["one"].steps
    assert (step.start, step.end, step.lines) == (None, None, None)


def test_a_stored_sample_has_its_own_numbers_and_says_what_its_gold_is() -> None:
    stored: Row = {
        "sample_id": "one",
        "task_type": "trace2code",
        "repo": "acme/shop",
        "gold_files": ["a.py"],
        "supporting_context_files": ["a.py", "b.py"],
        "steps": [{"path": "a.py", "step": 0}, {"path": "b.py"}],
        "closed_tool": {"tool_calls": 3, "read_tokens": 12.5, "seed_any_gold": True, "trace": [{"tool": "grep"}, 7]},
    }
    found = read(stored)["one"]
    assert [(step.path, step.number) for step in found.steps] == [("a.py", 0), ("b.py", None)]
    assert found.facts is not None
    assert (found.facts.gold, found.facts.supporting) == (("a.py",), ("b.py",))
    assert found.tools is not None
    assert found.tools.counts == {"tool_calls": 3, "read_tokens": 12.5}
    assert (found.tools.seed_has_gold, found.tools.until(9)["grep_calls"]) == (True, 1)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"path": "a.py"}, "names no sample"),
        ({"sample_id": 7, "path": "a.py"}, "sample_id must be a string, this is a number"),
        ({"id": "one", "path": 7}, "path must be a string, this is a number"),
        ({"id": "one", "path": "a", "step": "3"}, "step must be a number, this is a string"),
        ({"id": "one", "path": "a", "step": True}, "step must be a number, this is a boolean"),
        ({"id": "one", "path": "a", "turn": 1.5}, "turn must be a whole number, this is 1.5"),
        ({"id": "one", "path": "a", "step": 10**30}, "step must lie between"),
        ({"id": "one", "path": "a", "final": "no"}, "final must be true or false, this is a string"),
        ({"id": "one", "path": "a", "used": 1}, "used must be true or false, this is a number"),
        ({"id": "one", "trajectory": {"path": "a"}}, "trajectory must be a list of objects, this is an object"),
        ({"id": "one", "trajectory": ["a"]}, "trajectory must be a list of objects, one of it is a string"),
        ({"id": "one", "steps": None}, "steps must be a list of objects, this is null"),
        ({"id": "one", "steps": [], "closed_tool": {"read_tokens": "9"}}, "read_tokens must be a number"),
        ({"id": "one", "steps": [], "closed_tool": {"seed_tokens": 1e999}}, "seed_tokens must lie between"),
    ],
)
def test_what_is_no_log_is_refused_with_its_place(row: Row, words: str) -> None:
    with pytest.raises(LogError, match=rf"^log\.jsonl:2: {words}"):
        read({"id": "zero", "path": "a.py"}, row)


def test_a_sample_is_stored_once_and_then_has_no_other_steps() -> None:
    stored: Row = {"id": "one", "steps": []}
    with pytest.raises(LogError, match=r"log\.jsonl:2: the sample is there already, at log\.jsonl:1"):
        read(stored, stored)
    step: Row = {"id": "one", "path": "a"}
    for rows in ([stored, step], [step, stored]):
        with pytest.raises(LogError, match=r"log\.jsonl:2: the sample has both"):
            read(*rows)


@given(st.lists(st.dictionaries(_NAMES, _VALUES, max_size=6), max_size=4))
def test_any_rows_are_read_or_refused(rows: list[Row]) -> None:
    try:
        found = read(*rows)
    except LogError:
        return
    assert all(found[identity].sample_id == identity for identity in found)


def test_predictions_are_read_by_sample() -> None:
    rows: list[Row] = [{"sample_id": "a", "PES@20": 5, "group": "high"}, {"sample_id": "b", "PES@20": None}]
    found = packets((f"p:{number}", row) for number, row in enumerate(rows))
    assert found == {"a": Prediction(5, "high"), "b": Prediction(None)}
    for bad, words in (({"sample_id": "a"}, "there already"), ({"sample_id": "c", "PES@20": "5"}, "must be a number")):
        with pytest.raises(LogError, match=words):
            packets([("p:1", rows[0]), ("p:2", json.loads(json.dumps(bad)))])
