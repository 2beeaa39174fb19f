"""The real thing and the plain re-statement give the same on generated repositories and queries."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.arms.registry import built_in_arms
from pytest_retrieval_bench.arms.run import Asker
from pytest_retrieval_bench.benchmarks import agent_retrieval_bench, contextbench
from pytest_retrieval_bench.case import RetrievalCase
from pytest_retrieval_bench.index.store import IndexStore
from pytest_retrieval_bench.model import LEXICAL_ARMS, Sample
from pytest_retrieval_bench.text.anchors import anchor_bearing
from tests.memory_snapshot import MemorySnapshot
from tests.reference import arms as reference_arms
from tests.reference import metrics as reference_metrics
from tests.reference import samples as reference_samples
from tests.reference import snapshot as reference_snapshot
from tests.reference import text as reference_text

# Pieces that meet, join, overlap and fold in every way that the protocol speaks of.
PIECES = [
    "foo", "Foo", "FOO", "fooBar", "oo", "bar", "x", "9", "_", "-", "--", ".", ".go", ".tsx", "/", " ", "\n", ":", "::",
    '"', "foo_bar", "foo-bar", "a-b-c", "\u212a", "\u0130", "i", "K", "é", "日本", "://", ":42",
    "log.level", "\r", "\t", "\\",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
NAMES = st.lists(
    st.sampled_from(["foo", "Bar", "fooBar", "foo_bar", "a-b", "x9", "\u212a", "é"]), min_size=1, max_size=3
)
PATHS = st.builds(
    lambda folders, name, suffix: "/".join([*folders, "".join(name) + suffix]),
    st.lists(st.sampled_from(["src", "fooBar", "tests", ".corvint"]), max_size=2),
    NAMES,
    st.sampled_from(["", ".go", ".tsx", ".md"]),
)
CONTENTS = TEXTS.map(str.encode) | st.builds(lambda a, b: a.encode() + b + a.encode(), TEXTS, st.binary(max_size=6))
TREES = st.dictionaries(PATHS, CONTENTS, min_size=1, max_size=8)
FIELDS = st.recursive(
    TEXTS | st.none() | st.integers(-9, 9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
TASKS = st.sampled_from(["code2test", "comment2context", "trace2code", "edit2ripple", "abstention"])


@st.composite
def rows(draw: st.DrawFn, tree: dict[str, bytes]) -> dict[str, Any]:
    """A row whose paths mostly are in the tree."""
    paths = st.sampled_from(sorted(tree)) | PATHS
    listed = st.lists(paths | st.builds(lambda path: {"path": path}, paths) | st.none() | st.just(""), max_size=4)
    names = ["files", "related_tests", "must_context_files", "context_files", "root_cause_files"]
    gold = draw(
        st.fixed_dictionaries({}, optional=dict.fromkeys([*names, "given_files", "negative_distractors"], listed))
    )
    gold |= draw(st.sampled_from([{}, {}, {"no_gold": True}, {"no_gold": 1}]))
    query = draw(st.dictionaries(TEXTS, FIELDS, max_size=4)) | draw(st.sampled_from([{}, {"path": sorted(tree)[0]}]))
    return {
        "id": "generated",
        "task_type": draw(TASKS),
        "repo": "acme/memory",
        "base_commit": "0" * 40,
        "query": query,
        "gold": gold,
        "metadata": draw(st.sampled_from([{}, {"organic": True}, {"organic": 1}])),
    }


@st.composite
def repositories_and_rows(draw: st.DrawFn) -> tuple[dict[str, bytes], dict[str, Any]]:
    tree = draw(TREES)
    # A path cannot be the folder of another.
    tree = {path: content for path, content in tree.items() if not any(other.startswith(f"{path}/") for other in tree)}
    return tree, draw(rows(tree))


def agree(tree: dict[str, bytes], row: dict[str, Any], sample: Sample, limit: int) -> None:
    """Rankings, scores and metrics of the four lexical arms on one sample."""
    expected = reference_arms.lexical_rankings(row, reference_snapshot.readable(tree))
    arms = {arm.name: arm for arm in built_in_arms(IndexStore(None))}
    case = RetrievalCase(sample, MemorySnapshot(tree), limit, arms, Asker())
    for name in LEXICAL_ARMS:
        measured = case.measure(name)
        assert measured.exception is None
        whole = list(zip(measured.answer.ranking, measured.answer.scores or (), strict=True))
        assert [path for path, _ in whole] == [path for path, _ in expected[name]], name
        assert [score for _, score in whole] == pytest.approx([score for _, score in expected[name]], rel=1e-12), name
        given = reference_samples.given(row)
        kept = reference_metrics.keep(expected[name], given, limit)
        assert list(measured.record.ranked) == kept
        wanted = reference_metrics.metrics(row, kept, not kept, limit, errored=False)
        if reference_samples.is_contextbench(row):
            wanted |= reference_metrics.contextbench_metrics(row, kept, tree)
        assert dict(measured.record.metrics) == pytest.approx(wanted, abs=1e-12), name
        best = reference_metrics.top_score(expected[name], given)
        assert measured.record.top_score == (None if best is None else pytest.approx(best, abs=6e-7))


@settings(max_examples=400, deadline=None)
@given(repositories_and_rows(), st.integers(1, 25))
def test_rankings_scores_and_metrics_agree(case: tuple[dict[str, bytes], dict[str, Any]], limit: int) -> None:
    tree, row = case
    sample = agent_retrieval_bench.sample_of(row, "row")
    assert sample.query.text == reference_samples.query_text(row)
    assert list(sample.gold) == ([] if reference_samples.has_no_gold_label(row) else reference_samples.gold(row))
    assert list(sample.given) == reference_samples.given(row)
    assert list(sample.hard_negatives) == reference_samples.hard_negatives(row)
    assert sample.stratum == reference_samples.stratum(row)
    if not reference_samples.is_skipped(row):
        agree(tree, row, sample, limit)


def span(prefix: str, path: str, start: int, more: int) -> dict[str, Any]:
    """A gold span as ContextBench writes it."""
    return {"file": prefix + path, "start_line": start, "end_line": start + more}


@settings(max_examples=200, deadline=None)
@given(TREES, TEXTS.filter(bool), st.data())
def test_contextbench_rows_agree(tree: dict[str, bytes], statement: str, data: st.DataObject) -> None:
    prefixes = st.sampled_from(["", "/testbed/", "./", "/workspace/x/", "\\"])
    spans = st.builds(span, prefixes, st.sampled_from(sorted(tree)), st.integers(1, 4), st.integers(0, 3))
    row: dict[str, Any] = {
        "instance_id": "generated",
        "repo": "acme/memory",
        "base_commit": "0" * 40,
        "problem_statement": statement,
        "gold_context": json.dumps(data.draw(st.lists(spans, min_size=1, max_size=4))),
    }
    sample = contextbench.sample_of(row, "row")
    assert list(sample.gold) == reference_samples.gold(row)
    if not reference_samples.is_skipped(row):
        agree(tree, row, sample, 20)


@example('""aaaa"')
@settings(max_examples=1000, deadline=None)
@given(TEXTS | FIELDS.map(lambda value: json.dumps(value, ensure_ascii=False)))
def test_anchors_agree(text: str) -> None:
    assert anchor_bearing(text) == reference_text.anchor_bearing(text)
