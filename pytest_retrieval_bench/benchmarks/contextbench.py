"""Rows of ContextBench (arXiv 2602.05892), one JSON object a line with the data set's columns (PROTOCOL 1)."""

from __future__ import annotations

from pytest_retrieval_bench.benchmarks.fields import commit_field, repo_field, text_field
from pytest_retrieval_bench.benchmarks.folds import fold
from pytest_retrieval_bench.benchmarks.jsonl import Row, type_name
from pytest_retrieval_bench.errors import SamplesError
from pytest_retrieval_bench.model import Json, Query, Sample, Span
from pytest_retrieval_bench.text.strict_json import loads


def recognises(row: Row) -> bool:
    """Whether the row is of this benchmark: it alone names its rows `instance_id`."""
    return "instance_id" in row


def sample_of(row: Row, where: str) -> Sample:
    """The sample of a row: the problem statement is the query, the files of the gold spans are the gold.

    Raises SamplesError, naming `where`, the member and what would be right.
    """
    identity, repo = text_field(row, "instance_id", where), repo_field(row, where)
    commit, statement = commit_field(row, where), text_field(row, "problem_statement", where)
    spans = _spans(text_field(row, "gold_context", where), where)
    return Sample(
        id=identity,
        task_type="contextbench",
        repo=repo,
        base_commit=commit,
        query=Query({"problem_statement": statement}, statement, statement),
        gold=tuple(sorted({span.path for span in spans})),
        given=(),
        hard_negatives=(),
        stratum="positive",
        partition=fold(repo),
        gold_spans=spans,
    )


def repository_path(path: str) -> str:
    """A gold path as the benchmark normalises it: the container's prefix cut, relative, with forward slashes."""
    path = path.replace("\\", "/")
    if path.startswith("/testbed/"):
        return path.removeprefix("/testbed/")
    if path.startswith("/workspace/"):
        first, slash, rest = path.removeprefix("/workspace/").partition("/")
        return rest if slash else first
    return path.lstrip("/") if path.startswith("/") else path.lstrip("./")


def _spans(text: str, where: str) -> tuple[Span, ...]:
    try:
        listed = loads(text)
    except (ValueError, RecursionError) as error:
        raise SamplesError(f"{where}: gold_context is not JSON inside its string: {error}") from error
    if not isinstance(listed, list):
        raise SamplesError(f"{where}: gold_context must hold a list of spans, this is {type_name(listed)}")
    spans = [_span(item, f"{where}: gold_context[{number}]") for number, item in enumerate(listed)]
    return tuple(span for span in spans if span is not None)


def _span(item: Json, where: str) -> Span | None:
    """A gold span, None where no path is left of it."""
    if not isinstance(item, dict):
        raise SamplesError(f"{where}: a span is an object, this is {type_name(item)}")
    path, start, end = item.get("file"), item.get("start_line"), item.get("end_line")
    if not isinstance(path, str):
        raise SamplesError(f"{where}: file must be a string, this is {type_name(path)}")
    if not repository_path(path):
        return None
    if type(start) is not int or type(end) is not int or start < 1 or end < start:
        raise SamplesError(f"{where}: lines must be 1 <= start_line <= end_line, this is {start!r} to {end!r}")
    return Span(repository_path(path), start, end)
