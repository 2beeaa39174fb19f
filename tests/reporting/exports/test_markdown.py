"""Markdown of a report: what went wrong comes first, strangers' text is inert, GitHub's bound is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.reporting.exports.markdown import MAX_CHARS, report_markdown
from pytest_retrieval_bench.reporting.gates import Threshold
from pytest_retrieval_bench.reporting.judging import judge
from pytest_retrieval_bench.reporting.merge import merge
from tests.reporting.small_reports import HIT, MISS, report, row, written

HOSTILE = "`|`@all <img src=x> [a](http://x)\n\x1b[31m</details>"


def whole(folder: Path, rows: list[dict[str, Any]], **members: Any) -> dict[str, Any]:
    return merge([written(folder / "report.json", report(rows, **members))], None)


def test_missing_results_problems_and_gates_come_before_the_figures(tmp_path: Path) -> None:
    lost = [{"id": "b", "arm": "x", "why": "it stopped"}]
    merged = whole(tmp_path, [row("a", {"x": HIT}), row("b", {})], incomplete=lost)
    verdict = judge(Threshold("x", "hit@k", None, ">=", 0.5), merged)
    text = report_markdown(merged, [verdict], ["the journal ends early"])
    places = [
        text.index(words) for words in ("`the journal ends early`", "1 result missing", "❌ failed", "| arm | n |")
    ]
    assert places == sorted(places)
    assert "| `b` | `x` | `it stopped` |" in text


@pytest.mark.parametrize("place", ["id", "arm", "error", "task_type"])
def test_strangers_text_is_code(tmp_path: Path, place: str) -> None:
    answers = {HOSTILE if place == "arm" else "x": MISS if place != "error" else None}
    members = {"task_type": HOSTILE} if place == "task_type" else {}
    one = row(HOSTILE if place == "id" else "a", answers, **members)
    if place == "error":
        one["arms"]["x"]["error"] = HOSTILE
    text = report_markdown(whole(tmp_path, [one]), [])
    assert "\x1b" not in text
    assert text.count("<details>") == text.count("\n</details>")
    for line in text.splitlines():
        if line.startswith("| ") and "@all" in line:
            assert "`` `\\|`@all <img" in line


def test_it_is_never_longer_than_github_takes(tmp_path: Path) -> None:
    rows = [row(f"{number}" * 50, {"x" * 100: None}, task_type=f"task {number}" * 20) for number in range(800)]
    text = report_markdown(whole(tmp_path, rows), [])
    assert len(text) <= MAX_CHARS
    assert text.endswith("It is in the report.\n")
    assert "800 samples, 1 arm, limit 5." in text
