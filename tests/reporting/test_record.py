from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.model import Record
from pytest_retrieval_bench.reporting.record import from_json, to_json

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
RECORDS = st.builds(
    Record,
    sample_id=TEXT,
    arm=TEXT,
    outcome=st.sampled_from(["answered", "abstained", "not applicable", "error"]),
    ranked=st.lists(TEXT).map(tuple),
    abstained=st.booleans(),
    state=st.none() | TEXT,
    top_score=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    packet_bytes=st.none() | st.integers(0),
    error=st.none() | TEXT,
    cache_state=st.none() | TEXT,
    wall_ms=st.none() | st.floats(0, 1e9),
    metrics=st.dictionaries(TEXT, st.integers(0, 20) | st.floats(0, 1)),
)


@given(RECORDS)
def test_a_record_comes_back_as_it_was_sent_on_one_line_of_ascii(record: Record) -> None:
    text = to_json(record)
    assert text.isascii()
    assert "\n" not in text
    assert from_json(text) == record


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object()])
def test_what_json_does_not_have_is_refused(value: float) -> None:
    record = Record("s", "grep", "answered", (), abstained=False, metrics={"mrr@k": value})
    with pytest.raises((ValueError, TypeError)):
        to_json(record)
