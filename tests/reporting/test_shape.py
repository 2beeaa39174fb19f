"""Reports that are not as they must be are refused in words, with the file; those of the reference tool are read."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.reporting.load import load_report
from pytest_retrieval_bench.reporting.shape import in_shape
from tests.reporting.small_reports import HIT, report, row, written

Change = Callable[[dict[str, Any]], object]


def members() -> dict[str, Any]:
    found: dict[str, Any] = report([row("a", {"grep": HIT}), row("b", {"grep": HIT})])
    return found


def first(report: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = report["details"][0]
    return found


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda r: r.pop("samples_sha256"), "samples_sha256 is missing"),
        (lambda r: r.update(limit="20"), "limit must be a whole number of at least 1, this is '20'"),
        (lambda r: r.update(limit=True), "limit must be a whole number of at least 1, this is True"),
        (lambda r: r.update(details={}), "details must be a list, this is {}"),
        (lambda r: r.update(registration=[]), "registration must be an object, this is []"),
        (lambda r: r.update(corvint={"sha256": 1}), "corvint.version is missing"),
        (lambda r: r.update(skipped={"no_gold_unlabeled": -1}), "skipped.no_gold_unlabeled must be a whole number"),
        (lambda r: r["registration"].update(arms=[1]), "registration.arms must be a list of strings, this is [1]"),
        (lambda r: r["registration"].update(retrievers={"x": 1}), "registration.retrievers.x must be an object"),
        (
            lambda r: r["registration"].update(retrievers={"context": {}}),
            "registration.retrievers.context.sha256 is mi",
        ),
        (lambda r: r["registration"].update(machine={"workers": {"x": 0}}), "registration.machine.workers.x must be a"),
        (lambda r: r["registration"].update(machine={"workers": []}), "registration.machine.workers must be an object"),
        (lambda r: r["registration"].update(shard={"of": 2}), "registration.shard.ordinals is missing"),
        (lambda r: r["registration"].update(inference={"names": []}), "registration.inference.margin is missing"),
        (lambda r: r["registration"].update(suite={}), "registration.suite.title is missing"),
        (
            lambda r: r["registration"].update(suite={"title": "", "metrics": ["<b>"]}),
            "registration.suite.metrics must be a list of names of metrics",
        ),
        (lambda r: r["registration"].update(unreviewed_ids=3), "registration.unreviewed_ids must be a list of strings"),
        (lambda r: r.update(incomplete=[{"id": "a", "arm": "grep"}]), "incomplete[0].why is missing"),
        (lambda r: r.update(incomplete=[{"id": "z", "arm": "grep", "why": ""}]), "incomplete[0].id: no row of details"),
        (lambda r: r["details"].append(5), "details[2] must be an object, this is 5"),
        (lambda r: first(r).update(id=""), "details[0].id must be a string that is not empty, this is ''"),
        (lambda r: first(r).update(id="b"), "details[1].id: 'b' is also the id of details[0]"),
        (lambda r: first(r).update(stratum="good"), "details[0].stratum must be one of positive, natural_no_gold"),
        (lambda r: first(r).update(gold="gold.py"), "details[0].gold must be a list of strings, this is 'gold.py'"),
        (lambda r: first(r)["metrics"].clear(), "details[0]: arms and metrics must name the same arms"),
        (lambda r: first(r)["arms"].update(grep=[]), "details[0].arms.grep must be an object, this is []"),
        (
            lambda r: first(r)["arms"]["grep"].update(ranked=[1]),
            "details[0].arms.grep.ranked must be a list of strings",
        ),
        (lambda r: first(r)["arms"]["grep"].pop("abstained"), "details[0].arms.grep.abstained is missing"),
        (lambda r: first(r)["arms"]["grep"].update(wall_ms=-1), "details[0].arms.grep.wall_ms must be a number of at"),
        (lambda r: first(r)["metrics"]["grep"].pop("mrr@k"), "details[0].metrics.grep.mrr@k is missing"),
        (lambda r: first(r)["metrics"]["grep"].pop("recall@5"), "details[0].metrics.grep.recall@5 is missing"),
        (lambda r: first(r)["metrics"]["grep"].update({"hit@k": 2}), "details[0].metrics.grep.hit@k must be 0 or 1"),
        (lambda r: first(r)["metrics"]["grep"].update({"f1@k": "1"}), "details[0].metrics.grep.f1@k must be a number"),
    ],
)
def test_a_member_that_is_not_as_it_must_be_is_named_with_its_place(tmp_path: Path, change: Change, words: str) -> None:
    bad = members()
    change(bad)
    with pytest.raises(ReportError, match=r"report\.json: ") as caught:
        written(tmp_path / "report.json", bad)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"hit@k": 1', '"hit@k": NaN', "NaN is not JSON; write null or leave the member out: line 1 column "),
        ('"hit@k": 1', '"hit@k": 1e999', "details[0].metrics.grep.hit@k must be 0 or 1, this is inf"),
        ('"f1@k": 1.0', '"f1@k": -1e999', "details[0].metrics.grep.f1@k must be a number, this is -inf"),
        ('"hit@k": 1', '"hit@k": 1, "hit@k": 0', "the key 'hit@k' stands twice in one object"),
        ('"hit@k": 1,', '"hit@k": 1', "Expecting ',' delimiter: line 1 column "),
    ],
)
def test_text_that_is_no_json_is_named_with_its_place(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = json.dumps(members())
    assert old in text
    path = tmp_path / "report.json"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(ReportError, match=r"report\.json: ") as caught:
        load_report(path)
    assert words in str(caught.value)


@given(st.data())
@settings(deadline=None)
def test_a_torn_file_is_refused_wherever_it_is_torn(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    whole = json.dumps(members()).encode()
    path = tmp_path_factory.mktemp("torn") / "report.json"
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    with pytest.raises(ReportError, match=r"report\.json: "):
        load_report(path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@given(st.data())
@settings(deadline=None, max_examples=300)
def test_any_value_in_any_place_is_read_or_refused_in_words(data: st.DataObject) -> None:
    bad = members()
    holder: Any = bad
    while True:
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(holder[key], dict | list) and holder[key] and data.draw(st.booleans()):
            holder = holder[key]
            continue
        holder[key] = data.draw(JSON)
        break
    with contextlib.suppress(ValueError):  # whatever else it may raise
        assert in_shape(bad)["details"] is not None


def test_what_the_reference_tool_leaves_out_or_writes_as_null_is_filled_in(tmp_path: Path) -> None:
    old = row("a", {"grep": ()}, stratum="natural_no_gold", gold=None, repo="gin-gonic/gin")
    old["arms"]["grep"] = {"ranked": None, "abstained": True}
    del old["partition"], old["given"]
    read = written(tmp_path / "r.json", {"samples_sha256": "5" * 64, "limit": 5, "details": [old], "paired": None})
    (found,) = read.data["details"]
    assert (found["gold"], found["given"], found["partition"]) == ([], [], "A")
    assert found["arms"]["grep"]["ranked"] == []
    assert (read.arms, read.complete, read.data["skipped"]) == (["grep"], True, {"no_gold_unlabeled": 0})
    assert next(iter(read.rows()))["arm"] == "grep"
