"""The rules of Agent Retrieval Bench for its rows: what `arb validate` refuses (ARB 1.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pytest_retrieval_bench.benchmarks.annotations import paths
from pytest_retrieval_bench.benchmarks.jsonl import Row, object_of
from pytest_retrieval_bench.model import Json

TASKS: Final = ("code2test", "comment2context", "trace2code", "edit2ripple", "abstention", "testlog2code")
REASONS: Final = ("upstream_dependency", "external_service", "user_error", "flaky_ci", "counterfactual_wrong_repo")
SOURCES: Final = ("issue", "ci_log", "counterfactual_wrong_repo")


def broken_rules(row: Row) -> Iterator[str]:
    """What is wrong with a row that can be read; leaks are not looked for.

    Of a row of another task type, such as one's own, only the corpus is looked at.
    """
    task, gold = row.get("task_type"), object_of(row.get("gold"))
    corpus = object_of(row.get("candidate_corpus"))
    if corpus and (corpus.get("type"), corpus.get("base_commit")) != ("repo_at_base_commit", row["base_commit"]):
        yield "candidate_corpus must be of type repo_at_base_commit and of the row's base_commit"
    if task == "abstention":
        yield from _abstention(gold, object_of(row.get("query")))
    elif gold.get("no_gold") is True and task in TASKS:
        yield "gold.no_gold is for abstention alone"
    elif task == "code2test":
        yield from _absent(gold, "related_tests")
    elif task == "comment2context":
        yield from _comment2context(row, gold)
    elif task == "edit2ripple":
        yield from _edit2ripple(gold, object_of(row.get("query")))
    elif task in TASKS:
        yield from _absent(gold, "root_cause_files")


def unlike_a_release(row: Row) -> Iterator[str]:
    """What a release has and this row has not, though it can be measured as it is."""
    if row.get("task_type") not in TASKS:
        yield "its task_type is none of the benchmark's, so that it is held to fewer rules"
    if row.get("candidate_corpus") is None:
        yield "has no candidate_corpus"


def _abstention(gold: Row, query: Row) -> Iterator[str]:
    if gold.get("files") != []:
        yield "gold.files must be an empty list"
    if gold.get("no_gold") is not True:
        yield "gold.no_gold must be true"
    yield from _not_of("gold.reason", gold.get("reason"), REASONS)
    yield from _not_of("query.source", query.get("source"), SOURCES)
    yield from _blank(query, "text")


def _comment2context(row: Row, gold: Row) -> Iterator[str]:
    version = row.get("version", 1)
    if isinstance(version, int) and version >= 2:
        yield from _absent(gold, "given_files")
        if not paths(gold.get("must_context_files")) and not paths(gold.get("context_files")):
            yield "gold.must_context_files names no file"
    yield from _absent(gold, "root_cause_files")


def _edit2ripple(gold: Row, query: Row) -> Iterator[str]:
    for name in ("files", "given_files"):
        yield from _absent(gold, name)
    for name in ("anchor_file", "anchor_diff", "intent"):
        yield from _blank(query, name)


def _absent(gold: Row, name: str) -> Iterator[str]:
    if not paths(gold.get(name)):
        yield f"gold.{name} names no file"


def _blank(query: Row, name: str) -> Iterator[str]:
    value = query.get(name)
    if not isinstance(value, str) or not value.strip():
        yield f"query.{name} must be a text that is not blank"


def _not_of(name: str, value: Json, known: tuple[str, ...]) -> Iterator[str]:
    if value not in known:
        yield f"{name} must be one of {', '.join(known)}"
