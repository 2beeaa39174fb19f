"""The views of the further metric sets as one long table, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

from pytest_retrieval_bench.reporting.arb.long_rows import long_rows
from pytest_retrieval_bench.reporting.ir.tables import ir_rows
from pytest_retrieval_bench.reporting.long_row import COLUMNS
from pytest_retrieval_bench.reporting.own_measures import own_rows
from pytest_retrieval_bench.scoring.arb.names import ARB
from pytest_retrieval_bench.scoring.ir import IR
from pytest_retrieval_bench.scoring.own import OWN

_ROWS = {ARB: long_rows, IR: ir_rows, OWN: own_rows}


def views_csv(measures: Mapping[str, Any]) -> bytes:
    """The member `measures` of a report as CSV in UTF-8, under `COLUMNS`."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for name, section in measures.items():
        writer.writerows(_ROWS[name](section))
    return text.getvalue().encode()
