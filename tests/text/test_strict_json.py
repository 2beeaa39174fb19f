from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.text.strict_json import loads

TEXT = st.text(st.sampled_from('NaN-Infinity"\\ {}[]:,'), max_size=12)


@given(st.dictionaries(TEXT, TEXT | st.integers(), max_size=4), st.sampled_from(["NaN", "Infinity", "-Infinity"]))
def test_a_number_that_json_does_not_have_is_named_with_its_place(before: dict[str, object], constant: str) -> None:
    text = json.dumps([before, "@"], indent=1).replace('"@"', f'{constant}, "NaN", NaN')
    place = text.index(constant, len(json.dumps([before], indent=1)) - 2)
    with pytest.raises(ValueError, match="is not JSON") as caught:
        loads(text)
    assert str(caught.value) == (
        f"{constant} is not JSON; write null or leave the member out: "
        f"line {text.count(chr(10), 0, place) + 1} column {place - text.rfind(chr(10), 0, place)} (char {place})"
    )
