"""The plain reading of a query object: no part of the protocol, shown to retrievers that read prose."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.model import Json
from pytest_retrieval_bench.text.plain import plain_reading


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"pr_title": "Keep order", "body": "It is lost."}, "pr title: Keep order\nbody: It is lost."),
        ({"trace": "first\nsecond"}, "trace:\nfirst\nsecond"),
        ({"hint": ["one", "two"]}, "hint: one\nhint: two"),
        ({"issue": {"sub_title": "deep"}}, "issue sub title: deep"),
        ({"blank": " \n", "empty": "", "number": 3, "nothing": None, "flag": True}, ""),
        ({}, ""),
    ],
    ids=["labels", "many lines", "list", "nested", "nothing to read", "no field"],
)
def test_each_string_stands_under_its_label(fields: dict[str, Json], text: str) -> None:
    assert plain_reading(fields) == text
