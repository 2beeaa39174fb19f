"""Rows that are right, for a test to spoil or to extend, and samples files made of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from pytest_retrieval_bench.benchmarks import agent_retrieval_bench, contextbench
from pytest_retrieval_bench.benchmarks.jsonl import Row
from pytest_retrieval_bench.model import Json, Sample

COMMIT = "0123456789abcdef" * 2 + "01234567"


def arb_row(**members: Json) -> Row:
    """A row of Agent Retrieval Bench with these members added or replaced."""
    row: Row = {"id": "one", "repo": "acme/shop", "base_commit": COMMIT, "task_type": "trace2code"}
    return row | {"query": {"text": "why"}, "gold": {"files": ["a.py"]}} | members


def contextbench_row(spans: Json = None, **members: Json) -> Row:
    """A row of ContextBench whose gold are these spans, one line of `a.py` if there are none."""
    if spans is None:
        spans = [span("a.py", 1, 1)]
    row: Row = {"instance_id": "one", "repo": "acme/shop", "base_commit": COMMIT, "problem_statement": "why"}
    return row | {"gold_context": json.dumps(spans)} | members


def span(file: Json, start: Json, end: Json) -> Json:
    """A gold span as ContextBench writes it."""
    return {"file": file, "start_line": start, "end_line": end}


def arb_sample(**members: Json) -> Sample:
    """The sample of such a row."""
    return agent_retrieval_bench.sample_of(arb_row(**members), "s.jsonl:7")


def contextbench_sample(spans: Json = None, **members: Json) -> Sample:
    """The sample of such a row."""
    return contextbench.sample_of(contextbench_row(spans, **members), "s.jsonl:7")


def without(row: Row, *names: str) -> Row:
    """The row without these members."""
    return {name: value for name, value in row.items() if name not in names}


def write(path: Path, rows: Iterable[Row]) -> Path:
    """Writes the rows as a samples file."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path
