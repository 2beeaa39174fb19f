"""Which samples a run takes (PROTOCOL 1, stratum), and the names of its items (DESIGN, decision 1)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.benchmarks.read import SamplesFile
from pytest_retrieval_bench.model import Json, Sample
from pytest_retrieval_bench.plan import Plan, make_plan, module_names
from tests.benchmarks.rows import arb_sample

NO_GOLD: Json = {"no_gold": True}
NAMES = st.text(st.sampled_from("ab:-[]@\\ \x1b\xe9\n/"), min_size=1) | st.text(min_size=100)


def planned(samples: list[Sample], arms: list[str], task_type: str | None = None, max_samples: int = 0) -> Plan:
    file = SamplesFile(Path("set") / "s.jsonl", tuple(samples), "0" * 64, bytes)
    return make_plan([file], arms, task_type, max_samples)


def taken(plan: Plan) -> list[str]:
    return [sample.id for sample in plan.samples]


def test_a_positive_row_without_gold_is_skipped_and_counted() -> None:
    samples = [arb_sample(id="1"), arb_sample(id="2", gold={}), arb_sample(id="3", gold=NO_GOLD)]
    plan = planned([*samples, arb_sample(id="4", gold=None)], ["grep"])
    assert (taken(plan), plan.skipped_unlabelled) == (["1", "3"], 2)


def test_a_task_filter_takes_its_own_rows_and_counts_only_their_gaps() -> None:
    samples = [arb_sample(id="1"), arb_sample(id="2", task_type="code2test"), arb_sample(id="3", gold={})]
    plan = planned([*samples, arb_sample(id="4", gold={}, task_type="code2test")], ["grep"], "code2test")
    assert (taken(plan), plan.skipped_unlabelled) == (["2"], 1)


@pytest.mark.parametrize(("bound", "ids"), [(0, ["1", "3", "4"]), (1, ["1"]), (2, ["1", "3"]), (9, ["1", "3", "4"])])
def test_the_bound_on_samples_counts_those_that_are_taken(bound: int, ids: list[str]) -> None:
    samples = [arb_sample(id="1"), arb_sample(id="2", gold={}), arb_sample(id="3"), arb_sample(id="4")]
    assert taken(planned(samples, ["grep"], max_samples=bound)) == ids


def test_an_item_is_named_after_task_repository_sample_and_arm() -> None:
    plan = planned([arb_sample(id="x-1", task_type="code2test")], ["grep", "bm25:all"])
    assert list(plan.pairs()) == [
        "s.jsonl::test_retrieval[code2test-acme/shop-x-1-grep]",
        "s.jsonl::test_retrieval[code2test-acme/shop-x-1-bm25:all]",
    ]


def test_pairs_whose_names_read_the_same_are_told_apart() -> None:
    plan = planned([arb_sample(id="a"), arb_sample(id="a-b")], ["b-c", "c"])
    assert {(pair.sample.id, pair.arm) for pair in plan.pairs().values()} == {
        ("a", "b-c"),
        ("a", "c"),
        ("a-b", "b-c"),
        ("a-b", "c"),
    }


@given(st.lists(NAMES, min_size=1, max_size=5, unique=True), st.lists(NAMES, min_size=1, max_size=3, unique=True))
@settings(deadline=None)
def test_each_pair_has_its_own_short_printable_name(ids: list[str], arms: list[str]) -> None:
    plan = planned([arb_sample(id=name) for name in ids], arms)
    names = [pair.id for pair in plan.modules[0].pairs]
    assert len(set(names)) == len(ids) * len(arms)
    for name in names:
        assert len(name) <= 120
        assert re.fullmatch(r"[\x20-\x7e]+", name)
        assert not re.search(r"::|[\[\]@]", name)


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["/x/s.jsonl"], ["s.jsonl"]),
        (["/x/a.jsonl", "/y/b.jsonl"], ["a.jsonl", "b.jsonl"]),
        (["/x/s.jsonl", "/y/s.jsonl", "/y/t.jsonl"], ["x/s.jsonl", "y/s.jsonl", "t.jsonl"]),
        (["/1/x/s.jsonl", "/2/x/s.jsonl"], ["1/x/s.jsonl", "2/x/s.jsonl"]),
    ],
)
def test_a_module_is_named_after_its_file_and_as_many_folders_as_tell_it_apart(
    paths: list[str], names: list[str]
) -> None:
    assert module_names([Path(path) for path in paths]) == names
