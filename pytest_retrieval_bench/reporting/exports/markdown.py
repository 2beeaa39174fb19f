"""A report as Markdown for a pull request or a job summary: what was measured, how good it is, what went wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_retrieval_bench.reporting.judging import Verdict
from pytest_retrieval_bench.reporting.protocol.text import protocol_table
from pytest_retrieval_bench.reporting.terminal import counted, guesses, leaderboard, of_suite
from pytest_retrieval_bench.text.markdown import code, in_table, table
from pytest_retrieval_bench.text.visible import visible

# GitHub refuses a comment above it.
MAX_CHARS = 65_536
_SHOWN = 20
_CELL_CHARS = 200
_SIGNS = {"passed": "✅ passed", "failed": "❌ failed", "skipped": "⏭️ skipped"}


def report_markdown(report: Mapping[str, Any], verdicts: Sequence[Verdict], problems: Sequence[str] = ()) -> str:
    """The Markdown, at most 65,536 characters; what does not fit is left out in words."""
    text = ""
    for block in _blocks(report, verdicts, problems):
        if len(text) + len(block) > MAX_CHARS - 100:
            return f"{text}The rest is left out: GitHub takes {MAX_CHARS} characters. It is in the report.\n"
        text += f"{block}\n\n"
    return text


def _blocks(report: Mapping[str, Any], verdicts: Sequence[Verdict], problems: Sequence[str]) -> Iterator[str]:
    samples = counted(report["samples"], "sample")
    yield "### Retrieval benchmark"
    yield f"{samples}, {counted(len(report['arms']), 'arm')}, limit {report['limit']}."
    for problem in problems:
        yield f"❌ {code(problem)}"
    yield from (f"⚠️ {words}." for words in guesses(report))
    missing = report.get("incomplete", [])
    if missing:
        yield f"❌ **Incomplete: {counted(len(missing), 'result')} missing.**"
        yield _listed(["sample", "arm", "why"], [(pair["id"], pair["arm"], pair["why"]) for pair in missing])
    if verdicts:
        rows = [[_SIGNS[verdict.outcome], in_table(code(verdict.message))] for verdict in verdicts]
        yield table(["gate", "what was found"], rows, (0, 1))
    yield _table(leaderboard(report))
    if "protocol" in report:
        yield from _protocol(report["protocol"])
    errors = list(_errors(report))
    if errors:
        yield _folded(f"{counted(len(errors), 'answer')} failed", _listed(["sample", "arm", "error"], errors))
    yield _folded("By task type", _table(leaderboard(report, by_task=True)))
    yield from (code(words) for words in of_suite(report["registration"].get("suite", {})))


def _table(rows: Sequence[Sequence[str]]) -> str:
    """The rows of the terminal's table; an arm and a task are strangers' names."""
    head, *body = rows
    return table(head, [[("↳ " if row[0].startswith(" ") else "") + _name(row[0].strip()), *row[1:]] for row in body])


def _protocol(section: Mapping[str, Any]) -> Iterator[str]:
    """What came of the registered hypotheses, and what was not registered."""
    head, *rows = protocol_table(section)
    cells = [[in_table(code(name)), in_table(code(claim)), *figures] for name, claim, *figures in rows]
    yield table(head, cells, (0, 1, len(head) - 1))
    for kind, names in section["not_registered"].items():
        if names:
            yield f"Exploratory, not registered: {kind} {', '.join(map(code, names))}."


def _errors(report: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for row in report["details"]:
        for arm, answer in row["arms"].items():
            if "error" in answer and answer.get("outcome") != "not applicable":
                yield row["id"], arm, answer["error"]


def _listed(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of strangers' texts, cut and counted."""
    more = f"\n\nand {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    shown = [[_name(visible(text, _CELL_CHARS)) for text in row] for row in rows[:_SHOWN]]
    return table(head, shown, range(len(head))) + more


def _name(text: str) -> str:
    return in_table(code(text))


def _folded(title: str, text: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{text}\n\n</details>"
