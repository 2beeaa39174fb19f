"""Every measure of the set `arb` has the value of its plain restatement."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.model import Annotations, Answer, Chunk, Query, Sample, Span
from pytest_retrieval_bench.scoring.arb.measure import measure
from pytest_retrieval_bench.scoring.arb.names import BUDGETS, MEASURES, TAUS

from . import arb_measures as restated

PATHS = [f"{folder}/{name}" for folder in ("a", "b-c", "ü") for name in ("x.py", "y_z.go", "1st", "deep/w.ts")]
FILES = [*PATHS, *(f"more/{number}.py" for number in range(25))]
LINES = st.tuples(st.sampled_from(PATHS), st.integers(1, 20), st.integers(0, 8)).map(
    lambda mark: (mark[0], mark[1], mark[1] + mark[2])
)
SIZES = st.sampled_from([0, 1, 10, 900, 3000, 7999, 8000, 8001, 20000])
CHUNKS = st.lists(
    st.builds(lambda mark, kind, size: (*mark, kind, size), LINES, st.sampled_from(["file", "symbol"]), SIZES),
    max_size=12,
)
GOLD = st.lists(st.sampled_from(FILES), min_size=1, max_size=4, unique=True)
WORDS = st.builds(
    lambda parts, times: "".join(parts) * times,
    st.lists(st.sampled_from(["w ", "x.y", "1abc", "é", "\x85", "\n", "_9 "]), max_size=4),
    st.sampled_from([1, 5, 15, 16, 17, 600, 2000]),
)


def sample(gold: list[str], hard: list[str], spans: list[Any], blocks: list[Any]) -> Sample:
    marks = Annotations(
        tuple(Span(*span) for span in spans),
        tuple(Chunk(path, (first, last)) for path, first, last in blocks),
        tuple(hard),
    )
    query = Query({}, "{}", "")
    return Sample("one", "t", "o/r", "0" * 40, query, tuple(gold), (), (), "positive", "A", annotations=marks)


@given(CHUNKS, GOLD, GOLD, st.lists(LINES, max_size=3), st.lists(LINES, max_size=3))
@settings(deadline=None, max_examples=300)
def test_measures_of_files_chunks_lines_and_blocks(
    chunks: list[Any], gold: list[str], hard: list[str], spans: list[Any], blocks: list[Any]
) -> None:
    ranked = list(dict.fromkeys(chunk[0] for chunk in chunks))
    answer = Answer(
        [chunk[0] for chunk in chunks],
        chunks=[Chunk(path, (first, last), kind, chars=size) for path, first, last, kind, size in chunks],
    )
    values: Any = measure(sample(gold, hard, spans, blocks), answer, lambda path: None)["values"]
    chosen = restated.packed(chunks)
    expected = restated.of_files(ranked, gold, hard) | restated.of_packing(chosen, gold)
    expected |= restated.of_lines(chosen, spans) if spans else {}
    expected |= restated.of_blocks(chosen, blocks) if blocks else {}
    assert {name: value for name, value in values.items() if "BCY" not in name} == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.sampled_from(FILES), max_size=25), GOLD, st.dictionaries(st.sampled_from(FILES), WORDS))
@settings(deadline=None, max_examples=60)
def test_budgeted_context_yield(ranking: list[str], gold: list[str], texts: dict[str, str]) -> None:
    names = [name for name in MEASURES if "BCY" in name]
    values: Any = measure(sample(gold, [], [], []), Answer(ranking), texts.get, names)["values"]
    expected: dict[str, float] = {}
    for budget in BUDGETS:
        for tau in TAUS:
            expected |= restated.of_budget(list(dict.fromkeys(ranking)), gold, texts, budget, tau)
    assert values == pytest.approx(expected, abs=1e-12)
    assert set(values) == set(names)
