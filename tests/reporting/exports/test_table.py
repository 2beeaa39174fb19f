"""The flat table: both forms hold the rows of the report, and what is absent stays absent."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from pytest_retrieval_bench.reporting.exports.table import csv_table, parquet_table
from pytest_retrieval_bench.reporting.load import flat_rows
from tests.reporting.small_reports import HIT, MISS, row

HOSTILE = "=cmd|\"',\n\u2028"


def details() -> list[dict[str, Any]]:
    rows = [row("a", {"x": HIT, "y": None}), row(HOSTILE, {"x": MISS}, stratum="natural_no_gold", gold=[])]
    rows[0]["arms"]["x"] |= {"wall_ms": 1.25, "figures": {"tokens": 3}, "packet_bytes": 7}
    return rows


def test_csv_holds_each_row_and_leaves_empty_what_is_absent() -> None:
    table = list(csv.DictReader(io.StringIO(csv_table({"details": details()}).decode())))
    rows = list(flat_rows(details()))
    assert [(line["id"], line["arm"]) for line in table] == [("a", "x"), ("a", "y"), (HOSTILE, "x")]
    assert json.loads(table[0]["ranked"]) == rows[0]["ranked"]
    assert json.loads(table[0]["figures"]) == {"tokens": 3}
    assert (table[0]["wall_ms"], table[1]["wall_ms"], table[2]["hit@k"]) == ("1.25", "", "")
    assert table[1]["error"] == "it broke"


def test_parquet_holds_each_row_and_leaves_null_what_is_absent() -> None:
    table = parquet.read_table(pa.BufferReader(parquet_table({"details": details()})))
    found = table.to_pylist()
    for line, expected in zip(found, flat_rows(details()), strict=True):
        for name, value in line.items():
            if name == "figures":
                assert (None if value is None else json.loads(value)) == expected.get(name)
            else:
                assert value == expected.get(name)


def test_values_that_a_report_of_another_tool_adds_are_kept_in_both_forms() -> None:
    rows = [row("a", {"x": HIT}), row("b", {"x": HIT}), row("c", {"x": HIT})]
    values: list[Any] = [[1], {"big": 10**30}, True]
    for line, value in zip(rows, values, strict=True):
        line["arms"]["x"]["added"] = value
    table = parquet.read_table(pa.BufferReader(parquet_table({"details": rows})))
    assert [json.loads(line["added"]) for line in table.to_pylist()] == values
    read = csv.DictReader(io.StringIO(csv_table({"details": rows}).decode()))
    assert [json.loads(line["added"]) for line in read] == values


def test_the_types_of_columns_hang_on_their_names_alone() -> None:
    some = parquet.read_schema(pa.BufferReader(parquet_table({"details": details()})))
    empty = row("b", {"x": ()})
    other = parquet.read_schema(pa.BufferReader(parquet_table({"details": [empty]})))
    for name in set(some.names) & set(other.names):
        assert some.field(name).type == other.field(name).type
    assert some.field("hit@k").type == pa.float64()
