from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.reporting.canonical import canonical

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=20,
)


def test_members_are_sorted_and_whole_numbers_have_no_point() -> None:
    assert canonical({"b": 1.0, "a": [0.5, -0.0, 1e21], "é": None}) == '{"a":[0.5,0,1e+21],"b":1,"é":null}\n'.encode()


@pytest.mark.parametrize("value", [math.nan, math.inf, 2**53 + 1, "\ud800"])
def test_what_json_cannot_keep_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        canonical([value])


@given(VALUES)
def test_what_is_written_reads_back_equal(value: object) -> None:
    assert json.loads(canonical(value), parse_int=float) == value
